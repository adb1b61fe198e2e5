#include "likelihood_rows.hpp"
#include "bochner/compute/row_plan.hpp"

#include <vector>

namespace bochner {
namespace {

constexpr Index block_rows = 64;

/// The rows of Y with their weights in the last column. The sum over rows in dtheta needs one row at a time.
ExpectedLog weighted_log(const AnyLikelihood& likelihood, const Matrix& Y, const Matrix& mean,
                         const Matrix& variance) {
  const Index B = Y.rows(), P = Y.cols() - 1;
  ExpectedLog out{Vector(B), Matrix(B, mean.cols()), Matrix(B, mean.cols()),
                  Vector::Zero(parameter_count(likelihood))};
  for (Index n = 0; n < B; ++n) {
    const double weight = Y(n, P);
    const ExpectedLog one =
        expected_log(likelihood, Matrix(Y.row(n).head(P)), Matrix(mean.row(n)), Matrix(variance.row(n)));
    out.rows(n) = weight * one.rows(0);
    out.dmean.row(n) = weight * one.dmean.row(0);
    out.dvar.row(n) = weight * one.dvar.row(0);
    out.dtheta += weight * one.dtheta;
  }
  return out;
}

}  // namespace

ExpectedLog expected_log(const AnyLikelihood& likelihood, MatrixIn Y, MatrixIn mean, MatrixIn variance,
                         const Compute& compute) {
  const Index B = Y.rows(), blocks = (B + block_rows - 1) / block_rows;
  ExpectedLog out{Vector(B), Matrix(B, mean.cols()), Matrix(B, mean.cols()),
                  Vector::Zero(parameter_count(likelihood))};
  std::vector<Vector> dtheta(static_cast<std::size_t>(blocks));
  for_each_block(compute, B, block_rows, [&](Index begin, Index size) {
    ExpectedLog part = Y.cols() == outputs(likelihood) + 1
                           ? weighted_log(likelihood, Y.middleRows(begin, size), mean.middleRows(begin, size),
                                          variance.middleRows(begin, size))
                           : expected_log(likelihood, Y.middleRows(begin, size), mean.middleRows(begin, size),
                                          variance.middleRows(begin, size));
    out.rows.segment(begin, size) = part.rows;
    out.dmean.middleRows(begin, size) = part.dmean;
    out.dvar.middleRows(begin, size) = part.dvar;
    dtheta[static_cast<std::size_t>(begin / block_rows)] = std::move(part.dtheta);
  });
  for (const Vector& d : dtheta) out.dtheta += d;
  return out;
}

Matrix log_predictive(const AnyLikelihood& likelihood, MatrixIn Y, MatrixIn mean, MatrixIn variance,
                      const Compute& compute) {
  Matrix out(Y.rows(), Y.cols());
  for_each_block(compute, Y.rows(), block_rows, [&](Index begin, Index size) {
    out.middleRows(begin, size) =
        log_predictive(likelihood, Y.middleRows(begin, size), mean.middleRows(begin, size),
                       variance.middleRows(begin, size));
  });
  return out;
}

Matrix probabilities(const AnyLikelihood& likelihood, MatrixIn mean, MatrixIn variance,
                     const Compute& compute) {
  Matrix out(mean.rows(), mean.cols());
  for_each_block(compute, mean.rows(), block_rows, [&](Index begin, Index size) {
    out.middleRows(begin, size) =
        probabilities(likelihood, mean.middleRows(begin, size), variance.middleRows(begin, size));
  });
  return out;
}

}  // namespace bochner
