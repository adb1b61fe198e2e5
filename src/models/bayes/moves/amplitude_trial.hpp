#pragma once
#include "bochner/models/bayes/options.hpp"
#include "src/models/bayes/state.hpp"

namespace bochner {

/// Another amplitude, and the weights that go with it. Thousands of weights hold the amplitude that they were drawn with, whether it
/// moves alone or scales them; here they follow it. In coordinates z of each column,
///
///     beta(a) = m(a) + L(a)^-T z,   m(a), L(a) L(a)': mean and precision of a normal approximation that does not know beta,
///
/// the amplitude moves while z stays. Where the approximation is exact (normal terms) that is a move with the weights integrated out.
struct AmplitudeTrial {
  double amplitude = 0;  // 0: none is tried
  Matrix B{};            // as B of the state
  Vector
      log_ratio{};  // J, of each column: log p(y, beta(a)) |d beta / dz| at this amplitude less that at the present one

  bool tried() const { return amplitude > 0; }
};

/// A random walk of the logarithm, long or short: how well a table says what the amplitude is varies a lot.
AmplitudeTrial propose_amplitude(const BayesViewState& view, Rng& rng);

/// Metropolis: takes the trial or leaves it.
void decide(AmplitudeTrial trial, const BayesPriors& priors, BayesViewState& view, Rng& rng);

}  // namespace bochner
