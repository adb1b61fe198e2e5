#include "exposures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/data/labels.hpp"

namespace bochner::cli {

Vector exposures_of(const std::string& column, const std::vector<std::string>& cells, const View& view,
                    double typical) {
  const auto where = [&](std::size_t n) {
    return fmt::format("--offset: column {}, sample {}", quote(column), quote(view.ids[n]));
  };
  Vector out(view.rows());
  std::vector<double> known;
  std::vector<Index> unknown;
  for (std::size_t n = 0; n < cells.size(); ++n) {
    const auto row = static_cast<Index>(n);
    if (!is_label(cells[n])) {
      if (!view.Y.row(row).array().isNaN().all())
        throw InputError(fmt::format("{} has no exposure; fill it in or omit the sample", where(n)));
      unknown.push_back(row);
      continue;
    }
    const std::optional<double> number = parse_number(cells[n]);
    if (!number || !(*number > 0) || *number > 1e300)
      throw InputError(
          fmt::format("{}: {} is not a positive number; exposures are numbers of which logarithms are taken",
                      where(n), quote(cells[n])));
    out(row) = *number;
    known.push_back(*number);
  }
  for (const Index n : unknown) out(n) = typical;
  if (unknown.empty() || typical > 0) return out;
  const auto middle = known.begin() + std::ssize(known) / 2;
  std::nth_element(known.begin(), middle, known.end());
  for (const Index n : unknown) out(n) = known.empty() ? 1 : *middle;
  return out;
}

}  // namespace bochner::cli
