#pragma once
#include <optional>

#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// k(x, y) = sum_d w_d x_d y_d [+ offset]: the prior of a linear function with weights N(0, w_d) and, when given, an
/// intercept N(0, offset)   [rasmussen2006, Eq. 4.20 text]
/// theta = (log w_1 .. log w_D [, log offset])
struct Linear {
  Vector weight;                 // D, variances > 0
  std::optional<double> offset;  // > 0; without it the function passes through the origin

  Index input_dims() const { return weight.size(); }
  Index parameter_count() const { return weight.size() + (offset ? 1 : 0); }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  Linear with_parameters(VectorIn theta) const;

  double operator()(VectorIn x, VectorIn y) const;
  Vector gradient(VectorIn x, VectorIn y) const;
  Vector input_gradient(VectorIn x, VectorIn y) const;
  void gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const;
  void pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const;
  Vector diagonal(MatrixIn X) const;
  void pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const;
};

}  // namespace bochner
