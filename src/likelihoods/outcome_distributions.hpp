#pragma once
#include <cmath>
#include <vector>

#include "bochner/likelihoods/any_likelihood.hpp"
#include "bochner/likelihoods/latent_marginals.hpp"

namespace bochner::detail {

/// q of what an outcome depends on at a row: f ~ N(m, v), and the log of the noise variance ~ N(log_mean, log_variance).
struct OutcomeMarginal {
  double m, v, log_mean = 0, log_variance = 0;
};

double normal_cdf(double x);
double normal_quantile(double p);

// A distribution of one outcome with f integrated out:
//   marginal(d, n, p)       what outcome p of row n depends on
//   cdf(p, t, f)            P(y_p <= t)
//   centre, width(p, f)     where to start looking for quantiles, and how far to step
//   whole                   counts

struct OneLatent {
  static constexpr bool whole = false;
  static OutcomeMarginal marginal(const LatentMarginals& d, Index n, Index p) {
    return {d.mean(n, p), d.variance(n, p)};
  }
};

struct GaussianOutcome : OneLatent {
  const GaussianNoise& l;
  double cdf(Index p, double t, const OutcomeMarginal& f) const;
  double centre(Index, const OutcomeMarginal& f) const { return f.m; }
  double width(Index p, const OutcomeMarginal& f) const;
};

/// The scale mixture of normals that Student's t is: nodes 1 / lambda with their weights.
struct StudentOutcome : OneLatent {
  const StudentT& l;
  std::vector<double> inverse{}, weight{};

  explicit StudentOutcome(const StudentT& student);
  double cdf(Index p, double t, const OutcomeMarginal& f) const;
  double centre(Index, const OutcomeMarginal& f) const { return f.m; }
  double width(Index p, const OutcomeMarginal& f) const;
};

/// The same with a variance whose log is normal.
struct HeteroscedasticOutcome : OneLatent {
  const HeteroscedasticNoise& l;
  OutcomeMarginal marginal(const LatentMarginals& d, Index n, Index p) const;
  double cdf(Index p, double t, const OutcomeMarginal& f) const;
  double centre(Index, const OutcomeMarginal& f) const { return f.m; }
  double width(Index p, const OutcomeMarginal& f) const;
};

/// Counts given their log rate; `Given` has given(p, k, log_rate), P(y <= k), and sharpness(p, k), one over the square of the
/// width over which it falls from 1 to 0 as a function of the log rate.
template <class Given>
struct CountOutcome : OneLatent {
  static constexpr bool whole = true;
  double cdf(Index p, double t, const OutcomeMarginal& f) const;
  double centre(Index p, const OutcomeMarginal& f) const;
  double width(Index p, const OutcomeMarginal& f) const;
};

struct PoissonOutcome : CountOutcome<PoissonOutcome> {
  const Poisson& l;
  double given(Index p, double k, double log_rate) const;
  double sharpness(Index, double k) const { return k + 1; }
  double spread(Index, double) const { return 0; }
};

struct NegativeBinomialOutcome : CountOutcome<NegativeBinomialOutcome> {
  const NegativeBinomial& l;
  double given(Index p, double k, double log_rate) const;
  double sharpness(Index p, double k) const { return 2 + (k + 1) * l.size(p) / (k + 1 + l.size(p)); }
  double spread(Index p, double rate) const { return rate / std::sqrt(l.size(p)); }
};

/// Of f itself; quantiles of Phi(f) are Phi of quantiles of f.
struct FunctionOutcome : OneLatent {
  double cdf(Index, double t, const OutcomeMarginal& f) const;
  double centre(Index, const OutcomeMarginal& f) const { return f.m; }
  double width(Index, const OutcomeMarginal& f) const;
};

}  // namespace bochner::detail
