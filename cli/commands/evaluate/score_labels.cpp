#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "bochner/assess/knn.hpp"
#include "bochner/assess/linear_classifiers.hpp"
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
  struct Row {
    const char* name;
    const char* key;
    LinearClassifier kind;
  };
  constexpr std::array linear{Row{"logistic regression accuracy", "logistic", LinearClassifier::logistic},
                              Row{"linear SVM accuracy", "svm", LinearClassifier::svm}};
  constexpr Index most_classes = 200;  // of linear classifiers, which have weights for each
  const bool separable = 2 * classes <= N && classes <= most_classes;
  if (separable)
    scores.operations +=
        1000.0 * static_cast<double>(settings.folds * N * classes * (pairs.latent.cols() + 1));
  else
    scores.notes.push_back("too many labels for linear classifiers; only neighbours are scored");
  if (scores.dry_run) {
    scores.add(what, 0, remark);
    for (const Row& row : linear)
      if (separable) scores.add(row.name, 0, "");
    return;
  }

  Rng rng = Rng(scores.seed).split("folds");
  const IndexVector fold = k_fold(N, settings.folds, rng);
  const auto numbers = [](const Vector& v) { return std::vector<double>(v.data(), v.data() + v.size()); };
  const Vector knn =
      knn_fold_accuracy(pairs.latent, labels.code, settings.k, fold, VoteTies::smallest_label, threads);
  Index largest = 0;
  for (Index c = 0; c < classes; ++c) largest = std::max<Index>(largest, (labels.code.array() == c).count());
  const double baseline = static_cast<double>(largest) / static_cast<double>(N);
  scores.add(what, knn.mean(), remark);
  scores.json["knn"] = {{"labels", settings.labels},
                        {"samples", N},
                        {"classes", classes},
                        {"k", settings.k},
                        {"seed", scores.seed},
                        {"accuracy", knn.mean()},
                        {"fold_accuracy", numbers(knn)},
                        {"largest_class", baseline}};
  for (const Row& row : linear) {
    if (!separable) break;
    const Vector folds = linear_fold_accuracy(row.kind, pairs.latent, labels.code, fold, threads);
    scores.add(row.name, folds.mean(), "");
    scores.json[row.key] = {{"accuracy", folds.mean()}, {"fold_accuracy", numbers(folds)}};
  }
  scores.add("  largest class alone", baseline, "baseline");
}

}  // namespace bochner::cli
