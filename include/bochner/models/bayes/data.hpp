#pragma once
#include <string>
#include <vector>

#include "bochner/data/covariates.hpp"
#include "bochner/data/dataset.hpp"

namespace bochner {

/// Tables with what some likelihoods and priors need beside them.
struct BayesData {
  Dataset data;                  // labels of categorical views as whole numbers from 0
  std::vector<Matrix> trials{};  // per view, N x M or 1 x 1, of binomial views; else empty
  // per view, N positive numbers (library sizes, times of observation) to which means of counts are proportional; else empty
  std::vector<Vector> exposure{};
  std::vector<std::string> exposure_names{};  // per view, of the columns that they came from; may be empty
  // per view, names of the classes of each column of categorical views; else empty
  std::vector<std::vector<std::vector<std::string>>> classes{};
  Covariates covariates{};     // that enter f linearly ..
  Matrix design{};             // .. N x their width; empty without
  Vector time{};               // N, of a dynamic prior
  std::vector<Index> group{};  // N, rows of different groups have independent paths; may be empty
  Matrix start{};              // N x Q, where chains begin, if options say `given`
};

}  // namespace bochner
