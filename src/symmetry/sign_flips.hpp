#pragma once
#include <optional>
#include <vector>

#include "bochner/symmetry/harmonic_grams.hpp"

namespace bochner {

/// Motions that do nothing but turn signs, of columns or of orthogonal directions that all of them share, under a kernel of the
/// scaled distance. Columns fall into blocks b that turn together, and with s_gb = 1 or -1
///
///   |x - g z|^2 = sum_b |x_b - s_gb z_b|^2
///
/// so that the distances to all G images of z are sums of two for each block, instead of G of all columns.
struct SignFlips {
  Matrix directions;                       // D x D orthonormal columns, or empty: the columns themselves
  std::vector<std::vector<Index>> blocks;  // of columns, or of directions
  Matrix signs;                            // G x blocks

  Matrix turned(MatrixIn X) const;        // rows in these directions
  Matrix pull_turned(MatrixIn dX) const;  // adjoint of it
};

/// None where a motion does more than that, or the kernel is another than Rbf or Matern, or has a length-scale for each column where
/// the directions are not the columns, or where there are too many columns to look for directions.
std::optional<SignFlips> sign_flips(const Harmonics& k);

/// The tile of all k_h(x_i, z_j); X and Z are turned.
void flip_tile(const Harmonics& k, const SignFlips& flips, MatrixIn X, MatrixIn Z, std::vector<Matrix>& tile);

/// Adds the adjoints of a tile; dX and dZ are those of turned rows. Along directions that are no columns, the derivative in the
/// common length-scale is spread evenly over columns: no kernel with several has such a symmetry.
void pull_flip_tile(const Harmonics& k, const SignFlips& flips, MatrixIn X, MatrixIn Z,
                    const std::vector<Matrix>& dtile, VectorOut dtheta, MatrixOut dX, MatrixOut dZ);

}  // namespace bochner
