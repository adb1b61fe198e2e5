#pragma once
#include <exception>

namespace bochner::cli {

/// Exit codes of the program. A run that a signal stops exits with 128 + the signal, as in shells.
enum class ExitCode : int {
  success = 0,
  invalid_input = 1,
  numerical_failure = 2,
  cannot_write = 3,
  untrusted = 4,  // the verdict is "do not trust", and --strict is given
};

/// InputError, std::invalid_argument and std::domain_error -> invalid_input; NumericalError -> numerical_failure;
/// WriteError -> cannot_write; anything else -> numerical_failure.
ExitCode exit_code(const std::exception& error);

}  // namespace bochner::cli
