#pragma once
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "bochner/likelihoods/any_likelihood.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::testing {

inline constexpr double hole = std::numeric_limits<double>::quiet_NaN();

/// A likelihood with outcomes, holes among them, and marginals of very different widths.
template <class L>
struct Example {
  L likelihood;
  Matrix Y, mean, var;
};

inline Matrix example_var(Index B, Index P) {
  Matrix V = Rng(12).normal(B, P).array().exp();
  V(0, 0) = 2e-3;
  V(1, 1) = 9;
  return V;
}

template <class L>
Example<L> example();

template <>
inline Example<GaussianNoise> example() {
  Matrix Y{{0.3, -1.2, hole}, {hole, 2.0, 0.1}, {-0.4, 0.9, 1.1}, {5.0, 0.0, -3.0}};
  return {{.variance = Vector{{0.5, 2.0, 0.1}}}, Y, Rng(11).normal(4, 3), example_var(4, 3)};
}

template <>
inline Example<StudentT> example() {
  Matrix Y{{0.3, -1.2, hole}, {hole, 2.0, 0.1}, {-0.4, 0.9, 1.1}, {50.0, 0.0, -3.0}};
  return {{.scale = Vector{{0.5, 2.0, 0.1}}, .degrees = 3.5}, Y, Rng(11).normal(4, 3), example_var(4, 3)};
}

template <>
inline Example<Bernoulli> example() {
  Matrix Y{{0, 1, hole}, {hole, 1, 1}, {0, 0, 1}, {1, 0, 1}};
  return {{.outputs_ = 3}, Y, 2 * Rng(11).normal(4, 3), example_var(4, 3)};
}

template <>
inline Example<Poisson> example() {
  Matrix Y{{0, 3, hole}, {hole, 1, 12}, {2, 0, 1}, {7, 4, 0}};
  return {{.log_rate = Vector{{0.3, -0.5, 0}}},
          Y,
          Rng(11).normal(4, 3),
          (0.2 * example_var(4, 3)).cwiseMax(2e-3)};
}

template <>
inline Example<HeteroscedasticNoise> example() {
  Matrix Y{{0.3, -1.2, hole}, {hole, 2.0, 0.1}, {-0.4, 0.9, 1.1}, {5.0, 0.0, -3.0}};
  return {{.variance = Vector{{0.5, 2.0, 0.1}}, .amplitude = Vector{{0.6, 0.3, 1.1}}},
          Y,
          Rng(11).normal(4, 6),
          (0.5 * example_var(4, 6)).cwiseMin(2)};
}

template <>
inline Example<NegativeBinomial> example() {
  Matrix Y{{0, 3, hole}, {hole, 1, 12}, {2, 0, 1}, {7, 4, 0}};
  return {{.log_rate = Vector{{0.3, -0.5, 0}}, .size = Vector{{0.7, 3.0, 25.0}}},
          Y,
          Rng(11).normal(4, 3),
          (0.2 * example_var(4, 3)).cwiseMax(2e-3)};
}

template <>
inline Example<Softmax> example() {
  Matrix Y{{0}, {3}, {hole}, {1}, {2}};
  return {{.classes = 4}, Y, 1.5 * Rng(11).normal(5, 4), example_var(5, 4)};
}

template <>
inline Example<RobustMax> example() {
  Matrix Y{{0}, {3}, {hole}, {1}, {2}};
  return {{.classes = 4, .epsilon = 0.01}, Y, 1.5 * Rng(11).normal(5, 4), example_var(5, 4)};
}

// log p(y | f) of one entry, written as plainly as it can be; f is the row of latents.

inline double log_density(const GaussianNoise& l, Index p, double y, const Vector& f) {
  return -0.5 * std::log(2 * pi * l.variance(p)) - 0.5 * std::pow(y - f(p), 2) / l.variance(p);
}
inline double log_density(const StudentT& l, Index p, double y, const Vector& f) {
  const double nu = l.degrees, t = (y - f(p)) / l.scale(p);
  return std::log(std::tgamma((nu + 1) / 2) / std::tgamma(nu / 2) / std::sqrt(nu * pi) / l.scale(p)) -
         (nu + 1) / 2 * std::log(1 + t * t / nu);
}
inline double log_density(const Bernoulli&, Index p, double y, const Vector& f) {
  const double x = y == 1 ? f(p) : -f(p);
  if (x < -30) return -0.5 * (x * x + log_2pi) - std::log(-x) - 1 / (x * x);  // to 1e-5
  return std::log(0.5 * std::erfc(-x / std::sqrt(2.0)));
}
inline double log_density(const Poisson& l, Index p, double y, const Vector& f) {
  const double log_rate = l.log_rate(p) + f(p);
  return y * log_rate - std::exp(log_rate) - std::log(std::tgamma(y + 1));
}
inline double log_density(const HeteroscedasticNoise& l, Index p, double y, const Vector& f) {
  const double s2 = l.variance(p) * std::exp(l.amplitude(p) * f(l.outputs() + p));
  return -0.5 * std::log(2 * pi * s2) - 0.5 * std::pow(y - f(p), 2) / s2;
}
inline double log_density(const NegativeBinomial& l, Index p, double y, const Vector& f) {
  const double r = l.size(p), mu = std::exp(l.log_rate(p) + f(p));
  return std::lgamma(y + r) - std::lgamma(r) - std::lgamma(y + 1) + r * std::log(r / (r + mu)) +
         (y == 0 ? 0 : y * (l.log_rate(p) + f(p) - std::log(r + mu)));
}
inline double log_density(const Softmax&, Index, double y, const Vector& f) {
  const double top = f.maxCoeff();
  return f(static_cast<Index>(y)) - top - std::log((f.array() - top).exp().sum());
}
inline double log_density(const RobustMax& l, Index, double y, const Vector& f) {
  Index best;
  f.maxCoeff(&best);
  return static_cast<Index>(y) == best ? std::log(1 - l.epsilon)
                                       : std::log(l.epsilon / static_cast<double>(l.classes - 1));
}

/// Outcomes y with weights, such that sum of weight p(y) is the total probability.
using Support = std::vector<std::pair<double, double>>;

inline Support whole_numbers(Index count) {
  Support s;
  for (Index y = 0; y < count; ++y) s.emplace_back(static_cast<double>(y), 1.0);
  return s;
}
inline Support real_line() {  // y = sinh(w): heavy tails end
  Support s;
  for (double w = -20; w <= 20; w += 0.002) s.emplace_back(std::sinh(w), 0.002 * std::cosh(w));
  return s;
}
inline Support support(const GaussianNoise&) { return real_line(); }
inline Support support(const StudentT&) { return real_line(); }
inline Support support(const Bernoulli&) { return whole_numbers(2); }
inline Support support(const Poisson&) { return whole_numbers(20'000); }
inline Support support(const HeteroscedasticNoise&) { return real_line(); }
inline Support support(const NegativeBinomial&) { return whole_numbers(20'000); }
inline Support support(const Softmax& l) { return whole_numbers(l.classes); }
inline Support support(const RobustMax& l) { return whole_numbers(l.classes); }

}  // namespace bochner::testing
