#include "most_variable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/data/most_variable.hpp"
#include "cli/frame/text.hpp"
#include "cli/inputs/by_view.hpp"

namespace bochner::cli {

namespace {

constexpr const char* option_name = "most-variable";

Index column_count(const std::string& text) {
  const std::optional<double> number = parse_number(text);
  if (!number || !(*number >= 1 && *number <= 1e9 && *number == static_cast<double>(Index(*number))))
    throw InputError(
        fmt::format("{} is not a number of columns; it must be an integer of at least 1", quote(text)));
  return static_cast<Index>(*number);
}

}  // namespace

std::vector<std::optional<Index>> most_variable_of(const std::vector<std::string>& values,
                                                   const std::vector<std::string>& views,
                                                   const std::vector<bool>& labels) {
  std::vector<std::optional<Index>> out(views.size());
  set_by_view(option_name, values, views, out,
              [](std::optional<Index>& own, const std::string& text) { own = column_count(text); });
  for (std::size_t v = 0; v < views.size(); ++v) {
    if (!labels[v] || !out[v]) continue;
    if (std::any_of(values.begin(), values.end(),
                    [&](const std::string& value) { return value.starts_with(views[v] + "="); }))
      throw InputError(fmt::format("--{}: view {} holds labels, which have no variance; name another view",
                                   option_name, quote(views[v])));
    out[v].reset();
  }
  return out;
}

KeptColumns choose_columns(const Dataset& data, const std::vector<std::optional<Index>>& counts) {
  KeptColumns out;
  std::vector<std::string> parts;
  for (Index v = 0; v < data.view_count(); ++v) {
    const View& view = data.view(v);
    const auto i = static_cast<std::size_t>(v);
    std::vector<Index> kept(static_cast<std::size_t>(view.cols()));
    std::iota(kept.begin(), kept.end(), Index{0});
    if (i < counts.size() && counts[i]) {
      kept = most_variable(view.Y, *counts[i]);
      try {
        check_kept_names(view.name, view.columns, kept);
      } catch (const InputError& error) {
        throw InputError(fmt::format("--{}: {}", option_name, error.what()));
      }
      const auto all = counted(view.cols(), "column");
      const std::string name = printable(view.name, 40);
      parts.push_back(static_cast<Index>(kept.size()) == view.cols()
                          ? fmt::format("{}: all {}", name, all)
                          : fmt::format("{}: the {} most variable of {}", name, kept.size(), all));
    }
    out.columns.push_back(std::move(kept));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) out.text += (i == 0 ? "" : "; ") + parts[i];
  return out;
}

std::string kept_text(const char* before, const std::string& text) {
  return text.empty() ? "" : fmt::format("{}{}\n", before, text);
}

}  // namespace bochner::cli
