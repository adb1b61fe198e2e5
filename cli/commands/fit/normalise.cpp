#include "normalise.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "cli/frame/text.hpp"
#include "cli/inputs/by_view.hpp"

namespace bochner::cli {

std::vector<bool> normalised_views(const std::vector<std::string>& values,
                                   const std::vector<std::string>& views) {
  std::vector<std::string> each(views.size(), "none");
  set_by_view("normalise", values, views, each, [](std::string& own, const std::string& text) {
    if (text != "rows" && text != "none")
      throw InputError(fmt::format("{} is unknown; use rows, or none", quote(text)));
    own = text;
  });
  std::vector<bool> out;
  for (const std::string& own : each) out.push_back(own == "rows");
  return out;
}

std::string normalised_text(const char* before, const Dataset& data, const RowFactors& factors) {
  std::vector<std::string> parts;
  for (std::size_t v = 0; v < factors.medians.size(); ++v)
    if (factors.medians[v] > 0)
      parts.push_back(fmt::format("{} (median {:.4g})", printable(data.view(static_cast<Index>(v)).name, 40),
                                  factors.medians[v]));
  return parts.empty()
             ? ""
             : fmt::format("{}divided by their root mean squares in {}\n", before, join_list(parts));
}

}  // namespace bochner::cli
