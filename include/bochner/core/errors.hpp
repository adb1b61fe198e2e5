#pragma once
#include <stdexcept>

namespace bochner {

/// What the user handed in cannot be used. The message is one message: file or argument, view, row, column, remedy.
/// Wrong arguments of a function throw std::invalid_argument or std::domain_error instead (checks.hpp).
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The computation broke down: a factorisation failed, an objective left the finite numbers.
struct NumericalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A result could not be written: disk full, no permission, path is a directory.
struct WriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace bochner
