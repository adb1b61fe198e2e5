#pragma once
#include "cli/frame/command.hpp"

namespace bochner::cli {

Command evaluate_command();

}  // namespace bochner::cli
