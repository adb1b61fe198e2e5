#pragma once
#include <csignal>

namespace bochner::cli {

/// A reader of our output that goes away (`| head -1`) and a limit on the size of files end the program by default, and the
/// run with it. Once this was called they are errors of the write, which says so or does not matter. Standard streams that
/// were closed lead nowhere from then on.
void outlive_broken_outputs();

/// While it lives, the first Ctrl-C (SIGINT), SIGTERM or SIGHUP (a closed terminal) or SIGXCPU (a limit on its
/// time) raises a flag, so that the work can stop after the step it is in
/// and keep what it has; the second one kills as usual. Only for work that looks at the flag, one at a time.
class Interrupt {
 public:
  /// What the terminal reads when the first signal comes.
  enum class Message { after_this_step, none };
  explicit Interrupt(Message message = Message::after_this_step);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool asked() const;
  int exit_code() const;  // 128 + the signal, as shells have it; 0 if none came

 private:
  struct sigaction before_int_ {
  }, before_term_{}, before_hup_{}, before_cpu_{};
};

}  // namespace bochner::cli
