#pragma once
#include <cmath>

#include "bochner/core/types.hpp"

namespace bochner {

/// 2 Q points of equal weight with the mean and covariance of N(0, I): +- sqrt(Q) along each axis, the third-degree
/// spherical rule. Expectations of smooth functions under a narrow q(x) without a draw, hence the same for every call.
inline Matrix sigma_points(Index Q) {
  Matrix xi = Matrix::Zero(2 * Q, Q);
  for (Index q = 0; q < Q; ++q) {
    xi(2 * q, q) = std::sqrt(double(Q));
    xi(2 * q + 1, q) = -std::sqrt(double(Q));
  }
  return xi;
}

}  // namespace bochner
