#pragma once
#include <cmath>

#include "bochner/backend/latents.hpp"
#include "host_device.hpp"

// One entry of a latent q(x) = N(mean, sd^2), of the bound's derivatives by it, and of Adam.
namespace bochner::scalar {

/// What the divergence from N(0, 1) is half of: mean^2 + sd^2 - 1 - log sd^2.
BOCHNER_HOST_DEVICE double twice_divergence(double mean, double log_sd) {
  const double sd = std::exp(log_sd);
  return mean * mean + sd * sd - 1 - 2 * log_sd;
}

struct LatentGradient {
  double mean, log_sd;
};
/// Of a value with adjoint dx at x = mean + offset, offset = sd eps, less the divergence; over the number of measured entries.
BOCHNER_HOST_DEVICE LatentGradient latent_gradient(double mean, double log_sd, double offset, double dx,
                                                   double observed) {
  const double sd = std::exp(log_sd);
  return {(dx - mean) / observed, (dx * offset - (sd * sd - 1)) / observed};
}

/// The step that is taken off; m and v move.
BOCHNER_HOST_DEVICE double adam(const LatentMove& with, double gradient, double& m, double& v) {
  const double g = with.sign * gradient;
  m = with.beta1 * m + (1 - with.beta1) * g;
  v = with.beta2 * v + (1 - with.beta2) * (g * g);
  return with.rate * m / (std::sqrt(v / with.unbias2) + with.eps);
}

BOCHNER_HOST_DEVICE double mean_unit(const LatentMove& with, double log_sd) {
  if (!(with.first_sd > 0)) return 1;
  const double share = std::exp(log_sd) / with.first_sd;
  return share < 1 ? std::sqrt(share) : 1;
}

}  // namespace bochner::scalar
