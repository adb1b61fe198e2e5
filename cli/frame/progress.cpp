#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace bochner::cli {

namespace {

constexpr std::chrono::milliseconds between_frames{100};
constexpr std::size_t widest_bar = 30, bar_step = 10;  // fixed steps avoid jitter as the numbers grow

std::size_t terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

std::string clock_time(double seconds) {
  const auto s = static_cast<long long>(std::clamp(seconds, 0.0, 3.6e6) + 0.5);
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string progress_line(const std::string& what, const std::string& objective, Index step, Index steps,
                          double value, double seconds, std::size_t width, bool bar_too) {
  const double share =
      std::clamp(static_cast<double>(step) / static_cast<double>(std::max<Index>(steps, 1)), 0.0, 1.0);
  const std::string count = fmt::format("step {} of at most {}", step, steps);
  std::string times = "  " + clock_time(seconds);
  if (step > 0) times += fmt::format(", at most {} left", clock_time(seconds * (1 - share) / share));
  const std::size_t room = width > 0 ? width - 1 : 0;
  std::string line = what + "  " + count;
  if (const std::string more = fmt::format("  {} {:.6g}", objective, value);
      line.size() + more.size() <= room)
    line += more;
  if (line.size() + times.size() <= room) line += times;
  constexpr std::size_t frame = 4;  // "[" and "]  "
  if (bar_too && line.size() + frame + bar_step <= room) {
    const std::size_t bar = std::min(widest_bar, (room - line.size() - frame) / bar_step * bar_step);
    const auto full = static_cast<std::size_t>(std::floor(share * static_cast<double>(bar)));
    line.insert(what.size() + 2, fmt::format("[{:.<{}}]  ", std::string(full, '#'), bar));
  }
  return line.substr(0, room);
}

Progress::Progress(std::string what, std::string objective, Index steps, ProgressOptions options)
    : what_(std::move(what)),
      objective_(std::move(objective)),
      steps_(steps),
      options_(std::move(options)),
      terminal_(::isatty(STDERR_FILENO) != 0) {}

Progress::Progress(std::string what, std::string objective, Index steps, bool shown)
    : Progress(std::move(what), std::move(objective), steps, ProgressOptions{.shown = shown}) {}

Progress::~Progress() {
  if (drawn_ == 0) return;
  draw("");
  std::fputs("\r", stderr);
}

void Progress::update(Index step, double value) {
  const Clock::time_point now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - start_).count();
  if (now - logged_ >= options_.between) {
    logged_ = now;
    if (options_.on_log) options_.on_log({what_, objective_, step, steps_, value, seconds});
    constexpr std::size_t log_width = 100;
    if (options_.shown && !terminal_)
      std::fputs(
          (progress_line(what_, objective_, step, steps_, value, seconds, log_width, false) + "\n").c_str(),
          stderr);
  }
  if (!options_.shown || !terminal_ || (drawn_ > 0 && now - last_ < between_frames)) return;
  last_ = now;
  draw(progress_line(what_, objective_, step, steps_, value, seconds, terminal_width()));
}

void Progress::draw(const std::string& line) {
  // Blanks over the rest of the older line: every terminal knows them, not every one knows escape codes.
  const std::string rest(drawn_ > line.size() ? drawn_ - line.size() : 0, ' ');
  std::fputs(fmt::format("\r{}{}", line, rest).c_str(), stderr);
  std::fflush(stderr);
  drawn_ = line.size();
}

}  // namespace bochner::cli
