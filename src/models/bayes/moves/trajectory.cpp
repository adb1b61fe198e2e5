#include "trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/infer/leapfrog.hpp"
#include "whitened.hpp"

namespace bochner {

namespace {

constexpr double duration = 2.5;  // of a trajectory: coordinates without data have a period of 2 pi
constexpr Index shortest = 8, longest = 128;  // steps
// Of the time of all other updates.
constexpr double share = 2;

// Nanoseconds on one core, roughly: how long a trajectory may be must not depend on a clock.
double update_cost(const BayesTable& table, double frequencies) {
  const double N = double(table.rows()), J = double(table.cols()), F = 2 * frequencies + 1;
  const bool poisson = table.likelihood == BayesLikelihood::poisson || is_softmax(table.likelihood);
  const bool shared = table.likelihood == BayesLikelihood::gaussian && table.complete;
  const double grams = shared ? 1 : poisson ? 2 * J : J;
  const double weights = 0.05 * grams * N * F * F + 0.15 * (poisson ? 2 : 1) * J * F * F * F / 3;
  return weights + (poisson ? 8.0 : 3.0) * frequencies * N * J + (shared || poisson ? 0.0 : 100.0) * N * J;
}

double gradient_cost(const BayesTable& table, double frequencies) {
  const double N = double(table.rows()), J = double(table.cols()), F = 2 * frequencies + 1;
  return 0.15 * N * F * J + 3 * N * (F + J);
}

/// Leapfrog steps of one trajectory: half a trajectory costs as much and does not go half as far.
Index steps_of(double step) {
  return std::clamp(static_cast<Index>(std::min(duration / step, double(longest))), shortest, longest);
}

}  // namespace

double trajectory_chance(const BayesModel& model, const TrajectoryMoves& moves) {
  double updates = 0, gradient = 0;
  for (const BayesTable& table : model.tables) {
    updates += update_cost(table, double(model.L));
    gradient += gradient_cost(table, double(model.L));
  }
  const double one = 0.75 * double(steps_of(moves.step)) * gradient;  // their mean number
  return std::min(1.0, share * updates / one);
}

void move_along_trajectory(const BayesModel& model, BayesState& state, TrajectoryMoves& moves, const Rng& rng,
                           const Compute& compute) {
  const WhitenedState whitened(model, state, rng.split("states"), compute);
  const LogDensity density = [&](const Vector& theta, Vector& gradient) {
    return whitened.log_density(theta, gradient);
  };
  Rng own = rng.split("trajectory");
  PhasePoint at{.theta = whitened.coordinates(), .momentum = own.normal(whitened.coordinates().size())};
  const Vector unit = Vector::Ones(at.theta.size());
  // Lengths vary, or a trajectory may come back to where it began.
  const Index most = steps_of(moves.step), steps = most / 2 + own.below(most / 2 + 1);
  const double step = moves.step * (0.8 + 0.4 * own.uniform());
  moves.acceptance = 0;
  moves.tried = true;
  if (!evaluate_density(density, at)) return;
  const double before = hamiltonian(at, unit);
  bool finite = true;
  for (Index i = 0; i < steps && finite; ++i) finite = leapfrog(density, at, unit, step);
  const double error = hamiltonian(at, unit) - before;
  if (finite && !std::isnan(error)) moves.acceptance = std::min(1.0, std::exp(-error));
  if (own.uniform() < moves.acceptance) whitened.restore(at.theta, state);
}

}  // namespace bochner
