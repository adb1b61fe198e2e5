#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "http_request.hpp"
#include "http_response.hpp"

namespace bochner::detail {

/// Who may ask. A page of another site can make a browser send requests here, but it knows no token, and the name that it has
/// bound to this address (DNS rebinding) is no name of ours. The port of a Host header says nothing: a tunnel has its own.
struct Guard {
  std::string token;
  std::vector<std::string> hosts;  // names in the Host header, in lower case
  bool any_address = false;        // and every numeric address: names can be bound, numbers cannot
};

/// What there is to see. Fixed routes: nothing of a request is ever the name of a file.
struct SiteContent {
  std::function<HttpResponse()> page, state, latents, report, decoder;
  std::function<HttpResponse(const std::vector<double>& latent)> decode;
};

/// Whether the texts are equal, in a time that depends on their lengths alone.
bool equal_in_constant_time(std::string_view a, std::string_view b);

/// 32 hexadecimal digits from the system's generator.
std::string random_token();

/// "/TOKEN/state.json" and so on. Reads (GET, HEAD) only.
HttpResponse answer(const HttpRequest& request, const Guard& guard, const SiteContent& content);

}  // namespace bochner::detail
