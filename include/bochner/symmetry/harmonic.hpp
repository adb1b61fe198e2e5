#pragma once
#include "bochner/kernels/any_kernel_fwd.hpp"
#include "bochner/kernels/kernel.hpp"
#include "bochner/symmetry/symmetry.hpp"

namespace bochner {

/// k_h(x, y) = sum_g w_g k(x, g y) over the motions g of a finite commutative group under which k is invariant: one term of
/// its harmonic decomposition [sun2021, Def. 3.1, Thm 3.5].
/// theta = those of the inner kernel
struct Harmonic {
  std::vector<AnyKernel> inner;  // exactly one
  std::vector<Motion> motions;   // of the whole group
  Vector weight;                 // one each; the same for g and its inverse, so that k_h is symmetric

  Index input_dims() const { return motions.front().dims(); }
  Index parameter_count() const;
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  Harmonic with_parameters(VectorIn theta) const;

  double operator()(VectorIn x, VectorIn y) const;
  Vector gradient(VectorIn x, VectorIn y) const;
  Vector input_gradient(VectorIn x, VectorIn y) const;
  void gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const;
  void pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const;
  Vector diagonal(MatrixIn X) const;
  void pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const;
};

/// The kernels k_h of a kernel that is invariant under all symmetries; they add up to it, and the functions that they
/// describe are orthogonal. Without symmetries there is one, the kernel itself.
std::vector<Harmonic> harmonic_kernels(const AnyKernel& kernel, const std::vector<Symmetry>& symmetries,
                                       Index D);

}  // namespace bochner
