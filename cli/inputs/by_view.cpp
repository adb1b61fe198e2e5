#include "by_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "bochner/core/messages.hpp"

namespace bochner::cli {

std::vector<std::pair<std::size_t, std::string>> values_by_view(const char* option,
                                                                const std::vector<std::string>& values,
                                                                const std::vector<std::string>& views) {
  std::vector<std::pair<std::size_t, std::string>> everywhere, named;
  for (const std::string& value : values) {
    const std::size_t equals = value.rfind('=');
    if (equals == std::string::npos) {
      if (!everywhere.empty())
        throw InputError(
            fmt::format("--{} is given twice for all views; use NAME=VALUE for a single view", option));
      for (std::size_t v = 0; v < views.size(); ++v) everywhere.emplace_back(v, value);
      continue;
    }
    const std::string name = value.substr(0, equals);
    const auto found = std::find(views.begin(), views.end(), name);
    if (found == views.end()) {
      const std::string hint = did_you_mean(name, views);
      throw InputError(fmt::format("--{} {}: there is no view {}{}", option, printable(value), quote(name),
                                   hint.empty() ? "; the views are " + listing(views) : hint));
    }
    named.emplace_back(found - views.begin(), value.substr(equals + 1));
  }
  everywhere.insert(everywhere.end(), named.begin(), named.end());
  return everywhere;
}

double positive_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || value > 1e300)
    throw InputError(fmt::format("{} is not a positive number", quote(text)));
  return value;
}

}  // namespace bochner::cli
