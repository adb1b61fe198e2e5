#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bochner::detail {

/// Of ASCII letters.
std::string lower_case(std::string_view text);

/// What a request may be at most.
struct HttpLimits {
  std::size_t head = 8192;    // bytes of request line and headers together
  std::size_t target = 2048;  // bytes of the part between method and version
  std::size_t headers = 64;
};

/// The head of a request for something: requests with a body are refused.
struct HttpRequest {
  std::string method, target;
  int minor = 1;                                             // of HTTP/1.minor
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case

  /// The value; nullptr if there is none.
  const std::string* header(std::string_view name) const;
};

struct ParsedRequest {
  enum class State { incomplete, complete, refused };
  State state = State::incomplete;
  HttpRequest request;
  int status = 0;  // of the answer to a request that is refused
};

/// The request that `bytes` begin with [rfc9112]. Strict where the standard lets a server choose: lines end with CR LF, a
/// header has one line, no control characters, no body. What follows the head is ignored: a connection carries one request.
/// Never reads behind `bytes`, never throws.
ParsedRequest parse_request(std::string_view bytes, const HttpLimits& limits = {});

}  // namespace bochner::detail
