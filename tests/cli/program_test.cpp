#include "program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "tests/support/temp_folder.hpp"

namespace bochner::testing::program_test {

namespace {

void check(bool good, const char* what) {
  if (!good) throw std::runtime_error(std::string("the test cannot ") + what);
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments, const Launch& launch) {
  std::array<int, 2> out{}, err{};
  check(::pipe2(out.data(), O_CLOEXEC) == 0, "make a pipe");
  if (launch.terminal) {
    winsize size{.ws_row = 24, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
    check(::openpty(&err[0], &err[1], nullptr, nullptr, &size) == 0, "open a terminal");
    ::fcntl(err[0], F_SETFD, FD_CLOEXEC);
  } else {
    check(::pipe2(err.data(), O_CLOEXEC) == 0, "make a pipe");
  }
  std::vector<char*> argv{const_cast<char*>(BOCHNER_PROGRAM)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  child_ = ::fork();
  check(child_ >= 0, "fork");
  if (child_ == 0) {
    if (::chdir(launch.folder.c_str()) != 0) ::_exit(125);
    const int to = launch.output.empty() ? out[1] : ::open(launch.output.c_str(), O_WRONLY);
    ::dup2(to, STDOUT_FILENO);
    ::dup2(err[1], STDERR_FILENO);
    // A test run in the background of a shell, or by nohup, ignores them, and so would its children.
    for (const int ignored : {SIGINT, SIGHUP, SIGQUIT}) ::signal(ignored, SIG_DFL);
    if (launch.memory_bytes > 0) {
      const rlimit limit{launch.memory_bytes, launch.memory_bytes};
      ::setrlimit(RLIMIT_AS, &limit);
    }
    ::execv(BOCHNER_PROGRAM, argv.data());
    ::_exit(126);
  }
  ::close(out[1]);
  ::close(err[1]);
  out_ = out[0];
  err_ = err[0];
}

Program::~Program() {
  ::close(out_);
  ::close(err_);
  if (child_ <= 0) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
}

void Program::send(int signal) const { ::kill(child_, signal); }

Outcome Program::wait() {
  Outcome outcome;
  std::array<pollfd, 2> ends{{{out_, POLLIN, 0}, {err_, POLLIN, 0}}};
  std::array<char, 4096> buffer{};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (::poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) break;
    for (std::size_t e = 0; e < ends.size(); ++e) {
      if (ends[e].fd < 0 || ends[e].revents == 0) continue;
      const ssize_t n = ::read(ends[e].fd, buffer.data(), buffer.size());
      if (n > 0)
        (e == 0 ? outcome.out : outcome.err).append(buffer.data(), static_cast<std::size_t>(n));
      else
        ends[e].fd = -1;  // closed; a terminal says so with EIO
    }
  }
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) continue;
  child_ = -1;
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

bool Program::wait_for_file(const std::string& path) const {
  for (int i = 0; i < 6000; ++i) {
    if (std::filesystem::exists(path)) return true;
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        ended.si_pid == child_)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

Outcome run_program(const std::vector<std::string>& arguments, const Launch& launch) {
  return Program(arguments, launch).wait();
}

void expect_refusal(const Outcome& outcome, int code, const std::vector<std::string>& parts) {
  EXPECT_EQ(outcome.code, code);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.out, "");
  ASSERT_TRUE(outcome.err.starts_with("bochner: ")) << outcome.err;
  ASSERT_TRUE(outcome.err.ends_with("\n")) << outcome.err;
  EXPECT_TRUE(is_one_message(outcome.err.substr(0, outcome.err.size() - 1)));
  for (const std::string& part : parts)
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\nnot in: " << outcome.err;
}

}  // namespace bochner::testing::program_test
