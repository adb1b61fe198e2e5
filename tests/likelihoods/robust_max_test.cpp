#include "bochner/likelihoods/robust_max.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "bochner/random/rng.hpp"

namespace bochner::robust_max_test {
namespace {

Matrix cell(double x) { return Matrix::Constant(1, 1, x); }
double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// P(argmax = y) and its derivatives, taken out of expected_log.
struct Argmax {
  double p;
  Vector dmean, dvar;
};
Argmax argmax(Index y, const Matrix& M, const Matrix& V) {
  const RobustMax l{.classes = M.cols(), .epsilon = 0.01};
  const double wrong = std::log(0.01 / double(M.cols() - 1)), gap = std::log(0.99) - wrong;
  const ExpectedLog e = l.expected_log(cell(double(y)), M, V);
  return {(e.rows(0) - wrong) / gap, e.dmean.transpose() / gap, e.dvar.transpose() / gap};
}

// mpmath, 30 digits: quad over f_0 of N(f_0) Phi Phi with break points about all means; derivatives by differences.
// In the second row the rivals are 20 and 200 times more certain than class 0.
TEST(RobustMax, PinnedIntegrals) {
  const Argmax a = argmax(0, Matrix{{0.3, -0.5, 1.2}}, Matrix{{0.5, 1.5, 0.8}});
  EXPECT_NEAR(a.p, 0.18219442893914755, 1e-12);
  EXPECT_LT((a.dmean - Vector{{0.24304794913689978, -0.037284802989216577, -0.2057631461476832}}).norm(),
            1e-12);
  EXPECT_LT((a.dvar - Vector{{0.099860551657209132, -0.014065319776027927, 0.061058998007760167}}).norm(),
            1e-12);
  const Argmax b = argmax(0, Matrix{{0.3, -0.5, 0.1}}, Matrix{{4.0, 1e-4, 0.01}});
  EXPECT_NEAR(b.p, 0.53977831073863037, 1e-12);
  EXPECT_LT((b.dmean - Vector{{0.19823111430304192, -2.1839793217708978e-10, -0.19823111408464399}}).norm(),
            1e-11);
  EXPECT_LT(
      (b.dvar - Vector{{-0.0049434193089211334, -6.6815126273490676e-9, -0.0049434259470882509}}).norm(),
      1e-11);
}

// Two classes: P = Phi((m_0 - m_1) / sqrt(v_0 + v_1)), however the variance is shared, zero included.
TEST(RobustMax, TwoClassesAreProbit) {
  for (const double d : {-3.0, 0.2, 1.5})
    for (const double share : {0.0, 1e-12, 1e-6, 1e-3, 0.3, 1.0}) {
      const double v = 2, t = d / std::sqrt(v);
      const Argmax a = argmax(0, Matrix{{d, 0}}, Matrix{{v * share, v * (1 - share)}});
      const double density = std::exp(-0.5 * t * t) / std::sqrt(2 * pi);
      EXPECT_NEAR(a.p, normal_cdf(t), 1e-8);
      EXPECT_NEAR(a.dmean(0), density / std::sqrt(v), 1e-8) << d << ", " << share;
      EXPECT_NEAR(a.dmean(1), -density / std::sqrt(v), 1e-8);
      EXPECT_NEAR(a.dvar(0), -0.5 * t * density / v, 2e-7) << d << ", " << share;
      EXPECT_NEAR(a.dvar(1), -0.5 * t * density / v, 2e-7) << d << ", " << share;
    }
}

TEST(RobustMax, AllVariancesZero) {
  const Matrix zero = Matrix::Zero(1, 3);
  EXPECT_NEAR(argmax(2, Matrix{{0.1, 0.2, 0.3}}, zero).p, 1, 1e-15);
  EXPECT_NEAR(argmax(1, Matrix{{0.1, 0.2, 0.3}}, zero).p, 0, 1e-15);
  EXPECT_NEAR(argmax(1, Matrix{{0.1, 0.3, 0.3}}, zero).p, 0.5, 1e-15);
  EXPECT_EQ(argmax(2, Matrix{{0.1, 0.2, 0.3}}, zero).dvar, Vector::Zero(3));
}

// The classes share the probability: the sum is one, and equal classes have equal parts, also for very many.
TEST(RobustMax, ProbabilitiesSumToOne) {
  for (const double spread : {0.3, 3.0}) {
    const Matrix M = Rng(3).normal(6, 7), V = (spread * Rng(4).normal(6, 7)).array().exp();
    const RobustMax l{.classes = 7};
    EXPECT_LT((l.probabilities(M, V).rowwise().sum().array() - 1).abs().maxCoeff(), 1e-10);
  }
  EXPECT_NEAR(argmax(17, Matrix::Zero(1, 200), Matrix::Constant(1, 200, 2.5)).p, 1.0 / 200, 1e-12);
}

// Values far from the origin or from each other, narrow and wide.
TEST(RobustMax, FarAwayClasses) {
  EXPECT_NEAR(argmax(0, Matrix{{1e6, 0, 1e6}}, Matrix{{1e-6, 1, 1e-6}}).p, 0.5, 1e-6);
  EXPECT_NEAR(argmax(1, Matrix{{1e6, 0, 1e6}}, Matrix{{1e-6, 1, 1e-6}}).p, 0, 1e-15);
  EXPECT_NEAR(argmax(0, Matrix{{0, -1e5, 3}}, Matrix{{1, 1e4, 3}}).p, normal_cdf(-1.5), 1e-10);
}

TEST(RobustMax, RefusesWrongSettings) {
  const Matrix A = Matrix::Zero(1, 3);
  EXPECT_THROW((RobustMax{.classes = 3, .epsilon = 0}.check_outcomes(cell(0))), std::domain_error);
  EXPECT_THROW((RobustMax{.classes = 3, .epsilon = 1}.check_outcomes(cell(0))), std::domain_error);
  EXPECT_THROW((RobustMax{.classes = 3}.check_outcomes(cell(3))), std::domain_error);
  EXPECT_THROW((RobustMax{.classes = 1}.check_outcomes(cell(0))), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::robust_max_test
