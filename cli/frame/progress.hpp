#pragma once
#include <chrono>
#include <functional>
#include <string>

#include "bochner/core/types.hpp"

namespace bochner::cli {

/// Now and then, for a log: what is done, and how far it is.
struct ProgressEvent {
  std::string what, objective;  // "fit", "bound"
  Index step = 0, steps = 0;
  double value = 0, seconds = 0;
};

/// How progress is told.
struct ProgressOptions {
  bool shown = true;                                   // on standard error
  std::function<void(const ProgressEvent&)> on_log{};  // called every `between` as well, shown or not
  std::chrono::milliseconds between{30'000};           // two lines where standard error is no terminal
};

/// A line on the terminal that is redrawn in place: bar, step, objective, time gone and time left. Where standard error is
/// not a terminal, a line of its own every half minute. Its line on the terminal is gone when it is.
class Progress {
 public:
  /// `steps` is the most there can be; the work may well end sooner.
  Progress(std::string what, std::string objective, Index steps, ProgressOptions options);
  Progress(std::string what, std::string objective, Index steps, bool shown);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(Index step, double value);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const std::string& line);

  std::string what_, objective_;
  Index steps_;
  ProgressOptions options_;
  bool terminal_;
  std::size_t drawn_ = 0;  // characters on the line now
  Clock::time_point start_ = Clock::now(), last_{}, logged_ = start_;
};

/// The line for a terminal of `width` characters: at most width - 1 of them, so that it never wraps. The bar gives way
/// first, then the times, then the objective.
std::string progress_line(const std::string& what, const std::string& objective, Index step, Index steps,
                          double value, double seconds, std::size_t width, bool bar = true);

/// "0:07", "12:30", "3:05:00"
std::string clock_time(double seconds);

}  // namespace bochner::cli
