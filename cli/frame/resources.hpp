#pragma once
#include <string>

#include "bochner/compute/threads.hpp"

namespace bochner::cli {

/// The threads the user asked for; 0 stands for all cores this process may use.
Threads make_threads(Index asked);

/// Bytes that can be had without swapping; infinity where the system does not tell.
double free_memory();

/// "about 3 s", "about 12 min", "less than a second"
std::string about_time(double seconds);

}  // namespace bochner::cli
