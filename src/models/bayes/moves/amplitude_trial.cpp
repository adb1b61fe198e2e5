#include "amplitude_trial.hpp"

#include <cmath>

#include "bochner/infer/metropolis.hpp"

namespace bochner {

namespace {

constexpr double short_walk = 0.1, long_walk = 0.4;  // standard deviations of log amplitude

/// Of the logarithm of an amplitude, up to a constant.
double log_prior(const BayesPriors& priors, double amplitude) {
  return -priors.amplitude_shape * std::log(amplitude) - priors.amplitude_scale / amplitude;
}

}  // namespace

AmplitudeTrial propose_amplitude(const BayesViewState& view, Rng& rng) {
  const double sd = rng.uniform() < 0.5 ? short_walk : long_walk;
  return {.amplitude = view.amplitude * std::exp(sd * rng.normal()),
          .B = Matrix(view.B.rows(), view.B.cols()),
          .log_ratio = Vector::Zero(view.B.cols())};
}

void decide(AmplitudeTrial trial, const BayesPriors& priors, BayesViewState& view, Rng& rng) {
  if (!trial.tried()) return;
  const double log_ratio =
      trial.log_ratio.sum() + log_prior(priors, trial.amplitude) - log_prior(priors, view.amplitude);
  if (!metropolis_accept(log_ratio, rng)) return;
  view.amplitude = trial.amplitude;
  view.B = std::move(trial.B);
}

}  // namespace bochner
