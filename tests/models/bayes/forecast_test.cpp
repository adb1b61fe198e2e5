#include "bochner/models/bayes/forecast.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "bochner/core/errors.hpp"

namespace bochner::forecast_test {
namespace {

constexpr double ell = 3, variance = 2.5;

/// S draws of one and the same path over two groups, 12 and 4 rows out of order, in two dimensions that were turned.
BayesFit fit_with_paths(Index S, PathKind kind) {
  BayesFit fit;
  Vector time(16);
  std::vector<Index> group(16);
  Matrix X(16, 2);
  for (Index n = 0; n < 16; ++n) {
    const Index at = (n * 5) % 16;
    group[static_cast<std::size_t>(n)] = at < 12 ? 0 : 1;
    time(n) = double(at) + (at == 7 ? 0.5 : 0);
    X.row(n) << std::sin(0.5 * double(at)), 1.5 - 0.1 * double(at);
    fit.ids.push_back("s" + std::to_string(n));
  }
  fit.grid = make_time_grid(time, group);
  const Matrix turn{{0.6, 0.8}, {-0.8, 0.6}};
  fit.X.assign(static_cast<std::size_t>(S), X * turn);
  fit.turns.assign(static_cast<std::size_t>(S), turn);
  fit.paths.assign(static_cast<std::size_t>(S), {{kind, ell, variance}, {kind, ell, variance}});
  fit.latent = summary(fit.X);
  return fit;
}

/// The last row of a group.
Index row_at(const BayesFit& fit, Index place) { return fit.grid.order[static_cast<std::size_t>(place)]; }

/// Matern 1/2 is the Ornstein-Uhlenbeck process: given x at one time, x after a time t is
/// N(exp(-t / ell) x, variance (1 - exp(-2 t / ell))).
void expect_ornstein_uhlenbeck(const std::vector<Matrix>& X, Index row, const Vector& from, double t) {
  const LatentPosterior after = summary(X);
  const double keep = std::exp(-t / ell), sd = std::sqrt(variance * (1 - keep * keep));
  const double S = double(X.size());
  for (Index d = 0; d < 2; ++d) {
    EXPECT_NEAR(after.mean(row, d), keep * from(d), 4 * sd / std::sqrt(S));
    EXPECT_NEAR(after.sd(row, d), sd, 4 * sd / std::sqrt(2 * S));
  }
}

TEST(BayesForecast, GoesOnFromThePathOfEachDraw) {
  const BayesFit fit = fit_with_paths(4000, PathKind::matern12);
  const std::vector<Matrix> X = forecast(fit, 3, 0.7, Rng(1));
  ASSERT_EQ(X.front().rows(), 6);
  for (Index g = 0; g < 2; ++g) {
    const Vector last = fit.X[0].row(row_at(fit, g == 0 ? 11 : 15)).transpose();
    for (Index k = 0; k < 3; ++k) expect_ornstein_uhlenbeck(X, 3 * g + k, last, 0.7 * double(k + 1));
  }
}

TEST(BayesForecast, TheLastRowsAreForecastFromTheRowsBefore) {
  const BayesFit fit = fit_with_paths(4000, PathKind::matern12);
  const ForecastTrial trial = forecast_again(fit, 4, 2, Rng(2));
  // Four of the second group would leave nothing of it.
  EXPECT_EQ(trial.rows, (std::vector<Index>{row_at(fit, 8), row_at(fit, 9)}));
  EXPECT_EQ(trial.last, (std::vector<Index>{7, 7}));
  EXPECT_EQ(trial.known.size(), 8u);
  EXPECT_EQ(std::set<Index>(trial.known.begin(), trial.known.end()).count(row_at(fit, 8)), 0u);
  const Vector last = fit.X[0].row(row_at(fit, 7)).transpose();
  expect_ornstein_uhlenbeck(trial.X, 0, last, 0.5);  // the times themselves: 7.5, 8, 9
  expect_ornstein_uhlenbeck(trial.X, 1, last, 1.5);
  EXPECT_TRUE(forecast_again(fit, 9, 2, Rng(2)).rows.empty());
  EXPECT_THROW(forecast_again(BayesFit{}, 1, 1, Rng(1)), InputError);
}

/// Counts whose logarithm is known to within 3 only: draws of intercepts, no features.
BayesViewFit uncertain_counts(Index S) {
  BayesViewFit view{
      .name = "bikes", .columns = {"north"}, .likelihood = BayesLikelihood::poisson, .draws = {}};
  Rng rng(3);
  for (Index s = 0; s < S; ++s)
    view.draws.push_back({.W = Matrix::Zero(1, 2), .B = Matrix{{0.0}, {0.0}, {7 + 3 * rng.normal()}}});
  return view;
}

TEST(BayesForecast, MediansOfCountsDoNotFollowTheLargestDraws) {
  const BayesViewFit view = uncertain_counts(2000);
  const std::vector<Matrix> X(2000, Matrix::Zero(1, 2));
  const BayesPrediction p = predict(view, X, {}, {.interval = 0.9}, Rng(1), Threads(1));
  // log-normal: median exp(7), mean exp(7 + 9 / 2), 95 % quantile exp(7 + 1.645 * 3)
  EXPECT_NEAR(std::log(p.median(0, 0)), 7, 0.25);
  EXPECT_NEAR(std::log(p.high(0, 0)), 7 + 1.645 * 3, 0.4);
  EXPECT_NEAR(std::log(p.low(0, 0)), 7 - 1.645 * 3, 0.4);
  EXPECT_GT(p.mean(0, 0), 20 * p.median(0, 0));
}

TEST(BayesForecast, MediansAreInTheUnitsOfTheTable) {
  BayesViewFit view{.name = "y", .columns = {"a"}, .draws = {}};
  view.scaling = {.kind = ScalingKind::standardise,
                  .centre = Vector::Constant(1, 50),
                  .scale = Vector::Constant(1, 10),
                  .constant = {},
                  .unmeasured = {}};
  view.draws.assign(
      400, {.W = Matrix::Zero(1, 2), .B = Matrix{{0.0}, {0.0}, {2.0}}, .scale = Vector::Constant(1, 0.01)});
  const std::vector<Matrix> X(400, Matrix::Zero(1, 2));
  const BayesPrediction p = predict(view, X, {}, {.interval = 0.9}, Rng(1), Threads(1));
  EXPECT_NEAR(p.median(0, 0), 70, 0.2);
}

/// Daily counts of up to some thousands with a week, a year and weather, which scatter far more than Poisson counts.
Matrix daily_counts(Index days) {
  Matrix Y(days, 1);
  Rng rng(5);
  for (Index d = 0; d < days; ++d) {
    const double year = std::sin(2 * pi * (double(d) - 110) / 365), weather = 0.35 * rng.normal();
    Y(d, 0) =
        std::round(std::exp(8 + 0.7 * year + (d % 7 < 5 ? 0.25 : -0.3) + weather - 0.3 * std::abs(weather)));
  }
  return Y;
}

TEST(BayesForecast, WeightsOfFunctionsDoNotExplodeWhilePathsAreSmoothed) {
  const Matrix Y = daily_counts(400);
  const BayesData data{.data = join({make_view("bikes", Y)}),
                       .axis = {.time = Vector::LinSpaced(400, 0, 399)}};
  const BayesOptions options{.frequencies = 20,
                             .views = {{.likelihood = BayesLikelihood::poisson}},
                             .latent = {true, PathKind::matern32},
                             .chains = 1,
                             .warmup = 150,
                             .draws = 50,
                             .stored = 50,
                             .start = BayesStart::pca};
  const BayesFit fit = fit_bayes(data, options, 1, Threads(2));
  // f is about 8 and varies by one or two: weights need not be larger than tens.
  for (const BayesFunctions& draw : fit.views[0].draws) EXPECT_LT(draw.B.cwiseAbs().maxCoeff(), 1000);
  const std::vector<Matrix> X = forecast(fit, 28, 1, Rng(1));
  const BayesPrediction p = predict(fit.views[0], X, {}, {.interval = 0.9}, Rng(1), Threads(2));
  EXPECT_LT(p.mean.maxCoeff(), 2 * Y.maxCoeff());
  EXPECT_LT(p.high.maxCoeff(), 3 * Y.maxCoeff());
  EXPECT_GT(p.median.minCoeff(), Y.minCoeff());
  const std::vector<ForecastScores> scores = backtest(fit, data, 28, Rng(1), Threads(2));
  EXPECT_TRUE(forecast_warnings(fit, data.data, {p}, scores).empty());
}

BayesPrediction prediction(double median, double mean, double high) {
  const auto one = [](double x) { return Matrix::Constant(2, 1, x); };
  return {one(mean), one(0), one(0), one(0), one(high), one(median)};
}

TEST(BayesForecast, WarnsOfForecastsBeyondAnythingObserved) {
  BayesFit fit;
  fit.views = {uncertain_counts(1)};
  const Matrix Y = Vector::LinSpaced(100, 200, 7077);
  View view = make_view("bikes", Y);
  const Dataset data = join({std::move(view)});
  const auto warnings = forecast_warnings(fit, data, {prediction(3000, 1.09e6, 2.5e6)}, {});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].kind, Warning::Kind::wild_forecast);
  EXPECT_EQ(warnings[0].severity, Severity::error);
  EXPECT_EQ(warnings[0].remedy, Remedy::negbinom_likelihood);
  for (const char* part : {"'bikes'", "'north'", "2.5e+06", "7.08e+03"})
    EXPECT_NE(warnings[0].message.find(part), std::string::npos) << warnings[0].message;
  // A mean alone that is absurd is one as well; wide intervals are not.
  EXPECT_EQ(forecast_warnings(fit, data, {prediction(3000, 1.09e6, 9000)}, {}).size(), 1u);
  EXPECT_TRUE(forecast_warnings(fit, data, {prediction(3000, 4000, 70000)}, {}).empty());
}

