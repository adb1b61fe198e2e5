#include "bochner/evidence/feature_evidence.hpp"

#include <gtest/gtest.h>

#include "bochner/random/rng.hpp"
#include "tests/support/gradient_check.hpp"
#include "tests/support/slow_evidence.hpp"

namespace bochner::feature_evidence_test {
namespace {

using testing::slow_evidence;

struct Case {
  Index N, M, F;
  double missing;
};

std::string name(const ::testing::TestParamInfo<Case>& info) {
  const Case& c = info.param;
  return "N" + std::to_string(c.N) + "M" + std::to_string(c.M) + "F" + std::to_string(c.F) + "Missing" +
         std::to_string(int(100 * c.missing));
}

template <class T>
FeatureRows<T> rows_of(const MatrixT<T>& Phi) {
  return {Phi.rows(), Phi.cols(),
          [&Phi](Index begin, MatrixOutT<T> out) { out = Phi.middleRows(begin, out.rows()); }};
}

/// Value, d/dsigma2 and the whole d/dPhi.
template <class T>
std::tuple<FeatureEvidence, MatrixT<T>> evaluate(const MatrixT<T>& Phi, const Observations<T>& observations,
                                                 double sigma2, const EvidenceOptions& options,
                                                 const Threads& threads) {
  MatrixT<T> dPhi = MatrixT<T>::Zero(Phi.rows(), Phi.cols());
  const PullFeatures<T> pull = [&](Index, Index begin, MatrixInT<T> block, MatrixInT<T> d) {
    EXPECT_EQ(block, Phi.middleRows(begin, block.rows()));
    dPhi.middleRows(begin, d.rows()) += d;
  };
  const FeatureEvidence e = feature_evidence(rows_of(Phi), observations, sigma2, pull, options, threads);
  return {e, dPhi};
}

std::vector<EvidenceForm> forms(const Observations<double>& observations) {
  std::vector<EvidenceForm> out{EvidenceForm::automatic, EvidenceForm::features, EvidenceForm::dual};
  if (observations.has_S()) out.push_back(EvidenceForm::outer);
  return out;
}

class EvidenceForms : public ::testing::TestWithParam<Case> {
 protected:
  const Case c = GetParam();
  const Matrix Phi = Rng(1).normal(c.N, c.F) * 0.4;
  const Matrix Y = testing::with_missing(Rng(2).normal(c.N, c.M), c.missing, Rng(3));
  const double sigma2 = 0.3;
  const Threads threads{2};
  const Observations<double> observations{Y, threads};
};

TEST_P(EvidenceForms, EqualsTheDenseLogDensity) {
  const double expected = slow_evidence(Phi * Phi.transpose(), Y, sigma2);
  for (const EvidenceForm form : forms(observations)) {
    const auto [e, dPhi] = evaluate(Phi, observations, sigma2, {.form = form, .block = 7}, threads);
    EXPECT_NEAR(e.value, expected, 1e-9 * std::abs(expected)) << int(form);
    EXPECT_EQ(e.jitter, 0);
    const FeatureEvidence value_only =
        feature_evidence<double>(rows_of(Phi), observations, sigma2, {}, {.form = form}, threads);
    EXPECT_NEAR(value_only.value, expected, 1e-9 * std::abs(expected));
    EXPECT_NEAR(value_only.dsigma2, e.dsigma2, 1e-9 * std::abs(e.dsigma2));
  }
}

TEST_P(EvidenceForms, GradientsAgreeWithDifferencesOfTheDenseLogDensity) {
  const auto of_Phi = [&](const Vector& v) {
    const Matrix P = testing::unflat(v, c.N, c.F);
    return slow_evidence(P * P.transpose(), Y, sigma2);
  };
  const auto of_sigma2 = [&](const Vector& v) { return slow_evidence(Phi * Phi.transpose(), Y, v(0)); };
  const Vector numeric = testing::numerical_gradient(of_Phi, testing::flat(Phi), 1e-3);
  const Vector numeric_sigma2 = testing::numerical_gradient(of_sigma2, Vector::Constant(1, sigma2), 1e-3);
  for (const EvidenceForm form : forms(observations)) {
    const auto [e, dPhi] = evaluate(Phi, observations, sigma2, {.form = form, .block = 7}, threads);
    EXPECT_LT(testing::relative_difference(testing::flat(dPhi), numeric), 1e-6) << int(form);
    EXPECT_LT(testing::relative_difference(Vector::Constant(1, e.dsigma2), numeric_sigma2), 1e-6)
        << int(form);
  }
}

TEST_P(EvidenceForms, ColumnsAddUp) {
  for (const EvidenceForm form : {EvidenceForm::features, EvidenceForm::dual}) {
    double sum = 0;
    Matrix dPhi_sum = Matrix::Zero(c.N, c.F);
    for (Index m = 0; m < c.M; ++m) {
      const Observations<double> column(Y.col(m), threads);
      const auto [e, dPhi] = evaluate(Phi, column, sigma2, {.form = form}, threads);
      sum += e.value;
      dPhi_sum += dPhi;
    }
    const auto [e, dPhi] = evaluate(Phi, observations, sigma2, {.form = form}, threads);
    EXPECT_NEAR(e.value, sum, 1e-10 * std::abs(sum));
    EXPECT_LT((dPhi - dPhi_sum).norm(), 1e-10 * dPhi_sum.norm());
  }
}

TEST_P(EvidenceForms, SameBytesForAnyNumberOfThreads) {
  for (const EvidenceForm form : forms(observations)) {
    const EvidenceOptions options{.form = form, .block = 5};
    const auto [one, dPhi_one] = evaluate(Phi, observations, sigma2, options, Threads(1));
    for (const int count : {2, 7}) {
      const auto [many, dPhi_many] = evaluate(Phi, observations, sigma2, options, Threads(count));
      EXPECT_EQ(one.value, many.value);
      EXPECT_EQ(one.dsigma2, many.dsigma2);
      EXPECT_EQ(dPhi_one, dPhi_many);
    }
  }
}

TEST_P(EvidenceForms, FloatFollowsDouble) {
  const MatrixT<float> Phi_f = Phi.cast<float>();
  const Observations<float> observations_f(Y.cast<float>(), threads);
  for (const EvidenceForm form : forms(observations)) {
    const auto [d, dPhi] = evaluate(Phi, observations, sigma2, {.form = form, .block = 7}, threads);
    const auto [f, dPhi_f] = evaluate(Phi_f, observations_f, sigma2, {.form = form, .block = 7}, threads);
    EXPECT_NEAR(f.value, d.value, 1e-4 * std::abs(d.value)) << int(form);
    EXPECT_LT((dPhi_f.cast<double>() - dPhi).norm(), 1e-3 * dPhi.norm()) << int(form);
  }
}

TEST_P(EvidenceForms, CachingPhiChangesNothing) {
  const auto [kept, dPhi_kept] =
      evaluate(Phi, observations, sigma2, {.form = EvidenceForm::features}, threads);
  const auto [made, dPhi_made] =
      evaluate(Phi, observations, sigma2, {.form = EvidenceForm::features, .cache_bytes = 0}, threads);
  EXPECT_EQ(kept.value, made.value);
  EXPECT_EQ(dPhi_kept, dPhi_made);
}

INSTANTIATE_TEST_SUITE_P(Shapes, EvidenceForms,
                         ::testing::Values(Case{40, 3, 6, 0}, Case{12, 30, 8, 0}, Case{20, 15, 9, 0},
                                           Case{8, 5, 20, 0}, Case{40, 3, 6, 0.1}, Case{30, 6, 8, 0.4},
                                           Case{10, 5, 16, 0.3}, Case{35, 4, 5, 0.8}, Case{1, 2, 3, 0},
                                           Case{5, 1, 1, 0}),
                         name);

TEST(FeatureEvidence, HolesEqualDroppedEntries) {
  // Three columns that all lack the same rows are a shorter complete table.
  const Threads threads{2};
  const Matrix Phi = Rng(4).normal(30, 5);
  Matrix Y = Rng(5).normal(30, 3);
  std::vector<Index> kept;
  for (Index n = 0; n < 30; ++n) {
    if (n % 4 == 1)
      Y.row(n).setConstant(std::nan(""));
    else
      kept.push_back(n);
  }
  const Matrix Phi_kept = Phi(kept, Eigen::all), Y_kept = Y(kept, Eigen::all);
  const auto [holes, dPhi] = evaluate(Phi, Observations<double>(Y, threads), 0.2, {}, threads);
  const auto [dropped, dPhi_kept] =
      evaluate(Phi_kept, Observations<double>(Y_kept, threads), 0.2, {}, threads);
  EXPECT_NEAR(holes.value, dropped.value, 1e-12 * std::abs(dropped.value));
  EXPECT_LT((dPhi(kept, Eigen::all) - dPhi_kept).norm(), 1e-11 * dPhi_kept.norm());
  for (Index n = 1; n < 30; n += 4) EXPECT_LT(dPhi.row(n).norm(), 1e-11 * dPhi_kept.norm());
}

TEST(FeatureEvidence, ATableWithNothingMeasuredSaysNothing) {
  const Threads threads{1};
  const Matrix Phi = Rng(6).normal(4, 2);
  const Matrix Y = Matrix::Constant(4, 2, std::nan(""));
  const auto [e, dPhi] = evaluate(Phi, Observations<double>(Y, threads), 0.2, {}, threads);
  EXPECT_EQ(e.value, 0);
  EXPECT_EQ(dPhi, Matrix::Zero(4, 2));
}

TEST(FeatureEvidence, ManyBlocksAndLanesAgreeWithOne) {
  const Threads threads{2};
  const Matrix Phi = Rng(7).normal(5000, 12);
  const Observations<double> observations(Rng(8).normal(5000, 3), threads);
  const auto [many, dPhi_many] =
      evaluate(Phi, observations, 0.5, {.form = EvidenceForm::features, .block = 64}, threads);
  const auto [one, dPhi_one] =
      evaluate(Phi, observations, 0.5, {.form = EvidenceForm::features, .block = 5000}, threads);
  EXPECT_NEAR(many.value, one.value, 1e-12 * std::abs(one.value));
  EXPECT_LT((dPhi_many - dPhi_one).norm(), 1e-11 * dPhi_one.norm());
}

TEST(FeatureEvidence, RefusesWhatItCannotMean) {
  const Threads threads{1};
  const Matrix Phi = Rng(9).normal(4, 2);
  const Observations<double> observations(Rng(10).normal(4, 2), threads);
  EXPECT_THROW(evaluate(Phi, observations, 0.0, {}, threads), std::domain_error);
  EXPECT_THROW(evaluate(Phi, observations, std::nan(""), {}, threads), std::domain_error);
  EXPECT_THROW(evaluate<double>(Phi.topRows(3), observations, 1.0, {}, threads), std::invalid_argument);
  Matrix Y = Rng(11).normal(3, 2);
  Y(1, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(Observations<double>(Y, threads), std::domain_error);
}

TEST(FeatureEvidence, ChoosesTheCheapestForm) {
  EXPECT_EQ(cheapest_form(70000, 784, 200), EvidenceForm::features);
  EXPECT_EQ(cheapest_form(1000, 784, 200), EvidenceForm::outer);
  EXPECT_EQ(cheapest_form(150, 784, 2000), EvidenceForm::dual);
}

}  // namespace
}  // namespace bochner::feature_evidence_test
