#pragma once
#include "cli/frame/command.hpp"

namespace bochner::cli {

Command demo_command();

}  // namespace bochner::cli
