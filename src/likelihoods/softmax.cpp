#include "bochner/likelihoods/softmax.hpp"

#include <algorithm>

#include "bochner/core/checks.hpp"
#include "entrywise.hpp"
#include "gumbel_integral.hpp"

namespace bochner {

Softmax Softmax::with_parameters(VectorIn theta) const {
  check_size("Softmax::with_parameters", "size of theta", theta.size(), "parameter_count()", 0);
  return *this;
}

void Softmax::check_outcomes(MatrixIn Y) const { check_classes("Softmax", Y, classes); }

ExpectedLog Softmax::expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("Softmax::expected_log", latents(), mean, var);
  check_rows("Softmax::expected_log", Y, mean);
  check_outcomes(Y);
  const Index B = Y.rows();
  ExpectedLog sum{Vector::Zero(B), Matrix::Zero(B, classes), Matrix::Zero(B, classes), Vector()};
  GumbelIntegral integral;
  for (Index i = 0; i < B; ++i) {
    if (std::isnan(Y(i, 0))) continue;
    const Index y = static_cast<Index>(Y(i, 0));
    integral.compute(mean.row(i), var.row(i));
    sum.rows(i) = integral.expected_log(y);
    sum.dmean.row(i) = -integral.probabilities();
    sum.dmean(i, y) += 1;
    sum.dvar.row(i) = -integral.dvar();
  }
  return sum;
}

Matrix Softmax::log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("Softmax::log_predictive", latents(), mean, var);
  check_rows("Softmax::log_predictive", Y, mean);
  check_outcomes(Y);
  Matrix L = Matrix::Constant(Y.rows(), 1, std::numeric_limits<double>::quiet_NaN());
  GumbelIntegral integral;
  for (Index i = 0; i < Y.rows(); ++i) {
    if (std::isnan(Y(i, 0))) continue;
    const Index y = static_cast<Index>(Y(i, 0));
    integral.compute(mean.row(i), var.row(i));
    L(i, 0) = std::max(std::log(integral.probabilities()(y)), integral.expected_log(y));
  }
  return L;
}

Matrix Softmax::probabilities(MatrixIn mean, MatrixIn var) const {
  check_at_least("Softmax", "classes", classes, 2);
  check_marginals("Softmax::probabilities", latents(), mean, var);
  Matrix p(mean.rows(), classes);
  GumbelIntegral integral;
  for (Index i = 0; i < mean.rows(); ++i) {
    integral.compute(mean.row(i), var.row(i));
    p.row(i) = integral.probabilities();
  }
  return p;
}

}  // namespace bochner
