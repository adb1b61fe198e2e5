#include "bochner/likelihoods/negative_binomial.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "bochner/core/checks.hpp"
#include "entrywise.hpp"

namespace bochner {
namespace {

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double logistic(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }

/// E softplus(x) for x ~ N(m, v), with its derivatives in m and in v.
struct ExpectedSoftplus {
  double value, slope, bend;
};

/// The trapezoid sum resolves q(x) and softplus, which is analytic for |Im x| < pi: an error of exp(-2 pi^2 / step).
ExpectedSoftplus expected_softplus(double m, double v) {
  const auto at = [](double x) {
    const double s = logistic(x);
    return ExpectedSoftplus{softplus(x), s, 0.5 * s * logistic(-x)};
  };
  ExpectedSoftplus sum = at(m);
  if (v == 0) return sum;
  constexpr double reach = 8.5;
  const double sd = std::sqrt(v), step = std::min(0.6, std::max(0.7 / sd, reach / 4000));
  double mass = 1;
  for (double k = 1; k * step <= reach; ++k) {
    const double z = k * step, w = std::exp(-0.5 * z * z);
    for (const double side : {-1.0, 1.0}) {
      const ExpectedSoftplus one = at(m + side * sd * z);
      sum.value += w * one.value, sum.slope += w * one.slope, sum.bend += w * one.bend;
    }
    mass += 2 * w;
  }
  return {sum.value / mass, sum.slope / mass, sum.bend / mass};
}

constexpr double large_size = 1e4;  // from where on differences are those of Stirling's series

/// log Gamma(y + r) - log Gamma(r), without cancellation.
double log_rising(double y, double r) {
  if (r < large_size) return boost::math::lgamma(y + r) - boost::math::lgamma(r);
  return (r + y - 0.5) * std::log1p(y / r) + y * (std::log(r) - 1) + (1 / (r + y) - 1 / r) / 12;
}

/// Its derivative in r.
double digamma_rise(double y, double r) {
  if (r < large_size) return boost::math::digamma(y + r) - boost::math::digamma(r);
  const double a = 1 / (r + y), b = 1 / r;
  return std::log1p(y / r) - 0.5 * (a - b) - (a * a - b * b) / 12;
}

double log_factor(double y, double size) { return log_rising(y, size) - boost::math::lgamma(y + 1); }

/// The mode of y d - (y + size) softplus(m + d) - d^2 / (2 v), d = x - m: bisection of its slope, which falls, then Newton.
double count_mode(double y, double size, double m, double v) {
  const auto slope = [&](double d) { return y - (y + size) * logistic(m + d) - d / v; };
  double low = -size * v, high = y * v;  // the data pull by -size .. y
  for (int i = 0; i < 200; ++i) {
    const double d = 0.5 * (low + high), s = logistic(m + d);
    const double width = 1 / std::sqrt((y + size) * s * (1 - s) + 1 / v);
    if (high - low < 0.1 * width) return d;  // the sum need not start at the top
    (slope(d) > 0 ? low : high) = d;
  }
  return 0.5 * (low + high);
}

/// log of the integral of NB(y; size, x) N(x; m, v) dx.
double log_count_mixture(double y, double size, double m, double v) {
  if (v == 0) return log_factor(y, size) + y * m - (y + size) * softplus(m);
  const auto log_integrand = [&](double d) { return y * d - (y + size) * softplus(m + d) - d * d / (2 * v); };
  const double top = count_mode(y, size, m, v), peak = log_integrand(top), sd = std::sqrt(v),
               s = logistic(m + top);
  const double step = std::min(0.5 / std::sqrt(1 / v + (y + size) * s * (1 - s)), std::max(0.35, sd / 1000));
  double sum = 1;
  for (const double side : {-1.0, 1.0})
    for (double k = 1;; ++k) {
      const double below = log_integrand(top + side * k * step) - peak;
      if (!(below > -40)) break;
      sum += std::exp(below);
    }
  return log_factor(y, size) + y * m + peak + std::log(sum * step / sd) - 0.5 * log_2pi;
}

}  // namespace

std::vector<std::string> NegativeBinomial::parameter_names() const {
  std::vector<std::string> names = output_names("log rate", outputs());
  for (std::string& name : output_names("log size", outputs())) names.push_back(std::move(name));
  return names;
}

Vector NegativeBinomial::parameters() const {
  Vector theta(parameter_count());
  theta << log_rate, size.array().log().matrix();
  return theta;
}

NegativeBinomial NegativeBinomial::with_parameters(VectorIn theta) const {
  check_size("NegativeBinomial::with_parameters", "size of theta", theta.size(), "parameter_count()",
             parameter_count());
  const Index P = outputs();
  return {.log_rate = theta.head(P), .size = theta.tail(P).array().exp()};
}

void NegativeBinomial::check_outcomes(MatrixIn Y) const {
  check_positive("NegativeBinomial", "size", size);
  check_size("NegativeBinomial", "size of size", size.size(), "size of log_rate", log_rate.size());
  check_entries(
      "NegativeBinomial", Y, outputs(),
      [](double y) { return y >= 0 && y == std::floor(y) && std::isfinite(y); },
      "a count: whole and not negative");
}

ExpectedLog NegativeBinomial::expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("NegativeBinomial::expected_log", latents(), mean, var);
  check_rows("NegativeBinomial::expected_log", Y, mean);
  check_outcomes(Y);
  const Index B = Y.rows(), P = outputs();
  ExpectedLog sum{Vector::Zero(B), Matrix::Zero(B, P), Matrix::Zero(B, P), Vector::Zero(2 * P)};
  for (Index i = 0; i < B; ++i)
    for (Index p = 0; p < P; ++p) {
      const double y = Y(i, p), r = size(p);
      if (std::isnan(y)) continue;
      const double m = log_rate(p) + mean(i, p) - std::log(r);
      const ExpectedSoftplus e = expected_softplus(m, var(i, p));
      const double dm = y - (y + r) * e.slope;
      sum.rows(i) += log_factor(y, r) + y * m - (y + r) * e.value;
      sum.dmean(i, p) = dm;
      sum.dvar(i, p) = -(y + r) * e.bend;
      sum.dtheta(p) += dm;
      sum.dtheta(P + p) += r * (digamma_rise(y, r) - e.value) - dm;
    }
  return sum;
}

Matrix NegativeBinomial::log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("NegativeBinomial::log_predictive", latents(), mean, var);
  check_rows("NegativeBinomial::log_predictive", Y, mean);
  check_outcomes(Y);
  return entrywise_log_predictive(Y, mean, var, [&](Index p, double y, double f, double v) {
    return log_count_mixture(y, size(p), log_rate(p) + f - std::log(size(p)), v);
  });
}

Outcome NegativeBinomial::outcome(MatrixIn mean, MatrixIn var) const {
  check_marginals("NegativeBinomial::outcome", latents(), mean, var);
  const Matrix rate = ((mean + 0.5 * var).rowwise() + log_rate.transpose()).array().exp();
  const Matrix spread = var.unaryExpr([](double v) { return std::expm1(v); });
  // E[mu^2] = rate^2 exp(v)
  Matrix variance = rate.array() + rate.array().square() * spread.array();
  variance.array() += rate.array().square() * (1 + spread.array()) *
                      size.cwiseInverse().transpose().replicate(mean.rows(), 1).array();
  return {.mean = rate, .variance = std::move(variance)};
}

}  // namespace bochner
