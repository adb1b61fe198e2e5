#include "exit_code.hpp"

#include <stdexcept>

#include "bochner/core/errors.hpp"

namespace bochner::cli {

ExitCode exit_code(const std::exception& error) {
  if (dynamic_cast<const WriteError*>(&error)) return ExitCode::cannot_write;
  if (dynamic_cast<const InputError*>(&error) || dynamic_cast<const std::invalid_argument*>(&error) ||
      dynamic_cast<const std::domain_error*>(&error))
    return ExitCode::invalid_input;
  return ExitCode::numerical_failure;
}

}  // namespace bochner::cli
