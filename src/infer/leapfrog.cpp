#include "bochner/infer/leapfrog.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {

double hamiltonian(const PhasePoint& z, VectorIn inverse_mass) {
  return -z.log_density + 0.5 * inverse_mass.dot(z.momentum.cwiseAbs2());
}

bool evaluate_density(const LogDensity& log_density, PhasePoint& z) {
  z.grad.setZero(z.theta.size());
  try {
    z.log_density = log_density(z.theta, z.grad);
  } catch (const NumericalError&) {
    return false;
  }
  check_size("hmc", "size of the gradient", z.grad.size(), "size of theta", z.theta.size());
  return std::isfinite(z.log_density) && z.grad.allFinite();
}

bool leapfrog(const LogDensity& log_density, PhasePoint& z, VectorIn inverse_mass, double step) {
  z.momentum += 0.5 * step * z.grad;
  z.theta.array() += step * inverse_mass.array() * z.momentum.array();
  if (!z.theta.allFinite() || !evaluate_density(log_density, z)) return false;
  z.momentum += 0.5 * step * z.grad;
  return true;
}

}  // namespace bochner
