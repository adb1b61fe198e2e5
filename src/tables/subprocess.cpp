#include "subprocess.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "bochner/core/errors.hpp"

namespace bochner::detail {

Channel::~Channel() {
  if (fd_ >= 0) ::close(fd_);
}

void Channel::shut() { ::shutdown(fd_, SHUT_RDWR); }

bool Channel::send_raw(const void* bytes, std::size_t n) {
  const char* p = static_cast<const char*>(bytes);
  while (n > 0) {
    const ssize_t sent = ::send(fd_, p, n, MSG_NOSIGNAL);  // no SIGPIPE if the other end has died
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    p += sent;
    n -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool Channel::receive_raw(void* bytes, std::size_t n) {
  char* p = static_cast<char*>(bytes);
  while (n > 0) {
    const ssize_t got = ::recv(fd_, p, n, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    p += got;
    n -= static_cast<std::size_t>(got);
  }
  return true;
}

bool Channel::send(std::string_view message) {
  const std::uint64_t length = message.size();
  return send_raw(&length, sizeof length) && send_raw(message.data(), message.size());
}

bool Channel::receive(std::string& message, std::size_t longest) {
  std::uint64_t length = 0;
  if (!receive_raw(&length, sizeof length) || length > longest) return false;
  message.resize(length);
  return receive_raw(message.data(), length);
}

struct Isolated::Pair {
  int ours = -1, theirs = -1;
};

namespace {

template <class P>
P socket_pair() {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
    throw InputError(
        fmt::format("no second process can be started to read the file safely ({})", std::strerror(errno)));
  return {fds[0], fds[1]};
}

// A child must not run its parent's handlers (crash reporters, fuzzers), keep its files open, or write to its
// terminal.
int shed_inheritance(int fd) {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &standard, nullptr);
  // Ctrl-C reaches every process of the terminal, but how to stop is the parent's matter: the child sees the end of its
  // requests.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, SIG_IGN);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  fd =
      ::fcntl(fd, F_DUPFD, 3);  // a program that was started without standard streams may have it among these
  if (fd < 0) ::_exit(1);
  const int nowhere = ::open("/dev/null", O_RDWR);
  if (nowhere >= 0)
    for (int standard_fd = 0; standard_fd <= 2; ++standard_fd) ::dup2(nowhere, standard_fd);
  if (fd != 3) ::dup2(fd, 3);
  ::close_range(4, ~0U, 0);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::prctl(PR_SET_DUMPABLE, 0);  // a core pattern that is a pipe ignores the limit
  return 3;
}

}  // namespace

Isolated::Isolated(const std::function<void(Channel&)>& serve) : Isolated(serve, socket_pair<Pair>()) {}

Isolated::Isolated(const std::function<void(Channel&)>& serve, const Pair& sockets)
    : child_(-1), channel_(sockets.ours) {
  child_ = ::fork();
  if (child_ == 0) {
    Channel channel(shed_inheritance(sockets.theirs));
    try {
      serve(channel);
    } catch (...) {  // dies without an answer, which the parent reports
    }
    ::_exit(0);  // no destructors, no exit handlers: they belong to the parent
  }
  const int error = errno;
  ::close(sockets.theirs);
  if (child_ < 0)
    throw InputError(
        fmt::format("no second process can be started to read the file safely ({})", std::strerror(error)));
}

Isolated::~Isolated() {
  // The child sees the end of its requests and goes. No signal: if the program ignores SIGCHLD, the system
  // has already reaped a dead child, and its number may belong to somebody else.
  channel_.shut();
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void limit_seconds(double seconds) { ::alarm(static_cast<unsigned>(std::ceil(std::min(seconds, 1e9)))); }

void limit_cpu_seconds(double seconds) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  rlimit limit{};
  ::getrlimit(RLIMIT_CPU, &limit);
  const auto more = static_cast<rlim_t>(std::ceil(std::min(seconds, 1e9)));
  limit.rlim_cur =
      std::min(static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1 + more, limit.rlim_max);
  ::setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace bochner::detail
