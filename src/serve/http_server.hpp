#pragma once
#include <chrono>
#include <functional>
#include <list>
#include <string>

#include "http_request.hpp"
#include "http_response.hpp"

namespace bochner::detail {

struct ServerLimits {
  HttpLimits request{};
  std::size_t connections = 64;  // at once; the oldest that has not asked yet makes room for a new one
  std::chrono::milliseconds to_ask{5000};        // from the connection to the end of its request
  std::chrono::milliseconds to_receive{10'000};  // an answer ..
  std::size_t bytes_per_second = 64 * 1024;      // .. and longer if it is large: the least rate
  std::chrono::milliseconds to_leave{1000};      // after the answer, with what it still sends thrown away
};

/// A server of one thread for a few readers: it waits for all connections at once, so that slow ones hold up nobody, and answers
/// one request of each. Memory and time of a connection are bounded by its limits.
class HttpServer {
 public:
  using Answer = std::function<HttpResponse(const HttpRequest&)>;

  /// Listens; port 0: a free one. InputError if `address` is no numeric address of this machine, or if the port is in use.
  HttpServer(const std::string& address, int port, ServerLimits limits = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }

  /// Until `stop` says so, which is asked several times a second. What `answer` throws becomes an answer of status 500.
  void run(const Answer& answer, const std::function<bool()>& stop);

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection {
    enum class State { asking, receiving, leaving };
    int fd = -1;
    State state = State::asking;
    Clock::time_point deadline;
    std::string in, head;  // of the request so far, and of the answer
    std::shared_ptr<const std::string> body;
    std::size_t sent = 0, thrown_away = 0;
  };
  using Place = std::list<Connection>::iterator;

  void accept_some();
  void make_room();
  bool advance(Connection& c, const Answer& answer);  // false: it is over
  bool read(Connection& c, const Answer& answer);
  bool write(Connection& c);
  bool leave(Connection& c);
  void respond(Connection& c, const HttpResponse& response, bool with_body);
  Place close(Place at);

  ServerLimits limits_;
  int listener_ = -1, port_ = 0;
  std::list<Connection> connections_;  // the oldest first
};

}  // namespace bochner::detail
