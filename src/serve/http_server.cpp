#include "http_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::detail {

namespace {

constexpr std::chrono::milliseconds between_looks{200};    // at `stop` and at deadlines
constexpr std::chrono::milliseconds between_attempts{20};  // to accept without resources
constexpr std::size_t most_thrown_away = 1 << 16;
constexpr int backlog = 128, accepted_at_once = 16;

union AnyAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
};

/// Size of the address; 0 if the text is none.
socklen_t parse_address(const std::string& text, int port, AnyAddress& out) {
  std::memset(&out, 0, sizeof out);
  if (::inet_pton(AF_INET, text.c_str(), &out.v4.sin_addr) == 1) {
    out.v4.sin_family = AF_INET;
    out.v4.sin_port = htons(static_cast<std::uint16_t>(port));
    return sizeof out.v4;
  }
  if (::inet_pton(AF_INET6, text.c_str(), &out.v6.sin6_addr) == 1) {
    out.v6.sin6_family = AF_INET6;
    out.v6.sin6_port = htons(static_cast<std::uint16_t>(port));
    return sizeof out.v6;
  }
  return 0;
}

[[noreturn]] void fail(int fd, const std::string& message) {
  if (fd >= 0) ::close(fd);
  throw InputError(message);
}

int listen_at(const std::string& address, int port) {
  AnyAddress where{};
  const socklen_t size = parse_address(address, port, where);
  if (size == 0)
    throw InputError(fmt::format("--host: {} is not a numeric address such as 127.0.0.1", quote(address)));
  const int fd = ::socket(where.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) fail(fd, fmt::format("no socket can be opened ({})", std::strerror(errno)));
  const int yes = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(fd, &where.any, size) == 0 && ::listen(fd, backlog) == 0) return fd;
  switch (errno) {
    case EADDRINUSE:
      fail(fd, fmt::format("port {} is in use; name another one, or --port 0 for any that is free", port));
    case EACCES:
      fail(fd, fmt::format("port {} is not for everybody; name one above 1023, or --port 0", port));
    case EADDRNOTAVAIL:
      fail(fd, fmt::format("--host: {} is no address of this machine", quote(address)));
    default:
      fail(fd, fmt::format("port {} of {} cannot be listened to ({})", port, address, std::strerror(errno)));
  }
}

int port_of(int fd) {
  AnyAddress where{};
  socklen_t size = sizeof where;
  ::getsockname(fd, &where.any, &size);
  return ntohs(where.any.sa_family == AF_INET6 ? where.v6.sin6_port : where.v4.sin_port);
}

/// Whether a call on a socket failed for good.
bool is_broken(ssize_t n) { return n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR; }

HttpResponse guarded(const HttpServer::Answer& answer, const HttpRequest& request) {
  try {
    return answer(request);
  } catch (const std::exception&) {  // its text may name what is none of the reader's business
    return text_response(500, "this cannot be answered\n");
  }
}

}  // namespace

HttpServer::HttpServer(const std::string& address, int port, ServerLimits limits)
    : limits_(limits), listener_(listen_at(address, port)), port_(port_of(listener_)) {}

HttpServer::~HttpServer() {
  while (!connections_.empty()) close(connections_.begin());
  ::close(listener_);
}

HttpServer::Place HttpServer::close(Place at) {
  ::close(at->fd);
  return connections_.erase(at);
}

/// The oldest that is still asking, or else the oldest.
void HttpServer::make_room() {
  const auto asking = std::find_if(connections_.begin(), connections_.end(),
                                   [](const Connection& c) { return c.state == Connection::State::asking; });
  close(asking != connections_.end() ? asking : connections_.begin());
}

void HttpServer::accept_some() {
  for (int n = 0; n < accepted_at_once; ++n) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
        if (!connections_.empty()) make_room();
        std::this_thread::sleep_for(between_attempts);  // the connection that waits would wake us at once
      }
      return;
    }
    if (connections_.size() >= limits_.connections) make_room();
    connections_.push_back({.fd = fd, .deadline = Clock::now() + limits_.to_ask});
  }
}

