#include "bochner/infer/optimize_result.hpp"

namespace bochner {

const char* to_string(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration limit";
    case Status::stopped_by_callback:
      return "stopped by callback";
    case Status::line_search_failed:
      return "line search failed";
    case Status::not_finite:
      return "not finite";
  }
  return "unknown";
}

}  // namespace bochner
