#include "windows.hpp"

#include <algorithm>

#include "bochner/core/counted.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner {
namespace {

constexpr Index fewest_windows = 10;

/// "'temp' (12 values missing)": the series with most gaps; empty if none has one.
std::string gappiest(const SeriesTable& data) {
  Index worst = 0, most = 0;
  for (Index s = 0; s < data.y.cols(); ++s) {
    const Index missing = data.y.rows() - data.y.col(s).array().isFinite().count();
    if (missing > most) most = missing, worst = s;
  }
  if (most == 0) return "";
  const std::string name = data.names.empty() ? "series " + std::to_string(worst + 1)
                                              : quote(data.names[static_cast<std::size_t>(worst)]);
  return name + " (" + counted(most, "value") + " missing)";
}

}  // namespace

void check_windows(const SeriesTable& data, Index lags, const std::string& what, const std::string& remedy) {
  Index windows = 0, longest = 0, row = 0;  // row: times in a row without a gap
  for (Index t = 0; t < data.y.rows(); ++t) {
    row = data.y.row(t).array().isFinite().all() ? row + 1 : 0;
    longest = std::max(longest, row);
    windows += row >= lags + 2;
  }
  if (windows >= fewest_windows) return;
  const std::string gaps = gappiest(data);
  throw InputError(
      "a forecast from " + counted(lags + 1, "time") + " needs at least " +
      std::to_string(lags + 1 + fewest_windows) +
      " times in a row without a gap, but the longest stretch in " + what + " is " + std::to_string(longest) +
      (gaps.empty()        ? ""
       : data.y.cols() > 1 ? ", counting times at which all series were measured; most gaps are in " + gaps
                           : ", because of gaps in " + gaps) +
      "; " + remedy);
}

}  // namespace bochner
