#include "src/serve/site.hpp"

#include <gtest/gtest.h>

#include <set>

#include "src/serve/serve.hpp"

namespace bochner::testing::site_test {

namespace {

using detail::answer, detail::Guard, detail::HttpRequest, detail::HttpResponse, detail::SiteContent,
    detail::text_response;

const std::string token = "0123456789abcdef0123456789abcdef";

class Site : public ::testing::Test {
 protected:
  HttpResponse ask(const std::string& target, const std::string& host = "localhost:8642",
                   const std::string& method = "GET") {
    HttpRequest request{.method = method, .target = target};
    request.headers = {{"host", host}};
    return answer(request, guard, content);
  }
  std::string body(const std::string& target) {
    const HttpResponse out = ask(target);
    return out.status == 200 ? *out.body : std::to_string(out.status);
  }

  Guard guard = detail::guard_for("127.0.0.1", token);
  SiteContent content{.page = [] { return text_response(200, "page"); },
                      .state = [] { return text_response(200, "state"); },
                      .latents = [] { return text_response(200, "latents"); },
                      .report = [] { return text_response(200, "report"); },
                      .decoder = [] { return text_response(200, "decoder"); },
                      .decode =
                          [](const std::vector<double>& x) {
                            std::string out;
                            for (const double v : x) out += std::to_string(v) + ";";
                            return text_response(200, out);
                          }};
};

TEST_F(Site, HasFixedRoutesAndNoOthers) {
  const std::string at = "/" + token + "/";
  EXPECT_EQ(body(at), "page");
  EXPECT_EQ(body(at + "state.json"), "state");
  EXPECT_EQ(body(at + "latents.json"), "latents");
  EXPECT_EQ(body(at + "report.html"), "report");
  EXPECT_EQ(body(at + "decode.json"), "decoder");
  EXPECT_EQ(body(at + "decode.json?x=1,-2.5e-1"), "1.000000;-0.250000;");
  for (const char* other :
       {"config.toml", "model.bochner", "../run/config.toml", "..", "../../etc/passwd",
        "%2e%2e/%2e%2e/etc/passwd", "..%2f..%2fetc%2fpasswd", "/etc/passwd", "state.json/", "./state.json",
        "STATE.JSON", "state.json%00", "decode.json/../state.json", "#", "."})
    EXPECT_EQ(body(at + other), "404") << other;
  EXPECT_EQ(body(at + "state.json?x=1"), "400");
  EXPECT_EQ(body(at + "?x"), "400");
}

TEST_F(Site, ReadsOnly) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get"}) {
    const HttpResponse out = ask("/" + token + "/", "localhost:8642", method);
    EXPECT_EQ(out.status, 405) << method;
    EXPECT_NE(detail::head_of(out).find("Allow: GET, HEAD\r\n"), std::string::npos);
  }
  EXPECT_EQ(ask("/" + token + "/", "localhost:8642", "HEAD").status, 200);
}

TEST_F(Site, TellsNothingWithoutTheToken) {
  const HttpResponse refused = ask("/");
  EXPECT_EQ(refused.status, 403);
  std::string wrong = token;
  wrong.back() = 'e';
  for (const std::string& target :
       {std::string("/state.json"), "/" + wrong + "/", "/" + wrong + "/state.json", "/" + token + "0/",
        "/" + token.substr(1) + "/", "//" + token + "/", "/" + wrong + "/nothing", "/?token=" + token}) {
    const HttpResponse out = ask(target);
    EXPECT_EQ(out.status, 403) << target;
    EXPECT_EQ(*out.body, *refused.body) << target;
  }
  EXPECT_EQ(ask("/" + token).status, 404);
}

TEST_F(Site, KnowsItsNames) {
  const std::string at = "/" + token + "/";
  // Whatever the port: that of a tunnel is another one.
  const std::vector<std::string> always{"localhost:8642", "127.0.0.1:8642", "[::1]:8642",
                                        "LocalHost:9",    "localhost",      "[::1]"};
  const std::vector<std::string> never{"evil.example:8642",
                                       "evil.example",
                                       "127.0.0.1.evil.example:8642",
                                       "",
                                       ":8642",
                                       "localhost:",
                                       "localhost:x",
                                       "localhost:123456",
                                       "localhost:8642, evil.example",
                                       "localhost.:8642",
                                       "evil.example:localhost",
                                       "::1",
                                       "1.2.3:8642"};
  for (const std::string& host : always) EXPECT_EQ(ask(at, host).status, 200) << host;
  for (const std::string& host : never) EXPECT_EQ(ask(at, host).status, 403) << host;
  EXPECT_EQ(ask(at, "192.168.0.7:8642").status, 403);
  // On all addresses of the machine it has many numbers, but no names of others.
  guard = detail::guard_for("0.0.0.0", token);
  for (const std::string& host : always) EXPECT_EQ(ask(at, host).status, 200) << host;
  for (const std::string& host : never) EXPECT_EQ(ask(at, host).status, 403) << host;
  for (const char* host : {"192.168.0.7:8642", "[fe80::1]:8642", "192.168.0.7"})
    EXPECT_EQ(ask(at, host).status, 200) << host;
  EXPECT_EQ(detail::page_address("127.0.0.1", 8642, token), "http://127.0.0.1:8642" + at);
  EXPECT_EQ(detail::page_address("::1", 1, "t"), "http://[::1]:1/t/");
}

TEST_F(Site, DecodesNumbersOnly) {
  const std::string at = "/" + token + "/decode.json?x=";
  for (const char* bad :
       {"", "1,", ",1", "nan", "inf", "1e999", "0x1", "1;2", "1 2", "1&x=2", "%31", "--1", "1e"})
    EXPECT_EQ(body(at + bad), "400") << bad;
  std::string many = "1";
  for (int i = 0; i < 1000; ++i) many += ",1";
  EXPECT_EQ(body(at + many), "400");
  EXPECT_EQ(body("/" + token + "/decode.json?y=1"), "400");
}

TEST_F(Site, AnswersForbidWhatAPageOfAnotherSiteCouldDo) {
  const std::string head = detail::head_of(detail::live_page_response());
  for (const char* part :
       {"frame-ancestors 'none'", "connect-src 'self'", "default-src 'none'", "nosniff",
        "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin", "no-store"})
    EXPECT_NE(head.find(part), std::string::npos) << part;
  EXPECT_EQ(head.find("unsafe"), std::string::npos);
  EXPECT_NE(detail::live_page_response().body->find("<main id=\"panels\">"), std::string::npos);
}

TEST(Token, IsLongAndNeverTheSame) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string one = detail::random_token();
    EXPECT_EQ(one.size(), 32u);
    EXPECT_EQ(one.find_first_not_of("0123456789abcdef"), std::string::npos);
    seen.insert(one);
  }
  EXPECT_EQ(seen.size(), 100u);
}

TEST(Token, IsCompared) {
  EXPECT_TRUE(detail::equal_in_constant_time("", ""));
  EXPECT_TRUE(detail::equal_in_constant_time("abc", "abc"));
  for (const char* other : {"", "ab", "abcd", "abd", "bbc", "ABC"})
    EXPECT_FALSE(detail::equal_in_constant_time("abc", other)) << other;
}

}  // namespace

}  // namespace bochner::testing::site_test
