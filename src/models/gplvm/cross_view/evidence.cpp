#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "bochner/compute/row_plan.hpp"
#include "bochner/linalg/missing_patterns.hpp"
#include "columns.hpp"
#include "ratios.hpp"

namespace bochner {
namespace {

constexpr std::size_t patterns_to_tune = 8;

}  // namespace

/// Householder's tridiagonal form Q'CQ serves every rho: determinants and solves in O(n).
double log_evidence(const Matrix& C, MatrixIn Y, const Compute& compute) {
  const Vector& rho = cross_view_ratios();
  std::vector<MissingPattern> patterns;
  for (MissingPattern& pattern : missing_patterns(Y))
    if (Index(pattern.rows.size()) >= cross_view_fewest) patterns.push_back(std::move(pattern));
  if (patterns.size() > patterns_to_tune) {
    std::vector<MissingPattern> some;
    for (std::size_t i = 0; i < patterns_to_tune; ++i)
      some.push_back(patterns[i * patterns.size() / patterns_to_tune]);
    patterns = std::move(some);
  }
  std::vector<Index> first{0};
  for (const MissingPattern& pattern : patterns)
    first.push_back(first.back() + Index(pattern.columns.size()));
  if (first.back() == 0) return 0;
  Matrix L = Matrix::Zero(first.back(), cross_view_ratio_count);
  for_each_block(compute, Index(patterns.size()), 1, [&](Index i, Index) {
    const MissingPattern& pattern = patterns[static_cast<std::size_t>(i)];
    const auto n = Index(pattern.rows.size());
    Eigen::MatrixXd A = C(pattern.rows, pattern.rows), y = Y(pattern.rows, pattern.columns);
    const Vector mean = A.rowwise().mean();
    A.colwise() -= mean;
    A.rowwise() -= mean.transpose();
    A.array() += mean.mean();
    y.rowwise() -= y.colwise().mean().eval();
    const Vector squares = y.colwise().squaredNorm().transpose();
    const Eigen::Tridiagonalization<Eigen::MatrixXd> form(A);
    const Vector diagonal = form.diagonal(), below = form.subDiagonal();
    const Matrix z = form.matrixQ().adjoint() * y;
    for (Index g = 0; g < cross_view_ratio_count; ++g) {
      // L D L' of the tridiagonal matrix; u = L^-1 z, q = sum u^2 / D
      double pivot = std::max(diagonal(0) + rho(g), 1e-3 * rho(g)), log_det = std::log(pivot);
      Eigen::RowVectorXd u = z.row(0), q = u.cwiseAbs2() / pivot;
      for (Index r = 1; r < n; ++r) {
        const double l = below(r - 1) / pivot;
        pivot = std::max(diagonal(r) + rho(g) - l * below(r - 1), 1e-3 * rho(g));
        log_det += std::log(pivot);
        u = (z.row(r) - l * u).eval();
        q += u.cwiseAbs2() / pivot;
      }
      for (Index c = 0; c < q.size(); ++c)
        if (varies(squares(c), n))
          L(first[static_cast<std::size_t>(i)] + c, g) =
              column_evidence(log_det - std::log(rho(g)), q(c) + rounding_squares * squares(c), double(n));
    }
  });
  return share_prior(L, flat_prior(), prior_steps).log_evidence;
}

}  // namespace bochner
