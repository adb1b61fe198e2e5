#include "bochner/core/messages.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bochner {

std::string printable_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(end)) {
    end = std::min(text.find('\n'), text.size());
    out += printable(text.substr(0, end), std::string_view::npos);
    if (end < text.size()) ++end, out += '\n';
  }
  return out;
}

std::string quote(std::string_view text) { return fmt::format("'{}'", printable(text, 40)); }

std::string listing(const std::vector<std::string>& names, std::size_t most) {
  // "and 1 more" is longer than the one name.
  const std::size_t shown = names.size() <= most + 1 ? names.size() : most;
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += i + 1 == names.size() ? " and " : ", ";
    out += quote(names[i]);
  }
  if (shown < names.size()) out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string found = nearest_name(name, candidates);
  return found.empty() ? std::string() : fmt::format("; did you mean {}?", quote(found));
}

std::string human_bytes(double bytes) {
  const char* units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  while (bytes >= 1000 && unit < 5) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 100 ? 0 : 1, units[unit]);
}

}  // namespace bochner
