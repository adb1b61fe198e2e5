#pragma once
#include <chrono>
#include <string>

#include "bochner/core/types.hpp"

namespace bochner::cli {

/// A line on the terminal that is redrawn in place: bar, step, objective, time gone and time left. Silent when
/// standard error is not a terminal or when it should not be shown. Its line is gone when it is.
class Progress {
 public:
  /// `steps` is the most there can be; the work may well end sooner.
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
  bool shown_;
  std::size_t drawn_ = 0;  // characters on the line now
  Clock::time_point start_ = Clock::now(), last_{};
};

/// The line for a terminal of `width` characters: at most width - 1 of them, so that it never wraps. The bar gives way
/// first, then the times, then the objective.
std::string progress_line(const std::string& what, const std::string& objective, Index step, Index steps,
                          double value, double seconds, std::size_t width);

/// "0:07", "12:30", "3:05:00"
std::string clock_time(double seconds);

}  // namespace bochner::cli
