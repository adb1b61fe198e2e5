#pragma once
#include "cli/frame/command.hpp"

namespace bochner::cli {

Command report_command();
Command compare_command();

}  // namespace bochner::cli
