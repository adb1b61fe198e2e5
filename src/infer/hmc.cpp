#include "bochner/infer/hmc.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/infer/leapfrog.hpp"
#include "bochner/infer/metropolis.hpp"

namespace bochner {
namespace {

void check(const HmcOptions& o) {
  const char* const function = "hmc";
  check_at_least(function, "warmup", o.warmup, 0);
  check_positive(function, "trajectory", o.trajectory);
  check_between(function, "jitter", o.jitter, 0.0, 1.0);
  check_at_least(function, "max_leapfrog", o.max_leapfrog, 1);
  check_between(function, "target_acceptance", o.target_acceptance, 0.05, 0.999);
  check_non_negative(function, "step", o.step);
  check_positive(function, "divergence", o.divergence);
}

/// momentum ~ N(0, mass), mass = 1 / inverse_mass.
Vector draw_momentum(const HmcState& state, Rng& rng) {
  return rng.normal(state.theta.size()).array() / state.inverse_mass.array().sqrt();
}

/// Doubles or halves the step until the acceptance of one leapfrog step crosses 0.8, as Stan does;
/// [hoffman2014, Alg. 4] crosses 0.5. Bounded, because on a flat density it never crosses.
double reasonable_step(const LogDensity& log_density, const HmcState& state, double step, Rng rng) {
  const auto log_acceptance = [&](double with) {
    PhasePoint z{state.theta, draw_momentum(state, rng), state.log_density, state.grad};
    const double before = hamiltonian(z, state.inverse_mass);
    if (!leapfrog(log_density, z, state.inverse_mass, with)) return -std::numeric_limits<double>::infinity();
    const double change = before - hamiltonian(z, state.inverse_mass);
    return std::isnan(change) ? -std::numeric_limits<double>::infinity() : change;
  };
  const auto good = [&](double with) { return log_acceptance(with) > std::log(0.8); };
  const bool grow = good(step);
  for (int i = 0; i < 40; ++i) {
    step *= grow ? 2.0 : 0.5;
    if (good(step) != grow) break;
  }
  return step;
}

void retune(const LogDensity& log_density, HmcState& state, const Rng& rng) {
  state.step = reasonable_step(log_density, state, state.step, rng);
  state.tuning = DualAveraging::at(state.step);
}

/// The variances of the window, drawn a little towards 1e-3, as in Stan: (n var + 5 * 1e-3) / (n + 5).
void set_mass(HmcState& state) {
  const double n = double(state.window.count);
  state.inverse_mass = (n * state.window.variance().array() + 5 * 1e-3) / (n + 5);
  state.window = RunningVariance{};
}

void adapt(const LogDensity& log_density, HmcState& state, double acceptance, const HmcOptions& options,
           const Rng& rng) {
  if (options.adapt_step) {
    state.tuning.update(acceptance, options.target_acceptance);
    state.step = std::exp(state.tuning.log_step);
  }
  if (options.adapt_mass) {
    const std::vector<Index> borders = mass_windows(options.warmup);
    const bool inside =
        !borders.empty() && state.iteration > borders.front() && state.iteration <= borders.back();
    if (inside) state.window.add(state.theta);
    if (inside && std::find(borders.begin(), borders.end(), state.iteration) != borders.end()) {
      set_mass(state);
      if (options.adapt_step) retune(log_density, state, rng.split("step size"));
    }
  }
  if (options.adapt_step && state.iteration == options.warmup) state.step = std::exp(state.tuning.log_mean);
}

}  // namespace

std::vector<Index> mass_windows(Index warmup) {
  if (warmup < 20) return {};
  Index first = 75, length = 25, last = 100;
  if (first + length + last > warmup) {
    first = Index(0.15 * double(warmup));
    last = Index(0.2 * double(warmup));
    length = warmup - first - last;
  }
  const Index end = warmup - last;
  std::vector<Index> borders{first};
  while (borders.back() < end) {
    // A window after which the next, twice as long, would not fit takes the rest.
    const Index next = borders.back() + length;
    length *= 2;
    borders.push_back(next + length > end ? end : next);
  }
  return borders;
}

HmcState hmc_start(const LogDensity& log_density, Vector theta, const HmcOptions& options, const Rng& rng) {
  check(options);
  check_at_least("hmc_start", "size of theta", theta.size(), 1);
  check_finite("hmc_start", "theta", theta);
  PhasePoint z{.theta = std::move(theta)};
  if (!evaluate_density(log_density, z))
    throw NumericalError("hmc_start: the log density or its gradient is not finite at the starting point");
  HmcState state;
  state.inverse_mass.setOnes(z.theta.size());
  state.theta = std::move(z.theta);
  state.log_density = z.log_density;
  state.grad = std::move(z.grad);
  state.step = options.step > 0 ? options.step : 1.0;
  state.tuning = DualAveraging::at(state.step);
  if (options.step == 0) retune(log_density, state, rng.split("first step size"));
  return state;
}

HmcTransition hmc_step(const LogDensity& log_density, HmcState& state, const HmcOptions& options,
                       const Rng& rng) {
  check(options);
  Rng draw = rng.split(std::uint64_t(state.iteration));
  PhasePoint z{state.theta, draw_momentum(state, draw), state.log_density, state.grad};
  const double before = hamiltonian(z, state.inverse_mass);
  const double time = options.trajectory * (1 + options.jitter * (2 * draw.uniform() - 1));
  const Index steps = Index(std::clamp(std::ceil(time / state.step), 1.0, double(options.max_leapfrog)));

  // The trajectory ends early only where the density is not finite: its reverse would fail at the same point.
  // Ending it where the energy error is large would not be symmetric: the reverse measures from the other end.
  HmcTransition transition;
  double error = 0;
  while (transition.leapfrogs < steps) {
    ++transition.leapfrogs;
    const bool finite = leapfrog(log_density, z, state.inverse_mass, state.step);
    error = finite ? hamiltonian(z, state.inverse_mass) - before : std::numeric_limits<double>::infinity();
    if (!(error <= options.divergence)) transition.divergent = true;
    if (!finite) break;
  }
  transition.acceptance = std::isnan(error) ? 0.0 : std::min(1.0, std::exp(-error));
  transition.accepted = metropolis_accept(-error, draw);
  if (transition.accepted) {
    state.theta = std::move(z.theta);
    state.log_density = z.log_density;
    state.grad = std::move(z.grad);
  }
  const bool warming_up = state.iteration < options.warmup;
  ++state.iteration;
  if (transition.divergent) ++(warming_up ? state.warmup_divergences : state.divergences);
  if (warming_up) adapt(log_density, state, transition.acceptance, options, draw);
  return transition;
}

HmcDraws hmc_sample(const LogDensity& log_density, HmcState state, Index draws, const HmcOptions& options,
                    const Rng& rng, const OnIteration& on) {
  check_at_least("hmc_sample", "draws", draws, 0);
  HmcDraws out;
  out.theta.resize(draws, state.theta.size());
  out.log_density.resize(draws);
  const Index divergences = state.divergences, warmup_divergences = state.warmup_divergences;
  double acceptance = 0;
  Index made = 0;
  while (made < draws || state.iteration < options.warmup) {
    const bool warming_up = state.iteration < options.warmup;
    const HmcTransition transition = hmc_step(log_density, state, options, rng);
    if (!warming_up) {
      out.theta.row(made) = state.theta.transpose();
      out.log_density(made) = state.log_density;
      acceptance += transition.acceptance;
      ++made;
    }
    if (!keep_going(on, {state.iteration - 1, state.log_density, state.grad.norm(), state.step})) break;
  }
  out.theta.conservativeResize(made, Eigen::NoChange);
  out.log_density.conservativeResize(made);
  out.acceptance = made > 0 ? acceptance / double(made) : 0.0;
  out.divergences = state.divergences - divergences;
  out.warmup_divergences = state.warmup_divergences - warmup_divergences;
  out.state = std::move(state);
  return out;
}

}  // namespace bochner
