// Bytes that a fit needs: announced before it starts.

#include <algorithm>

#include "bochner/models/harmonic/fit.hpp"
#include "deep.hpp"
#include "layer_shapes.hpp"
#include "row_kernel.hpp"

namespace bochner {
namespace {

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

}  // namespace

double harmonic_memory(Index rows, Index inputs, Index latents, Index groups,
                       const HarmonicFitOptions& options) {
  const double m = double(std::min(options.inducing, rows)), H = double(groups),
               C = options.shared_covariance ? 1 : double(latents);
  const LayerShapes shapes = layer_shapes(options, inputs);
  // q(v) with its natural or Adam state, gradients, the state to fall back to and the best one; Gram matrices and factors.
  const double squares = H * m * m * (C * 8 + 4);
  const double table = std::min(options.row_memory / 8, double(rows) * double(inputs + latents));
  double out = 8 * (squares + table + H * double(options.batch) * m * (3 + C));
  if (!shapes.hidden.empty()) out += hidden_memory(shapes, groups, options);
  if (shapes.last.places > 1) out += window_memory(shapes.last, groups, options);
  return out;
}

}  // namespace bochner