TEST(BayesForecast, WarnsOfErrorsAboveThoseOfTheSimplestForecast) {
  BayesFit fit;
  fit.views = {uncertain_counts(1)};
  const Dataset data = join({make_view("bikes", Matrix(Vector::LinSpaced(100, 200, 7077)))});
  const std::vector<BayesPrediction> ahead{prediction(3000, 4000, 9000)};
  EXPECT_TRUE(forecast_warnings(fit, data, ahead, {{"bikes", 40, 1.1, 1.3, 1.0, 0.9}}).empty());
  const auto warnings = forecast_warnings(fit, data, ahead, {{"bikes", 40, 2.6, 1.0, 1.3, 0.4}});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].kind, Warning::Kind::poor_forecast);
  EXPECT_NE(warnings[0].message.find("2.6 times the error of the last value"), std::string::npos)
      << warnings[0].message;
}

TEST(BayesForecast, BacktestComparesWithLastValueAndMedian) {
  BayesFit fit = fit_with_paths(50, PathKind::matern12);
  // Functions that know nothing but the number 5: the error is that of 5.
  BayesViewFit view{.name = "y", .columns = {"a", "constant"}, .draws = {}};
  view.scaling = {.kind = ScalingKind::none,
                  .centre = Vector::Zero(2),
                  .scale = Vector::Ones(2),
                  .constant = {},
                  .unmeasured = {}};
  view.draws.assign(50, {.W = Matrix::Zero(1, 2),
                         .B = Matrix{{0.0, 0.0}, {0.0, 0.0}, {5.0, 1.0}},
                         .scale = Vector::Constant(2, 1e-12)});
  fit.views = {view};
  Matrix Y = Matrix::Ones(16, 2);
  for (Index i = 0; i < 16; ++i) Y(row_at(fit, i), 0) = double(i);
  Y(row_at(fit, 7), 0) = std::nan("");  // the last known value is then the one before
  const BayesData data{.data = join({make_view("y", Y)}), .axis = {.time = Vector::Zero(16)}};
  const std::vector<ForecastScores> scores = backtest(fit, data, 4, Rng(1), Threads(1));
  ASSERT_EQ(scores.size(), 1u);
  // Cut before row 8 of the first group alone: rows 8 to 11 are forecast, from 0 .. 6.
  EXPECT_EQ(scores[0].entries, 4);
  double unit = 0;
  for (Index i = 0; i < 16; ++i) unit += i == 7 ? 0 : std::abs(double(i) - 8) / 15;
  EXPECT_NEAR(scores[0].error, 4.5 / unit, 1e-5);          // |8 - 5| .. |11 - 5|
  EXPECT_NEAR(scores[0].error_last, 3.5 / unit, 1e-12);    // 6
  EXPECT_NEAR(scores[0].error_median, 6.5 / unit, 1e-12);  // 3
  EXPECT_EQ(scores[0].coverage90, 0);
}

}  // namespace
}  // namespace bochner::forecast_test
