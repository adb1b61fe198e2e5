#pragma once
#include <string>
#include <string_view>

namespace bochner::detail {

/// A-Z in lower case; other bytes, UTF-8 among them, stay. Unlike std::tolower it does not depend on the locale.
inline std::string ascii_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace bochner::detail
