#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/run/json_file.hpp"
#include "run_decoder.hpp"

namespace bochner::detail {

/// Where a run is: before its folder, at work, judging what it has learned, at its end, stopped by somebody with its best state
/// kept, or gone without an end.
enum class RunPhase { waiting, fitting, assessing, finished, interrupted, killed };
const char* to_text(RunPhase phase);

/// A run folder as those see it who watch: a run under way, or one that has ended. It reads the folder, at most a few times a
/// second, and never writes. A new run in the folder takes the place of the old one.
class LiveRun {
 public:
  using Text = std::shared_ptr<const std::string>;

  /// The folder may not be there yet. InputError if it holds something that is no run, or links in place of its files.
  LiveRun(std::string folder, Compute compute);

  /// JSON: "phase", "title", "family", of a run under way "what", "step", "of", "value", "seconds", "left" and "trace", of one
  /// that has ended "verdict" and "objective"; "latents" is a version that changes with them, null if there are none.
  Text state();

  /// JSON: "version", "dims", "ids" and "mean", a list for each dimension; "samples" counts all, ids are those shown.
  /// Null if there are none.
  Text latents();

  /// The report of a run that has ended; null if it has none (yet).
  Text report();

  /// The model of a run that has ended; null before, and for models without latents.
  const RunDecoder* decoder();

  RunPhase phase();

 private:
  using Clock = std::chrono::steady_clock;
  void refresh();
  void look();
  Json live_state();
  Json ended_state();
  std::string path(const char* file) const;

  std::string folder_;
  Compute compute_;
  std::optional<Clock::time_point> looked_;
  RunPhase phase_ = RunPhase::waiting;
  std::string ended_version_;  // of the run whose end is in the members below
  Json ended_;
  Text state_, latents_, report_;
  std::string latents_version_, report_version_;
  std::unique_ptr<RunDecoder> decoder_;
  bool decoder_tried_ = false;
};

}  // namespace bochner::detail
