#pragma once
#include <string>

namespace bochner::cli {

/// What `bochner --version` prints: "bochner 0.1.0", then the compiler, the processor it was built for and the libraries.
std::string version_text();

}  // namespace bochner::cli
