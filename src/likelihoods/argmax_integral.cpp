#include "argmax_integral.hpp"

#include <algorithm>
#include <cmath>

namespace bochner {
namespace {

constexpr double tail_sds = 8.3;    // Phi(-8.3) = 5e-17
constexpr double narrowest = 1e-4;  // of the largest standard deviation: the error is its square
constexpr double panel = 2;         // standard deviations of the narrowest factor
constexpr double inverse_sqrt_2pi = 0.39894228040143267794, sqrt_half = 0.70710678118654752440;

}  // namespace

ArgmaxIntegral::ArgmaxIntegral() : rule_(gauss_legendre(16)) {}

double ArgmaxIntegral::certain(Index y, VectorIn mean) const {
  const double top = mean.maxCoeff();
  return mean(y) == top ? 1 / static_cast<double>((mean.array() == top).count()) : 0;
}

/// weight N(f; m_y, v_y) prod Phi((f - m_c) / sd_c) at f = start + offset, which is never rounded as such: second
/// differences in f are divided by small variances.
double ArgmaxIntegral::node(double start, double offset, double weight, Index y, VectorIn mean) {
  z_ = (start - mean(y) + offset) / sd_(y);
  double value = weight * inverse_sqrt_2pi / sd_(y) * std::exp(-0.5 * z_ * z_);
  for (Index k = 0; k < rival_count_; ++k) {
    const Index c = rivals_(k);
    t_(k) = (start - mean(c) + offset) / sd_(c);
    phi_(k) = 0.5 * std::erfc(-t_(k) * sqrt_half);
    value *= phi_(k);
  }
  return value;
}

/// Phi > 0 at every node, as none lies further left than `tail_sds` from any rival: the product without one factor is a
/// quotient.
void ArgmaxIntegral::add_derivatives(double value, Index y) {
  for (Index k = 0; k < rival_count_; ++k) {
    const Index c = rivals_(k);  // dPhi(t)/dm = -phi(t) / sd,  dPhi(t)/dv = -phi(t) t / (2 sd^2)
    const double slope = value / phi_(k) * inverse_sqrt_2pi * std::exp(-0.5 * t_(k) * t_(k)) / sd_(c);
    dmean_(c) -= slope;
    dvar_(c) -= 0.5 * slope * t_(k) / sd_(c);
  }
  dvar_(y) += 0.5 * value * (z_ * z_ - 1) / (sd_(y) * sd_(y));  // d/dv N = 1/2 d^2/dm^2 N
}

double ArgmaxIntegral::probability(Index y, VectorIn mean, VectorIn var) {
  return integrate(y, mean, var, false);
}

double ArgmaxIntegral::with_derivatives(Index y, VectorIn mean, VectorIn var) {
  dmean_.setZero(mean.size());
  dvar_.setZero(mean.size());
  const double p = integrate(y, mean, var, true);
  dmean_(y) = -dmean_.sum();  // adding the same to all latents changes nothing
  return p;
}

double ArgmaxIntegral::integrate(Index y, VectorIn mean, VectorIn var, bool derivatives) {
  const Index K = mean.size();
  sd_ = var.cwiseSqrt();
  const double widest = sd_.maxCoeff();
  if (widest == 0) return certain(y, mean);
  sd_ = sd_.cwiseMax(narrowest * widest);

  const double high = mean(y) + tail_sds * sd_(y);
  const double low = (mean - tail_sds * sd_).maxCoeff();  // of y, and of every rival
  rivals_.resize(K);
  phi_.resize(K);
  t_.resize(K);
  rival_count_ = 0;
  for (Index c = 0; c < K; ++c)
    if (c != y && mean(c) + tail_sds * sd_(c) > low) rivals_(rival_count_++) = c;

  double sum = 0;
  for (double f = low; f < high;) {
    double width = panel * sd_(y);
    for (Index k = 0; k < rival_count_; ++k) {
      const Index c = rivals_(k);
      if (f < mean(c) + tail_sds * sd_(c)) width = std::min(width, panel * sd_(c));
    }
    const double end = std::min(f + width, high), half = 0.5 * (end - f);
    for (Index j = 0; j < rule_.nodes.size(); ++j) {
      const double value = node(f, half * (1 + rule_.nodes(j)), half * rule_.weights(j), y, mean);
      if (derivatives) add_derivatives(value, y);
      sum += value;
    }
    if (!(end > f)) break;  // the panel is below the rounding of the means
    f = end;
  }
  return sum;
}

}  // namespace bochner
