#pragma once
#include <functional>

#include "bochner/models/bayes/bayes.hpp"

namespace bochner {

/// Draws of all chains that can be gone through one at a time, as often as needed: they need not fit into memory.
struct BayesDraws {
  Index chains = 0, draws = 0;   // of each chain
  std::vector<Index> numbers{};  // of these draws in their chains
  std::function<void(const std::function<void(const BayesDraw&)>&)>
      each;  // `number` of a draw: 0 .. draws - 1
};

/// Those that a fit keeps to predict from, which must outlive them.
BayesDraws stored_draws(const BayesFit& fit);

}  // namespace bochner
