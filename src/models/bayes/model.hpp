#pragma once
#include <string>

#include "table.hpp"

namespace bochner {

/// What does not change from sweep to sweep.
struct BayesModel {
  std::vector<BayesTable> tables;
  BayesPriors priors{};  // with the length-scale that the times ask for
  std::vector<std::string> covariate_names{};
  LatentPrior latent{};
  TimeGrid grid{};  // of a dynamic prior
  Index Q = 2, L = 50;
};

}  // namespace bochner
