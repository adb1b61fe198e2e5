#include <gtest/gtest.h>

#include <cmath>

#include "bochner/models/bayes/relevance.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::bayes_loadings_test {
namespace {

constexpr Index N = 40, Q = 2, L = 3, draws = 4;

/// f(x) = [cos(x'w), sin(x'w)] / sqrt(L) and an intercept, times B (one row of X, one draw).
Vector functions_at(const BayesFunctions& draw, const Vector& x) {
  const Vector angle = draw.W * x;
  Vector phi(2 * L + 1);
  phi << angle.array().cos() / std::sqrt(double(L)), angle.array().sin() / std::sqrt(double(L)), 1;
  return draw.B.transpose() * phi;
}

BayesFit model_of(BayesLikelihood likelihood, Index J, std::vector<Index> classes = {}) {
  const Rng rng(7);
  BayesFit fit;
  BayesViewFit view{.name = "y", .columns = {"a", "b"}, .likelihood = likelihood, .scaling = {}, .draws = {}};
  view.scaling = fit_scaling(Matrix::Zero(2, 2), ScalingKind::none);
  view.classes = std::move(classes);
  for (Index s = 0; s < draws; ++s) {
    Rng own = rng.split("draw").split(static_cast<std::uint64_t>(s));
    fit.X.push_back(own.normal(N, Q));
    const Matrix W = own.normal(L, Q);
    view.draws.push_back({W, own.normal(2 * L + 1, J), Vector::Ones(J)});
  }
  fit.latent = {fit.X.front(), Matrix::Ones(N, Q)};
  fit.views = {view};
  return fit;
}

Dataset data_of(Matrix Y) {
  View view = make_view("y", std::move(Y));
  view.columns = {"a", "b"};
  return join({view});
}

/// Mean over samples of the derivative of f_j along dimension q times the standard deviation of that, by differences.
double slope(const BayesFit& fit, Index s, Index j, Index q) {
  constexpr double h = 1e-6;
  const Matrix& X = fit.X[static_cast<std::size_t>(s)];
  const BayesFunctions& draw = fit.views[0].draws[static_cast<std::size_t>(s)];
  double sum = 0;
  for (Index n = 0; n < N; ++n) {
    const Vector step = h * Vector::Unit(Q, q), x = X.row(n).transpose();
    sum += (functions_at(draw, x + step)(j) - functions_at(draw, x - step)(j)) / (2 * h);
  }
  const double mean = X.col(q).mean();
  return sum / N * std::sqrt((X.col(q).array() - mean).square().mean());
}

double mean_slope(const BayesFit& fit, Index j, Index q) {
  double sum = 0;
  for (Index s = 0; s < draws; ++s) sum += slope(fit, s, j, q);
  return sum / draws;
}

TEST(BayesLoadings, AreMeanDerivativesInUnitsOfTheEntries) {
  const BayesFit fit = model_of(BayesLikelihood::gaussian, 2);
  Matrix Y = Rng(3).normal(N, 2);
  Y.col(1) *= 5;
  Y(0, 0) = std::nan("");
  const BayesLoadings found = loadings(fit, data_of(Y), Threads(1)).front();
  for (Index m = 0; m < 2; ++m) {
    const Vector y = Y.col(m).tail(N - 1 + m);  // without what is missing
    const double sd = std::sqrt((y.array() - y.mean()).square().mean());
    for (Index q = 0; q < Q; ++q) {
      const double mean = mean_slope(fit, m, q);
      double square = 0;
      for (Index s = 0; s < draws; ++s) square += std::pow(slope(fit, s, m, q) - mean, 2) / draws;
      EXPECT_NEAR(found.mean(m, q), mean / sd, 1e-7);
      EXPECT_NEAR(found.sd(m, q), std::sqrt(square) / sd, 1e-7);
    }
  }
  EXPECT_EQ(loadings(fit, data_of(Y), Threads(3)).front().mean, found.mean);
  EXPECT_THROW(loadings(fit, data_of(Y.topRows(3)), Threads(1)), std::invalid_argument);
}

TEST(BayesLoadings, OfAColumnWithoutEntriesAreZero) {
  Matrix Y = Rng(3).normal(N, 2);
  Y.col(1).setConstant(std::nan(""));
  const BayesLoadings found =
      loadings(model_of(BayesLikelihood::gaussian, 2), data_of(Y), Threads(1)).front();
  EXPECT_EQ(found.mean.row(1), Eigen::RowVectorXd::Zero(Q));
  EXPECT_EQ(found.sd.row(1), Eigen::RowVectorXd::Zero(Q));
}

TEST(BayesLoadings, OfCountsAreInUnitsOfTheFunctions) {
  const BayesFit fit = model_of(BayesLikelihood::poisson, 2);
  const BayesLoadings found = loadings(fit, data_of(Matrix::Ones(N, 2)), Threads(1)).front();
  for (Index m = 0; m < 2; ++m) {
    double variance = 0;
    for (std::size_t s = 0; s < draws; ++s) {
      Vector f(N);
      for (Index n = 0; n < N; ++n)
        f(n) = functions_at(fit.views[0].draws[s], fit.X[s].row(n).transpose())(m);
      variance += (f.array() - f.mean()).square().mean() / draws;
    }
    for (Index q = 0; q < Q; ++q)
      EXPECT_NEAR(found.mean(m, q), mean_slope(fit, m, q) / std::sqrt(variance), 1e-7);
  }
}

TEST(BayesLoadings, OfLabelsHaveADirectionWhereTwoClassesAre) {
  const BayesFit fit = model_of(BayesLikelihood::categorical, 5, {2, 3});
  const BayesLoadings found = loadings(fit, data_of(Matrix::Zero(N, 2)), Threads(1)).front();
  for (Index q = 0; q < Q; ++q) {
    const double towards = mean_slope(fit, 1, q) - mean_slope(fit, 0, q);
    EXPECT_EQ(found.mean(0, q) > 0, towards > 0);
    EXPECT_TRUE(std::isnan(found.mean(1, q)));
    EXPECT_TRUE(std::isnan(found.sd(1, q)));
  }
}

}  // namespace
}  // namespace bochner::bayes_loadings_test
