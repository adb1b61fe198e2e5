#pragma once
#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

namespace bochner::detail {

/// One end of a two-way pipe for messages: a length, then that many bytes.
class Channel {
 public:
  explicit Channel(int fd) : fd_(fd) {}
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  void shut();  // the other end sees the end, even if other processes have inherited this one

  // False if the other end is gone.
  bool send(std::string_view message);
  bool send_raw(const void* bytes, std::size_t n);  // a part of a message whose length is known to both sides
  bool receive(std::string& message, std::size_t longest);
  bool receive_raw(void* bytes, std::size_t n);

 private:
  int fd_;
};

/// Runs `serve` in a forked child process, so that a library that crashes on a damaged file takes the child
/// with it and nothing else. The child has default signal handlers, no other open files, no standard error
/// (so that no abort message reaches the user's terminal), no core dump, and ends when `serve` returns.
///
/// fork in a program with threads: the child has one thread and may find locks held by others. `serve` must
/// keep to memory allocation (safe in glibc) and to libraries that the caller has locked around the
/// constructor.
class Isolated {
 public:
  explicit Isolated(const std::function<void(Channel&)>& serve);
  ~Isolated();  // ends the child
  Isolated(const Isolated&) = delete;
  Isolated& operator=(const Isolated&) = delete;

  Channel& channel() { return channel_; }

 private:
  struct Pair;
  Isolated(const std::function<void(Channel&)>& serve, const Pair& sockets);

  pid_t child_;
  Channel channel_;
};

/// In the child: it is killed if it computes for longer than this from now on.
void limit_cpu_seconds(double seconds);

/// The same for the time on the clock, waiting included.
void limit_seconds(double seconds);

}  // namespace bochner::detail
