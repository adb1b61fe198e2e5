#include "threads.hpp"

#include <string>
#include <system_error>

#include "bochner/core/errors.hpp"

namespace bochner::python {

Threads make_threads(int count) {
  try {
    return Threads(count);
  } catch (const std::system_error&) {
    throw InputError("the system refuses to start " + std::to_string(count) +
                     " threads; use a smaller n_jobs");
  }
}

}  // namespace bochner::python
