#pragma once
#include "bochner/compute/cholesky.hpp"
#include "bochner/models/harmonic/gp.hpp"
#include "row_kernel.hpp"

namespace bochner {

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// The inducing points of a layer and the kernel between them and its inputs: what hidden layers and the last one share.
struct Inducing {
  const AnyKernel& kernel;
  const std::vector<Motion>& motions;
  const Matrix& weights;
  const std::vector<Matrix>& Z;  // one for each group, or one that all groups share
  double jitter;
  const std::optional<PatchSum>& patch_sum;

  Index groups() const { return weights.rows(); }
};
Inducing inducing_of(const HarmonicGp& gp);
Inducing inducing_of(const HiddenLayer& layer);

/// Groups that share their inducing points: all of them, or one.
struct HarmonicBlock {
  Index first = 0, count = 1;
  const Matrix& Z;
  Harmonics harmonics;
};
std::vector<HarmonicBlock> blocks_of(const Inducing& points);

/// k_h(Z_h, Z_h) and its factor, for each group.
struct HarmonicFactors {
  std::vector<CholeskyFactor> factor;
  std::vector<double> share;  // all jitter that was added, relative to the mean diagonal
};
HarmonicFactors factorise(const Inducing& points, const std::vector<HarmonicBlock>& blocks,
                          const Compute& compute);

/// Psi_h = L_h^-1 k_h(Z_h, X), m x n, for each group: k_h is close to Psi_h'Psi_h.
std::vector<Matrix> whitened_features(const Inducing& points, const std::vector<HarmonicBlock>& blocks,
                                      const HarmonicFactors& factors, MatrixIn X, const Compute& compute);

/// Adjoints of whitened_features and factorise together, given those of Psi.
struct FeaturesPullback {
  Vector kernel;
  std::vector<Matrix> Z;  // as many as the layer has
  Matrix X;
  Vector patch_weight;  // empty without patches
};
FeaturesPullback pull_features(const Inducing& points, const std::vector<HarmonicBlock>& blocks,
                               const HarmonicFactors& factors, MatrixIn X, const std::vector<Matrix>& Psi,
                               const std::vector<Matrix>& dPsi, const Compute& compute);

/// f(0) .. f(count - 1), in parallel when there are several; a single one has the threads to itself.
template <class F>
void for_each_group(Index count, const Compute& compute, const F& f) {
  if (count == 1)
    f(0);
  else
    compute.threads.run(count, f);
}

}  // namespace bochner
