#include "resources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <thread>

#include "bochner/core/errors.hpp"
#include "bochner/core/memory.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::cli {

Threads make_threads(Index asked) {
  const int count = asked > 0 ? static_cast<int>(asked)
                              : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  try {
    return Threads(count);
  } catch (const std::system_error&) {
    throw InputError(fmt::format("cannot create {}; use fewer --threads", counted(count, "thread")));
  }
}

double free_memory() { return available_memory(); }

std::string about_time(double seconds) {
  if (seconds < 1) return "less than a second";
  if (seconds < 99.5) return fmt::format("about {:.0f} s", seconds);
  if (seconds < 99.5 * 60) return fmt::format("about {:.0f} min", seconds / 60);
  return fmt::format("about {:.0f} h", seconds / 3600);
}

}  // namespace bochner::cli
