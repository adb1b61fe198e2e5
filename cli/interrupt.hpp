#pragma once
#include <csignal>

namespace bochner::cli {

/// While it lives, the first Ctrl-C (SIGINT) or SIGTERM raises a flag, so that the work can stop after the step it is in
/// and keep what it has; the second one kills as usual. Only for work that looks at the flag, one at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool asked() const;
  int exit_code() const;  // 128 + the signal, as shells have it; 0 if none came

 private:
  struct sigaction before_int_ {
  }, before_term_{};
};

}  // namespace bochner::cli
