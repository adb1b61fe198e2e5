#include "bochner/kernels/frequencies.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"

namespace bochner {

void check_noise(const char* function, MatrixIn part, Index rows, Index cols) {
  check_size(function, "rows of the noise", part.rows(), "the number of frequencies", rows);
  check_size(function, "columns of the noise", part.cols(), "those this kernel draws", cols);
}

void check_noise_parts(const char* function, const SpectralNoise& noise, std::size_t parts) {
  check_size(function, "number of parts of the noise", static_cast<Index>(noise.parts.size()),
             "number of kernels", static_cast<Index>(parts));
}

void check_adjoint(const char* function, const Frequencies& dL, Index rows, Index cols, bool paired) {
  check_size(function, "rows of dL.Omega1", dL.Omega1.rows(), "the number of frequencies", rows);
  check_size(function, "columns of dL.Omega1", dL.Omega1.cols(), "the kernel's input dimensions", cols);
  check_size(function, "size of dL.amplitude", dL.amplitude.size(), "the number of frequencies", rows);
  check_size(function, "rows of dL.Omega2", dL.Omega2.rows(), "the number of pairs", paired ? rows : 0);
  if (paired)
    check_size(function, "columns of dL.Omega2", dL.Omega2.cols(), "the kernel's input dimensions", cols);
}

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
    for (Index i = 0; i < size;
         ++i)  // keep the chi-distributed length of the independent row, turn its direction
      E.row(begin + i) = E.row(begin + i).norm() * rotation.col(i).transpose();
  }
  return E;
}

}  // namespace bochner
