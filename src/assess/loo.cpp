#include "bochner/assess/loo.hpp"

#include <cmath>

#include "bochner/assess/psis.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "log_sum_exp.hpp"

namespace bochner {

namespace {

constexpr Index at_a_time = 64;  // measurements

/// sqrt(n var), the standard error of a sum of n terms.
double se_of_sum(const Vector& terms) { return std::sqrt((terms.array() - terms.mean()).square().sum()); }

void check_log_likelihood(const char* function, MatrixIn log_likelihood) {
  check_at_least(function, "number of draws", log_likelihood.rows(), 2);
  check_at_least(function, "number of measurements", log_likelihood.cols(), 1);
  check_finite(function, "log_likelihood", log_likelihood);
}

}  // namespace

Loo loo(MatrixIn log_likelihood, double reff, const Compute& compute) {
  check_log_likelihood("loo", log_likelihood);
  const Index S = log_likelihood.rows(), n = log_likelihood.cols();
  Loo out{.n_samples = S,
          .n_data_points = n,
          .good_k = std::min(1 - 1 / std::log10(double(S)), 0.7),
          .elpd_i = Vector(n),
          .pareto_k = Vector(n)};
  Vector lppd(n);
  for_each_block(compute, n, at_a_time, [&](Index begin, Index size) {
    for (Index i = begin; i < begin + size; ++i) {
      const Vector own = log_likelihood.col(i);
      const ParetoSmoothed weights = psis(-own, reff);
      out.elpd_i(i) = detail::log_sum_exp(weights.log_weights + own);
      out.pareto_k(i) = weights.pareto_k;
      lppd(i) = detail::log_sum_exp(own) - std::log(double(S));
    }
  });
  out.elpd_loo = out.elpd_i.sum();
  out.se = se_of_sum(out.elpd_i);
  out.p_loo = lppd.sum() - out.elpd_loo;
  out.bad = (out.pareto_k.array() > out.good_k).count();
  out.very_bad = (out.pareto_k.array() > 1).count();
  return out;
}

Waic waic(MatrixIn log_likelihood, const Compute& compute) {
  check_log_likelihood("waic", log_likelihood);
  const Index S = log_likelihood.rows(), n = log_likelihood.cols();
  Vector terms(n), variance(n);
  for_each_block(compute, n, at_a_time, [&](Index begin, Index size) {
    for (Index i = begin; i < begin + size; ++i) {
      const Vector own = log_likelihood.col(i);
      variance(i) = (own.array() - own.mean()).square().mean();
      terms(i) = detail::log_sum_exp(own) - std::log(double(S)) - variance(i);
    }
  });
  return {.elpd_waic = terms.sum(),
          .se = se_of_sum(terms),
          .p_waic = variance.sum(),
          .n_samples = S,
          .n_data_points = n,
          .unstable = (variance.array() > 0.4).count()};
}

}  // namespace bochner
