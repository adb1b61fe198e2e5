#pragma once
#include "cli/frame/command.hpp"

namespace bochner::cli {

Command forecast_command();

}  // namespace bochner::cli
