#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"
#include "bochner/models/kpca/assess.hpp"
#include "bochner/run/json_file.hpp"
#include "bochner/tables/table.hpp"

namespace bochner::cli {

/// What the user says about kernel PCA, as said.
struct KpcaSettings {
  std::vector<std::string> views;  // NAME=TABLE
  std::vector<std::string> kernel, lengthscale, features, weight,
      preimage;                    // VALUE for all views, or NAME=VALUE
  std::vector<std::string> shape;  // NAME=ROWSxCOLUMNS
  std::string meta, labels, solver = "auto";
  Index dims = KpcaOptions{}.dims, samples = 0, traverse = 0;
  Index epochs = KpcaTraining{}.epochs;
  double holdout = 0.1;
  bool no_scale = false, balance = false;
};

struct KpcaJob {
  Dataset data;
  KpcaOptions options;
  std::uint64_t seed = 1;
  std::vector<std::string> notes{};
  std::string ids{};                // where the tables have their sample ids from
  std::optional<TextTable> meta{};  // annotations, a row per sample of the data
};

/// Reads the tables and checks what can be checked beforehand.
KpcaJob prepare_kpca(const KpcaSettings& settings, std::uint64_t seed);

}  // namespace bochner::cli
