#include "bochner/likelihoods/heteroscedastic_noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/core/checks.hpp"
#include "entrywise.hpp"

namespace bochner {

std::vector<std::string> HeteroscedasticNoise::parameter_names() const {
  std::vector<std::string> names = output_names("log variance", outputs());
  for (std::string& name : output_names("log amplitude", outputs())) names.push_back(std::move(name));
  return names;
}

Vector HeteroscedasticNoise::parameters() const {
  Vector theta(parameter_count());
  theta << variance.array().log().matrix(), amplitude.array().log().matrix();
  return theta;
}

HeteroscedasticNoise HeteroscedasticNoise::with_parameters(VectorIn theta) const {
  check_size("HeteroscedasticNoise::with_parameters", "size of theta", theta.size(), "parameter_count()",
             parameter_count());
  const Index P = outputs();
  return {.variance = theta.head(P).array().exp(), .amplitude = theta.tail(P).array().exp()};
}

void HeteroscedasticNoise::check_outcomes(MatrixIn Y) const {
  check_positive("HeteroscedasticNoise", "variance", variance);
  check_positive("HeteroscedasticNoise", "amplitude", amplitude);
  check_size("HeteroscedasticNoise", "size of amplitude", amplitude.size(), "size of variance",
             variance.size());
  check_entries(
      "HeteroscedasticNoise", Y, outputs(), [](double y) { return std::isfinite(y); }, "finite");
}

ExpectedLog HeteroscedasticNoise::expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("HeteroscedasticNoise::expected_log", latents(), mean, var);
  check_rows("HeteroscedasticNoise::expected_log", Y, mean);
  check_outcomes(Y);
  const Index B = Y.rows(), P = outputs();
  ExpectedLog sum{Vector::Zero(B), Matrix::Zero(B, 2 * P), Matrix::Zero(B, 2 * P), Vector::Zero(2 * P)};
  for (Index i = 0; i < B; ++i)
    for (Index p = 0; p < P; ++p) {
      if (std::isnan(Y(i, p))) continue;
      const double s2 = variance(p), a = amplitude(p), off = Y(i, p) - mean(i, p);
      const double m = mean(i, P + p), v = var(i, P + p);  // of g
      const double E = std::exp(-a * m + 0.5 * a * a * v), SE = (off * off + var(i, p)) / s2 * E;
      sum.rows(i) -= 0.5 * (log_2pi + std::log(s2) + a * m + SE);
      sum.dmean(i, p) = off / s2 * E;
      sum.dvar(i, p) = -0.5 / s2 * E;
      sum.dmean(i, P + p) = 0.5 * a * (SE - 1);
      sum.dvar(i, P + p) = -0.25 * a * a * SE;
      sum.dtheta(p) += 0.5 * (SE - 1);
      sum.dtheta(P + p) += 0.5 * a * (SE * (m - a * v) - m);
    }
  return sum;
}

namespace {

/// log of a sum of exponentials, one at a time.
class LogSum {
 public:
  void add(double l) {
    if (l > top_) {
      sum_ = sum_ * std::exp(top_ - l) + 1;
      top_ = l;
    } else if (l > top_ - 745) {
      sum_ += std::exp(l - top_);
    }
  }
  double value() const { return top_ + std::log(sum_); }

 private:
  double top_ = -std::numeric_limits<double>::infinity(), sum_ = 0;
};

/// log N(r; 0, v + exp(u)) but for the constant.
double log_normal_of(double r, double v, double u) {
  const double s2 = v + std::exp(u);
  if (s2 > 0) return -0.5 * (std::log(s2) + r * r / s2);
  return r == 0 ? -0.5 * u : -std::numeric_limits<double>::infinity();
}

/// The largest of `count` values of f on [low, high], then bisected around.
template <class F>
double top_of(const F& f, double low, double high, Index count) {
  double width = (high - low) / static_cast<double>(count), best = low;
  for (Index k = 1; k <= count; ++k)
    if (const double z = low + width * static_cast<double>(k); f(z) > f(best)) best = z;
  for (; width > 0.1; width /= 2)
    for (const double z : {best - width, best + width})
      if (f(z) > f(best)) best = z;
  return best;
}

}  // namespace

double log_scale_mixture(double r, double v, double m, double s) {
  if (s == 0) return log_normal_of(r, v, m) - 0.5 * log_2pi;
  const auto log_integrand = [&](double z) { return log_normal_of(r, v, m + s * z) - 0.5 * z * z; };
  // As a function of u the normal density rises by at most r^2 / 2 exp(-u) per unit until exp(u) = r^2 and then falls by at
  // most 1/2, so that with z = (u - m) / s the largest value of the integrand is between -s/2 and `right`.
  const double ratio = r * r * std::exp(-m);
  const double right = std::max(0.0, std::min(std::log(std::max(ratio, 1e-300)) / s, 0.5 * s * ratio));
  constexpr double reach = 8.5;  // standard deviations beyond
  constexpr Index most = 4000;
  // Resolves z, u and the curvature at a top, which is 1 + s^2 / 2 + s z for v = 0.
  const double step = std::min({0.5, 0.3 / s, 0.5 / std::sqrt(1 + 0.5 * s * s + s * right)});
  const double low = -0.5 * s - reach, high = right + reach;
  LogSum sum;
  if ((high - low) / step < double(most)) {
    for (double z = low; z <= high; z += step) sum.add(log_integrand(z));
    return sum.value() + std::log(step) - log_2pi;
  }
  // An outlier at hundreds of standard deviations of u: around its top alone.
  const double top = top_of(log_integrand, low, high, most), peak = log_integrand(top);
  sum.add(peak);
  for (const double side : {-1.0, 1.0})
    for (double k = 1; k < double(most); ++k) {
      const double l = log_integrand(top + side * k * step);
      if (!(l > peak - 40)) break;
      sum.add(l);
    }
  return sum.value() + std::log(step) - log_2pi;
}

Matrix HeteroscedasticNoise::log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("HeteroscedasticNoise::log_predictive", latents(), mean, var);
  check_rows("HeteroscedasticNoise::log_predictive", Y, mean);
  check_outcomes(Y);
  const Index P = outputs();
  Matrix L = Matrix::Constant(Y.rows(), P, std::numeric_limits<double>::quiet_NaN());
  for (Index i = 0; i < Y.rows(); ++i)
    for (Index p = 0; p < P; ++p)
      if (!std::isnan(Y(i, p)))
        L(i, p) = log_scale_mixture(Y(i, p) - mean(i, p), var(i, p),
                                    std::log(variance(p)) + amplitude(p) * mean(i, P + p),
                                    amplitude(p) * std::sqrt(var(i, P + p)));
  return L;
}

Outcome HeteroscedasticNoise::outcome(MatrixIn mean, MatrixIn var) const {
  check_marginals("HeteroscedasticNoise::outcome", latents(), mean, var);
  const Index P = outputs();
  Outcome y{.mean = mean.leftCols(P), .variance = var.leftCols(P)};
  for (Index p = 0; p < P; ++p) {
    const double a = amplitude(p);
    y.variance.col(p).array() +=
        variance(p) * (a * mean.col(P + p).array() + 0.5 * a * a * var.col(P + p).array()).exp();
  }
  return y;
}

}  // namespace bochner
