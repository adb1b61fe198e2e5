#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "bochner/evidence/bounded_evidence.hpp"
#include "bochner/evidence/exact_evidence.hpp"
#include "bochner/random/rng.hpp"
#include "tests/support/gradient_check.hpp"
#include "tests/support/slow_evidence.hpp"

namespace bochner::exact_features_test {
namespace {

constexpr Index N = 29, M = 4, F = 9;

Matrix example_features(Index rows = N) { return Rng(1).normal(rows, F) / 2; }

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

FeatureRows<double> rows_of(const Matrix& Phi) {
  return {Phi.rows(), Phi.cols(),
          [&Phi](Index begin, MatrixOut out) { out = Phi.middleRows(begin, out.rows()); }};
}

/// Of the evidence, by Phi.
struct Result {
  FeatureEvidence evidence;
  Matrix dPhi;
};

Result exact(const Matrix& Phi, FilledTable<double>& table, const Matrix& Y, double sigma2, bool refill,
             const Threads& threads) {
  Result out{.dPhi = Matrix::Zero(Phi.rows(), Phi.cols())};
  const PullFeatures<double> pull = [&](Index, Index begin, MatrixIn, MatrixIn dL_dPhi) {
    out.dPhi.middleRows(begin, dL_dPhi.rows()) += dL_dPhi;
  };
  out.evidence = exact_feature_evidence(rows_of(Phi), table, missing_patterns(Y), sigma2, pull, refill,
                                        {.block = 8}, threads);
  return out;
}

TEST(ExactFeatures, AreTheSumOfTheColumnsDensities) {
  const Matrix Phi = example_features(), K = Phi * Phi.transpose();
  for (const double fraction : {0.05, 0.3, 0.6})
    for (const double sigma2 : {0.3, 1e-5}) {
      const Matrix Y = incomplete(fraction);
      FilledTable<double> table = filled(Y);
      const double expected = testing::slow_evidence(K, Y, sigma2);
      EXPECT_NEAR(exact(Phi, table, Y, sigma2, true, Threads(2)).evidence.value, expected,
                  1e-8 * std::abs(expected));
    }
}

TEST(ExactFeatures, DerivativesAreThoseOfOneFactorisationPerPattern) {
  const Matrix Phi = example_features();
  for (const double fraction : {0.05, 0.5}) {
    const Matrix Y = incomplete(fraction);
    FilledTable<double> table = filled(Y);
    const Result fast = exact(Phi, table, Y, 0.2, true, Threads(2));
    Matrix dPhi = Matrix::Zero(N, F);
    const PullFeatures<double> pull = [&](Index, Index begin, MatrixIn, MatrixIn dL_dPhi) {
      dPhi.middleRows(begin, dL_dPhi.rows()) += dL_dPhi;
    };
    const FeatureEvidence slow = feature_evidence<double>(rows_of(Phi), Observations<double>(Y, Threads(1)),
                                                          0.2, pull, {}, Threads(1));
    EXPECT_NEAR(fast.evidence.value, slow.value, 1e-9 * std::abs(slow.value));
    EXPECT_LT((fast.dPhi - dPhi).cwiseAbs().maxCoeff(), 1e-9 * dPhi.cwiseAbs().maxCoeff());
    EXPECT_NEAR(fast.evidence.dsigma2, slow.dsigma2, 1e-9 * std::abs(slow.dsigma2));
  }
}

TEST(ExactFeatures, AgreeWithTheKernelTheyMake) {
  const Matrix Phi = example_features(), Y = incomplete(0.2), K = Phi * Phi.transpose();
  FilledTable<double> one = filled(Y), other = filled(Y);
  const double by_features = exact(Phi, one, Y, 0.1, true, Threads(1)).evidence.value;
  const KernelEvidence by_kernel =
      exact_kernel_evidence(K, other, missing_patterns(Y), 0.1, true, true, Threads(1));
  EXPECT_NEAR(by_features, by_kernel.value, 1e-9 * std::abs(by_kernel.value));
  EXPECT_LT((one.Y() - other.Y()).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(ExactFeatures, GuessesCostWhatTheyMiss) {
  const Matrix Phi = example_features(), Y = incomplete(0.3);
  FilledTable<double> table = filled(Y), best = filled(Y);
  const Result below = exact(Phi, table, Y, 0.2, false, Threads(1));
  const double highest = exact(Phi, best, Y, 0.2, true, Threads(1)).evidence.value;
  Eigen::MatrixXd C = Phi * Phi.transpose();
  C.diagonal().array() += 0.2;
  const Matrix error = table.Y() - best.Y();
  const double lost = 0.5 * (error.transpose() * C.inverse() * error).trace();
  EXPECT_GT(lost, 0.1);
  EXPECT_NEAR(below.evidence.value, highest - lost, 1e-9 * std::abs(highest));
  EXPECT_EQ(table.Y(), filled(Y).Y());

  const auto value = [&](const Vector& flat) {
    const Matrix at = Eigen::Map<const Matrix>(flat.data(), N, F);
    return exact(at, table, Y, 0.2, false, Threads(1)).evidence.value;
  };
  const Vector at = Eigen::Map<const Vector>(Phi.data(), Phi.size());
  const Vector slope = testing::numerical_gradient(value, at, 1e-5);
  EXPECT_LT((Eigen::Map<const Matrix>(slope.data(), N, F) - below.dPhi).cwiseAbs().maxCoeff(),
            1e-6 * below.dPhi.cwiseAbs().maxCoeff());
}

TEST(ExactFeatures, HaveTheSameBytesOnAnyNumberOfThreads) {
  constexpr Index rows = 300, columns = 40;
  const Matrix Phi = example_features(rows), Y = incomplete(0.1, rows, columns);
  FilledTable<double> table = filled(Y);
  const Result one = exact(Phi, table, Y, 0.1, true, Threads(1));
  const double expected = testing::slow_evidence(Phi * Phi.transpose(), Y, 0.1);
  EXPECT_NEAR(one.evidence.value, expected, 1e-9 * std::abs(expected));
  for (const int threads : {2, 7}) {
    FilledTable<double> again = filled(Y);
    const Result many = exact(Phi, again, Y, 0.1, true, Threads(threads));
    EXPECT_EQ(many.evidence.value, one.evidence.value);
    EXPECT_EQ(many.evidence.dsigma2, one.evidence.dsigma2);
    EXPECT_EQ(many.dPhi, one.dPhi);
    EXPECT_EQ(again.guesses(), table.guesses());
  }
}

TEST(ExactFeatures, PayOnTallTables) {
  const auto pays = [](Index rows, Index columns, Index features) {
    const Matrix Y = testing::with_missing(Matrix::Ones(rows, columns), 0.05, Rng(1));
    return exact_feature_evidence_pays(missing_patterns(Y), rows, columns, features);
  };
  EXPECT_TRUE(pays(3000, 20, 300));
  EXPECT_FALSE(pays(3000, 800, 300));
  EXPECT_FALSE(pays(100'000, 20, 300));
}

TEST(ExactFeatures, RefuseWrongShapes) {
  const Matrix Y = incomplete(0.2);
  FilledTable<double> table = filled(Y);
  const Matrix Phi = example_features(), few = example_features(N - 1);
  EXPECT_THROW(exact(few, table, Y, 0.1, true, Threads(1)), std::invalid_argument);
  EXPECT_THROW(exact(Phi, table, Y, 0, true, Threads(1)), std::domain_error);
}

}  // namespace
}  // namespace bochner::exact_features_test
