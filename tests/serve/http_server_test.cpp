#include "src/serve/http_server.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bochner/core/errors.hpp"
#include "http_client.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::testing::http_server_test {

namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using detail::HttpRequest, detail::HttpResponse, detail::HttpServer, detail::ServerLimits;
using Clock = std::chrono::steady_clock;

const std::string good = "GET /hello HTTP/1.1\r\nHost: h\r\n\r\n";

/// A server on a free port, in a thread of its own.
class Running {
 public:
  explicit Running(ServerLimits limits = {}) : server_("127.0.0.1", 0, limits) {
    thread_ = std::thread([this] {
      server_.run(
          [](const HttpRequest& request) {
            if (request.target == "/throw") throw std::runtime_error("a secret");
            if (request.target == "/large") return detail::text_response(200, std::string(8 << 20, 'x'));
            return detail::text_response(200, request.method + " " + request.target);
          },
          [this] { return stop_.load(); });
    });
  }
  ~Running() {
    stop_ = true;
    thread_.join();
  }
  int port() const { return server_.port(); }
  std::string ask(std::string_view bytes) const {
    const Client client(port());
    client.send(bytes);
    return client.receive();
  }

 private:
  HttpServer server_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

TEST(HttpServer, AnswersAndCloses) {
  const Running server;
  const std::string answer = server.ask(good);
  EXPECT_EQ(status_of_answer(answer), 200) << answer;
  EXPECT_EQ(body_of_answer(answer), "GET /hello");
  EXPECT_NE(answer.find("\r\nContent-Length: 10\r\n"), std::string::npos);
  EXPECT_NE(answer.find("\r\nConnection: close\r\n"), std::string::npos);
  const std::string head = server.ask("HEAD /hello HTTP/1.0\r\nHost: h\r\n\r\n");
  EXPECT_EQ(status_of_answer(head), 200);
  EXPECT_NE(head.find("\r\nContent-Length: 11\r\n"), std::string::npos);
  EXPECT_EQ(body_of_answer(head), "");
}

TEST(HttpServer, TakesARequestInPiecesAndOneOfAPipeline) {
  const Running server;
  const Client slow(server.port());
  for (const char c : good) ASSERT_TRUE(slow.send(std::string_view(&c, 1)));
  EXPECT_EQ(body_of_answer(slow.receive()), "GET /hello");
  std::string pipeline;
  for (int i = 0; i < 100; ++i) pipeline += good;
  const std::string answer = server.ask(pipeline);
  EXPECT_EQ(body_of_answer(answer), "GET /hello");  // one, whole, and then the end
  const Client half(server.port());
  half.send(good);
  half.end_of_requests();
  EXPECT_EQ(body_of_answer(half.receive()), "GET /hello");
}

TEST(HttpServer, RefusesWhatIsNoRequest) {
  const Running server;
  EXPECT_EQ(status_of_answer(server.ask("nonsense\r\n\r\n")), 400);
  EXPECT_EQ(status_of_answer(server.ask("GET / HTTP/1.1\r\nHost: h\0\r\n\r\n"s)), 400);
  EXPECT_EQ(status_of_answer(server.ask("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\n\r\n")),
            413);
  EXPECT_EQ(status_of_answer(
                server.ask("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n")),
            400);
  EXPECT_EQ(status_of_answer(server.ask("GET / HTTP/1.1\r\nHost: h\r\nA: " + std::string(50'000, 'b'))), 431);
  EXPECT_EQ(status_of_answer(server.ask(good)), 200);
}

TEST(HttpServer, KeepsWhatWentWrongToItself) {
  const Running server;
  const std::string answer = server.ask("GET /throw HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(status_of_answer(answer), 500);
  EXPECT_EQ(answer.find("secret"), std::string::npos);
}

TEST(HttpServer, SendsLargeAnswersAndCutsOffWhoDoesNotReadThem) {
  const Running server({.to_receive = 300ms, .bytes_per_second = 1 << 30});
  const std::string large = "GET /large HTTP/1.1\r\nHost: h\r\n\r\n";
  EXPECT_EQ(body_of_answer(server.ask(large)).size(), 8u << 20);
  const Client sleeper(server.port());
  sleeper.send(large);
  std::this_thread::sleep_for(1200ms);
  EXPECT_LT(body_of_answer(sleeper.receive()).size(), 8u << 20);
}

TEST(HttpServer, CutsOffWhoDoesNotAsk) {
  const Running server({.to_ask = 300ms});
  const Clock::time_point begin = Clock::now();
  const Client silent(server.port()), slow(server.port());
  // A byte now and then does not buy more time.
  std::thread drip([&] {
    for (int i = 0; i < 40 && slow.send("G"); ++i) std::this_thread::sleep_for(50ms);
  });
  EXPECT_EQ(silent.receive(), "");
  const std::string answer = slow.receive();
  EXPECT_TRUE(answer.empty() || status_of_answer(answer) == 408) << answer;
  EXPECT_LT(Clock::now() - begin, 5s);
  drip.join();
  EXPECT_EQ(status_of_answer(server.ask(good)), 200);
}

TEST(HttpServer, ServesOthersWhileManyAreSlow) {
  const Running server({.connections = 16, .to_ask = 60s});
  std::vector<std::unique_ptr<Client>> slow;
  for (int i = 0; i < 100; ++i) {
    slow.push_back(std::make_unique<Client>(server.port()));
    slow.back()->send("GET /slow HTTP/1.1\r\nHost");
  }
  const Clock::time_point begin = Clock::now();
  std::atomic<int> good_answers = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c)
    clients.emplace_back([&] {
      for (int i = 0; i < 50; ++i) good_answers += status_of_answer(server.ask(good)) == 200;
    });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(good_answers, 8 * 50);
  EXPECT_LT(Clock::now() - begin, 30s);
}

TEST(HttpServer, SaysWhyItCannotListen) {
  const Running server;
  const auto message = [](const std::string& address, int port) -> std::string {
    try {
      HttpServer other(address, port);
    } catch (const InputError& error) {
      EXPECT_TRUE(is_one_message(error.what()));
      return error.what();
    }
    return "it listens";
  };
  EXPECT_NE(message("127.0.0.1", server.port()).find("is in use"), std::string::npos);
  EXPECT_NE(message("example.org", 0).find("not a numeric address"), std::string::npos);
  EXPECT_NE(message("192.0.2.1", 0).find("no address of this machine"), std::string::npos);
}

}  // namespace

}  // namespace bochner::testing::http_server_test
