// Inducing points and steps from what a step costs, not from a clock: the same table gives the same model everywhere.

#include <algorithm>
#include <cmath>

#include "bochner/data/patches.hpp"
#include "bochner/models/harmonic/fit.hpp"
#include "layer_shapes.hpp"

namespace bochner {
namespace {

constexpr double operations_per_second =
    6e10;  // of two cores, double precision, as products of this size run
constexpr Index usual_steps = 2000, fewest_steps = 200;
constexpr double most_passes = 50;

/// Operations of a layer with gradients that sees n rows of d columns: kernel entries with their adjoints; the solve, the products
/// with C covariance factors and their adjoints; factors of m x m matrices.
double layer_cost(double n, double d, double m, double H, double C, double motions) {
  const double entries = n * m * motions * (600 + 50 * d);
  return entries + H * (6 * n * m * m * (1 + C) + (0.6 + 0.7 * C) * m * m * m);
}

double step_cost(const HarmonicFitOptions& o, double batch, Index inputs, Index latents, Index groups,
                 double m) {
  const LayerShapes shapes = layer_shapes(o, inputs);
  const double H = double(groups), C = o.shared_covariance ? 1 : double(latents);
  double out = 0;
  for (std::size_t l = 0; l < shapes.hidden.size(); ++l) {
    const LayerShape& s = shapes.hidden[l];
    const double own = l < o.hidden_inducing.size() ? double(o.hidden_inducing[l]) : m;
    out += layer_cost(batch * double(s.places), double(s.inputs), own, H, 1, H);
  }
  const double P = double(shapes.last.places), d = double(shapes.last.inputs);
  if (P > 1) out += batch * P * P * (600 + 50 * d) + batch * P * m * H * (600 + 50 * d);
  return out + layer_cost(batch, d, m, H, C, H);
}

}  // namespace

HarmonicFitOptions with_effort(const HarmonicFitOptions& options, Index rows, Index inputs, Index latents,
                               Index groups) {
  HarmonicFitOptions out = options;
  const double batch = double(std::min(options.batch, rows)), seconds = 60 * options.minutes;
  const auto affordable = [&](Index m) {
    return operations_per_second * seconds / step_cost(options, batch, inputs, latents, groups, double(m));
  };
  if (out.inducing == 0) {
    out.inducing = 50;
    for (const Index m : {100, 150, 200, 300, 400, 500, 600, 700, 800, 1000})
      if (m <= std::max<Index>(500, rows / 20) && affordable(m) >= double(usual_steps)) out.inducing = m;
  }
  if (out.steps == 0) {
    const double most = std::max(double(usual_steps), most_passes * double(rows) / batch);
    out.steps = Index(std::clamp(affordable(out.inducing), double(fewest_steps), most));
  }
  return out;
}

}  // namespace bochner
