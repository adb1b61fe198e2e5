#pragma once
#include "cli/frame/command.hpp"

namespace bochner::cli {

Command completion_command();

}  // namespace bochner::cli
