#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

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

/// E[y | draw] of function j with dimension q at z, averaged over the samples; `mean_of` maps the functions to means.
template <class MeanOf>
double response_in(const BayesFit& fit, std::size_t s, Index q, double z, const MeanOf& mean_of) {
  double sum = 0;
  for (Index n = 0; n < N; ++n) {
    Vector x = fit.X[s].row(n).transpose();
    x(q) = z;
    sum += mean_of(functions_at(fit.views[0].draws[s], x));
  }
  return sum / N;
}

TEST(BayesResponses, AreAveragesOverSamplesAndDraws) {
  BayesFit fit = model_of(BayesLikelihood::gaussian, 2);
  fit.views[0].scaling.centre = Vector::Constant(2, 3);
  fit.views[0].scaling.scale = Vector::Constant(2, 10);
  const Vector values = Vector::LinSpaced(3, -1, 2);
  const BayesResponse found = response(fit, fit.views[0], 1, values, 1.0, Threads(1));
  for (Index i = 0; i < 3; ++i) {
    std::vector<double> by_draw;
    for (std::size_t s = 0; s < draws; ++s)
      by_draw.push_back(3 + 10 * response_in(fit, s, 1, values(i), [](const Vector& f) { return f(0); }));
    std::sort(by_draw.begin(), by_draw.end());
    EXPECT_NEAR(found.mean(i, 0), std::accumulate(by_draw.begin(), by_draw.end(), 0.0) / draws, 1e-9);
    EXPECT_NEAR(found.low(i, 0), by_draw.front(), 1e-9);
    EXPECT_NEAR(found.high(i, 0), by_draw.back(), 1e-9);
  }
  const BayesResponse again = response(fit, fit.views[0], 1, values, 0.9, Threads(3));
  EXPECT_EQ(again.mean, found.mean);
  EXPECT_TRUE((again.low.array() > found.low.array()).all());
  EXPECT_THROW(response(fit, fit.views[0], 2, values, 0.9, Threads(1)), std::domain_error);
  EXPECT_THROW(response(fit, fit.views[0], 0, values, 1.5, Threads(1)), std::domain_error);
}

TEST(BayesResponses, OfCountsAreRates) {
  const BayesFit fit = model_of(BayesLikelihood::poisson, 2);
  const BayesResponse found = response(fit, fit.views[0], 0, Vector::Constant(1, 0.4), 0.9, Threads(1));
  double mean = 0;
  for (std::size_t s = 0; s < draws; ++s)
    mean += response_in(fit, s, 0, 0.4, [](const Vector& f) { return std::exp(f(1)); }) / draws;
  EXPECT_NEAR(found.mean(0, 1), mean, 1e-9 * mean);
}

TEST(BayesResponses, OfLabelsAreProbabilitiesOfTheSecondClass) {
  const BayesFit fit = model_of(BayesLikelihood::categorical, 5, {2, 3});
  const BayesResponse found = response(fit, fit.views[0], 0, Vector::Constant(1, 0.4), 0.9, Threads(1));
  ASSERT_EQ(found.mean.cols(), 2);
  double mean = 0;
  for (std::size_t s = 0; s < draws; ++s)
    mean +=
        response_in(fit, s, 0, 0.4, [](const Vector& f) { return 1 / (1 + std::exp(f(0) - f(1))); }) / draws;
  EXPECT_NEAR(found.mean(0, 0), mean, 1e-9);
  EXPECT_TRUE(std::isnan(found.mean(0, 1)));
  EXPECT_TRUE(std::isnan(found.low(0, 1)));
}

}  // namespace
}  // namespace bochner::bayes_loadings_test
