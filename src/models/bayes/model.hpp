#pragma once
#include "table.hpp"

namespace bochner {

/// What does not change from sweep to sweep.
struct BayesModel {
  std::vector<BayesTable> tables;
  BayesPriors priors{};
  LatentPrior latent{};
  TimeGrid grid{};          // of a dynamic prior
  double log_ell_mean = 0;  // centre of the prior of log ell
  Index Q = 2, L = 50;
};

}  // namespace bochner
