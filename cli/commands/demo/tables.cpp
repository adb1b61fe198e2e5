#include "tables.hpp"

#include <fmt/format.h>

#include "bochner/simulate/latent_views.hpp"
#include "bochner/tables/csv.hpp"
#include "cli/commands/fit/latent_tables.hpp"

namespace bochner::cli {

namespace {

std::vector<Index> rows_of(const VectorT<bool>& present) {
  std::vector<Index> rows;
  for (Index n = 0; n < present.size(); ++n)
    if (present(n)) rows.push_back(n);
  return rows;
}

std::vector<std::string> take(const std::vector<std::string>& names, const std::vector<Index>& rows) {
  std::vector<std::string> out;
  for (const Index n : rows) out.push_back(names[static_cast<std::size_t>(n)]);
  return out;
}

std::vector<std::string> sample_names(Index n) {
  std::vector<std::string> names;
  for (Index i = 1; i <= n; ++i) names.push_back(fmt::format("s{:04}", i));
  return names;
}

}  // namespace

Simulated make_demo_tables(const DemoSettings& s, const Rng& rng, const Threads& threads) {
  std::vector<ViewRecipe> recipes = rbf_and_gibbs_views(s.columns);
  for (ViewRecipe& recipe : recipes) recipe.emission = GaussianEmission{.noise_variance = s.noise * s.noise};
  // No sample lacks both views, so each view lacks its part of the samples.
  const MissingOptions missing{.samples = s.absent / static_cast<double>(recipes.size()),
                               .entries = s.missing};
  return simulate_views({.curve = {.N = s.samples}, .views = recipes, .missing = missing}, rng, threads);
}

DemoSettings with_sizes(DemoSettings s) {
  if (s.samples == 0) s.samples = s.bayes ? 100 : 600;
  if (s.columns == 0) s.columns = s.bayes ? 30 : 100;
  return s;
}

const std::vector<std::string>& demo_tables() {
  static const std::vector<std::string> files{"rbf.csv", "gibbs.csv", "rbf_truth.csv", "gibbs_truth.csv",
                                              "latent_truth.csv"};
  return files;
}

void write_demo_tables(const Simulated& made, const RunFolder& run) {
  const std::vector<std::string> ids = sample_names(made.data.rows());
  for (Index v = 0; v < made.data.view_count(); ++v) {
    const View& view = made.data.view(v);
    const std::vector<Index> rows = rows_of(made.data.present(v));
    write_csv(run.path(view.name + ".csv"), Table{take(ids, rows), view.columns, view.Y(rows, Eigen::all)});
    write_csv(run.path(view.name + "_truth.csv"),
              Table{ids, view.columns, made.truth[static_cast<std::size_t>(v)].Y});
  }
  write_csv(run.path("latent_truth.csv"), Table{ids, latent_columns(made.X.cols()), made.X});
}

}  // namespace bochner::cli
