#include "precisions.hpp"

#include <algorithm>

namespace bochner {

Vector prior_precision(Index features, double amplitude, double intercept_sd) {
  Vector p = Vector::Constant(features, 1 / amplitude);
  p(features - 1) = 1 / (intercept_sd * intercept_sd);
  return p;
}

std::vector<Columns> precisions(MatrixIn Phi, const Columns& Omega, VectorIn precision) {
  constexpr Index rows_together = 256;  // stay in the cache for all columns; Phi as a whole may not
  std::vector<Columns> out(static_cast<std::size_t>(Omega.cols()), Columns::Zero(Phi.cols(), Phi.cols()));
  Matrix scaled;
  for (Index begin = 0; begin < Phi.rows(); begin += rows_together) {
    const Index size = std::min(rows_together, Phi.rows() - begin);
    for (Index c = 0; c < Omega.cols(); ++c) {
      scaled =
          Phi.middleRows(begin, size).array().colwise() * Omega.col(c).segment(begin, size).array().sqrt();
      out[static_cast<std::size_t>(c)].selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
    }
  }
  for (Columns& P : out) P.diagonal() += precision;
  return out;
}

}  // namespace bochner
