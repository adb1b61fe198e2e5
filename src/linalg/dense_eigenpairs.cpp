#include "dense_eigenpairs.hpp"

#include <Eigen/Eigenvalues>

#include "bochner/core/errors.hpp"

namespace bochner {

void fix_signs(Matrix& vectors) {
  for (Index j = 0; j < vectors.cols(); ++j) {
    Index largest = 0;
    vectors.col(j).cwiseAbs().maxCoeff(&largest);
    if (vectors(largest, j) < 0) vectors.col(j) *= -1;
  }
}

Eigenpairs dense_eigenpairs(MatrixIn A, Index s) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(A)};
  if (solver.info() != Eigen::Success)
    throw NumericalError("top_eigenpairs: the full decomposition did not converge");
  Eigenpairs pairs{solver.eigenvalues().tail(s).reverse(),
                   solver.eigenvectors().rightCols(s).rowwise().reverse()};
  fix_signs(pairs.vectors);
  return pairs;
}

}  // namespace bochner
