#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bochner/compute/threads.hpp"
#include "bochner/run/json_file.hpp"
#include "bochner/tables/table.hpp"

namespace bochner::cli {

struct EvaluateSettings {
  std::string latent, labels, truth, data;  // tables as the user named them; empty: not given
  Index k = 1, folds = 5, neighbours = 5;
  bool json = false;
};

/// Collects what `bochner evaluate` finds, for people and for programs.
struct Scores {
  std::string latent_name;
  Table latent;          // N x Q, no missing values
  bool dry_run = false;  // check and describe, compute nothing
  std::uint64_t seed = 1;

  std::vector<std::vector<std::string>> rows;  // name, value, remark
  std::vector<std::string> notes;              // what was left out, one line each
  Json json;
  double operations = 0;  // a rough count, for the time estimate of a dry run

  /// Adds a line; a dry run has no value to show.
  void add(const std::string& name, double value, const std::string& remark);
};

/// The rows of the latent that can be scored against another table, and that table's rows in the same order.
struct Pairing {
  Matrix latent;  // n x Q
  std::vector<Index> other;
};

/// Rows of the latent and of `other` that are the same sample and that `usable` accepts; those that it does not are
/// noted as left out because of `unusable`. InputError if none is left.
Pairing pair_rows(Scores& scores, const std::string& other, const std::vector<std::string>& ids,
                  bool ids_generated, const std::function<bool(Index)>& usable, const std::string& unusable);

/// KNN accuracy over shuffled folds, and what the largest class alone achieves.
void score_labels(const EvaluateSettings& settings, Scores& scores, const Threads& threads);

/// R^2 of the truth after the best affine map.
void score_truth(const EvaluateSettings& settings, Scores& scores);

/// Trustworthiness and continuity with respect to the data.
void score_neighbourhoods(const EvaluateSettings& settings, Scores& scores, const Threads& threads);

std::string counted_samples(Index n);  // "3 samples"

}  // namespace bochner::cli
