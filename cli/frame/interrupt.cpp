#include "interrupt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace bochner::cli {

namespace {

// A signal handler can reach nothing but globals, and runs on any thread.
std::atomic<int> received = 0;
std::atomic<bool> on_terminal = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void raise_flag(int signal) {
  received = signal;
  if (!on_terminal) return;
  constexpr std::string_view message =
      "\nbochner: stopping after this step; press Ctrl-C again to stop immediately\n";
  const int error = errno;  // of whatever was interrupted
  if (::write(STDERR_FILENO, message.data(), message.size()) < 0) errno = error;
}

}  // namespace

void outlive_broken_outputs() {
  // A file that takes the place of a closed standard stream would receive what is printed.
  for (int fd = 0; fd <= 2; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) != fd) std::abort();
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

Interrupt::Interrupt(Message message) {
  received = 0;
  on_terminal = message != Message::none && ::isatty(STDERR_FILENO) != 0;
  struct sigaction action {};
  action.sa_handler = raise_flag;
  action.sa_flags = SA_RESETHAND | SA_RESTART;  // reset: the next one finds the default, which kills
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &before_int_);
  ::sigaction(SIGTERM, &action, &before_term_);
  // Both the shell and the system may send SIGHUP, and a limit on the time comes again every second until the hard one kills.
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGHUP, &action, &before_hup_);
  ::sigaction(SIGXCPU, &action, &before_cpu_);
  // A shell that starts us in the background ignores SIGINT on our behalf; it means it.
  if (before_int_.sa_handler == SIG_IGN) ::sigaction(SIGINT, &before_int_, nullptr);
  if (before_term_.sa_handler == SIG_IGN) ::sigaction(SIGTERM, &before_term_, nullptr);
  if (before_hup_.sa_handler == SIG_IGN) ::sigaction(SIGHUP, &before_hup_, nullptr);  // nohup
}

Interrupt::~Interrupt() {
  ::sigaction(SIGINT, &before_int_, nullptr);
  ::sigaction(SIGTERM, &before_term_, nullptr);
  ::sigaction(SIGHUP, &before_hup_, nullptr);
  ::sigaction(SIGXCPU, &before_cpu_, nullptr);
}

bool Interrupt::asked() const { return received != 0; }
int Interrupt::exit_code() const { return received == 0 ? 0 : 128 + received.load(); }

}  // namespace bochner::cli
