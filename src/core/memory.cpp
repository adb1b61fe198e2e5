#include "bochner/core/memory.hpp"

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace bochner {

bool keep_freed_memory() {
#ifdef __GLIBC__
  // Blocks up to 32 MiB, the most glibc accepts, come from the heap instead of mmap, and the heap's top is kept.
  return mallopt(M_MMAP_THRESHOLD, 1 << 25) == 1 && mallopt(M_TRIM_THRESHOLD, 1 << 30) == 1;
#else
  return false;
#endif
}

}  // namespace bochner
