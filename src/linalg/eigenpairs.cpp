#include "bochner/linalg/eigenpairs.hpp"

#include <Spectra/SymEigsSolver.h>
#include <algorithm>
#include <stdexcept>
#include <string>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "dense_eigenpairs.hpp"

namespace bochner {
namespace {

constexpr Index dense_below = 96;

/// What Spectra asks of an operator.
struct Operator {
  using Scalar = double;
  const std::function<void(VectorIn, VectorOut)>& apply;
  Index n;
  Index rows() const { return n; }
  Index cols() const { return n; }
  void perform_op(const double* x, double* y) const {
    apply(Eigen::Map<const Vector>(x, n), Eigen::Map<Vector>(y, n));
  }
};

bool dense_is_better(Index n, Index s) { return n <= dense_below || 3 * s >= n; }

void check_arguments(Index n, Index s) {
  check_at_least("top_eigenpairs", "s", s, 1);
  check_at_least("top_eigenpairs", "n", n, s);
}

/// Whether these are orthonormal eigenvectors at all. Once a matrix of low rank has given all it has, Spectra iterates on rounding
/// errors, and may call converged what has nothing to do with the matrix.
bool are_eigenpairs(const Eigenpairs& pairs, const Operator& A, double tolerance) {
  const double limit = std::max(1e-6, 100 * tolerance);
  const Matrix gram = pairs.vectors.transpose() * pairs.vectors;
  if (!((gram - Matrix::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff() < limit)) return false;
  const double size = pairs.values.cwiseAbs().maxCoeff();
  Vector image(A.n);
  for (Index j = 0; j < pairs.values.size(); ++j) {
    const Vector v = pairs.vectors.col(j);
    A.apply(v, image);
    if (!((image - pairs.values(j) * v).norm() <= limit * size)) return false;
  }
  return true;
}

}  // namespace

Eigenpairs top_eigenpairs(const std::function<void(VectorIn, VectorOut)>& apply, Index n, Index s,
                          const EigenOptions& options) {
  check_arguments(n, s);
  const auto densely = [&] {
    Eigen::MatrixXd A(n, n);
    Vector column(n);
    for (Index j = 0; j < n; ++j) {
      apply(Vector::Unit(n, j), column);
      A.col(j) = column;
    }
    return dense_eigenpairs(0.5 * (A + A.transpose()), s);
  };
  if (dense_is_better(n, s)) return densely();
  Operator op{apply, n};
  const Index subspace = std::min(n, std::max<Index>(2 * s + 1, 20));
  Spectra::SymEigsSolver<Operator> solver(op, s, subspace);
  solver.init();
  Index converged = 0;
  try {
    converged = solver.compute(Spectra::SortRule::LargestAlge, options.max_iterations, options.tolerance);
  } catch (const std::runtime_error&) {
    return densely();  // of low rank
  }
  if (solver.info() != Spectra::CompInfo::Successful)
    throw NumericalError("top_eigenpairs: " + std::to_string(converged) + " of " + std::to_string(s) +
                         " eigenpairs converged in " + std::to_string(options.max_iterations) +
                         " iterations; ask for fewer, or raise max_iterations");
  Eigenpairs pairs{solver.eigenvalues(), solver.eigenvectors()};
  if (!are_eigenpairs(pairs, op, options.tolerance)) return densely();
  fix_signs(pairs.vectors);
  return pairs;
}

Eigenpairs top_eigenpairs(MatrixIn A, Index s, const EigenOptions& options, const Compute& compute) {
  check_size("top_eigenpairs", "columns of A", A.cols(), "rows of A", A.rows());
  check_arguments(A.rows(), s);
  check_finite("top_eigenpairs", "A", A);
  if (dense_is_better(A.rows(), s)) return dense_eigenpairs(A, s);
  const auto apply = [&](VectorIn x, VectorOut y) {
    for_each_block(compute, A.rows(), 256, [&](Index begin, Index size) {
      y.segment(begin, size).noalias() = A.middleRows(begin, size) * x;
    });
  };
  return top_eigenpairs(apply, A.rows(), s, options);
}

}  // namespace bochner
