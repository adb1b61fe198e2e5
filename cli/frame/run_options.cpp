#include "run_options.hpp"

namespace bochner::cli {

std::vector<Option> checkpoint_options(bool& resume, double& seconds) {
  return {{.name = "resume",
           .help = "Resume the interrupted run in --out, using its saved options",
           .target = &resume,
           .group = Group::output,
           .recorded = false,
           .in_config = false},
          {.name = "checkpoint-seconds",
           .placeholder = "T",
           .help = "Minimum time between checkpoints for --resume; 0: every step",
           .target = &seconds,
           .group = Group::output,
           .low = 0,
           .high = 1e9,
           .recorded = false}};
}

std::vector<Option> concatenate(const std::vector<std::vector<Option>>& lists) {
  std::vector<Option> out;
  for (const std::vector<Option>& list : lists) out.insert(out.end(), list.begin(), list.end());
  return out;
}

}  // namespace bochner::cli
