#include "bochner/evidence/kernel_evidence.hpp"

#include <gtest/gtest.h>

#include "bochner/core/errors.hpp"
#include "bochner/random/rng.hpp"
#include "tests/support/gradient_check.hpp"
#include "tests/support/slow_evidence.hpp"

namespace bochner::kernel_evidence_test {
namespace {

Matrix example_gram(Index N) {  // an RBF Gram matrix on 2-D inputs
  const Matrix X = Rng(1).normal(N, 2);
  Matrix K(N, N);
  for (Index i = 0; i < N; ++i)
    for (Index j = 0; j < N; ++j) K(i, j) = 1.3 * std::exp(-0.5 * (X.row(i) - X.row(j)).squaredNorm());
  return K;
}

struct Shape {
  Index N, M;
  double missing;
};

class KernelEvidenceShapes : public ::testing::TestWithParam<Shape> {
 protected:
  const Shape s = GetParam();
  const Matrix K = example_gram(s.N);
  const Matrix Y = testing::with_missing(Rng(2).normal(s.N, s.M), s.missing, Rng(3));
  const Threads threads{2};
  const Observations<double> observations{Y, threads};
};

TEST_P(KernelEvidenceShapes, EqualsTheDenseLogDensity) {
  const double expected = testing::slow_evidence(K, Y, 0.1);
  EXPECT_NEAR(kernel_evidence(K, observations, 0.1, true, threads).value, expected,
              1e-9 * std::abs(expected));
  EXPECT_NEAR(kernel_evidence(K, observations, 0.1, false, threads).value, expected,
              1e-9 * std::abs(expected));
}

TEST_P(KernelEvidenceShapes, GradientAgreesWithDifferences) {
  const KernelEvidence e = kernel_evidence(K, observations, 0.1, true, threads);
  EXPECT_EQ(e.dL_dK, e.dL_dK.transpose());
  const Matrix direction = [&] {
    const Matrix A = Rng(5).normal(s.N, s.N);
    return Matrix(A + A.transpose());
  }();
  const auto along = [&](const Vector& t) {
    return testing::slow_evidence(K + t(0) * direction, Y, 0.1 + t(1));
  };
  const Vector numeric = testing::numerical_gradient(along, Vector::Zero(2), 1e-5);
  const Vector analytic{{e.dL_dK.cwiseProduct(direction).sum(), e.dsigma2}};
  EXPECT_LT(testing::relative_difference(analytic, numeric), 1e-6) << analytic << "\n" << numeric;
}

TEST_P(KernelEvidenceShapes, SameBytesForAnyNumberOfThreads) {
  const KernelEvidence one = kernel_evidence(K, observations, 0.1, true, Threads(1));
  for (const int count : {2, 7}) {
    const KernelEvidence many = kernel_evidence(K, observations, 0.1, true, Threads(count));
    EXPECT_EQ(one.value, many.value);
    EXPECT_EQ(one.dsigma2, many.dsigma2);
    EXPECT_EQ(one.dL_dK, many.dL_dK);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, KernelEvidenceShapes,
                         ::testing::Values(Shape{30, 4, 0}, Shape{10, 40, 0}, Shape{300, 5, 0},
                                           Shape{30, 4, 0.2}, Shape{20, 9, 0.7}, Shape{1, 1, 0}));

TEST(KernelEvidence, NamesTheCauseOfAFailedFactorisation) {
  const Threads threads{1};
  const Observations<double> observations(Rng(1).normal(3, 2), threads);
  Matrix K = Matrix::Identity(3, 3);
  K(2, 1) = K(1, 2) = std::nan("");
  try {
    kernel_evidence(K, observations, 0.1, true, threads);
    FAIL();
  } catch (const NumericalError& error) {
    EXPECT_NE(std::string(error.what()).find("row 2, column 1"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace bochner::kernel_evidence_test
