#pragma once
#include "bochner/models/harmonic/fit.hpp"
#include "src/data/batches.hpp"
#include "uphill.hpp"

namespace bochner {

/// Step sizes: constant, then falling like a cosine to almost nothing. They begin to fall at half of the steps, or at `from`,
/// and then for as long as they were constant.
struct Cooling {
  Index steps = 0, check_every = 1;
  Index from = -1;  // -1: not told

  Index begin() const;
  Index end() const;
  double factor(Index step) const;
};

/// Draws of the hidden layers for a validation score: the same at every check, so that scores can be compared.
inline constexpr Index validation_draws = 4;

/// How learning ended: the model with the best validation score, or the last one without validation rows.
struct HarmonicTrained {
  HarmonicGp gp;
  Index steps = 0;
  double bound = 0;  // nats per row, smoothed
  Status status = Status::iteration_limit;
  std::vector<HarmonicStep> trace;
};

/// Maximises the bound from `start`, or resumes where hooks.resume stands. Adam takes constant steps until the validation
/// score has been flat for `patience` checks, or for half of `steps`, then falling ones, and ends where the score has been flat
/// for as long again; natural steps grow from small ones
/// over the first fifty and fall with Adam's, so that at the end q(u) has averaged over many batches.
/// `rng` draws the noise of hidden layers.
HarmonicTrained train_harmonic(HarmonicGp start, const Learning& learning, Batches& batches,
                               const HarmonicFitOptions& options, const Rng& rng, const Compute& compute,
                               const HarmonicHooks& hooks);

}  // namespace bochner
