#include "run_log.hpp"

#include "bochner/core/errors.hpp"
#include "json_file.hpp"

namespace bochner::cli {

ProgressOptions logged_progress(const Common& common, RunFolder& run) {
  return {.shown = !common.quiet, .on_log = [&run](const ProgressEvent& e) {
            try {
              run.log(json_line({{"event", "progress"},
                                 {"what", e.what},
                                 {"step", e.step},
                                 {"steps", e.steps},
                                 {e.objective == "log density" ? "log_density" : e.objective, e.value},
                                 {"seconds", e.seconds}}));
            } catch (const WriteError&) {  // a disk that is full for a while must not end a run of days
            }
          }};
}

}  // namespace bochner::cli
