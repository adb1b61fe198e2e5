#include "http_request.hpp"

#include <algorithm>

namespace bochner::detail {

namespace {

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// [rfc9110, 5.6.2]
bool is_token(std::string_view text) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter_or_digit(c) || others.find(c) != std::string_view::npos;
  });
}

bool is_visible(char c) { return c > 0x20 && c < 0x7f; }

/// Bytes that no head has: control characters, and CR or LF alone. A CR at the very end may get its LF later.
bool has_controls(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto c = static_cast<unsigned char>(bytes[i]);
    if (c == '\r') {
      if (i + 1 < bytes.size() && bytes[i + 1] != '\n') return true;
    } else if (c == '\n') {
      if (i == 0 || bytes[i - 1] != '\r') return true;
    } else if ((c < 0x20 && c != '\t') || c == 0x7f) {
      return true;
    }
  }
  return false;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// 0, or the status of the refusal.
int parse_request_line(std::string_view line, const HttpLimits& limits, HttpRequest& out) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return 400;
  const std::string_view method = line.substr(0, first), target = line.substr(first + 1, last - first - 1),
                         version = line.substr(last + 1);
  if (!is_token(method) || target.empty() || !std::all_of(target.begin(), target.end(), is_visible))
    return 400;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return version.starts_with("HTTP/") ? 505 : 400;
  if (target.size() > limits.target) return 414;
  if (target.front() != '/') return 400;  // absolute addresses are for proxies
  out.method = method;
  out.target = target;
  out.minor = version.back() - '0';
  return 0;
}

int parse_header(std::string_view line, const HttpLimits& limits, HttpRequest& out) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return 400;
  if (out.headers.size() == limits.headers) return 431;
  out.headers.emplace_back(lower_case(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
  return 0;
}

/// Headers that say that a body follows, or whose repetition programs read differently.
int check_headers(const HttpRequest& request) {
  const auto count = [&](std::string_view name) {
    return std::count_if(request.headers.begin(), request.headers.end(),
                         [&](const auto& header) { return header.first == name; });
  };
  if (count("host") != 1) return 400;
  if (count("transfer-encoding") > 0 || count("content-length") > 1) return 400;
  const std::string* length = request.header("content-length");
  return length && *length != "0" ? 413 : 0;
}

int parse_head(std::string_view head, const HttpLimits& limits, HttpRequest& out) {
  bool first = true;
  while (!head.empty()) {
    const std::size_t end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + 2);
    const int status = first ? parse_request_line(line, limits, out) : parse_header(line, limits, out);
    if (status != 0) return status;
    first = false;
  }
  return first ? 400 : check_headers(out);
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

const std::string* HttpRequest::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (key == name) return &value;
  return nullptr;
}

ParsedRequest parse_request(std::string_view bytes, const HttpLimits& limits) {
  ParsedRequest out;
  const auto refused = [&](int status) {
    out.state = ParsedRequest::State::refused;
    out.status = status;
    return out;
  };
  const std::size_t end = bytes.find("\r\n\r\n");
  const std::string_view head = end == std::string_view::npos ? bytes : bytes.substr(0, end + 2);
  if (has_controls(head.substr(0, limits.head))) return refused(400);
  // An unfinished head may end with one byte of the empty line behind it.
  if (head.size() > limits.head + (end == std::string_view::npos ? 1 : 0)) return refused(431);
  if (end == std::string_view::npos) return out;
  if (const int status = parse_head(head, limits, out.request); status != 0) return refused(status);
  out.state = ParsedRequest::State::complete;
  return out;
}

}  // namespace bochner::detail
