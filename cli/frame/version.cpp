#include "version.hpp"

#include <fmt/format.h>

namespace bochner::cli {

std::string version_text() {
  return fmt::format("bochner {}\ncompiler: {}, -march={}\nlibraries: {}\n", BOCHNER_VERSION,
                     BOCHNER_COMPILER, BOCHNER_ARCH, BOCHNER_LIBRARIES);
}

}  // namespace bochner::cli
