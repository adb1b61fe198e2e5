#pragma once
#include "bochner/kernels/any_kernel_fwd.hpp"
#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// k(x, y) = sum_i k_i(x, y)
/// frequencies: those of the terms, L of each, stacked. Among pairs a single frequency is the pair of itself and
/// itself with half the amplitude: c [cos + cos] / 2 = c cos.
/// theta = those of the terms in order
struct Sum {
  std::vector<AnyKernel> terms;

  Index input_dims() const;
  Index parameter_count() const;
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  Sum with_parameters(VectorIn theta) const;

  double operator()(VectorIn x, VectorIn y) const;
  Vector gradient(VectorIn x, VectorIn y) const;
  Vector input_gradient(VectorIn x, VectorIn y) const;
  void gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const;
  void pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const;
  Vector diagonal(MatrixIn X) const;
  void pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const;

  bool has_spectrum() const;         // every term has
  bool has_paired_spectrum() const;  // any term has
  SpectralNoise draw_noise(Index L, Directions directions, Rng& rng) const;
  Frequencies frequencies(const SpectralNoise& noise) const;
  Vector frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const;
};

}  // namespace bochner
