#include "outcome_distributions.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

namespace bochner::detail {

double normal_cdf(double x) { return 0.5 * std::erfc(-x * (std::numbers::sqrt2 / 2)); }
double normal_quantile(double p) { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p); }

double GaussianOutcome::cdf(Index p, double t, const OutcomeMarginal& f) const {
  return normal_cdf((t - f.m) / std::sqrt(f.v + l.variance(p)));
}
double GaussianOutcome::width(Index p, const OutcomeMarginal& f) const {
  return std::sqrt(f.v + l.variance(p));
}

StudentOutcome::StudentOutcome(const StudentT& student) : l(student) {
  // Density of w = log lambda: exp(nu/2 (w - e^w)) up to a constant; it falls like exp(nu w / 2) on the left.
  const double nu = l.degrees, reach = 80 / nu, x = reach + std::sqrt(2 * reach), high = std::log1p(x);
  const double step = std::min(0.3, 0.8 / std::sqrt(nu));
  double sum = 0;
  for (double w = high; w >= -x; w -= step) {
    const double density = std::exp(0.5 * nu * (w - std::expm1(w)));
    if (density < 1e-16) continue;
    inverse.push_back(std::exp(-w));
    weight.push_back(density);
    sum += density;
  }
  for (double& each : weight) each /= sum;
}
double StudentOutcome::cdf(Index p, double t, const OutcomeMarginal& f) const {
  const double s2 = l.scale(p) * l.scale(p), r = t - f.m;
  double sum = 0;
  for (std::size_t i = 0; i < weight.size(); ++i)
    sum += weight[i] * normal_cdf(r / std::sqrt(f.v + s2 * inverse[i]));
  return sum;
}
double StudentOutcome::width(Index p, const OutcomeMarginal& f) const {
  return std::sqrt(f.v + l.scale(p) * l.scale(p));
}

OutcomeMarginal HeteroscedasticOutcome::marginal(const LatentMarginals& d, Index n, Index p) const {
  const Index g = l.outputs() + p;
  const double a = l.amplitude(p);
  return {d.mean(n, p), d.variance(n, p), std::log(l.variance(p)) + a * d.mean(n, g),
          a * a * d.variance(n, g)};
}
double HeteroscedasticOutcome::cdf(Index, double t, const OutcomeMarginal& f) const {
  const double r = t - f.m, s = std::sqrt(f.log_variance);
  const auto given = [&](double u) { return normal_cdf(r / std::sqrt(f.v + std::exp(u))); };
  if (s == 0) return given(f.log_mean);
  constexpr double reach = 8.5;
  // Resolves the log variance and its distribution, as far as sums of 4,000 terms can.
  const double step = std::max(std::min(0.6, 0.35 / s), reach / 4000);
  double sum = given(f.log_mean), mass = 1;
  for (double k = 1; k * step <= reach; ++k) {
    const double z = k * step, w = std::exp(-0.5 * z * z);
    sum += w * (given(f.log_mean + s * z) + given(f.log_mean - s * z));
    mass += 2 * w;
  }
  return sum / mass;
}
double HeteroscedasticOutcome::width(Index, const OutcomeMarginal& f) const {
  return std::sqrt(f.v + std::exp(f.log_mean));
}

template <class Given>
double CountOutcome<Given>::cdf(Index p, double t, const OutcomeMarginal& f) const {
  const Given& y = static_cast<const Given&>(*this);
  const double k = std::floor(t), from = y.l.log_rate(p) + f.m, sd = std::sqrt(f.v);
  if (k < 0) return 0;
  if (f.v == 0) return y.given(p, k, from);
  // As a function of f, P(y <= k) falls from 1 to 0 over a width of 1 / sqrt(sharpness): the step resolves that and q(f).
  constexpr double reach = 7;
  const double step =
      std::max(0.6 / std::sqrt(1 + f.v * y.sharpness(p, k)), reach / 4000);  // in standard deviations
  double sum = y.given(p, k, from), mass = 1;
  for (double i = 1; i * step <= reach; ++i) {
    const double z = i * step, w = std::exp(-0.5 * z * z);
    sum += w * (y.given(p, k, from + sd * z) + y.given(p, k, from - sd * z));
    mass += 2 * w;
  }
  return sum / mass;
}
template <class Given>
double CountOutcome<Given>::centre(Index p, const OutcomeMarginal& f) const {
  return std::exp(std::min(static_cast<const Given&>(*this).l.log_rate(p) + f.m, 34.0));
}
template <class Given>
double CountOutcome<Given>::width(Index p, const OutcomeMarginal& f) const {
  const double rate = centre(p, f);
  return std::max(1.0, std::sqrt(rate) + rate * std::sqrt(std::min(f.v, 1.0)) +
                           static_cast<const Given&>(*this).spread(p, rate));
}
template struct CountOutcome<PoissonOutcome>;
template struct CountOutcome<NegativeBinomialOutcome>;

double PoissonOutcome::given(Index, double k, double log_rate) const {
  if (log_rate > 300) return 0;
  const double rate = std::exp(log_rate);
  if (rate > 1e12 * (k + 1)) return 0;
  return rate < 1e-300 ? 1.0 : boost::math::gamma_q(k + 1, rate);
}

double NegativeBinomialOutcome::given(Index p, double k, double log_rate) const {
  const double r = l.size(p), x = log_rate - std::log(r);
  if (x < -690) return 1;
  if (x > 690) return 0;
  // I_q(r, k + 1) with q = r / (r + mu), from the side on which it is not rounded.
  return x > 0 ? boost::math::ibeta(r, k + 1, 1 / (1 + std::exp(x)))
               : boost::math::ibetac(k + 1, r, 1 / (1 + std::exp(-x)));
}

double FunctionOutcome::cdf(Index, double t, const OutcomeMarginal& f) const {
  if (f.v == 0) return t >= f.m ? 1 : 0;
  return normal_cdf((t - f.m) / std::sqrt(f.v));
}
double FunctionOutcome::width(Index, const OutcomeMarginal& f) const {
  return std::sqrt(std::max(f.v, 1e-300));
}

}  // namespace bochner::detail
