#include "noise_function.hpp"

#include <cmath>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/infer/adam.hpp"
#include "src/models/harmonic/deep.hpp"
#include "src/models/harmonic/natural.hpp"

namespace bochner {
namespace {

constexpr double start_amplitude = 0.5;
constexpr Index noise_steps = 200;
constexpr double noise_step = 0.2, noise_adam = 0.05;  // of natural gradients and of Adam
constexpr int most_halvings = 5;

/// Functions of the noise at their prior beside those of f; each gets a covariance of its own.
HarmonicGp with_noise_functions(const HarmonicGp& gp) {
  HarmonicGp out = gp;
  const Index P = gp.latents(), m = gp.inducing();
  out.likelihood = HeteroscedasticNoise{.variance = std::get<GaussianNoise>(gp.likelihood).variance,
                                        .amplitude = Vector::Constant(P, start_amplitude)};
  for (std::size_t h = 0; h < gp.mean.size(); ++h) {
    out.mean[h] = Matrix::Zero(m, 2 * P);
    out.mean[h].leftCols(P) = gp.mean[h];
    if (gp.factor[h].size() == 1) out.factor[h].assign(static_cast<std::size_t>(P), gp.factor[h].front());
    out.factor[h].resize(static_cast<std::size_t>(2 * P), Matrix::Identity(m, m));
  }
  return out;
}

/// Steps grow over the first fifth and fall like a cosine over the second half.
double pace(Index step) {
  const double share = double(step) / double(noise_steps);
  return std::min(1.0, 5 * share + 0.05) *
         (share < 0.5 ? 1 : 0.02 + 0.98 * std::pow(std::cos(pi * (share - 0.5)), 2));
}

/// What learning of the noise moves.
class NoiseSteps {
 public:
  NoiseSteps(HarmonicGp start, const Compute& compute)
      : gp_(std::move(start)), precision_(precisions(gp_, compute)), compute_(compute) {}

  /// One step from a batch; false where it leaves the numbers.
  bool take(const Matrix& X, const Matrix& Y, double scale, const HiddenNoise& noise, double factor) {
    HarmonicGradient g;
    NaturalTarget target;
    try {
      const double value = deep_bound(gp_, X, Y, scale, noise, compute_, &g, &target).value();
      if (!std::isfinite(value) || !g.likelihood.allFinite()) return false;
      const Index P = outputs(gp_.likelihood);
      const std::vector<std::vector<Matrix>> factors = gp_.factor;
      for (std::size_t h = 0; h < target.dmean.size(); ++h) {
        target.dmean[h].leftCols(P).setZero();
        for (std::size_t p = 0; p < static_cast<std::size_t>(P); ++p)
          target.precision[h][p] = precision_[h][p];
      }
      natural_step(precision_, target, noise_step * factor, gp_, compute_);
      for (std::size_t h = 0; h < factors.size(); ++h)
        for (std::size_t p = 0; p < static_cast<std::size_t>(P); ++p) gp_.factor[h][p] = factors[h][p];
      Vector theta = parameters(gp_.likelihood);
      adam_.step(theta, g.likelihood, {.step = noise_adam}, -factor, compute_);
      gp_.likelihood = with_parameters(gp_.likelihood, theta);
    } catch (const NumericalError&) {
      return false;
    } catch (const std::domain_error&) {
      return false;
    }
    return true;
  }
  const HarmonicGp& gp() const { return gp_; }

 private:
  HarmonicGp gp_;
  Precisions precision_;
  Compute compute_;
  AdamState adam_;
};

}  // namespace

std::optional<HarmonicGp> learn_noise_function(const HarmonicGp& gp, Batches& batches, Index step,
                                               const Rng& rng, const Compute& compute) {
  NoiseSteps now(with_noise_functions(gp), compute), good = now;
  int halvings = 0;
  Matrix X, Y;
  for (Index s = 0; s < noise_steps; ++s) {
    batches.take(step + s, X, Y);
    const HiddenNoise noise{.rng = rng.split(static_cast<std::uint64_t>(s))};
    const double scale = double(batches.rows()) / double(X.rows());
    if (now.take(X, Y, scale, noise, std::ldexp(pace(s), -halvings))) {
      if (s % 20 == 19) good = now;
      continue;
    }
    if (++halvings > most_halvings) return std::nullopt;
    now = good;
  }
  return now.gp();
}

}  // namespace bochner
