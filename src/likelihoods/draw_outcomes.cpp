#include <algorithm>
#include <cmath>
#include <numbers>

#include "bochner/core/checks.hpp"
#include "bochner/likelihoods/predictive.hpp"
#include "bochner/random/count_draws.hpp"

namespace bochner {
namespace {

double draw(const GaussianNoise& l, Index p, const Vector& f, Rng& rng) {
  return f(p) + std::sqrt(l.variance(p)) * rng.normal();
}
double draw(const StudentT& l, Index p, const Vector& f, Rng& rng) {
  const double z = rng.normal();
  return f(p) + l.scale(p) * z / std::sqrt(rng.chi_squared(l.degrees) / l.degrees);
}
double draw(const Poisson& l, Index p, const Vector& f, Rng& rng) {
  constexpr double largest = 1e15;  // whole numbers beyond are not told apart
  return double(poisson(std::min(std::exp(l.log_rate(p) + f(p)), largest), rng));
}
double draw(const HeteroscedasticNoise& l, Index p, const Vector& f, Rng& rng) {
  const double log_variance = std::log(l.variance(p)) + l.amplitude(p) * f(l.outputs() + p);
  return f(p) + std::exp(0.5 * log_variance) * rng.normal();
}
double draw(const NegativeBinomial& l, Index p, const Vector& f, Rng& rng) {
  constexpr double largest = 1e12,
                   largest_odds =
                       1e13;  // of mean counts and of small sizes, so that draws are counts as well
  const double rate = std::min(std::exp(l.log_rate(p) + f(p)), largest);
  return double(negative_binomial(l.size(p), std::min(rate / l.size(p), largest_odds), rng));
}
double draw(const Bernoulli&, Index p, const Vector& f, Rng& rng) {
  return rng.uniform() < 0.5 * std::erfc(-f(p) * (std::numbers::sqrt2 / 2)) ? 1 : 0;
}
double draw(const Softmax&, Index, const Vector& f, Rng& rng) { return double(rng.categorical_log(f)); }
double draw(const RobustMax& l, Index, const Vector& f, Rng& rng) {
  Index best = 0;
  f.maxCoeff(&best);
  if (rng.uniform() >= l.epsilon) return double(best);
  const Index other = rng.below(l.classes - 1);
  return double(other < best ? other : other + 1);
}

}  // namespace

Matrix draw_outcomes(const AnyLikelihood& any, MatrixIn f, Rng& rng) {
  check_size("draw_outcomes", "columns of f", f.cols(), "latents", latents(any));
  Matrix out(f.rows(), outputs(any));
  std::visit(
      [&](const auto& l) {
        for (Index n = 0; n < out.rows(); ++n) {
          const Vector row = f.row(n).transpose();
          for (Index p = 0; p < out.cols(); ++p) out(n, p) = draw(l, p, row, rng);
        }
      },
      any);
  return out;
}

}  // namespace bochner
