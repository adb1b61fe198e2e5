#include "http_response.hpp"

#include <fmt/format.h>

namespace bochner::detail {

HttpResponse text_response(int status, std::string text) {
  HttpResponse out{.status = status};
  out.body = std::make_shared<const std::string>(std::move(text));
  return out;
}

HttpResponse json_response(std::string json, int status) {
  HttpResponse out{.status = status, .type = "application/json"};
  out.body = std::make_shared<const std::string>(std::move(json));
  return out;
}

const char* reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 431:
      return "Request Header Fields Too Large";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Internal Server Error";
  }
}

std::string head_of(const HttpResponse& response) {
  std::string out = fmt::format(
      "HTTP/1.1 {} {}\r\n"
      "Content-Type: {}\r\n"
      "Content-Length: {}\r\n"
      "Connection: close\r\n"
      "Cache-Control: no-store\r\n"
      "Content-Security-Policy: {}\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "X-Frame-Options: DENY\r\n",
      response.status, reason_of(response.status), response.type, response.body->size(), response.policy);
  if (response.status == 405) out += "Allow: GET, HEAD\r\n";
  return out + "\r\n";
}

}  // namespace bochner::detail
