#pragma once
#include "cli/frame/command.hpp"

namespace bochner::cli {

Command predict_command();

}  // namespace bochner::cli
