#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

// How well a posterior predicts measurements that it has not seen, from the log likelihood of those it has seen: S x n, a row
// for each draw and a column for each measurement. The numbers are those of ArviZ's `loo` and `waic` on the log scale.

/// Leave-one-out cross-validation by Pareto-smoothed importance sampling [vehtari2017].
struct Loo {
  double elpd_loo = 0, se = 0;  // expected log pointwise predictive density, its standard error
  double p_loo = 0;             // effective number of parameters
  Index n_samples = 0, n_data_points = 0;
  double good_k = 0;            // above it importance sampling fails: min(1 - 1 / log10 S, 0.7)
  Vector elpd_i{}, pareto_k{};  // n
  Index bad = 0, very_bad = 0;  // measurements with a Pareto k above good_k; of these above 1
  bool warning() const { return bad > 0; }
};
Loo loo(MatrixIn log_likelihood, double reff, const Compute& compute);

/// The widely applicable information criterion [watanabe2010; vehtari2017].
struct Waic {
  double elpd_waic = 0, se = 0;
  double p_waic = 0;
  Index n_samples = 0, n_data_points = 0;
  Index unstable = 0;  // measurements whose log density varies by more than 0.4
  bool warning() const { return unstable > 0; }
};
Waic waic(MatrixIn log_likelihood, const Compute& compute);

}  // namespace bochner
