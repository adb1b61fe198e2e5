#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bochner/data/dataset.hpp"
#include "sweep.hpp"

namespace bochner {

/// Quantities that mean the same in every chain: function values, distances of latents, every scalar parameter, the log density.
class Monitors {
 public:
  Monitors(const BayesModel& model, const Dataset& data, Rng rng);

  const std::vector<std::string>& names() const { return names_; }
  /// Of these the first are function values and distances: what chains in one mode share.
  std::size_t shared() const { return functions_.size() + pairs_.size(); }
  Vector values(const BayesState& state, double log_posterior, double log_density) const;

 private:
  /// Coefficients of covariates, at random.
  void choose_coefficients(const BayesModel& model, const Dataset& data, Rng rng);

  /// What a softmax does not see says nothing about mixing.
  double common_part(std::size_t view, Index j, const Vector& f) const;

  struct Entry {
    std::size_t view;
    Index n, j;
  };
  std::vector<Entry> functions_;
  std::vector<Entry> coefficients_;         // n: of the covariate
  std::vector<Matrix> covariates_;          // of each view
  std::vector<std::vector<Index>> groups_;  // softmaxes of each view
  std::vector<std::pair<Index, Index>> pairs_;
  Index paths_ = 0;
  std::vector<std::string> names_;
};

}  // namespace bochner
