#pragma once
#include "cli/frame/command.hpp"

namespace bochner::cli {

Command apply_command();

}  // namespace bochner::cli
