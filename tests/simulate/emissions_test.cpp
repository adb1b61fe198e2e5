#include "bochner/simulate/emissions.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bochner::emissions_test {
namespace {

// Two kinds of columns, many rows with the same f: sample moments against the law of each emission.
Matrix repeated(Index rows) { return Vector::Ones(rows) * Eigen::RowVector3d(-1.3, 0.4, 0); }

struct Law {
  Emission emission;
  Vector mean, variance;
};

double logistic(double f) { return 1 / (1 + std::exp(-f)); }

std::vector<Law> laws() {
  const double f0 = -1.3, f1 = 0.4, p0 = logistic(f0), p1 = logistic(f1);
  const double total = std::exp(f0) + std::exp(f1) + 1;
  const Vector share = Vector{{std::exp(f0), std::exp(f1), 1}} / total;
  return {
      {GaussianEmission{.noise_variance = 0.7, .offset = 5}, Vector{{f0 + 5, f1 + 5, 5}},
       Vector{{0.7, 0.7, 0.7}}},
      {PoissonEmission{}, Vector{{std::exp(f0), std::exp(f1), 1}}, Vector{{std::exp(f0), std::exp(f1), 1}}},
      {NegativeBinomialEmission{.r = Vector{{0.5, 4, 20}}},
       Vector{{0.5 * std::exp(f0), 4 * std::exp(f1), 20}},
       Vector{{0.5 * std::exp(f0) * (1 + std::exp(f0)), 4 * std::exp(f1) * (1 + std::exp(f1)), 40}}},
      {NegativeBinomialEmission{}, Vector{{std::exp(f0), 2 * std::exp(f1), 3}},
       Vector{{std::exp(f0) * (1 + std::exp(f0)), 2 * std::exp(f1) * (1 + std::exp(f1)), 6}}},
      {BinomialEmission{.trials = 25}, Vector{{25 * p0, 25 * p1, 12.5}},
       Vector{{25 * p0 * (1 - p0), 25 * p1 * (1 - p1), 6.25}}},
      {MultinomialEmission{.trials = 40}, 40 * share, 40 * (share.array() * (1 - share.array())).matrix()},
  };
}

TEST(Emissions, MeansAreTheFormulasAndDrawsHaveThemAndTheVariances) {
  const Index rows = 60'000;
  const Matrix F = repeated(rows);
  for (const Law& law : laws()) {
    SCOPED_TRACE(law.emission.index());
    const Matrix mean = emission_mean(law.emission, F), Y = draw_emission(law.emission, F, Rng(3));
    EXPECT_LT((mean.row(rows / 2).transpose() - law.mean).cwiseAbs().maxCoeff(), 1e-12);
    for (Index m = 0; m < 3; ++m) {
      const Vector d = Y.col(m).array() - law.mean(m);
      EXPECT_NEAR(d.mean(), 0, 4 * std::sqrt(law.variance(m) / rows)) << m;
      const Vector d2 = d.cwiseAbs2();
      const double se = std::sqrt((d2.array() - d2.mean()).square().mean() / rows);
      EXPECT_NEAR(d2.mean(), law.variance(m), 4 * se) << m;
    }
    const bool counts = Y == Y.array().round().abs().matrix();
    EXPECT_EQ(counts, !std::holds_alternative<GaussianEmission>(law.emission));
  }
}

TEST(Emissions, MultinomialRowsAddUpToTheTrials) {
  const Matrix Y = draw_emission(MultinomialEmission{.trials = 100}, Rng(1).normal(50, 7), Rng(2));
  for (Index n = 0; n < 50; ++n) EXPECT_EQ(Y.row(n).sum(), 100);
}

TEST(Emissions, ARowDoesNotDependOnTheOthers) {
  const Matrix F = Rng(5).normal(9, 4);
  for (const Emission& e : {Emission{GaussianEmission{}}, Emission{PoissonEmission{}},
                            Emission{NegativeBinomialEmission{}}, Emission{MultinomialEmission{}}}) {
    const Matrix all = draw_emission(e, F, Rng(6)), first = draw_emission(e, F.topRows(3), Rng(6));
    EXPECT_EQ(first, all.topRows(3));
  }
}

TEST(Emissions, BadOnesAreRefused) {
  const Matrix F = Matrix::Zero(4, 3);
  EXPECT_THROW(draw_emission(GaussianEmission{.noise_variance = -1}, F, Rng(1)), std::domain_error);
  EXPECT_THROW(draw_emission(NegativeBinomialEmission{.r = Vector::Ones(2)}, F, Rng(1)),
               std::invalid_argument);
  EXPECT_THROW(draw_emission(NegativeBinomialEmission{.r = Vector::Zero(3)}, F, Rng(1)), std::domain_error);
  EXPECT_THROW(draw_emission(BinomialEmission{.trials = 0}, F, Rng(1)), std::exception);
  EXPECT_THROW(draw_emission(MultinomialEmission{}, F.leftCols(1), Rng(1)), std::exception);
}

}  // namespace
}  // namespace bochner::emissions_test
