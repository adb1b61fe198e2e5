#include "serve.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "bochner/core/errors.hpp"
#include "src/report/page_parts.hpp"

namespace bochner::detail {

namespace {

// The report is a file: whoever has made the folder may have put anything there. In a sandbox it reads nothing of the server.
constexpr const char* report_policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts allow-downloads allow-modals";

constexpr const char* html = "text/html; charset=utf-8";

std::string error_json(const std::string& message) { return json_line({{"error", message}}); }

HttpResponse json_of(const LiveRun::Text& text, const char* absent) {
  if (!text) return json_response(error_json(absent), 404);
  HttpResponse out{.type = "application/json"};
  out.body = text;
  return out;
}

HttpResponse no_decoder(LiveRun& run) {
  const RunPhase phase = run.phase();
  if (phase == RunPhase::finished || phase == RunPhase::interrupted)
    return json_response(error_json("the run has no model that predicts from latents"), 404);
  return json_response(error_json("latents can be decoded after the fit"), 409);
}

bool is_wildcard(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

std::string in_url(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

}  // namespace

HttpResponse live_page_response() {
  static const HttpResponse response = [] {
    std::string page;
    std::string_view rest = live_template;
    const std::pair<std::string_view, std::string_view> parts[] = {{"{{style}}", live_style},
                                                                   {"{{script}}", live_script}};
    for (const auto& [mark, text] : parts) {
      const std::size_t at = rest.find(mark);
      page.append(rest.substr(0, at)).append(text);
      rest.remove_prefix(at + mark.size());
    }
    page.append(rest);
    HttpResponse out{.type = html};
    out.body = std::make_shared<const std::string>(std::move(page));
    out.policy = fmt::format(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; connect-src 'self'; base-uri "
        "'none'; "
        "form-action 'none'; frame-ancestors 'none'",
        source_hash(live_script), source_hash(live_style));
    return out;
  }();
  return response;
}

SiteContent content_of(LiveRun& run) {
  return {.page = live_page_response,
          .state = [&run] { return json_of(run.state(), "there is no run"); },
          .latents = [&run] { return json_of(run.latents(), "there are no latents yet"); },
          .report =
              [&run] {
                const LiveRun::Text text = run.report();
                if (!text) return text_response(404, "the report is written at the end of the run\n");
                HttpResponse out{.type = html};
                out.body = text;
                out.policy = report_policy;
                return out;
              },
          .decoder =
              [&run] {
                const RunDecoder* decoder = run.decoder();
                return decoder ? json_response(json_line(decoder->description())) : no_decoder(run);
              },
          .decode =
              [&run](const std::vector<double>& latent) {
                const RunDecoder* decoder = run.decoder();
                if (!decoder) return no_decoder(run);
                try {
                  return json_response(json_line(decoder->decode(latent)));
                } catch (const InputError& error) {
                  return json_response(error_json(error.what()), 400);
                }
              }};
}

Guard guard_for(const std::string& address, std::string token) {
  Guard out{.token = std::move(token),
            .hosts = {"localhost", "127.0.0.1", "[::1]", in_url(lower_case(address))},
            .any_address = is_wildcard(address)};
  std::array<char, 256> name{};
  if (!is_loopback(address) && ::gethostname(name.data(), name.size() - 1) == 0)
    out.hosts.push_back(lower_case(name.data()));
  return out;
}

bool is_loopback(const std::string& address) { return address.starts_with("127.") || address == "::1"; }

std::string page_address(const std::string& address, int port, const std::string& token) {
  std::string host = in_url(address);
  std::array<char, 256> name{};
  if (is_wildcard(address))
    host = ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
  return fmt::format("http://{}:{}/{}/", host, port, token);
}

}  // namespace bochner::detail
