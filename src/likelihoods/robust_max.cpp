#include "bochner/likelihoods/robust_max.hpp"

#include "argmax_integral.hpp"
#include "bochner/core/checks.hpp"
#include "entrywise.hpp"

namespace bochner {

RobustMax RobustMax::with_parameters(VectorIn theta) const {
  check_size("RobustMax::with_parameters", "size of theta", theta.size(), "parameter_count()", 0);
  return *this;
}

void RobustMax::check_outcomes(MatrixIn Y) const {
  check_positive("RobustMax", "epsilon", epsilon);
  check_positive("RobustMax", "1 - epsilon", 1 - epsilon);
  check_classes("RobustMax", Y, classes);
}

ExpectedLog RobustMax::expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("RobustMax::expected_log", latents(), mean, var);
  check_rows("RobustMax::expected_log", Y, mean);
  check_outcomes(Y);
  const Index B = Y.rows();
  const double log_right = std::log1p(-epsilon), log_wrong = std::log(epsilon / double(classes - 1));
  ExpectedLog sum{Vector::Zero(B), Matrix::Zero(B, classes), Matrix::Zero(B, classes), Vector()};
  ArgmaxIntegral integral;
  for (Index i = 0; i < B; ++i) {
    if (std::isnan(Y(i, 0))) continue;
    const double p = integral.with_derivatives(static_cast<Index>(Y(i, 0)), mean.row(i), var.row(i));
    sum.rows(i) = p * log_right + (1 - p) * log_wrong;
    sum.dmean.row(i) = (log_right - log_wrong) * integral.dmean();
    sum.dvar.row(i) = (log_right - log_wrong) * integral.dvar();
  }
  return sum;
}

Matrix RobustMax::log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("RobustMax::log_predictive", latents(), mean, var);
  check_rows("RobustMax::log_predictive", Y, mean);
  check_outcomes(Y);
  ArgmaxIntegral integral;
  Matrix L = Matrix::Constant(Y.rows(), 1, std::numeric_limits<double>::quiet_NaN());
  for (Index i = 0; i < Y.rows(); ++i) {
    if (std::isnan(Y(i, 0))) continue;
    const double p = integral.probability(static_cast<Index>(Y(i, 0)), mean.row(i), var.row(i));
    L(i, 0) = std::log(p * (1 - epsilon) + (1 - p) * epsilon / double(classes - 1));
  }
  return L;
}

Matrix RobustMax::probabilities(MatrixIn mean, MatrixIn var) const {
  check_at_least("RobustMax", "classes", classes, 2);
  check_marginals("RobustMax::probabilities", latents(), mean, var);
  ArgmaxIntegral integral;
  Matrix P(mean.rows(), classes);
  for (Index i = 0; i < mean.rows(); ++i)
    for (Index c = 0; c < classes; ++c) {
      const double p = integral.probability(c, mean.row(i), var.row(i));
      P(i, c) = p * (1 - epsilon) + (1 - p) * epsilon / double(classes - 1);
    }
  return P;
}

}  // namespace bochner
