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

/// Exit codes of the program, one per kind of failure.
enum class ExitCode : int { good = 0, bad_input = 1, numerical_failure = 2, could_not_write = 3 };

/// InputError, std::invalid_argument and std::domain_error -> bad_input; NumericalError -> numerical_failure;
/// WriteError -> could_not_write; anything else -> numerical_failure.
ExitCode exit_code(const std::exception& error);

}  // namespace bochner
