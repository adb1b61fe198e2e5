#pragma once
#include <string>

#include "bochner/assess/warning.hpp"

namespace bochner::cli {

/// The remedy of a warning as options of the command line: "increase --steps"; empty for none.
std::string remedy_text(const Warning& warning);

}  // namespace bochner::cli
