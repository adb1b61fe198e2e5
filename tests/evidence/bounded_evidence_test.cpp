#include "bochner/evidence/bounded_evidence.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "bochner/random/rng.hpp"
#include "tests/support/gradient_check.hpp"
#include "tests/support/slow_evidence.hpp"

namespace bochner::bounded_evidence_test {
namespace {

constexpr Index N = 23, M = 4, F = 9;

Matrix example_features() { return Rng(1).normal(N, F) / 2; }

/// Missing entries, but a measured entry in every row.
Matrix incomplete(double fraction) {
  Matrix Y = testing::with_missing(Rng(2).normal(N, M), fraction, Rng(3));
  for (Index n = 0; n < N; ++n)
    if (Y.row(n).array().isNaN().all()) Y(n, n % M) = 0.5;
  return Y;
}

FilledTable<double> filled(const Matrix& Y, std::uint64_t seed = 4) {
  return {Y, Rng(seed).normal(N, M), Threads(2)};
}

FeatureRows<double> rows_of(const Matrix& Phi) {
  return {Phi.rows(), Phi.cols(),
          [&Phi](Index begin, MatrixOut out) { out = Phi.middleRows(begin, out.rows()); }};
}

/// The definition, from dense algebra alone.
double slow_bound(const Matrix& K, const FilledTable<double>& table, double sigma2) {
  const Eigen::MatrixXd B =
      Eigen::MatrixXd::Identity(N, N) + Eigen::MatrixXd(K * table.weight().asDiagonal()) / sigma2;
  Eigen::MatrixXd S = K;
  S.diagonal().array() += sigma2;
  const double log_det = std::log(B.determinant());
  return -0.5 * (double(table.observed()) * std::log(2 * 3.14159265358979323846 * sigma2) +
                 double(M) * log_det + (table.Y().transpose() * S.inverse() * table.Y()).trace());
}

TEST(BoundedEvidence, IsItsDefinitionInBothForms) {
  const Matrix Phi = example_features(), K = Phi * Phi.transpose();
  for (const double holes : {0.0, 0.1, 0.5}) {
    FilledTable<double> table = filled(incomplete(holes));
    const double expected = slow_bound(K, table, 0.3);
    EXPECT_NEAR(bounded_kernel_evidence(K, table, 0.3, true, false, Threads(2)).value, expected,
                1e-9 * std::abs(expected));
    EXPECT_NEAR(
        bounded_feature_evidence<double>(rows_of(Phi), table, 0.3, {}, false, {.block = 8}, Threads(2)).value,
        expected, 1e-9 * std::abs(expected));
  }
}

TEST(BoundedEvidence, IsBelowTheEvidenceAndRisesWithEveryRefill) {
  const Matrix Phi = example_features(), K = Phi * Phi.transpose(), Y = incomplete(0.4);
  FilledTable<double> table = filled(Y);
  const double exact = testing::slow_evidence(K, Y, 0.3);
  double before = -1e300;
  for (int i = 0; i < 50; ++i) {
    const double bound = bounded_kernel_evidence(K, table, 0.3, false, true, Threads(1)).value;
    EXPECT_LE(bound, exact);
    EXPECT_GE(bound, before - 1e-9);
    before = bound;
  }
  EXPECT_GT(before, exact - 0.1 * std::abs(exact));  // 40 % of the entries are missing from 23 rows
}

TEST(BoundedEvidence, TheQuadraticTermBecomesExact) {
  // What is left of the gap after the refills is the log-determinant's alone.
  const Matrix Phi = example_features(), K = Phi * Phi.transpose(), Y = incomplete(0.3);
  FilledTable<double> table = filled(Y);
  for (int i = 0; i < 2000; ++i)
    bounded_feature_evidence<double>(rows_of(Phi), table, 0.3, {}, true, {}, Threads(1));
  double log_dets = 0;
  for (Index m = 0; m < M; ++m) {
    Eigen::MatrixXd B = Eigen::MatrixXd::Identity(N, N);
    for (Index n = 0; n < N; ++n)
      if (!std::isnan(Y(n, m))) B.col(n) += K.col(n) / 0.3;
    log_dets += std::log(B.determinant());
  }
  const Eigen::MatrixXd mean_B =
      Eigen::MatrixXd::Identity(N, N) + Eigen::MatrixXd(K * table.weight().asDiagonal()) / 0.3;
  const double gap = 0.5 * (double(M) * std::log(mean_B.determinant()) - log_dets);
  EXPECT_NEAR(bounded_kernel_evidence(K, table, 0.3, false, false, Threads(1)).value,
              testing::slow_evidence(K, Y, 0.3) - gap, 1e-7);
}

TEST(BoundedEvidence, IsTheEvidenceWhenNothingIsMissing) {
  const Matrix Phi = example_features(), K = Phi * Phi.transpose(), Y = Rng(2).normal(N, M);
  FilledTable<double> table(Y, Matrix(), Threads(1));
  EXPECT_TRUE(table.complete());
  const double exact = testing::slow_evidence(K, Y, 0.3);
  EXPECT_NEAR(bounded_kernel_evidence(K, table, 0.3, true, true, Threads(1)).value, exact,
              1e-9 * std::abs(exact));
}

TEST(BoundedEvidence, GradientsAgreeWithDifferences) {
  const Matrix Phi = example_features();
  FilledTable<double> table = filled(incomplete(0.4));
  const auto value = [&](const Vector& theta) {
    Matrix P = Eigen::Map<const Matrix>(theta.data(), N, F);
    return slow_bound(P * P.transpose(), table, theta(N * F));
  };
  Vector theta(N * F + 1);
  theta << Eigen::Map<const Vector>(Phi.data(), N * F), 0.3;
  const Vector numeric = testing::numerical_gradient(value, theta, 1e-6);

  Matrix dPhi = Matrix::Zero(N, F);
  const FeatureEvidence features = bounded_feature_evidence<double>(
      rows_of(Phi), table, 0.3,
      [&](Index, Index begin, MatrixIn, MatrixIn d) { dPhi.middleRows(begin, d.rows()) += d; }, false,
      {.block = 8}, Threads(2));
  Vector analytic(theta.size());
  analytic << Eigen::Map<const Vector>(dPhi.data(), N * F), features.dsigma2;
  EXPECT_LT(testing::relative_difference(analytic, numeric), 1e-6);

  const KernelEvidence kernel =
      bounded_kernel_evidence(Phi * Phi.transpose(), table, 0.3, true, false, Threads(2));
  const Matrix through_K = 2 * kernel.dL_dK * Phi;
  analytic << Eigen::Map<const Vector>(through_K.data(), N * F), kernel.dsigma2;
  EXPECT_LT(testing::relative_difference(analytic, numeric), 1e-6);
}

TEST(BoundedEvidence, BothFormsRefillAlikeOnAnyNumberOfThreads) {
  const Matrix Phi = example_features(), Y = incomplete(0.4);
  FilledTable<double> by_kernel = filled(Y), by_features = filled(Y);
  bounded_kernel_evidence(Phi * Phi.transpose(), by_kernel, 0.3, true, true, Threads(1));
  bounded_feature_evidence<double>(rows_of(Phi), by_features, 0.3, {}, true, {.block = 4}, Threads(1));
  EXPECT_LT((by_kernel.Y() - by_features.Y()).cwiseAbs().maxCoeff(), 1e-9);
  for (Index n = 0; n < N; ++n)
    for (Index m = 0; m < M; ++m)
      if (!std::isnan(Y(n, m))) {
        EXPECT_EQ(by_kernel.Y()(n, m), Y(n, m));
      }
  for (const int threads : {2, 7}) {
    FilledTable<double> again = filled(Y);
    Matrix dPhi = Matrix::Zero(N, F);
    bounded_feature_evidence<double>(rows_of(Phi), again, 0.3, {}, true, {.block = 4}, Threads(threads));
    EXPECT_EQ(again.guesses(), by_features.guesses());
  }
}

TEST(BoundedEvidence, SinglePrecisionIsClose) {
  const MatrixT<float> Phi = example_features().cast<float>();
  const Matrix Y = incomplete(0.4);
  FilledTable<double> fine = filled(Y);
  FilledTable<float> coarse(Y.cast<float>(), Rng(4).normal(N, M).cast<float>(), Threads(1));
  const Matrix Phi_d = Phi.cast<double>();
  const double value =
      bounded_feature_evidence<float>(
          {N, F, [&](Index begin, MatrixOutT<float> out) { out = Phi.middleRows(begin, out.rows()); }},
          coarse, 0.3, {}, true, {}, Threads(1))
          .value;
  EXPECT_NEAR(value,
              bounded_feature_evidence<double>(rows_of(Phi_d), fine, 0.3, {}, true, {}, Threads(1)).value,
              1e-5 * std::abs(value));
  EXPECT_LT((coarse.guesses().cast<double>() - fine.guesses()).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(FilledTable, RowsWithoutAMeasurementAreRefused) {
  Matrix Y = incomplete(0.2);
  Y.row(3).setConstant(std::nan(""));
  EXPECT_THROW(filled(Y), std::invalid_argument);
}

TEST(FilledTable, GuessesComeBack) {
  FilledTable<double> a = filled(incomplete(0.4), 5), b = filled(incomplete(0.4), 6);
  EXPECT_NE(a.Y(), b.Y());
  b.set_guesses(a.guesses());
  EXPECT_EQ(a.Y(), b.Y());
  EXPECT_THROW(b.set_guesses(Vector::Zero(1)), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::bounded_evidence_test
