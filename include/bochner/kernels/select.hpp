#pragma once
#include "bochner/kernels/any_kernel_fwd.hpp"
#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// k(x, y) = k_1(x_S, y_S) with S a choice of the D inputs, counted from 0: a kernel that looks at some columns only.
/// frequencies: those of the inner kernel in the chosen columns, 0 elsewhere.
/// theta = those of the inner kernel
struct Select {
  std::vector<AnyKernel> inner;  // exactly one
  std::vector<Index> columns;    // which inputs it sees
  Index dims = 0;                // D, all inputs

  Index input_dims() const { return dims; }
  Index parameter_count() const;
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  Select with_parameters(VectorIn theta) const;

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
