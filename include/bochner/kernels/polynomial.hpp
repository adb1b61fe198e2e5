#pragma once
#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// k(x, y) = (sum_d w_d x_d y_d + offset)^degree   [rasmussen2006, Eq. 4.22]
/// The weights and the offset set the overall scale as well, hence no sigma2 in front.
/// theta = (log w_1 .. log w_D, log offset); the degree is not learned
struct Polynomial {
  Vector weight;        // D, > 0
  double offset = 1.0;  // > 0
  int degree = 2;       // >= 1

  Index input_dims() const { return weight.size(); }
  Index parameter_count() const { return weight.size() + 1; }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  Polynomial with_parameters(VectorIn theta) const;

  double operator()(VectorIn x, VectorIn y) const;
  Vector gradient(VectorIn x, VectorIn y) const;
  Vector input_gradient(VectorIn x, VectorIn y) const;
  void gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const;
  void pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const;
  Vector diagonal(MatrixIn X) const;
  void pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const;
};

}  // namespace bochner
