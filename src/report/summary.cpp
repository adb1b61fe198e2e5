#include <fmt/format.h>

#include "bochner/report/report.hpp"
#include "html_text.hpp"
#include "run_files.hpp"

namespace bochner {

namespace {

using detail::html_text;
using detail::member;
using detail::text_of;

/// The colour of the edge; notebooks are light or dark, and text has their colour.
const char* colour_of(const std::string& kind) {
  return kind == "good" ? "#0b6e4f" : kind == "doubtful" ? "#a63c00" : "#6b7785";
}

std::string list_of(const Json& items, const std::string& except) {
  std::string out;
  for (const Json& item : items)
    if (const std::string text = item.is_string() ? item.get<std::string>() : "";
        !text.empty() && except.find(text) == std::string::npos)
      out += "<li>" + html_text(text) + "</li>";
  return out.empty() ? "" : "<ul style=\"margin:0.3em 0 0;padding-left:1.3em\">" + out + "</ul>";
}

}  // namespace

std::string report_summary(const Json& document) {
  const Json& verdict = member(document, "verdict");
  const std::string text = text_of(verdict, "text");
  std::string facts;
  for (const Json& fact : member(document, "facts"))
    if (fact.is_array() && fact.size() == 2 && fact[0].is_string() && fact[1].is_string())
      facts += fmt::format("<span style=\"margin-right:1.5em\">{} <b>{}</b></span>",
                           html_text(fact[1].get<std::string>()), html_text(fact[0].get<std::string>()));
  return fmt::format(
      "<div style=\"border-left:4px solid {};padding:0.3em 0.9em;overflow-wrap:anywhere\"><div><b>{}</b>: "
      "{}</div>"
      "<div>{}</div>{}<div style=\"margin-top:0.3em\">{}</div></div>",
      colour_of(text_of(verdict, "kind")), html_text(text_of(document, "title")),
      html_text(text_of(document, "family")), html_text(text), list_of(member(verdict, "warnings"), text),
      facts);
}

}  // namespace bochner
