#pragma once
#include <memory>
#include <string>

namespace bochner::detail {

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::shared_ptr<const std::string> body =
      std::make_shared<const std::string>();                          // shared by those who read it
  std::string policy = "default-src 'none'; frame-ancestors 'none'";  // content security policy
};

HttpResponse text_response(int status, std::string text);
HttpResponse json_response(std::string json, int status = 200);

/// "Not Found"
const char* reason_of(int status);

/// Status line and headers. Every answer closes its connection, is stored nowhere, framed nowhere and read by no other site.
std::string head_of(const HttpResponse& response);

}  // namespace bochner::detail
