#include "likelihood_rows.hpp"
#include "bochner/compute/row_plan.hpp"

#include <vector>

namespace bochner {
namespace {

constexpr Index block_rows = 64;

}  // namespace

ExpectedLog expected_log(const AnyLikelihood& likelihood, MatrixIn Y, MatrixIn mean, MatrixIn variance,
                         const Compute& compute) {
  const Index B = Y.rows(), blocks = (B + block_rows - 1) / block_rows;
  ExpectedLog out{Vector(B), Matrix(B, mean.cols()), Matrix(B, mean.cols()),
                  Vector::Zero(parameter_count(likelihood))};
  std::vector<Vector> dtheta(static_cast<std::size_t>(blocks));
  for_each_block(compute, B, block_rows, [&](Index begin, Index size) {
    ExpectedLog part = expected_log(likelihood, Y.middleRows(begin, size), mean.middleRows(begin, size),
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
