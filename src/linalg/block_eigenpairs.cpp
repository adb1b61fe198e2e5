#include "bochner/linalg/block_eigenpairs.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <string>

#include "bochner/compute/products.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "dense_eigenpairs.hpp"

namespace bochner {
namespace {

/// An orthonormal basis Q of part of the space, with A Q beside it: Rayleigh-Ritz and residuals are then products.
class Basis {
 public:
  Basis(Index n, Index most, const Compute& compute)
      : Q_(n, most), AQ_(n, most), T_(most, most), compute_(compute) {}

  Index size() const { return size_; }
  Index capacity() const { return Q_.cols(); }

  /// Appends V, orthonormal and orthogonal to the basis, with A V.
  void append(const Matrix& V, const Matrix& AV) {
    const Index b = V.cols();
    Q_.middleCols(size_, b) = V;
    AQ_.middleCols(size_, b) = AV;
    size_ += b;
    const Matrix projected = multiply_transposed<double>(Q_.leftCols(size_), AV, compute_);  // size x b
    T_.block(0, size_ - b, size_, b) = projected;
    T_.block(size_ - b, 0, b, size_) = projected.transpose();
  }

  /// W minus its part in the basis, made orthonormal. Directions that vanish become random ones: the basis may have met
  /// an invariant subspace, beyond which nothing is known.
  Matrix expand(Matrix W, double scale, Rng& rng) const {
    for (int again = 0; again < 2; ++again) project(W);
    Matrix V = orthonormal(W, 1e-13 * scale);
    for (Index j = 0; j < V.cols(); ++j)
      if (V.col(j).squaredNorm() < 0.5) V.col(j) = rng.normal(V.rows()) / std::sqrt(double(V.rows()));
    // Small columns of W were blown up together with the rounding of the large ones; only among columns of length one can
    // the two be told apart.
    for (int again = 0; again < 2; ++again) {
      project(V);
      V = orthonormal(V, 0);
    }
    return V;
  }

  struct Ritz {
    Vector values;  // from the largest down
    Matrix Y;       // size x size, coordinates in the basis
  };
  Ritz ritz() const {
    const Eigen::MatrixXd T = T_.topLeftCorner(size_, size_);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (T + T.transpose()));
    if (solver.info() != Eigen::Success)
      throw NumericalError("top_eigenpairs: the projected problem did not converge");
    return {solver.eigenvalues().reverse(), solver.eigenvectors().rowwise().reverse()};
  }

  Matrix vectors(const Ritz& r, Index count) const {
    return multiply<double>(Q_.leftCols(size_), r.Y.leftCols(count), compute_);
  }

  /// |A v - value v| of the first `count`.
  Vector residuals(const Ritz& r, Index count) const {
    const Matrix R = multiply<double>(AQ_.leftCols(size_), r.Y.leftCols(count), compute_) -
                     vectors(r, count) * r.values.head(count).asDiagonal();
    return R.colwise().norm();
  }

  /// Keeps the span of the first `count` Ritz vectors.
  void restart(const Ritz& r, Index count) {
    const Matrix Q = vectors(r, count);
    const Matrix AQ = multiply<double>(AQ_.leftCols(size_), r.Y.leftCols(count), compute_);
    Q_.leftCols(count) = Q;
    AQ_.leftCols(count) = AQ;
    size_ = count;
    T_.topLeftCorner(count, count) = multiply_transposed<double>(Q, AQ, compute_);
  }

 private:
  void project(Matrix& W) const {
    if (size_ == 0) return;
    W -= multiply<double>(Q_.leftCols(size_), multiply_transposed<double>(Q_.leftCols(size_), W, compute_),
                          compute_);
  }

  /// The orthonormal factor of W by pivoted QR; zero columns where the diagonal of R is below `least`.
  static Matrix orthonormal(const Matrix& W, double least) {
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr{Eigen::MatrixXd(W)};
    Matrix V = qr.householderQ() * Eigen::MatrixXd::Identity(W.rows(), W.cols());
    for (Index j = 0; j < W.cols(); ++j)
      if (std::abs(qr.matrixR()(j, j)) <= least) V.col(j).setZero();
    return V;
  }

  Matrix Q_, AQ_, T_;
  Index size_ = 0;
  Compute compute_;
};

/// Many eigenpairs of a small matrix: the iteration would work with a basis of almost its size.
bool blocks_do_not_pay(Index n, Index s) { return n <= 200 || 4 * s >= n || (8 * s >= n && n <= 1500); }

}  // namespace

Eigenpairs top_eigenpairs(const BlockOperator& apply, Index n, Index s, const BlockEigenOptions& options,
                          Rng rng, const Compute& compute) {
  check_at_least("top_eigenpairs", "s", s, 1);
  check_at_least("top_eigenpairs", "n", n, s);
  if (blocks_do_not_pay(n, s)) {
    Matrix A = apply(Matrix::Identity(n, n));
    A = (0.5 * (A + A.transpose())).eval();
    check_finite("top_eigenpairs", "the product", A);
    return dense_eigenpairs(A, s);
  }
  const Index wanted = options.block > 0 ? options.block : s <= 40 ? 8 : 16;
  const Index b = std::min(wanted, n);
  const Index most = std::min(n, std::max(8 * b, 5 * s + 2 * b));
  const Index keep = std::min(most, s + b);
  Basis basis(n, most, compute);
  Matrix V = basis.expand(rng.split("start").normal(n, b), 0, rng);
  double scale = 0;
  for (Index pass = 0; pass < options.max_passes; ++pass) {
    const Matrix AV = apply(V);
    check_finite("top_eigenpairs", "the product", AV);
    basis.append(V, AV);
    scale = std::max(scale, AV.colwise().norm().maxCoeff());  // at most |A|
    const Index next = std::min(b, n - basis.size());
    const bool full = basis.size() + next > basis.capacity() || next == 0;
    // Rayleigh-Ritz costs as much as a product or more: now and then while the basis grows, and when it is full.
    if (basis.size() >= s && (full || pass % 4 == 3)) {
      const Basis::Ritz r = basis.ritz();
      if (next == 0 ||
          basis.residuals(r, s).maxCoeff() <= options.tolerance * r.values.cwiseAbs().maxCoeff()) {
        Eigenpairs pairs{r.values.head(s), basis.vectors(r, s)};
        fix_signs(pairs.vectors);
        return pairs;
      }
      V = basis.expand(AV.leftCols(next), scale, rng);
      if (full) basis.restart(r, keep);
    } else {
      V = basis.expand(AV.leftCols(next), scale, rng);
    }
  }
  throw NumericalError("top_eigenpairs: " + std::to_string(s) + " eigenpairs did not converge in " +
                       std::to_string(options.max_passes) + " products; ask for fewer of them");
}

}  // namespace bochner
