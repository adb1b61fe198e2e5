// A request to the live view: refused, or a head with nothing in it that a head cannot have; however the bytes are cut, the
// answer is the same; and without token and name nothing is told.
#include "judge.hpp"
#include "src/serve/site.hpp"

using namespace bochner;
using detail::HttpRequest, detail::HttpResponse, detail::ParsedRequest, detail::parse_request;
using State = ParsedRequest::State;

namespace {

const std::string token = "00112233445566778899aabbccddeeff";

bool same(const HttpRequest& a, const HttpRequest& b) {
  return a.method == b.method && a.target == b.target && a.minor == b.minor && a.headers == b.headers;
}

void judge_request(const HttpRequest& request) {
  if (request.method.empty() || !request.target.starts_with('/') || request.target.size() > 2048)
    fuzz::find("a request line that should have been refused");
  if (request.headers.size() > 64 || !request.header("host"))
    fuzz::find("headers that should have been refused");
  for (const auto& [name, value] : request.headers)
    for (const char c : name + value)
      if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) fuzz::find("a control character");
}

void judge_answer(const HttpRequest& request, std::size_t& decoded) {
  const detail::Guard guard{.token = token, .hosts = {"localhost", "[::1]"}};
  const auto told = [] { return detail::text_response(200, "told"); };
  const HttpResponse out = detail::answer(request, guard,
                                          {.page = told,
                                           .state = told,
                                           .latents = told,
                                           .report = told,
                                           .decoder = told,
                                           .decode = [&](const std::vector<double>& x) {
                                             decoded = x.size();
                                             for (const double v : x)
                                               if (!std::isfinite(v)) fuzz::find("an infinite latent");
                                             return detail::text_response(200, "told");
                                           }});
  const bool told_all = out.status == 200;
  if (told_all != (*out.body == "told")) fuzz::find("told with another status");
  if (told_all && !request.target.starts_with("/" + token + "/")) fuzz::find("told without the token");
  if (told_all && request.method != "GET" && request.method != "HEAD") fuzz::find("told to", request.method);
  if (detail::head_of(out).find("\r\n\r\n") + 4 != detail::head_of(out).size()) fuzz::find("a split answer");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::view(data, size);
  const ParsedRequest whole = parse_request(bytes);
  std::size_t decoded = 0;
  if (whole.state == State::complete) {
    judge_request(whole.request);
    judge_answer(whole.request, decoded);
    if (decoded > 1000) fuzz::find("too many numbers");
  }
  if (whole.state == State::refused &&
      detail::reason_of(whole.status) == std::string("Internal Server Error"))
    fuzz::find("an unknown status");
  for (const std::size_t cut : {size / 3, size / 2, size - size / 4, size - std::min<std::size_t>(size, 1)}) {
    const ParsedRequest part = parse_request(bytes.substr(0, cut));
    if (part.state == State::complete &&
        (whole.state != State::complete || !same(part.request, whole.request)))
      fuzz::find("what follows a request changes it");
    if (part.state == State::refused && whole.state != State::refused) fuzz::find("refused too early");
  }
  return 0;
}
