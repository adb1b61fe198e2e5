#include "bochner/compute/cholesky.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <sstream>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {
namespace {

constexpr Index panel = 128;       // columns factorised at a time
constexpr Index tile = 128;        // rows and columns of a task in the trailing update
constexpr Index columns = 32;      // right-hand sides per task of a solve
constexpr Index sequential = 256;  // below this Eigen's own factorisation is as fast

/// Right-looking blocked factorisation of the lower triangle in place; the strict upper triangle is left alone. False
/// when a pivot is not positive.
bool factorise(Matrix& A, const Compute& compute) {
  const Index n = A.rows();
  if (n <= sequential) return Eigen::LLT<Eigen::Ref<Matrix>>(A).info() == Eigen::Success;
  for (Index k = 0; k < n; k += panel) {
    const Index nk = std::min(panel, n - k), rest = k + nk;
    auto pivot = A.block(k, k, nk, nk);
    {
      Eigen::Ref<Matrix> view = pivot;
      if (Eigen::LLT<Eigen::Ref<Matrix>>(view).info() != Eigen::Success) return false;
    }
    for_each_block(compute, n - rest, tile, [&](Index begin, Index size) {  // L21 = A21 L11^-T
      Eigen::MatrixXd rows =
          A.block(rest + begin, k, size, nk).transpose();  // column-major: Eigen's fast solve
      pivot.triangularView<Eigen::Lower>().solveInPlace(rows);
      A.block(rest + begin, k, size, nk) = rows.transpose();
    });
    const Index m = n - rest, tiles = (m + tile - 1) / tile;
    compute.threads.run(tiles * (tiles + 1) / 2, [&](Index task) {  // A22 -= L21 L21', lower tiles
      Index i = 0;
      while (task > i) task -= ++i;
      const Index bi = rest + i * tile, bj = rest + task * tile;
      const Index ni = std::min(tile, n - bi), nj = std::min(tile, n - bj);
      if (bi == bj)
        A.block(bi, bi, ni, ni).selfadjointView<Eigen::Lower>().rankUpdate(A.block(bi, k, ni, nk), -1.0);
      else
        A.block(bi, bj, ni, nj).noalias() -= A.block(bi, k, ni, nk) * A.block(bj, k, nj, nk).transpose();
    });
  }
  return true;
}

[[noreturn]] void fail(const CholeskyOptions& options, const std::string& cause) {
  throw NumericalError("cholesky: " + options.what + " " + cause);
}

void check_entries(const Matrix& A, const CholeskyOptions& options) {
  for (Index i = 0; i < A.rows(); ++i) {
    if (!A.row(i).head(i + 1).allFinite()) {
      Index j = 0;
      while (std::isfinite(A(i, j))) ++j;
      std::ostringstream cause;
      cause << "has the entry " << A(i, j) << " in row " << i << ", column " << j
            << "; a parameter or input has left the finite numbers";
      fail(options, cause.str());
    }
    if (!(A(i, i) > 0)) {
      std::ostringstream cause;
      cause << "has the diagonal entry " << A(i, i) << " in row " << i
            << ", so it is not positive definite; a variance is zero or negative";
      fail(options, cause.str());
    }
  }
}

}  // namespace

CholeskyFactor cholesky(Matrix A, const CholeskyOptions& options, const Compute& compute) {
  check_size("cholesky", "columns of A", A.cols(), "rows of A", A.rows());
  check_entries(A, options);
  const Vector diagonal = A.diagonal();
  const double mean_diagonal = A.rows() > 0 ? diagonal.mean() : 1.0;
  mirror_lower<double>(A, compute);  // the strict upper triangle keeps the original for another attempt
  double jitter = 0;
  for (std::size_t attempt = 0; !factorise(A, compute); ++attempt) {
    if (attempt == options.jitter.size()) {
      std::ostringstream cause;
      cause << "of size " << A.rows() << " is not positive definite, even with " << jitter
            << " added to its diagonal (mean " << mean_diagonal
            << "); inputs are duplicated at nearly zero noise, or the kernel is not one";
      fail(options, cause.str());
    }
    jitter = options.jitter[attempt] * mean_diagonal;
    A.triangularView<Eigen::StrictlyLower>() = A.transpose();
    A.diagonal() = diagonal.array() + jitter;
  }
  A.triangularView<Eigen::StrictlyUpper>().setZero();
  return {.L = std::move(A), .jitter = jitter};
}

