#pragma once
#include "src/models/bayes/likelihood.hpp"

namespace bochner {

/// X given everything else: every row on its own ellipse [murray2010], rows in parallel. Given the weights rows do not
/// know of each other.
void update_rows(BayesState& state, const std::vector<BayesTable>& tables, const Rng& rng,
                 const Compute& compute);

/// Paths given everything else: pieces of a path on ellipses of their own, given the states around them, every other piece
/// in parallel. Short pieces move freely, long ones move the whole, so the length changes from pass to pass.
void update_paths(BayesState& state, const TimeGrid& grid, const std::vector<BayesTable>& tables,
                  const Rng& rng, const Compute& compute);

}  // namespace bochner
