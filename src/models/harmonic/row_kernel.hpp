#pragma once
#include "bochner/models/harmonic/gp.hpp"
#include "bochner/symmetry/harmonic_grams.hpp"

namespace bochner {

// How the kernel of a layer meets a row of its inputs: as it is, or, with a PatchSum, an image as the weighted mean over its
// patches (the formulas are in models/harmonic/gp.hpp). Images are taken some at a time, so that memory does not grow with
// their number.

/// Patches that are looked at together, but at least those of one image.
inline constexpr Index most_patch_rows = 8192;

/// H matrices k_h(x_n, z_j), N x m.
std::vector<Matrix> row_grams(const Harmonics& k, const std::optional<PatchSum>& sum, MatrixIn X, MatrixIn Z,
                              const Compute& compute);

struct RowGramsPullback {
  Vector dtheta;   // of the kernel
  Matrix dZ, dX;   // m x d + 2 and N x pixels; m x D and N x D without patches
  Vector dweight;  // P, empty without patches
};
RowGramsPullback row_grams_pullback(const Harmonics& k, const std::optional<PatchSum>& sum, MatrixIn X,
                                    MatrixIn Z, const std::vector<Matrix>& dL_dK, const Compute& compute);

/// k(x_n, x_n), N.
Vector row_variances(const AnyKernel& k, const std::optional<PatchSum>& sum, MatrixIn X,
                     const Compute& compute);

struct RowVariancesPullback {
  Vector dtheta;
  Matrix dX;
  Vector dweight;
};
RowVariancesPullback row_variances_pullback(const AnyKernel& k, const std::optional<PatchSum>& sum,
                                            MatrixIn X, VectorIn dL_dvariance, const Compute& compute);

/// k_h(x_n, x_n) of each harmonic, H vectors.
std::vector<Vector> row_variances(const Harmonics& k, const std::optional<PatchSum>& sum, MatrixIn X,
                                  const Compute& compute);

/// The patches of images with their positions, N P x d + 2.
Matrix patch_rows(const Patches& patches, MatrixIn images);

}  // namespace bochner
