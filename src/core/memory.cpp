#include "bochner/core/memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <limits>
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

double available_memory() {
  // Not a stream, whose locale may be locked: this is also asked behind a fork.
  double kilobytes = std::numeric_limits<double>::infinity();
  if (std::FILE* file = std::fopen("/proc/meminfo", "r")) {
    for (char line[256]; std::fgets(line, sizeof line, file);)
      if (std::sscanf(line, "MemAvailable: %lf", &kilobytes) == 1) break;
    std::fclose(file);
  }
  return 1024 * kilobytes;
}

double peak_memory() {
  // Not getrusage: a program inherits the peak of the process that started it.
  double kilobytes = std::numeric_limits<double>::quiet_NaN();
  if (std::FILE* file = std::fopen("/proc/self/status", "r")) {
    for (char line[256]; std::fgets(line, sizeof line, file);)
      if (std::sscanf(line, "VmHWM: %lf", &kilobytes) == 1) break;
    std::fclose(file);
  }
  return 1024 * kilobytes;
}

}  // namespace bochner
