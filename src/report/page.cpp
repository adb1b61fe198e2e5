#include <fmt/format.h>

#include <string>
#include <string_view>

#include "bochner/report/report.hpp"
#include "bochner/store/sha256.hpp"
#include "encode.hpp"
#include "html_text.hpp"
#include "page_parts.hpp"

namespace bochner {

namespace {

/// JSON that no HTML parser takes for a tag, a comment or the end of the script, and no JavaScript parser for a line end.
std::string harmless(const std::string& json) {
  std::string out;
  out.reserve(json.size() + json.size() / 100);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<' || c == '>' || c == '&')
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else if (json.compare(i, 2, "\xE2\x80") == 0 && i + 2 < json.size() && (json[i + 2] & ~1) == '\xA8') {
      out += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else
      out += c;
  }
  return out;
}

/// 'sha256-..' of an inline script or style, as a content security policy names it.
std::string source_hash(std::string_view text) {
  const std::string hex = sha256_hex(text);
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return "'sha256-" + detail::base64(bytes) + "'";
}

}  // namespace

std::string report_page(const Json& document) {
  const std::string policy = fmt::format(
      "default-src 'none'; script-src {}; style-src {}; img-src data: blob:; base-uri 'none'; form-action "
      "'none'",
      source_hash(detail::page_script), source_hash(detail::page_style));
  const std::string data = harmless(json_line(document));
  const std::string title = detail::html_text(document.value("title", "run"));
  const std::pair<std::string_view, std::string_view> parts[] = {{"{{policy}}", policy},
                                                                 {"{{title}}", title},
                                                                 {"{{style}}", detail::page_style},
                                                                 {"{{data}}", data},
                                                                 {"{{script}}", detail::page_script}};
  // Each mark is replaced once, from left to right: what replaces it is never searched.
  std::string out;
  std::string_view rest = detail::page_template;
  for (const auto& [mark, text] : parts) {
    const std::size_t at = rest.find(mark);
    out.append(rest.substr(0, at)).append(text);
    rest.remove_prefix(at + mark.size());
  }
  return out.append(rest);
}

}  // namespace bochner
