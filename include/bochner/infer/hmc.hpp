#pragma once
#include <vector>

#include "bochner/infer/dual_averaging.hpp"
#include "bochner/infer/objective.hpp"
#include "bochner/infer/optimize_result.hpp"
#include "bochner/infer/running_variance.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

// Hamiltonian Monte Carlo for a few parameters [neal2011]. In warm-up the step size follows the acceptance
// rate by dual averaging [hoffman2014], and the diagonal mass matrix follows the variance of the draws over
// windows that double in length, as in Stan. The draws of transition t come from rng.split(t): hand every
// call the same rng, and an interrupted chain, resumed from its HmcState, has the same bytes as one that
// never stopped.

struct HmcOptions {
  Index warmup = 500;
  double trajectory = 2.0;  // mean integration time; the mass matrix gives every parameter unit scale
  double jitter = 0.5;  // the time of a transition is uniform within this fraction around the mean: a fixed
                        // one can resonate with the target and never mix
  Index max_leapfrog = 200;  // steps per transition
  double target_acceptance = 0.8;
  double step = 0.0;  // first step size; 0: the one at which a leapfrog step is accepted about 4 times in 5
  bool adapt_step = true, adapt_mass = true;
  double divergence = 1000.0;  // energy error that counts as a divergence
};

/// The chain: all that a transition needs.
struct HmcState {
  Vector theta;            // D
  double log_density = 0;  // at theta
  Vector grad;             // D
  Vector inverse_mass;     // D: the variances that make the mass matrix
  double step = 0;         // leapfrog step size in use
  Index iteration = 0;     // transitions made; warm-up is over when it reaches options.warmup
  Index divergences = 0, warmup_divergences = 0;
  DualAveraging tuning;
  RunningVariance window;
};

/// What one transition did.
struct HmcTransition {
  double acceptance = 0;  // min(1, exp(-energy error)) at the end of the trajectory
  Index leapfrogs = 0;
  bool accepted = false, divergent = false;
};

/// NumericalError if the density or gradient at theta is not finite.
HmcState hmc_start(const LogDensity& log_density, Vector theta, const HmcOptions& options, const Rng& rng);

/// One transition; adapts while state.iteration < options.warmup.
HmcTransition hmc_step(const LogDensity& log_density, HmcState& state, const HmcOptions& options,
                       const Rng& rng);

struct HmcDraws {
  Matrix theta;           // draws x D, after warm-up
  Vector log_density;     // draws
  double acceptance = 0;  // mean after warm-up
  Index divergences = 0;  // after warm-up; any at all: the draws miss a part of the target
  Index warmup_divergences = 0;
  HmcState state;  // hand it to the next call for more draws
};

/// Finishes the warm-up of `state`, if it has one left, and then makes `draws` draws. `on` may stop it early:
/// fewer rows come back; Iteration::value is the log density, Iteration::step the leapfrog step.
HmcDraws hmc_sample(const LogDensity& log_density, HmcState state, Index draws, const HmcOptions& options,
                    const Rng& rng, const OnIteration& on = {});

/// The borders b_0 < b_1 < ... of the windows of a warm-up: after transition b_i, i > 0, the mass matrix is set
/// from the states after transitions b_{i-1} + 1 .. b_i. Stan's schedule with a longer end: 75 without, windows of
/// 25, 50, 100, ..., the last one stretched, 100 without (50 in Stan, whose acceptance, averaged over a trajectory,
/// is less noisy); a warm-up under 200 in proportion, none under 20.
std::vector<Index> mass_windows(Index warmup);

}  // namespace bochner
