#include "held_out_entries.hpp"

#include <fmt/format.h>

#include "bochner/tables/csv.hpp"

namespace bochner::cli {

void write_held_out_entries(const RunFolder& run, const Dataset& tables, const RowFactors& factors,
                            const std::vector<ViewScores>& scores) {
  TextTable out{.name = "",
                .ids = {},
                .columns = {"view", "sample", "column", "observed", "mean", "sd", "pit"},
                .cells = std::vector<std::vector<std::string>>(7)};
  for (const ViewScores& own : scores) {
    const Index v = tables.view_index(own.view);
    const View& view = tables.view(v);
    const Vector by_row = factors.by_view.empty() ? Vector() : factors.by_view[static_cast<std::size_t>(v)];
    for (const HeldOutEntry& e : own.predicted) {
      const double factor = by_row.size() > 0 ? by_row(e.row) : 1;
      out.ids.push_back(std::to_string(out.ids.size() + 1));
      out.cells[0].push_back(view.name);
      out.cells[1].push_back(view.ids[static_cast<std::size_t>(e.row)]);
      out.cells[2].push_back(view.columns[static_cast<std::size_t>(e.column)]);
      // As it was measured, without the rounding of a division and a multiplication.
      const double numbers[] = {view.Y(e.row, e.column), factor * e.mean, factor * e.sd, e.pit};
      for (std::size_t i = 0; i < 4; ++i) out.cells[3 + i].push_back(fmt::format("{}", numbers[i]));
    }
  }
  if (!out.ids.empty()) write_csv(run.path("heldout_entries.csv"), out, "n");
}

}  // namespace bochner::cli
