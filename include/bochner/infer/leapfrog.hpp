#pragma once
#include "bochner/infer/objective.hpp"

namespace bochner {

/// A point of phase space, with what the log density said there.
struct PhasePoint {
  Vector theta{}, momentum{};  // D
  double log_density = 0;      // at theta
  Vector grad{};               // D, at theta
};

/// H = -log density + 1/2 sum_d inverse_mass_d momentum_d^2.
double hamiltonian(const PhasePoint& z, VectorIn inverse_mass);

/// One leapfrog step: half a kick, a drift, half a kick [neal2011, Sec. 2.3]. Reversible (flip the
/// momentum) and volume preserving, for any step, also a negative one. False, with theta where it failed, if
/// the density or its gradient is not finite there or it threw NumericalError.
bool leapfrog(const LogDensity& log_density, PhasePoint& z, VectorIn inverse_mass, double step);

/// Log density and gradient at z.theta; false as above.
bool evaluate_density(const LogDensity& log_density, PhasePoint& z);

}  // namespace bochner
