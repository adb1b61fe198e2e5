#pragma once
#include "bochner/compute/threads.hpp"

namespace bochner::python {

/// Threads for a call; InputError that names n_jobs if the system refuses them.
Threads make_threads(int count);

}  // namespace bochner::python
