#pragma once
#include "cli/frame/command.hpp"

namespace bochner::cli {

Command serve_command();

}  // namespace bochner::cli
