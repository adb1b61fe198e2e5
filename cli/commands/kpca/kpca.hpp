#pragma once
#include "cli/frame/command.hpp"

namespace bochner::cli {

Command kpca_command();

}  // namespace bochner::cli
