#include "console.hpp"

#include <poll.h>
#include <unistd.h>

#include <cstdio>

#include "bochner/core/messages.hpp"

namespace bochner::cli {

void print(const std::string& text) {
  const std::string shown = printable_lines(text);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  std::fflush(stdout);
}

void print_error(const std::string& text) {
  const std::string shown = printable_lines(text);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

bool reader_is_gone() {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

}  // namespace bochner::cli
