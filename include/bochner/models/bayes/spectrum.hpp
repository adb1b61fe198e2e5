#pragma once
#include "bochner/models/bayes/fit.hpp"

namespace bochner {

/// Median and the middle 90 % over draws, at some places; a column for each latent dimension.
struct Band {
  Vector at;                 // P
  Matrix low, median, high;  // P x Q
};

/// Median and the middle 90 % of one number over draws.
struct Spread {
  double low = 0, median = 0, high = 0;
};

/// What is known about the kernel of a view: k(x, y) = amplitude sum_k weight_k exp(-t' covariance_k t / 2) cos(mean_k' t) with
/// t = x - y.
struct SpectralPosterior {
  Spread amplitude, concentration, components;
  Band density;  // of the angular frequency along a dimension, on both sides of zero together: p(w) + p(-w)
  Band kernel;   // between latents that differ in one dimension by `at`
};

/// From the stored draws. InputError for a model file of a release that did not keep them.
SpectralPosterior spectral_posterior(const BayesViewFit& view, Index points = 81);

}  // namespace bochner
