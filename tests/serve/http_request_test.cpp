#include "src/serve/http_request.hpp"

#include <gtest/gtest.h>

namespace bochner::testing::http_request_test {

namespace {

using namespace std::string_literals;
using detail::HttpLimits, detail::parse_request, detail::ParsedRequest;
using State = ParsedRequest::State;

int status_of(std::string_view bytes) {
  const ParsedRequest parsed = parse_request(bytes);
  EXPECT_EQ(parsed.state, State::refused) << bytes;
  return parsed.status;
}

TEST(HttpRequest, ReadsAHead) {
  const ParsedRequest good =
      parse_request("GET /a/b?x=1 HTTP/1.1\r\nHost: localhost:80\r\nAccept:\t*/* \r\nX-Empty:\r\n\r\nrest");
  ASSERT_EQ(good.state, State::complete);
  EXPECT_EQ(good.request.method, "GET");
  EXPECT_EQ(good.request.target, "/a/b?x=1");
  EXPECT_EQ(good.request.minor, 1);
  ASSERT_EQ(good.request.headers.size(), 3u);
  EXPECT_EQ(*good.request.header("host"), "localhost:80");
  EXPECT_EQ(*good.request.header("accept"), "*/*");
  EXPECT_EQ(*good.request.header("x-empty"), "");
  EXPECT_EQ(good.request.header("cookie"), nullptr);
}

TEST(HttpRequest, OlderVersionsAreKnownOthersAreNot) {
  const ParsedRequest old = parse_request("HEAD / HTTP/1.0\r\nhost: h\r\n\r\n");
  ASSERT_EQ(old.state, State::complete);
  EXPECT_EQ(old.request.minor, 0);
  EXPECT_EQ(status_of("GET / HTTP/2.0\r\nHost: h\r\n\r\n"), 505);
  EXPECT_EQ(status_of("GET / HTTP/1.10\r\nHost: h\r\n\r\n"), 505);
  EXPECT_EQ(status_of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 505);
  EXPECT_EQ(status_of("GET /\r\n\r\n"), 400);  // 0.9
}

TEST(HttpRequest, EveryPrefixOfAGoodRequestIsIncomplete) {
  const std::string whole = "GET /token/ HTTP/1.1\r\nHost: localhost:1\r\nA: b\r\n\r\n";
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_EQ(parse_request(std::string_view(whole).substr(0, n)).state, State::incomplete) << n;
  EXPECT_EQ(parse_request(whole).state, State::complete);
}

TEST(HttpRequest, APipelineIsOneRequest) {
  const std::string one = "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n";
  const ParsedRequest parsed = parse_request(one + "GET /2 HTTP/1.1\r\nHost: \0evil\r\n\r\n"s);
  ASSERT_EQ(parsed.state, State::complete);
  EXPECT_EQ(parsed.request.target, "/1");
}

TEST(HttpRequest, MalformedOnesAreRefused) {
  for (const std::string& bad : {
           "\r\n\r\n"s,
           "GET\r\n\r\n"s,
           "GET / \r\n\r\n"s,
           "GET  HTTP/1.1\r\nHost: h\r\n\r\n"s,
           "GET / / HTTP/1.1\r\nHost: h\r\n\r\n"s,        // a space within the address
           "G(T / HTTP/1.1\r\nHost: h\r\n\r\n"s,          // no method
           "GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n"s,  // for proxies
           "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"s,
           "GET / HTTP/1.1\r\n\r\n"s,                              // no host
           "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"s,        // two
           "GET / HTTP/1.1\r\nHost : h\r\n\r\n"s,                  // a space before the colon
           "GET / HTTP/1.1\r\nHost: h\r\nX-\xC3\xA9: y\r\n\r\n"s,  // names of headers are ASCII
           "GET / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n"s,        // a header of two lines
           "GET / HTTP/1.1\r\nHost: h\r\nnonsense\r\n\r\n"s,
           "GET / HTTP/1.1\nHost: h\n\n"s,  // lines end with both
           "GET / HTTP/1.1\r\nHost: h\rX: y\r\n\r\n"s,
           "GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n"s,
           "GET / HTTP/1.1\r\nHost: h\0\r\n\r\n"s,
           "GET /\x7f HTTP/1.1\r\nHost: h\r\n\r\n"s,
           "GET /\xff HTTP/1.1\r\nHost: h\r\n\r\n"s,  // an address is ASCII
           "\x16\x03\x01\x02\x00\x01"s,               // TLS
       })
    EXPECT_EQ(status_of(bad), 400) << bad;
}

TEST(HttpRequest, BodiesAreRefused) {
  const std::string begin = "GET / HTTP/1.1\r\nHost: h\r\n";
  EXPECT_EQ(status_of(begin + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(status_of(begin + "Content-Length: 5\r\n\r\nhello"), 413);
  EXPECT_EQ(status_of(begin + "Content-Length: -1\r\n\r\n"), 413);
  EXPECT_EQ(status_of(begin + "Content-Length: 0\r\nContent-Length: 5\r\n\r\n"), 400);
  EXPECT_EQ(parse_request(begin + "Content-Length: 0\r\n\r\n").state, State::complete);
}

TEST(HttpRequest, LimitsHold) {
  const HttpLimits limits;
  const auto with_target = [](std::size_t n) {
    return "GET /" + std::string(n - 1, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n";
  };
  EXPECT_EQ(parse_request(with_target(limits.target)).state, State::complete);
  EXPECT_EQ(status_of(with_target(limits.target + 1)), 414);
  const auto with_headers = [](std::size_t n) {
    std::string out = "GET / HTTP/1.1\r\nHost: h\r\n";
    for (std::size_t i = 1; i < n; ++i) out += "A: b\r\n";
    return out + "\r\n";
  };
  EXPECT_EQ(parse_request(with_headers(limits.headers)).state, State::complete);
  EXPECT_EQ(status_of(with_headers(limits.headers + 1)), 431);
  // To the byte, with the end of the head there or not: nobody collects what cannot become a request.
  const std::string begin = "GET / HTTP/1.1\r\nHost: h\r\nA: ";
  const std::string largest = begin + std::string(limits.head - begin.size() - 2, 'b') + "\r\n\r\n";
  for (std::size_t n = limits.head - 5; n < largest.size(); ++n)
    EXPECT_EQ(parse_request(std::string_view(largest).substr(0, n)).state, State::incomplete) << n;
  EXPECT_EQ(parse_request(largest).state, State::complete);
  const std::string larger = begin + "b" + largest.substr(begin.size());
  EXPECT_EQ(status_of(larger), 431);
  EXPECT_EQ(status_of(larger.substr(0, limits.head - 3) + std::string(5, 'b')), 431);
}

}  // namespace

}  // namespace bochner::testing::http_request_test