double log_determinant(const CholeskyFactor& factor) { return 2 * factor.L.diagonal().array().log().sum(); }

namespace {

/// Solves in blocks of right-hand sides; each is copied to a compact block first, which Eigen's solver likes best.
template <class Solve>
Matrix solve_columns(const CholeskyFactor& factor, MatrixIn B, const Compute& compute, const char* function,
                     const Solve& in_place) {
  check_size(function, "rows of B", B.rows(), "rows of the factor", factor.size());
  Matrix X(B.rows(), B.cols());
  for_each_block(compute, B.cols(), columns, [&](Index begin, Index size) {
    Eigen::MatrixXd block = B.middleCols(begin, size);
    in_place(block);
    X.middleCols(begin, size) = block;
  });
  return X;
}

}  // namespace

Matrix solve_lower(const CholeskyFactor& factor, MatrixIn B, const Compute& compute) {
  return solve_columns(factor, B, compute, "solve_lower",
                       [&](Eigen::MatrixXd& b) { factor.L.triangularView<Eigen::Lower>().solveInPlace(b); });
}

Matrix solve_lower_transposed(const CholeskyFactor& factor, MatrixIn B, const Compute& compute) {
  return solve_columns(factor, B, compute, "solve_lower_transposed", [&](Eigen::MatrixXd& b) {
    factor.L.transpose().triangularView<Eigen::Upper>().solveInPlace(b);
  });
}

Matrix solve(const CholeskyFactor& factor, MatrixIn B, const Compute& compute) {
  return solve_columns(factor, B, compute, "solve", [&](Eigen::MatrixXd& b) {
    factor.L.triangularView<Eigen::Lower>().solveInPlace(b);
    factor.L.transpose().triangularView<Eigen::Upper>().solveInPlace(b);
  });
}

namespace {

/// L^-T, upper triangular: row j is column j of L^-1, so rows start at the diagonal.
Matrix inverse_transposed(const CholeskyFactor& factor, const Compute& compute) {
  const Index n = factor.size();
  Matrix W = Matrix::Zero(n, n);
  for_each_block(compute, n, columns, [&](Index begin, Index size) {
    const Index m = n - begin;
    Eigen::MatrixXd block = Eigen::MatrixXd::Zero(m, size);
    block.topRows(size).setIdentity();
    factor.L.bottomRightCorner(m, m).triangularView<Eigen::Lower>().solveInPlace(block);
    W.block(begin, begin, size, m) = block.transpose();
  });
  return W;
}

}  // namespace

Matrix cholesky_of_inverse(MatrixIn A, const CholeskyOptions& options, const Compute& compute) {
  // Backwards, A = U U' with U upper triangular; then A^-1 = U^-T U^-1, and U^-T is lower triangular.
  const CholeskyFactor backwards = cholesky(A.transpose().reverse(), options, compute);
  return inverse_transposed(backwards, compute).reverse();
}

Matrix inverse(const CholeskyFactor& factor, const Compute& compute) {
  const Index n = factor.size();
  const Matrix W = inverse_transposed(factor, compute);
  Matrix A(n, n);  // (L L')^-1 = W W', the sum starting at the later of the two rows
  const Index tiles = (n + tile - 1) / tile;
  compute.threads.run(tiles * (tiles + 1) / 2, [&](Index task) {
    Index i = 0;
    while (task > i) task -= ++i;
    const Index bi = i * tile, bj = task * tile, m = n - bi;
    const Index ni = std::min(tile, n - bi), nj = std::min(tile, n - bj);
    A.block(bi, bj, ni, nj).noalias() = W.block(bi, bi, ni, m) * W.block(bj, bi, nj, m).transpose();
  });
  mirror_lower<double>(A, compute);
  return A;
}

