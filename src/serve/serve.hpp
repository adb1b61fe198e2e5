#pragma once
#include <functional>
#include <string>

#include "bochner/compute/compute.hpp"
#include "http_server.hpp"
#include "live_run.hpp"
#include "site.hpp"

namespace bochner::detail {

/// The page, with the policy that lets its own script, its own style and this server alone take part.
HttpResponse live_page_response();

/// What there is to see of a run. The run lives longer.
SiteContent content_of(LiveRun& run);

/// Names under which browsers reach `address`: itself, and this machine's names for itself.
Guard guard_for(const std::string& address, std::string token);

/// Whether only this machine reaches the address.
bool is_loopback(const std::string& address);

/// "http://127.0.0.1:8642/0123abcd/"
std::string page_address(const std::string& address, int port, const std::string& token);

}  // namespace bochner::detail
