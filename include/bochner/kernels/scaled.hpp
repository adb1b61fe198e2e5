#pragma once
#include "bochner/kernels/any_kernel_fwd.hpp"
#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// k(x, y) = scale k_1(x, y): one more variance in front, for a kernel that has none or that should keep its own.
/// theta = (log scale, those of the inner kernel)
struct Scaled {
  std::vector<AnyKernel> inner;  // exactly one
  double scale = 1.0;            // > 0

  Index input_dims() const;
  Index parameter_count() const;
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  Scaled with_parameters(VectorIn theta) const;

  double operator()(VectorIn x, VectorIn y) const;
  Vector gradient(VectorIn x, VectorIn y) const;
  Vector input_gradient(VectorIn x, VectorIn y) const;
  void gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const;
  void pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const;
  Vector diagonal(MatrixIn X) const;
  void pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const;

  bool has_spectrum() const;
  bool has_paired_spectrum() const;
  SpectralNoise draw_noise(Index L, Directions directions, Rng& rng) const;
  Frequencies frequencies(const SpectralNoise& noise) const;
  Vector frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const;
};

}  // namespace bochner