Matrix congruence_solve(const CholeskyFactor& factor, MatrixIn H, const Compute& compute) {
  const Matrix& L = factor.L;
  const Index n = factor.size();
  check_size("congruence_solve", "rows of H", H.rows(), "rows of the factor", n);
  check_size("congruence_solve", "columns of H", H.cols(), "rows of the factor", n);
  // L'DL = H by panels from the bottom. With L = [L11 0; L21 L22], D22 already known:
  //   X   = L22^-T H21
  //   D21 = (X - D22 L21) L11^-1
  //   L11' D11 L11 = H11 - W'L21 - L21'W,   W = X - D22 L21 / 2
  Matrix D = H.triangularView<Eigen::Lower>();
  const Index last = n == 0 ? 0 : (n - 1) / panel * panel;
  for (Index i = last; i > 0; i -= panel) {  // all X, in place of H21
    const Index ni = std::min(panel, n - i), below = n - i - ni;
    for_each_block(compute, i, tile / 2, [&](Index j, Index nj) {
      Eigen::MatrixXd X = D.block(i, j, ni, nj);
      X.noalias() -= L.block(i + ni, i, below, ni).transpose() * D.block(i + ni, j, below, nj);
      L.block(i, i, ni, ni).transpose().triangularView<Eigen::Upper>().solveInPlace(X);
      D.block(i, j, ni, nj) = X;
    });
  }
  for (Index j = last; n > 0; j -= panel) {
    const Index nj = std::min(panel, n - j), rest = j + nj, below = n - rest;
    const auto L11 = L.block(j, j, nj, nj), L21 = L.block(rest, j, below, nj);
    Matrix W(below, nj);
    for_each_block(compute, below, tile / 2, [&](Index i, Index ni) {
      auto X = D.block(rest + i, j, ni, nj);
      Matrix DL(ni, nj);
      DL.noalias() = D.block(rest + i, rest, ni, below) * L21;
      W.middleRows(i, ni) = X - 0.5 * DL;
      Eigen::MatrixXd D12 = (X - DL).transpose();
      L11.transpose().triangularView<Eigen::Upper>().solveInPlace(D12);
      X = D12.transpose();
      D.block(j, rest + i, nj, ni) = D12;
    });
    Matrix V = Matrix::Zero(nj, nj);  // L21'W
    if (below > 0)
      for_each_block(compute, nj, columns, [&](Index c, Index nc) {
        V.middleCols(c, nc).noalias() = L21.transpose() * W.middleCols(c, nc);
      });
    Eigen::MatrixXd corner = D.block(j, j, nj, nj).selfadjointView<Eigen::Lower>();
    corner -= V + V.transpose();
    L11.transpose().triangularView<Eigen::Upper>().solveInPlace(corner);
    corner.transposeInPlace();
    L11.transpose().triangularView<Eigen::Upper>().solveInPlace(corner);
    D.block(j, j, nj, nj) = 0.5 * (corner + corner.transpose());
    if (j == 0) break;
  }
  return D;
}

Matrix cholesky_pullback(const CholeskyFactor& factor, MatrixIn dL_dfactor, const Compute& compute) {
  check_size("cholesky_pullback", "rows of dL_dfactor", dL_dfactor.rows(), "rows of the factor",
             factor.size());
  // dL/dA = 1/2 L^-T (P + P') L^-1,  P = Phi(L' dL/dL), Phi = lower triangle with half the diagonal
  const Matrix P = multiply<double>(factor.L.transpose(),
                                    dL_dfactor.triangularView<Eigen::Lower>().toDenseMatrix(), compute);
  return 0.5 * congruence_solve(factor, P, compute);
}

}  // namespace bochner
