#pragma once
#include <string_view>
#include <vector>

#include "bochner/core/types.hpp"

// Many small problems of one shape, such as one for each column of a table. Each call is the work of a single thread:
// callers share batches out over threads.
namespace bochner {

/// Lower triangles of Phi' diag(omega) Phi + diag(added), F x F, for each column omega >= 0 of Omega. Blocks of rows of
/// Phi stay in the cache for all columns.
std::vector<Eigen::MatrixXd> weighted_grams(MatrixIn Phi, const Eigen::MatrixXd& Omega, VectorIn added);

/// P = L L' of a small symmetric P, of which only the lower triangle is read. For large ones: cholesky.
class SmallCholesky {
 public:
  /// Throws NumericalError if P is not positive definite; `what` names it.
  SmallCholesky(const Eigen::MatrixXd& P, std::string_view what);

  /// Where rounding has left P without a factor, a little is added to its diagonal until it has one: 1e-12 of the largest
  /// diagonal entry, then ten times as much, and so on up to all of it. P is what was factorised afterwards.
  static SmallCholesky lifting(Eigen::MatrixXd& P, std::string_view what);

  Vector solve_lower(VectorIn b) const;             // L^-1 b
  Vector solve_lower_transposed(VectorIn b) const;  // L^-T b
  Vector solve(VectorIn b) const;                   // P^-1 b
  Vector multiply_transposed(VectorIn b) const;     // L' b
  double half_log_determinant() const;              // log |P| / 2

 private:
  SmallCholesky() = default;
  bool factorise(const Eigen::MatrixXd& P);

  Eigen::MatrixXd L_;  // lower triangle
};

}  // namespace bochner
