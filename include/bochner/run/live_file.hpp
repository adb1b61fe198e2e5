#pragma once
#include <string>
#include <vector>

#include "bochner/core/stopwatch.hpp"
#include "bochner/run/run_folder.hpp"
#include "bochner/run/run_step.hpp"

namespace bochner {

/// Where a run under way stands, in its folder: part of the work, step, objective so far, time left, latents. The end of the
/// run removes it; a killed run leaves it to the next run in the folder.
inline constexpr const char* live_file = "live.json";

/// Values of an objective, thinned out evenly so that no fit is too long for it.
class ThinTrace {
 public:
  void add(Index step, double value);
  void clear() { *this = ThinTrace(); }
  const std::vector<Index>& steps() const { return steps_; }
  const std::vector<double>& values() const { return values_; }
  static constexpr std::size_t most = 512;

 private:
  std::vector<Index> steps_;
  std::vector<double> values_;
  Index stride_ = 1, seen_ = 0;
};

/// Writes live.json after steps of a fit, at most every `seconds` and for at most a hundredth of the time (0: after every
/// step); between two of these a step costs a look at the clock. Nothing of it reaches the fit, and a disk that is full is no
/// reason to stop.
class LiveFile {
 public:
  explicit LiveFile(double seconds) : interval_(seconds) {}
  ~LiveFile();  // removes it
  LiveFile(const LiveFile&) = delete;
  LiveFile& operator=(const LiveFile&) = delete;

  /// `folder` may be null: then it only remembers.
  void step(const RunStep& now, const RunFolder* folder);

 private:
  std::string text(const RunStep& now, double seconds) const;

  static constexpr double most_share = 0.01;  // of the time
  static constexpr Index most_samples = 5000;

  double interval_, next_ = 0;
  Stopwatch total_;
  std::string path_;  // once it has been written
  std::string what_;
  double what_began_ = 0;
  Index first_ = 0;  // step of the part of the work that was seen first; a resumed fit begins late
  ThinTrace trace_;
  std::string latents_;  // as JSON; the last that were shown stay
};

}  // namespace bochner
