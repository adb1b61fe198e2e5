#include "shell_quote.hpp"

#include <algorithm>
#include <string_view>

#include "bochner/core/messages.hpp"

namespace bochner::cli {

std::string shell_quote(const std::string& text) {
  const auto harmless = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./=+,:@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), harmless)) return text;
  const std::string shown = printable(text, text.size());
  if (shown != text) return "'" + shown + "'";  // control characters: no command would be safe to show
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

}  // namespace bochner::cli
