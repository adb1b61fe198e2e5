#include "bochner/evidence/exact_evidence.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "bochner/evidence/bounded_evidence.hpp"
#include "bochner/random/rng.hpp"
#include "tests/support/gradient_check.hpp"
#include "tests/support/slow_evidence.hpp"

namespace bochner::exact_evidence_test {
namespace {

constexpr Index N = 23, M = 4;

Matrix example_gram(Index rows = N) {
  const Matrix Phi = Rng(1).normal(rows, 9) / 2;
  return Phi * Phi.transpose();
}

/// Missing entries, but a measured entry in every row; the last column lacks most rows.
Matrix incomplete(double fraction, Index rows = N, Index columns = M) {
  Matrix Y = testing::with_missing(Rng(2).normal(rows, columns), fraction, Rng(3));
  for (Index n = 0; n < rows; ++n) {
    if (n % 5 != 0) Y(n, columns - 1) = std::nan("");
    if (Y.row(n).array().isNaN().all()) Y(n, n % (columns - 1)) = 0.5;
  }
  return Y;
}

FilledTable<double> filled(const Matrix& Y) { return {Y, Rng(4).normal(Y.rows(), Y.cols()), Threads(2)}; }

TEST(ExactEvidence, IsTheSumOfTheColumnsDensities) {
  for (const double fraction : {0.05, 0.3, 0.6})
    for (const double sigma2 : {0.3, 1e-5}) {
      const Matrix Y = incomplete(fraction), K = example_gram();
      FilledTable<double> table = filled(Y);
      const double expected = testing::slow_evidence(K, Y, sigma2);
      EXPECT_NEAR(exact_kernel_evidence(K, table, missing_patterns(Y), sigma2, true, true, Threads(2)).value,
                  expected, 1e-8 * std::abs(expected));
    }
}

TEST(ExactEvidence, DerivativesAreThoseOfOneFactorisationPerPattern) {
  for (const double fraction : {0.05, 0.5}) {
    const Matrix Y = incomplete(fraction), K = example_gram();
    FilledTable<double> table = filled(Y);
    const KernelEvidence fast =
        exact_kernel_evidence(K, table, missing_patterns(Y), 0.2, true, true, Threads(2));
    const KernelEvidence slow =
        kernel_evidence(K, Observations<double>(Y, Threads(1)), 0.2, true, Threads(1));
    EXPECT_LT((fast.dL_dK - slow.dL_dK).cwiseAbs().maxCoeff(), 1e-9 * slow.dL_dK.cwiseAbs().maxCoeff());
    EXPECT_NEAR(fast.dsigma2, slow.dsigma2, 1e-9 * std::abs(slow.dsigma2));
  }
}

TEST(ExactEvidence, FillsWithConditionalMeans) {
  const Matrix Y = incomplete(0.3), K = example_gram();
  FilledTable<double> table = filled(Y);
  exact_kernel_evidence(K, table, missing_patterns(Y), 0.2, false, true, Threads(1));
  for (Index m = 0; m < M; ++m) {
    std::vector<Index> o, h;
    for (Index n = 0; n < N; ++n) (std::isnan(Y(n, m)) ? h : o).push_back(n);
    Eigen::MatrixXd C = K(o, o);
    C.diagonal().array() += 0.2;
    const Vector measured = Y.col(m)(o), found = table.Y().col(m)(h);
    const Vector mean = K(h, o) * (C.inverse() * measured);
    EXPECT_LT((found - mean).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_EQ(Vector(table.Y().col(m)(o)), measured);
  }
}

TEST(ExactEvidence, GuessesCostWhatTheyMiss) {
  const Matrix Y = incomplete(0.3), K = example_gram();
  const auto patterns = missing_patterns(Y);
  FilledTable<double> table = filled(Y), best = filled(Y);
  const KernelEvidence below = exact_kernel_evidence(K, table, patterns, 0.2, true, false, Threads(1));
  const double exact = exact_kernel_evidence(K, best, patterns, 0.2, true, true, Threads(1)).value;
  Eigen::MatrixXd C = K;
  C.diagonal().array() += 0.2;
  const Matrix error = table.Y() - best.Y();
  const double lost = 0.5 * (error.transpose() * C.inverse() * error).trace();
  EXPECT_GT(lost, 0.1);
  EXPECT_NEAR(below.value, exact - lost, 1e-9 * std::abs(exact));
  EXPECT_EQ(table.Y(), filled(Y).Y());

  const auto value = [&](const Vector& sigma2) {
    return exact_kernel_evidence(K, table, patterns, sigma2(0), false, false, Threads(1)).value;
  };
  const Vector at = Vector::Constant(1, 0.2);
  EXPECT_NEAR(below.dsigma2, testing::numerical_gradient(value, at, 1e-5)(0), 1e-5 * std::abs(below.dsigma2));
}

TEST(ExactEvidence, IsAboveTheBound) {
  const Matrix Y = incomplete(0.3), K = example_gram();
  FilledTable<double> table = filled(Y);
  double bound = 0;
  for (int i = 0; i < 200; ++i)
    bound = bounded_kernel_evidence(K, table, 1e-3, false, true, Threads(1)).value;
  const double exact =
      exact_kernel_evidence(K, table, missing_patterns(Y), 1e-3, false, true, Threads(1)).value;
  EXPECT_GT(exact, bound + 1);
}

TEST(ExactEvidence, WideTablesHaveTheSameBytesOnAnyNumberOfThreads) {
  constexpr Index rows = 60, columns = 150;
  const Matrix K = example_gram(rows), Y = incomplete(0.1, rows, columns);
  const auto patterns = missing_patterns(Y);
  FilledTable<double> table = filled(Y);
  const KernelEvidence one = exact_kernel_evidence(K, table, patterns, 0.1, true, true, Threads(1));
  const double expected = testing::slow_evidence(K, Y, 0.1);
  EXPECT_NEAR(one.value, expected, 1e-9 * std::abs(expected));
  for (const int threads : {2, 7}) {
    FilledTable<double> again = filled(Y);
    const KernelEvidence many = exact_kernel_evidence(K, again, patterns, 0.1, true, true, Threads(threads));
    EXPECT_EQ(many.value, one.value);
    EXPECT_EQ(many.dL_dK, one.dL_dK);
    EXPECT_EQ(again.guesses(), table.guesses());
  }
}

TEST(ExactEvidence, PaysWhereLittleIsMissing) {
  const Matrix few = testing::with_missing(Matrix::Ones(300, 100), 0.05, Rng(1));
  const Matrix half = testing::with_missing(Matrix::Ones(300, 100), 0.5, Rng(1));
  EXPECT_TRUE(exact_evidence_pays(missing_patterns(few), 300, 100));
  EXPECT_FALSE(exact_evidence_pays(missing_patterns(half), 300, 100));
}

TEST(ExactEvidence, RefusesWrongShapes) {
  const Matrix Y = incomplete(0.2);
  FilledTable<double> table = filled(Y);
  const auto patterns = missing_patterns(Y);
  EXPECT_THROW(exact_kernel_evidence(example_gram(N - 1), table, patterns, 0.1, true, true, Threads(1)),
               std::invalid_argument);
  EXPECT_THROW(exact_kernel_evidence(example_gram(), table, patterns, 0, true, true, Threads(1)),
               std::domain_error);
}

}  // namespace
}  // namespace bochner::exact_evidence_test
