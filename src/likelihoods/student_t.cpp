#include "bochner/likelihoods/student_t.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>

#include "bochner/compute/vector_math.hpp"
#include "bochner/core/checks.hpp"
#include "entrywise.hpp"

namespace bochner {
namespace {

using Array = Eigen::ArrayXd;

/// E log(1 + r^2), r ~ N(mu, v), and its derivatives: a trapezoid sum over log s of the identity in the header.
class ExpectedLog1pSquare {
 public:
  struct Result {
    double value, dmu, dv;
  };

  /// The integrand is analytic for |Im log s| < pi/2, so a step h leaves an error of exp(-pi^2 / h); it dies like
  /// exp(-s) on the right and like s E[r^2] on the left.
  ExpectedLog1pSquare() : s_(count), weight_(count) {
    for (Index i = 0; i < count; ++i) s_(i) = std::exp(last - step * static_cast<double>(count - 1 - i));
    weight_ = step * (-s_).exp();
  }

  Result operator()(double mu, double v) {
    const double reach = 32 + last + std::log(std::max(1.0, v + mu * mu));
    const Index n = std::clamp(static_cast<Index>(reach / step), Index{2}, count);
    const auto s = s_.tail(n), w = weight_.tail(n);
    q_ = s / (1 + 2 * v * s);  // s / d, d = 1 + 2 s v
    c_ = -mu * mu * q_;
    exp(c_.data(), c_.data(), n);
    c_ *= (q_ / s).sqrt();  // E exp(-s r^2) = exp(-s mu^2 / d) / sqrt(d)
    Result r;
    r.value = (w * (1 - c_)).sum();
    c_ *= w * q_;
    r.dmu = 2 * mu * c_.sum();
    r.dv = (c_ * (1 - 2 * mu * mu * q_)).sum();
    return r;
  }

 private:
  static constexpr double step = 0.35, last = 3.6;  // exp(-exp(3.6)) = 1e-16
  static constexpr Index count = 2000;              // down to exp(-696): any finite mu and v
  Array s_, weight_, q_, c_;
};

/// log of the integral of N(mu; 0, v + sigma^2 / lambda) Gamma(lambda; nu/2, nu/2) dlambda, over w = log lambda.
double log_mixture(double mu, double v, double sigma2, double nu) {
  // Right of 0 the Gamma density falls like exp(-nu/2 (e^w - w - 1)); on the left exp(-mu^2 / 2 (v + sigma2 e^-w)) may
  // grow as far as `bend`, and from there all falls like exp(nu w / 2) at least. q: where the exponent is 45.
  const double q = 90 / nu, x = q + std::sqrt(2 * q), bend = -std::log1p(mu * mu / (nu * sigma2));
  const double low = bend - x, high = std::log1p(x);
  const double step = std::min(0.3, 0.8 / std::sqrt(nu));  // Gamma(nu/2) has width sqrt(2 / nu) in w
  const Index n = static_cast<Index>((high - low) / step) + 1;
  Array w = Array::LinSpaced(n, 0, static_cast<double>(n - 1)) * step + low, lambda = w.exp();
  const Array s2 = v + sigma2 / lambda;
  const Array l = 0.5 * nu * (w - lambda) - 0.5 * (s2.log() + mu * mu / s2);
  const double top = l.maxCoeff();
  return top + std::log((l - top).exp().sum() * step) - 0.5 * log_2pi + 0.5 * nu * std::log(0.5 * nu) -
         boost::math::lgamma(0.5 * nu);
}

}  // namespace

std::vector<std::string> StudentT::parameter_names() const { return output_names("log scale", scale.size()); }

Vector StudentT::parameters() const { return scale.array().log(); }

StudentT StudentT::with_parameters(VectorIn theta) const {
  check_size("StudentT::with_parameters", "size of theta", theta.size(), "parameter_count()",
             parameter_count());
  return {.scale = theta.array().exp(), .degrees = degrees};
}

void StudentT::check_outcomes(MatrixIn Y) const {
  check_positive("StudentT", "scale", scale);
  check_positive("StudentT", "degrees", degrees);
  check_entries(
      "StudentT", Y, outputs(), [](double y) { return std::isfinite(y); }, "finite");
}

ExpectedLog StudentT::expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("StudentT::expected_log", latents(), mean, var);
  check_rows("StudentT::expected_log", Y, mean);
  check_outcomes(Y);
  const double half = 0.5 * (degrees + 1);
  const double constant =
      boost::math::lgamma(half) - boost::math::lgamma(0.5 * degrees) - 0.5 * std::log(degrees * pi);
  ExpectedLog1pSquare expected;
  return entrywise_expected_log(
      Y, mean, var, parameter_count(), [&](Index p, double y, double m, double v) -> ExpectedEntry {
        const double b = std::sqrt(degrees) * scale(p), mu = (y - m) / b, v1 = v / (b * b);  // unit a
        const auto e = expected(mu, v1);
        // the value depends on mu and v / scale^2 only: d/dlog scale = -1 + half (mu d/dmu + 2 v d/dv)
        return {.value = constant - std::log(scale(p)) - half * e.value,
                .dmean = half * e.dmu / b,
                .dvar = -half * e.dv / (b * b),
                .dtheta = -1 + half * (mu * e.dmu + 2 * v1 * e.dv)};
      });
}

Matrix StudentT::log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("StudentT::log_predictive", latents(), mean, var);
  check_rows("StudentT::log_predictive", Y, mean);
  check_outcomes(Y);
  return entrywise_log_predictive(Y, mean, var, [&](Index p, double y, double m, double v) {
    return log_mixture(y - m, v, scale(p) * scale(p), degrees);
  });
}

Outcome StudentT::outcome(MatrixIn mean, MatrixIn var) const {
  check_marginals("StudentT::outcome", latents(), mean, var);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double factor = degrees > 2 ? degrees / (degrees - 2) : infinity;
  Outcome y{.mean = mean, .variance = var.rowwise() + factor * scale.cwiseAbs2().transpose()};
  if (degrees <= 1) y.mean.setConstant(std::numeric_limits<double>::quiet_NaN());
  return y;
}

}  // namespace bochner
