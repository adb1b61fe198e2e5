// What a fit costs: the bytes that are announced before it starts, and the operations of a step, from which inducing points and steps
// are chosen. No clock is looked at: the same table gives the same model everywhere.

#include <algorithm>
#include <cmath>

#include "bochner/models/harmonic/fit.hpp"
#include "deep.hpp"
#include "row_kernel.hpp"

namespace bochner {
namespace {

LayerShapes shapes_of(const HarmonicFitOptions& options, Index inputs) {
  return layer_shapes(parse_layers(options.layers), options.image, inputs);
}

/// Features of a tile of rows in hidden layers (tile_bytes), and five states of what they learn.
double hidden_memory(const LayerShapes& shapes, Index groups, const HarmonicFitOptions& options) {
  double row = 0, states = 0, between = 0;
  for (std::size_t l = 0; l < shapes.hidden.size(); ++l) {
    const LayerShape& s = shapes.hidden[l];
    const Index m = l < options.hidden_inducing.size() ? options.hidden_inducing[l] : options.inducing;
    row += row_bytes(s.places, s.inputs, s.functions, m, groups);
    states += 8 * double(groups) * double(m) * double(m) * 12;
    between += 16 * double(options.batch) * double(s.places * s.functions);  // outputs and their adjoint
  }
  return states + between + std::max(row, std::min(tile_bytes, row * double(options.batch)));
}

/// Gram matrices of the windows of a tile of images with their adjoints, the windows themselves, and k(x, x) of one image.
double window_memory(const LayerShape& last, Index groups, const HarmonicFitOptions& options) {
  const double P = double(last.places),
               rows = std::max(P, std::min(double(most_patch_rows), P * double(options.batch)));
  return 8 * rows * (2 * double(groups) * double(options.inducing) + 4 * double(last.inputs)) +
         8 * double(options.batch) * P * 2 + 8 * 3 * P * P * 4;
}

constexpr double operations_per_second =
    6e10;  // of two cores, double precision, as products of this size run
constexpr Index usual_steps = 2000, fewest_steps = 200;
constexpr double usual_passes = 5, most_passes = 50;
constexpr double enough_steps =
    3000;  // that as many points as possible should leave time for, however many rows there are

/// Operations of a layer with gradients that sees n rows of d columns: kernel entries with their adjoints; the solve, the products
/// with C covariance factors and their adjoints; factors of m x m matrices.
double layer_cost(double n, double d, double m, double H, double C, double motions) {
  const double entries = n * m * motions * (600 + 50 * d);
  return entries + H * (6 * n * m * m * (1 + C) + (0.6 + 0.7 * C) * m * m * m);
}

double step_cost(const HarmonicFitOptions& o, double batch, Index inputs, Index latents, Index groups,
                 double m) {
  const LayerShapes shapes = shapes_of(o, inputs);
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

double harmonic_memory(Index rows, Index inputs, Index latents, Index groups,
                       const HarmonicFitOptions& options) {
  const double m = double(std::min(options.inducing, rows)), H = double(groups),
               C = options.shared_covariance ? 1 : double(latents);
  const LayerShapes shapes = shapes_of(options, inputs);
  // q(v) with its natural or Adam state, gradients, the state to fall back to and the best one; Gram matrices and factors.
  const double squares = H * m * m * (C * 8 + 4);
  const double table = std::min(options.row_memory / 8, double(rows) * double(inputs + latents));
  double out = 8 * (squares + table + H * double(options.batch) * m * (3 + C));
  if (!shapes.hidden.empty()) out += hidden_memory(shapes, groups, options);
  if (shapes.last.places > 1) out += window_memory(shapes.last, groups, options);
  return out;
}

HarmonicFitOptions with_effort(const HarmonicFitOptions& options, Index rows, Index inputs, Index latents,
                               Index groups) {
  HarmonicFitOptions out = options;
  const double batch = double(std::min(options.batch, rows)), seconds = 60 * options.minutes;
  const auto affordable = [&](Index m) {
    return operations_per_second * seconds / step_cost(options, batch, inputs, latents, groups, double(m));
  };
  if (out.inducing == 0) {
    const double steps = std::clamp(usual_passes * double(rows) / batch, double(usual_steps), enough_steps);
    out.inducing = 50;
    for (const Index m : {100, 150, 200, 300, 400, 500, 600, 700, 800, 1000})
      if (m <= std::max<Index>(500, rows / 20) && affordable(m) >= steps) out.inducing = m;
    const Index learned = rows - Index(options.validation * double(rows));  // points are such rows
    if (shapes_of(options, inputs).last.places == 1)
      out.inducing = std::clamp<Index>(learned, 1, out.inducing);
  }
  if (out.steps == 0) {
    const double most = std::max(double(usual_steps), most_passes * double(rows) / batch);
    out.steps = Index(std::clamp(affordable(out.inducing), double(fewest_steps), most));
  }
  return out;
}

}  // namespace bochner
