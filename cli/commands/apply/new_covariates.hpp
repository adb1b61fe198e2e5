#pragma once
#include <map>
#include <string>
#include <vector>

#include "bochner/models/bayes/fit.hpp"

namespace bochner::cli {

struct ApplySettings;

/// Covariates of new samples for a model that has some, by the names that they had in the fit.
class NewCovariates {
 public:
  /// InputError if neither --meta nor the tables have one of them.
  NewCovariates(const BayesFit& fit, const ApplySettings& settings);

  /// n x their width; empty for a model without. InputError for a sample without a value.
  Matrix of(const std::vector<std::string>& ids) const;

 private:
  Covariates covariates_;
  std::vector<std::map<std::string, std::string>> cells_;  // by sample
};

}  // namespace bochner::cli
