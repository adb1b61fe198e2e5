#pragma once
#include <functional>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Log likelihoods of states X.row(i) of the rows rows[i], one number each.
using RowLogLikelihoods = std::function<Vector(const std::vector<Index>& rows, MatrixIn X)>;

/// States that move together on one ellipse: begin .. begin + size - 1.
struct SlicePiece {
  Index begin, size;
};

/// Elliptical slice sampling [murray2010, Fig. 2] of several pieces at once, each with random numbers of its own. Row i of X
/// moves to mean.row(i) + cos(angle) (X - mean).row(i) + sin(angle) draw.row(i) with the angle of its piece, which is
/// returned; 0 stays. The likelihood of all pieces that have not settled is one call, so that its matrix products are large.
/// NumericalError if the likelihood of a piece is not finite.
Vector elliptical_slice_angles(const RowLogLikelihoods& likelihood, const std::vector<Index>& rows,
                               const std::vector<SlicePiece>& pieces, MatrixIn X, MatrixIn mean,
                               MatrixIn draw, std::vector<Rng>& rngs);

}  // namespace bochner
