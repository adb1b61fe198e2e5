#include "bochner/core/errors.hpp"

namespace bochner {

ExitCode exit_code(const std::exception& error) {
  if (dynamic_cast<const WriteError*>(&error)) return ExitCode::could_not_write;
  if (dynamic_cast<const InputError*>(&error) || dynamic_cast<const std::invalid_argument*>(&error) ||
      dynamic_cast<const std::domain_error*>(&error))
    return ExitCode::bad_input;
  return ExitCode::numerical_failure;
}

}  // namespace bochner
