#pragma once
#include "cli/frame/command.hpp"

namespace bochner::cli {

Command regress_command();
Command classify_command();

}  // namespace bochner::cli
