#include "interpretation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "bochner/core/messages.hpp"
#include "bochner/tables/csv.hpp"

namespace bochner::cli {

namespace {

constexpr Index looked_at = 500;          // rows
constexpr std::size_t most_columns = 50;  // with partial dependence

Matrix rows_to_look_at(const RegressJob& job) {
  if (job.test.empty()) {
    const RowSource rows = learning_rows(job);
    Matrix X(std::min(looked_at, rows.rows), rows.inputs), Y(X.rows(), rows.outcomes);
    rows.read(0, X, Y);
    return X;
  }
  Matrix out(std::min(looked_at, Index(job.test.size())), job.data.inputs());
  Index filled = 0;
  for_each_test_block(job, [&](const std::vector<std::string>&, const Matrix& X, const Matrix&) {
    const Index n = std::min(out.rows() - filled, X.rows());
    out.middleRows(filled, n) = X.topRows(n);
    filled += n;
  });
  return out;
}

std::vector<std::size_t> by_relevance(const Vector& relevance) {
  std::vector<std::size_t> order(static_cast<std::size_t>(relevance.size()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return relevance(Index(a)) > relevance(Index(b)); });
  return order;
}

/// What the columns of a partial dependence are of: outcomes, or classes, the second of two.
std::vector<std::string> predicted_names(const HarmonicFit& fit, Index P) {
  std::vector<std::string> out;
  if (fit.classes.empty()) return fit.outcomes;
  for (std::size_t k = fit.classes.size() - static_cast<std::size_t>(P); k < fit.classes.size(); ++k)
    out.push_back("p_" + fit.classes[k]);
  return out;
}

void write_dependence(const HarmonicFit& fit, const Matrix& X, const std::vector<std::size_t>& order,
                      const std::string& path, const Threads& threads) {
  std::vector<std::string> ids;
  TextTable out{.name = {}, .ids = {}, .columns = {"input", "value"}, .cells = {{}, {}}};
  for (std::size_t i = 0; i < std::min(most_columns, order.size()); ++i) {
    const PartialDependence d = partial_dependence(fit, X, Index(order[i]), threads);
    if (i == 0)
      for (const std::string& name : predicted_names(fit, d.mean.cols())) {
        out.columns.push_back(name + "_mean");
        out.cells.emplace_back();
      }
    for (Index k = 0; k < d.mean.rows(); ++k) {
      out.ids.push_back(std::to_string(out.ids.size() + 1));
      out.cells[0].push_back(d.column);
      out.cells[1].push_back(d.levels.empty() ? fmt::format("{}", d.values(k))
                                              : d.levels[static_cast<std::size_t>(k)]);
      for (Index p = 0; p < d.mean.cols(); ++p)
        out.cells[static_cast<std::size_t>(2 + p)].push_back(fmt::format("{}", d.mean(k, p)));
    }
  }
  write_csv(path, out, "n");
}

}  // namespace

Vector write_interpretation(const RegressJob& job, const HarmonicFit& fit, const RunFolder& run,
                            const Threads& threads) {
  if (!fit.options.image.empty()) return {};  // a pixel says little
  const Matrix X = rows_to_look_at(job);
  const Vector relevance = input_relevance(fit, X, Rng(job.seed).split("relevance"), threads);
  write_csv(run.path("input_relevance.csv"),
            Table{.ids = fit.table_columns(), .columns = {"relevance"}, .values = relevance}, "input");
  write_dependence(fit, X, by_relevance(relevance), run.path("partial_dependence.csv"), threads);
  return relevance;
}

std::string relevance_text(const HarmonicFit& fit, const Vector& relevance) {
  constexpr std::size_t most = 8;
  const std::vector<std::string> names = fit.table_columns();
  if (names.size() < 2 || relevance.size() == 0) return "";
  const std::vector<std::size_t> order = by_relevance(relevance);
  std::string out;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i)
    out += fmt::format("{}{} {:.2f}", i == 0 ? "" : ", ", printable(names[order[i]], 30),
                       relevance(Index(order[i])));
  return fmt::format(
      "relevance of inputs: {}{}\n", out,
      order.size() > most ? fmt::format(", {} more in input_relevance.csv", order.size() - most) : "");
}

}  // namespace bochner::cli
