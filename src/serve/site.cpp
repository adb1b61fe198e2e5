#include "site.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/parse_number.hpp"

namespace bochner::detail {

namespace {

/// The name of a Host header, in lower case and without its port; empty if it has neither form.
std::string name_of(const std::string& host) {
  constexpr std::size_t most_digits = 5;
  const std::size_t bracket = host.rfind(']'), colon = host.rfind(':');
  if (colon == std::string::npos || (bracket != std::string::npos && bracket > colon))
    return lower_case(host);
  const std::string port = host.substr(colon + 1);
  if (port.empty() || port.size() > most_digits || port.find_first_not_of("0123456789") != std::string::npos)
    return "";
  return lower_case(host.substr(0, colon));
}

/// "192.168.1.2" or "[fe80::1]"
bool is_numeric_address(const std::string& name) {
  std::array<unsigned char, 16> bytes{};
  if (name.size() > 2 && name.front() == '[' && name.back() == ']')
    return ::inet_pton(AF_INET6, name.substr(1, name.size() - 2).c_str(), bytes.data()) == 1;
  return ::inet_pton(AF_INET, name.c_str(), bytes.data()) == 1;
}

bool is_ours(const std::string& host, const Guard& guard) {
  const std::string name = name_of(host);
  return !name.empty() && (std::find(guard.hosts.begin(), guard.hosts.end(), name) != guard.hosts.end() ||
                           (guard.any_address && is_numeric_address(name)));
}

/// "0.5,-1e-3" as numbers; empty if it is something else.
std::optional<std::vector<double>> numbers_of(std::string_view text) {
  constexpr std::size_t most = 1000;
  std::vector<double> out;
  while (out.size() < most) {
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    if (word.empty() || word.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return {};
    const std::optional<double> value = parse_number(word);
    if (!value || !std::isfinite(*value)) return {};
    out.push_back(*value);
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
  return {};
}

HttpResponse decoded(std::string_view query, const SiteContent& content) {
  if (query.empty()) return content.decoder();
  const std::optional<std::vector<double>> latent =
      query.starts_with("x=") ? numbers_of(query.substr(2)) : std::nullopt;
  return latent
             ? content.decode(*latent)
             : text_response(
                   400, "write decode.json?x= and a number for each latent dimension, separated by commas\n");
}

}  // namespace

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  volatile unsigned out = difference;  // no comparison ends early
  return out == 0;
}

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  for (std::size_t got = 0; got < bytes.size();) {
    const ssize_t n = ::getrandom(bytes.data() + got, bytes.size() - got, 0);
    if (n < 0 && errno != EINTR) throw NumericalError("the system gives no random numbers for a token");
    if (n > 0) got += static_cast<std::size_t>(n);
  }
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

HttpResponse answer(const HttpRequest& request, const Guard& guard, const SiteContent& content) {
  if (request.method != "GET" && request.method != "HEAD") return text_response(405, "read only\n");
  const std::string* host = request.header("host");
  if (!host || !is_ours(*host, guard)) return text_response(403, "this server has another name\n");
  const std::string_view target = request.target;
  if (!target.starts_with('/')) return text_response(400, "an address begins with a slash\n");
  const std::size_t begin = 1, end = target.find('/', begin);
  // The whole rest where there is no second slash, so that the answer is the same for every wrong token.
  const std::string_view token = target.substr(begin, end == std::string_view::npos ? end : end - begin);
  if (!equal_in_constant_time(token, guard.token))
    return text_response(403, "wrong or missing token; use the address that bochner serve printed\n");
  if (end == std::string_view::npos) return text_response(404, "the address ends with a slash\n");
  const std::size_t mark = target.find('?', end);
  const std::string_view path =
      target.substr(end + 1, mark == std::string_view::npos ? mark : mark - end - 1);
  const std::string_view query = mark == std::string_view::npos ? "" : target.substr(mark + 1);
  if (path == "decode.json") return decoded(query, content);
  if (!query.empty()) return text_response(400, "only decode.json takes an argument\n");
  if (path.empty()) return content.page();
  if (path == "state.json") return content.state();
  if (path == "latents.json") return content.latents();
  if (path == "report.html") return content.report();
  return text_response(404, "there is nothing here\n");
}

}  // namespace bochner::detail
