#include "hints.hpp"

#include <fmt/format.h>

#include "bochner/core/messages.hpp"
#include "bochner/data/table_hints.hpp"
#include "cli/frame/shell_quote.hpp"

namespace bochner::cli {

namespace {

std::string note(const TableHint& hint, bool alone) {
  const std::string view = fmt::format("view {}", quote(hint.view));
  switch (hint.kind) {
    case TableHint::Kind::counts:
      if (hint.share < 1)
        return fmt::format(
            "{}: {:.0f} % of the columns look like counts: take their logarithms, as log(1 + x), or put them "
            "into a table of their own for --inference mcmc with TABLE:poisson or TABLE:negbinom",
            view, 100 * hint.share);
      return view +
             " looks like counts: take logarithms, as log(1 + x), or use --inference mcmc with TABLE:poisson "
             "or TABLE:negbinom";
    case TableHint::Kind::binary:
      return fmt::format(
          "{}: {:.0f} % of the columns are zeros and ones; {}--inference mcmc with TABLE:bernoulli "
          "models them as such",
          view, 100 * hint.share, hint.share < 1 ? "in a table of their own, " : "");
    case TableHint::Kind::heavy_tails:
      return fmt::format("{}: {:.0f} % of the columns have heavy tails; {}", view, 100 * hint.share,
                         hint.positive ? "logarithms, as log(1 + x), may help" : "look for outliers");
    case TableHint::Kind::samples_in_columns:
      return view + " seems to have its samples in columns; rows must be samples, so transpose it";
    case TableHint::Kind::ordered_rows:
      return view +
             ": neighbouring rows are alike, as in a time series or in rows sorted by class; held-out "
             "entries are scattered, so the verdict says nothing about gaps (paths over time: --inference "
             "mcmc --time COLUMN)";
    case TableHint::Kind::row_sizes:
      return fmt::format(
          "{}: mostly zeros, and large samples are {:.1f} times as large as small ones, as in text or "
          "counts; "
          "if their profiles matter and not their sizes, use --normalise {}",
          view, hint.ratio, alone ? "rows" : shell_quote(hint.view + "=rows"));
  }
  return "";
}

}  // namespace

std::vector<std::string> hint_notes(const Dataset& data, const RowFactors& factors,
                                    const std::string& label_view) {
  std::vector<std::string> out;
  const Index tables = data.view_count() - (label_view.empty() ? 0 : 1);
  const bool sorted = !label_view.empty() && sorted_by_label(data.view(label_view));
  if (sorted)
    out.emplace_back(
        "the rows are sorted by label; the fit does not depend on their order, but splits into blocks of "
        "rows do");
  for (const TableHint& hint : table_hints(data)) {
    if (hint.view == label_view || (sorted && hint.kind == TableHint::Kind::ordered_rows)) continue;
    const auto v = static_cast<std::size_t>(data.view_index(hint.view));
    const bool divided = v < factors.medians.size() && factors.medians[v] > 0;
    if (hint.kind != TableHint::Kind::row_sizes || !divided) out.push_back(note(hint, tables == 1));
  }
  return out;
}

}  // namespace bochner::cli
