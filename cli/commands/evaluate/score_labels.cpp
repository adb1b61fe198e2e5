#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "bochner/assess/knn.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/labels.hpp"
#include "bochner/data/splits.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/tables/read_table.hpp"
#include "cli/inputs/label_column.hpp"
#include "scores.hpp"

namespace bochner::cli {

namespace {

void check_folds(Index N, const EvaluateSettings& settings, const std::string& table) {
  const Index largest_fold = (N + settings.folds - 1) / settings.folds;
  if (N < settings.folds)
    throw InputError(fmt::format("{}: {} with a label, too few for {} folds; set --folds", table,
                                 counted_samples(N), settings.folds));
  if (settings.k > N - largest_fold)
    throw InputError(fmt::format("--k is {}, but only {} remain when one of {} folds is held out", settings.k,
                                 counted_samples(N - largest_fold), settings.folds));
}

}  // namespace

void score_labels(const EvaluateSettings& settings, Scores& scores, const Threads& threads) {
  const LabelColumn column = read_labels(settings.labels);
  const Pairing pairs = pair_rows(
      scores, column.table, column.ids, column.ids_generated,
      [&](Index n) { return is_label(column.labels[static_cast<std::size_t>(n)]); }, "no label");
  std::vector<std::string> names;
  for (const Index n : pairs.other) names.push_back(column.labels[static_cast<std::size_t>(n)]);
  const Labels labels = encode_labels(names);
  const Index N = pairs.latent.rows(), classes = static_cast<Index>(labels.names.size());
  check_folds(N, settings, column.table);
  if (classes == 1)
    scores.notes.push_back(
        fmt::format("every sample has the label {}, so there is nothing to classify", quote(names.front())));
  else if (2 * classes > N)
    scores.notes.push_back(fmt::format("{} has {} distinct labels for {}; are these classes?",
                                       quote(column.column), classes, counted_samples(N)));
  const std::string what = fmt::format("KNN-{} accuracy", settings.k);
  const std::string remark =
      fmt::format("{}, {}, mean of {} folds", counted_samples(N), counted(classes, "label"), settings.folds);
  scores.operations += 2.0 * static_cast<double>(N) * static_cast<double>(N * pairs.latent.cols());
  if (scores.dry_run) return scores.add(what, 0, remark);

  Rng rng = Rng(scores.seed).split("folds");
  const Vector folds = knn_fold_accuracy(pairs.latent, labels.code, settings.k,
                                         k_fold(N, settings.folds, rng), VoteTies::smallest_label, threads);
  Index largest = 0;
  for (Index c = 0; c < classes; ++c) largest = std::max<Index>(largest, (labels.code.array() == c).count());
  const double baseline = static_cast<double>(largest) / static_cast<double>(N);
  scores.add(what, folds.mean(), remark);
  scores.add("  largest class alone", baseline, "baseline");
  scores.json["knn"] = {{"labels", settings.labels},
                        {"samples", N},
                        {"classes", classes},
                        {"k", settings.k},
                        {"seed", scores.seed},
                        {"accuracy", folds.mean()},
                        {"fold_accuracy", std::vector<double>(folds.data(), folds.data() + folds.size())},
                        {"largest_class", baseline}};
}

}  // namespace bochner::cli