void HttpServer::respond(Connection& c, const HttpResponse& response, bool with_body) {
  c.head = head_of(response);
  c.body = with_body ? response.body : std::make_shared<const std::string>();
  c.state = Connection::State::receiving;
  const std::size_t seconds = (c.head.size() + c.body->size()) / limits_.bytes_per_second;
  c.deadline = Clock::now() + limits_.to_receive + std::chrono::seconds(seconds);
}

bool HttpServer::read(Connection& c, const Answer& answer) {
  std::array<char, 4096> buffer;
  const ssize_t n = ::recv(c.fd, buffer.data(), buffer.size(), 0);
  if (n == 0 || is_broken(n)) return false;
  if (n < 0) return true;
  c.in.append(buffer.data(), static_cast<std::size_t>(n));
  const ParsedRequest parsed = parse_request(c.in, limits_.request);
  if (parsed.state == ParsedRequest::State::incomplete) return true;
  if (parsed.state == ParsedRequest::State::refused)
    respond(c, text_response(parsed.status, fmt::format("{}\n", reason_of(parsed.status))), true);
  else
    respond(c, guarded(answer, parsed.request), parsed.request.method != "HEAD");
  return write(c);
}

bool HttpServer::write(Connection& c) {
  const std::size_t size = c.head.size() + c.body->size();
  while (c.sent < size) {
    const bool in_head = c.sent < c.head.size();
    const std::string& part = in_head ? c.head : *c.body;
    const std::size_t at = in_head ? c.sent : c.sent - c.head.size();
    const ssize_t n = ::send(c.fd, part.data() + at, part.size() - at, MSG_NOSIGNAL);
    if (is_broken(n)) return false;
    if (n < 0) return true;
    c.sent += static_cast<std::size_t>(n);
  }
  // Closing with bytes unread would reset the connection, and the answer with it.
  ::shutdown(c.fd, SHUT_WR);
  c.body.reset();
  c.state = Connection::State::leaving;
  c.deadline = Clock::now() + limits_.to_leave;
  return leave(c);
}

bool HttpServer::leave(Connection& c) {
  std::array<char, 4096> buffer;
  while (c.thrown_away < most_thrown_away) {
    const ssize_t n = ::recv(c.fd, buffer.data(), buffer.size(), 0);
    if (n == 0 || is_broken(n)) return false;
    if (n < 0) return true;
    c.thrown_away += static_cast<std::size_t>(n);
  }
  return false;
}

bool HttpServer::advance(Connection& c, const Answer& answer) {
  switch (c.state) {
    case Connection::State::asking:
      return read(c, answer);
    case Connection::State::receiving:
      return write(c);
    default:
      return leave(c);
  }
}

void HttpServer::run(const Answer& answer, const std::function<bool()>& stop) {
  std::vector<pollfd> waiting;
  while (!stop()) {
    waiting.assign(1, {.fd = listener_, .events = POLLIN, .revents = 0});
    for (const Connection& c : connections_)
      waiting.push_back(
          {.fd = c.fd,
           .events = static_cast<short>(c.state == Connection::State::receiving ? POLLOUT : POLLIN),
           .revents = 0});
    const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(between_looks.count()));
    std::size_t i = 1;
    for (Place at = connections_.begin(); at != connections_.end(); ++i) {
      bool open = ready <= 0 || waiting[i].revents == 0 || advance(*at, answer);
      if (open && Clock::now() >= at->deadline) {
        if (at->state == Connection::State::asking && !at->in.empty()) {
          respond(*at, text_response(408, "this request took too long\n"), true);
          open = write(*at);
        } else {
          open = false;
        }
      }
      at = open ? std::next(at) : close(at);
    }
    if (ready > 0 && waiting[0].revents != 0) accept_some();
  }
}

}  // namespace bochner::detail
