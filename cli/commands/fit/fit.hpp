#pragma once
#include "cli/frame/command.hpp"

namespace bochner::cli {

Command fit_command();

}  // namespace bochner::cli
