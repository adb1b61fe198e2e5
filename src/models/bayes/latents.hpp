#pragma once
#include "likelihood.hpp"

namespace bochner {

/// X given everything else: every row on its own ellipse [murray2010], rows in parallel. Given the weights rows do not
/// know of each other.
void update_rows(BayesState& state, const std::vector<BayesTable>& tables, const Rng& rng,
                 const Compute& compute);

/// Paths given everything else: pieces of a path on ellipses of their own, given the states around them, every other piece
/// in parallel. Short pieces move freely, long ones move the whole, so the length changes from pass to pass.
void update_paths(BayesState& state, const TimeGrid& grid, const std::vector<BayesTable>& tables,
                  const Rng& rng, const Compute& compute);

/// Length-scale and variance of each path given X.
void update_path_priors(BayesState& state, const TimeGrid& grid, const BayesPriors& priors,
                        double log_ell_mean, Rng& rng);

/// Moves along which the likelihood does not change [liu2000]: x_d -> c x_d with w_d -> w_d / c, and x_d -> x_d + s with
/// the weights of each frequency turned by w s. Both are drawn exactly. Rows alone would take long ways to do the same.
void update_scale_and_shift(BayesState& state, const TimeGrid* grid, const BayesPriors& priors, Rng& rng);

}  // namespace bochner
