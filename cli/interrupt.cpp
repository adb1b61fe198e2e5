#include "interrupt.hpp"

#include <unistd.h>

#include <string_view>

namespace bochner::cli {

namespace {

// A signal handler can reach nothing but globals.
volatile std::sig_atomic_t received = 0;
volatile std::sig_atomic_t on_terminal = 0;

void raise_flag(int signal) {
  received = signal;
  if (!on_terminal) return;
  constexpr std::string_view said = "\nbochner: stopping after this step; Ctrl-C again ends it at once\n";
  const auto ignored = ::write(STDERR_FILENO, said.data(), said.size());
  static_cast<void>(ignored);
}

}  // namespace

Interrupt::Interrupt() {
  received = 0;
  on_terminal = ::isatty(STDERR_FILENO);
  struct sigaction action {};
  action.sa_handler = raise_flag;
  action.sa_flags = SA_RESETHAND | SA_RESTART;  // reset: the next one finds the default, which kills
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &before_int_);
  ::sigaction(SIGTERM, &action, &before_term_);
  // A shell that starts us in the background ignores SIGINT on our behalf; it means it.
  if (before_int_.sa_handler == SIG_IGN) ::sigaction(SIGINT, &before_int_, nullptr);
  if (before_term_.sa_handler == SIG_IGN) ::sigaction(SIGTERM, &before_term_, nullptr);
}

Interrupt::~Interrupt() {
  ::sigaction(SIGINT, &before_int_, nullptr);
  ::sigaction(SIGTERM, &before_term_, nullptr);
}

bool Interrupt::asked() const { return received != 0; }
int Interrupt::exit_code() const { return received == 0 ? 0 : 128 + received; }

}  // namespace bochner::cli
