#include "bochner/infer/optimize_result.hpp"

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

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

Status parse_status(const std::string& text) {
  for (const Status status : {Status::converged, Status::iteration_limit, Status::stopped_by_callback,
                              Status::line_search_failed, Status::not_finite})
    if (text == to_string(status)) return status;
  throw InputError("there is no status " + quote(text) +
                   " of a fit; the file was not written by this program or is of a later release");
}

}  // namespace bochner
