#include "hints.hpp"

#include <fmt/format.h>

#include "bochner/core/messages.hpp"
#include "bochner/data/table_hints.hpp"

namespace bochner::cli {

namespace {

std::string note(const TableHint& hint) {
  const std::string view = fmt::format("view {}", quote(hint.view));
  switch (hint.kind) {
    case TableHint::Kind::counts:
      return view +
             " looks like counts: take logarithms, as log(1 + x), or use --inference mcmc with TABLE:poisson "
             "or "
             "TABLE:negbinom";
    case TableHint::Kind::binary:
      return fmt::format(
          "{}: {:.0f} % of the columns are zeros and ones; --inference mcmc with TABLE:bernoulli models them "
          "as "
          "such",
          view, 100 * hint.share);
    case TableHint::Kind::heavy_tails:
      return fmt::format("{}: {:.0f} % of the columns have heavy tails; {}", view, 100 * hint.share,
                         hint.positive ? "logarithms, as log(1 + x), may help" : "look for outliers");
    case TableHint::Kind::samples_in_columns:
      return view + " seems to have its samples in columns; rows must be samples, so transpose it";
    case TableHint::Kind::ordered_rows:
      return view +
             ": neighbouring rows are alike, as in a time series; held-out entries are scattered, so the "
             "verdict "
             "says nothing about gaps (paths over time: --inference mcmc --time COLUMN)";
  }
  return "";
}

}  // namespace

std::vector<std::string> hint_notes(const Dataset& data, const std::string& label_view) {
  std::vector<std::string> out;
  for (const TableHint& hint : table_hints(data))
    if (hint.view != label_view) out.push_back(note(hint));
  return out;
}

}  // namespace bochner::cli
