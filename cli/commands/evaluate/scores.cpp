#include "scores.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/assess/trustworthiness.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/fills.hpp"
#include "bochner/data/view.hpp"
#include "bochner/tables/read_table.hpp"
#include "cli/inputs/match_rows.hpp"

namespace bochner::cli {

std::string counted_samples(Index n) { return counted(n, "sample"); }

void Scores::add(const std::string& name, double value, const std::string& remark) {
  const std::string shown = dry_run ? "" : std::isnan(value) ? "-" : fmt::format("{:.4f}", value);
  rows.push_back({name, shown, remark});
}

Pairing pair_rows(Scores& scores, const std::string& other, const std::vector<std::string>& ids,
                  bool ids_generated, const std::function<bool(Index)>& usable, const std::string& unusable) {
  const MatchedRows matched = match_rows({scores.latent_name, scores.latent.ids, scores.latent.ids_generated},
                                         {other, ids, ids_generated});
  const auto note = [&](Index n, const std::string& what) {
    if (n > 0) scores.notes.push_back(fmt::format("{} {}", counted_samples(n), what));
  };
  if (matched.by_position)
    scores.notes.push_back(
        fmt::format("rows of {} and {} are matched by position", scores.latent_name, other));
  note(matched.only_a, fmt::format("of {} left out: not in {}", scores.latent_name, other));
  std::vector<Index> rows;
  Pairing out;
  for (std::size_t i = 0; i < matched.a.size(); ++i)
    if (usable(matched.b[i])) {
      rows.push_back(matched.a[i]);
      out.other.push_back(matched.b[i]);
    }
  note(static_cast<Index>(matched.a.size() - rows.size()),
       fmt::format("left out: {} in {}", unusable, other));
  if (rows.empty())
    throw InputError(
        fmt::format("{}: {} for any sample that it shares with {}", other, unusable, scores.latent_name));
  out.latent = scores.latent.values(rows, Eigen::all);
  return out;
}

void score_truth(const EvaluateSettings& settings, Scores& scores) {
  const Table truth = read_table(settings.truth);
  const Pairing pairs = pair_rows(
      scores, printable(settings.truth), truth.ids, truth.ids_generated,
      [&](Index n) { return truth.values.row(n).allFinite(); }, "no complete row");
  const Index N = pairs.latent.rows(), Q = pairs.latent.cols();
  if (N < Q + 2)
    throw InputError(
        fmt::format("{}: {} in common with {}, but {} latent columns fit so few exactly; {} are required",
                    printable(settings.truth), counted_samples(N), scores.latent_name, Q, Q + 2));
  const std::string remark = fmt::format("{}, after the best affine map", counted_samples(N));
  scores.operations += 10 * static_cast<double>(N * (Q + 1) * (Q + truth.cols()));
  if (scores.dry_run) return scores.add("R^2 of the truth", 0, remark);
  const AffineR2 r2 = affine_r2(pairs.latent, truth.values(pairs.other, Eigen::all));
  scores.add("R^2 of the truth", r2.mean, remark);
  Json columns = Json::object();
  for (Index p = 0; p < truth.cols(); ++p) {
    const std::string& name = truth.columns[static_cast<std::size_t>(p)];
    columns[name] = r2.per_column(p);
    if (truth.cols() > 1 && truth.cols() <= 12)  // more would bury the mean
      scores.add("  " + printable(name, 30), r2.per_column(p),
                 std::isnan(r2.per_column(p)) ? "does not vary" : "");
  }
  scores.json["affine_r2"] = {
      {"truth", settings.truth}, {"samples", N}, {"mean", r2.mean}, {"columns", columns}};
}

void score_neighbourhoods(const EvaluateSettings& settings, Scores& scores, const Threads& threads) {
  const Table data = read_table(settings.data);
  const Pairing pairs = pair_rows(
      scores, printable(settings.data), data.ids, data.ids_generated,
      [&](Index n) { return !data.values.row(n).array().isNaN().all(); }, "all values missing");
  const Index N = pairs.latent.rows();
  if (2 * settings.neighbours >= N)
    throw InputError(fmt::format("--neighbours is {}, but must be less than half of the {}",
                                 settings.neighbours, counted_samples(N)));
  const Matrix Y = data.values(pairs.other, Eigen::all);
  const Index missing = Y.size() - count_observed(Y);
  if (missing > 0)
    scores.notes.push_back(fmt::format("{} of {} filled with column means for the distances",
                                       counted(missing, "empty cell"), printable(settings.data)));
  const std::string remark = fmt::format("{}, {}, {}", counted_samples(N), counted(Y.cols(), "column"),
                                         counted(settings.neighbours, "neighbour"));
  scores.operations +=
      6.0 * static_cast<double>(N) * static_cast<double>(N * (Y.cols() + pairs.latent.cols()));
  if (scores.dry_run) return scores.add("trustworthiness, continuity", 0, remark);
  const Matrix filled = missing > 0 ? fill_column_means(Y) : Y;
  const double trust = trustworthiness(filled, pairs.latent, settings.neighbours, threads);
  const double whole = continuity(filled, pairs.latent, settings.neighbours, threads);
  scores.add("trustworthiness", trust, remark);
  scores.add("continuity", whole, "");
  scores.json["neighbourhood"] = {{"data", settings.data},
                                  {"samples", N},
                                  {"neighbours", settings.neighbours},
                                  {"trustworthiness", trust},
                                  {"continuity", whole}};
}

}  // namespace bochner::cli
