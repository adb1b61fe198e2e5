#pragma once
#include <string>
#include <vector>

#include "bochner/data/covariates.hpp"
#include "bochner/data/dataset.hpp"

namespace bochner {

/// When rows were measured, and on whose paths they are. Those of a fit tell where new samples are.
struct TimeAxis {
  Vector time{};               // N; dates are days since 1970
  std::vector<Index> group{};  // N, from 0: rows of different groups have independent paths; empty: one group
  std::vector<std::string> group_names{};  // of these numbers; may be empty
  std::string column{}, group_column{};    // where they came from; may be empty
  bool dates = false;

  static constexpr Index no_group = -1;  // of a new sample: one that the fit does not know
};

/// Tables with what some likelihoods and priors need beside them.
struct BayesData {
  Dataset data;                  // labels of categorical views as whole numbers from 0
  std::vector<Matrix> trials{};  // per view, N x M or 1 x 1, of binomial views; else empty
  // per view, N positive numbers (library sizes, times of observation) to which means of counts are proportional; else empty
  std::vector<Vector> exposure{};
  std::vector<std::string> exposure_names{};  // per view, of the columns that they came from; may be empty
  // per view, names of the classes of each column of categorical views; else empty
  std::vector<std::vector<std::vector<std::string>>> classes{};
  Covariates covariates{};  // that enter f linearly ..
  Matrix design{};          // .. N x their width; empty without
  TimeAxis axis{};          // of a dynamic prior. New samples: empty, or NaN where a time is not known
  Matrix start{};           // N x Q, where chains begin, if options say `given`
};

}  // namespace bochner
