#pragma once
#include <Eigen/Cholesky>
#include <cmath>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::testing {

/// log N(y | 0, Sigma) from a dense LDL', nothing shared with the library.
inline double slow_log_normal(const Eigen::VectorXd& y, const Eigen::MatrixXd& Sigma) {
  const Eigen::LDLT<Eigen::MatrixXd> ldlt(Sigma);
  const double log_det = ldlt.vectorD().array().log().sum();
  return -0.5 * (double(y.size()) * std::log(2 * 3.14159265358979323846) + log_det + y.dot(ldlt.solve(y)));
}

/// The twin of every evidence: one dense Gaussian per column, on the rows where it is measured.
inline double slow_evidence(const Matrix& K, const Matrix& Y, double sigma2) {
  double sum = 0;
  for (Index m = 0; m < Y.cols(); ++m) {
    std::vector<Index> rows;
    for (Index n = 0; n < Y.rows(); ++n)
      if (!std::isnan(Y(n, m))) rows.push_back(n);
    if (rows.empty()) continue;
    Eigen::MatrixXd Sigma = K(rows, rows);
    Sigma.diagonal().array() += sigma2;
    sum += slow_log_normal(Y.col(m)(rows), Sigma);
  }
  return sum;
}

/// Y with a fraction of its entries, whole rows and a whole column missing, as asked.
inline Matrix with_missing(Matrix Y, double fraction, Rng rng) {
  for (Index n = 0; n < Y.rows(); ++n)
    for (Index m = 0; m < Y.cols(); ++m)
      if (rng.uniform() < fraction) Y(n, m) = std::nan("");
  return Y;
}

}  // namespace bochner::testing
