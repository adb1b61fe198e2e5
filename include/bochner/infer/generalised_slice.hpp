#pragma once
#include <functional>

#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// A normal approximation N(mean, P^-1) seen along d = x - mean, of the current state x, and a draw nu of N(0, P^-1).
struct ApproximationForms {
  double dd, dn, nn;  // d'P d, d'P nu, nu'P nu
  Index size;         // of x
};

/// The state mean + cosine d + sine nu.
struct EllipsePoint {
  double cosine = 1, sine = 0;
};

/// Log density of a state on the ellipse.
using EllipseLogDensity = std::function<double(const EllipsePoint& at)>;

/// Generalised elliptical slice sampling [nishihara2014, Alg. 2]: one transition that leaves exp(log_density) invariant. The
/// approximation becomes Student's t with `degrees` degrees of freedom, a normal law of unknown width, whose tails are
/// heavier than those of the target: states that begin far away come back. With a normal law they would stay, for it thinks
/// so much less of where they are than the target does. NumericalError if the density of the current state is not finite.
EllipsePoint generalised_slice(const EllipseLogDensity& log_density, const ApproximationForms& forms,
                               double degrees, Rng& rng);

}  // namespace bochner
