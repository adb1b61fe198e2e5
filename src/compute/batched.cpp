#include "bochner/compute/batched.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <string>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {
namespace {

[[noreturn]] void refuse(std::string_view what) {
  throw NumericalError(std::string(what) + " is not positive definite");
}

}  // namespace

std::vector<Eigen::MatrixXd> weighted_grams(MatrixIn Phi, const Eigen::MatrixXd& Omega, VectorIn added) {
  check_size("weighted_grams", "rows of Omega", Omega.rows(), "rows of Phi", Phi.rows());
  check_size("weighted_grams", "added", added.size(), "columns of Phi", Phi.cols());
  constexpr Index rows_together = 256;  // stay in the cache for all columns; Phi as a whole may not
  std::vector<Eigen::MatrixXd> out(static_cast<std::size_t>(Omega.cols()),
                                   Eigen::MatrixXd::Zero(Phi.cols(), Phi.cols()));
  Matrix scaled;
  for (Index begin = 0; begin < Phi.rows(); begin += rows_together) {
    const Index size = std::min(rows_together, Phi.rows() - begin);
    for (Index c = 0; c < Omega.cols(); ++c) {
      scaled =
          Phi.middleRows(begin, size).array().colwise() * Omega.col(c).segment(begin, size).array().sqrt();
      out[static_cast<std::size_t>(c)].selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
    }
  }
  for (Eigen::MatrixXd& P : out) P.diagonal() += added;
  return out;
}

SmallCholesky::SmallCholesky(const Eigen::MatrixXd& P, std::string_view what) {
  if (!factorise(P)) refuse(what);
}

SmallCholesky SmallCholesky::lifting(Eigen::MatrixXd& P, std::string_view what) {
  SmallCholesky out;
  for (double share = 1e-12; !out.factorise(P); share *= 10) {
    if (share > 1) refuse(what);
    P.diagonal().array() += share * P.diagonal().maxCoeff();
  }
  return out;
}

bool SmallCholesky::factorise(const Eigen::MatrixXd& P) {
  L_ = P;
  return Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(L_).info() == Eigen::Success;
}

Vector SmallCholesky::solve_lower(VectorIn b) const { return L_.triangularView<Eigen::Lower>().solve(b); }

Vector SmallCholesky::solve_lower_transposed(VectorIn b) const {
  return L_.transpose().triangularView<Eigen::Upper>().solve(b);
}

Vector SmallCholesky::solve(VectorIn b) const { return solve_lower_transposed(solve_lower(b)); }

Vector SmallCholesky::multiply_transposed(VectorIn b) const {
  return L_.transpose().triangularView<Eigen::Upper>() * b;
}

double SmallCholesky::half_log_determinant() const { return L_.diagonal().array().log().sum(); }

}  // namespace bochner
