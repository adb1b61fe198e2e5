#include "bochner/kernels/frequencies.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"

namespace bochner {

Matrix gaussian_directions(Index rows, Index cols, Directions directions, Rng& rng) {
  check_at_least("gaussian_directions", "rows", rows, 0);
  check_at_least("gaussian_directions", "cols", cols, 1);
  Matrix E = rng.normal(rows, cols);
  if (directions == Directions::independent) return E;
  for (Index begin = 0; begin < rows; begin += cols) {
    // Haar-distributed rotation: QR of a Gaussian matrix with the signs of R's diagonal divided out.
    const Eigen::MatrixXd G = rng.normal(cols, cols);
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(G);
    Eigen::MatrixXd rotation = qr.householderQ();
    for (Index d = 0; d < cols; ++d)
      if (qr.matrixQR()(d, d) < 0) rotation.col(d) *= -1;
    const Index size = std::min(cols, rows - begin);
    for (Index i = 0; i < size; ++i)  // keep the chi-distributed length of the independent row, turn its direction
      E.row(begin + i) = E.row(begin + i).norm() * rotation.col(i).transpose();
  }
  return E;
}

}  // namespace bochner
