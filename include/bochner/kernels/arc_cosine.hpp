#pragma once
#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// The limit of an infinitely wide layer of Heaviside (order 0), ReLU (1) or squared ReLU (2) units:
///
///   k(x, y) = sigma2 / pi |u|^n |v|^n J_n(theta),  u = (sqrt(w_d) x_d, sqrt(bias)), v likewise of y,
///   theta the angle between u and v, c = cos theta                                   [cho2009, Eq. 3 to 6]
///   J_0 = pi - theta,  J_1 = sin theta + (pi - theta) c,  J_2 = 3 sin theta c + (pi - theta) (1 + 2 c^2)
///
/// Trap: theta = acos(c) loses half of the digits near 0 and pi, and dJ_0/dc = 1 / sin theta is infinite there.
/// Angles come from the distance s of the unit vectors, theta = 2 asin(s / 2), and gradients go through s^2; for
/// n > 0 dJ_n/dc = n^2 J_{n-1} needs no division. Order 0 has a cusp at theta = 0; its gradient there is taken
/// as 0, the mean of the two sides.
/// theta = (log w_1 .. log w_D, log bias, log sigma2); the order is not learned
struct ArcCosine {
  Vector weight;        // D, > 0
  double bias = 1.0;    // > 0
  double sigma2 = 1.0;  // > 0
  int order = 1;        // 0, 1 or 2

  Index input_dims() const { return weight.size(); }
  Index parameter_count() const { return weight.size() + 2; }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  ArcCosine with_parameters(VectorIn theta) const;

  double operator()(VectorIn x, VectorIn y) const;
  Vector gradient(VectorIn x, VectorIn y) const;
  Vector input_gradient(VectorIn x, VectorIn y) const;
  void gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const;
  void pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const;
  Vector diagonal(MatrixIn X) const;
  void pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const;
};

}  // namespace bochner
