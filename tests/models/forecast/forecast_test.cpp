#include "bochner/models/forecast/forecast.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "bochner/assess/series_baselines.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/simulate/sum_of_sines.hpp"

namespace bochner::forecast_test {
namespace {

const Threads threads(2);

SeriesTable alone(const Matrix& y) { return {y, Matrix(y.rows(), 0)}; }
Matrix nothing(Index steps) { return Matrix(steps, 0); }

/// The authors' series and split: 400 times to learn, 100 to forecast.
struct Sines {
  Vector y = sum_of_sines().y;
  SeriesTable train = alone(y.head(400));
  Matrix test = y.tail(100);
  ForecastOptions options{
      .lags = 40, .dims = 4, .kernel = "linear", .preimage = Preimage::identity, .validation = 0};
};

Matrix ahead(const Sines& s, KpcaSolver solver) {
  ForecastOptions o = s.options;
  o.solver = solver;
  return forecast(fit_forecast(s.train, o, 1, threads), 100, nothing(100), {}, threads).mean;
}

TEST(Forecast, FourAlgorithmsGoOnWithTheSines) {
  const Sines s;
  const Matrix primal = ahead(s, KpcaSolver::primal);
  EXPECT_LT((primal - s.test).cwiseAbs().maxCoeff(), 1e-10);  // two sines are four lags: nothing is lost
  for (const KpcaSolver solver : {KpcaSolver::dual, KpcaSolver::primal_stiefel, KpcaSolver::dual_stiefel})
    EXPECT_LT((ahead(s, solver) - primal).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Forecast,
     EigenvaluesOfTheAuthorsProgram) {  // standardised with the unbiased sd, printed to four decimals
  const Sines s;
  const Vector expected{{8755.0677, 5684.3943, 293.7017, 284.4540}};
  EXPECT_LT((fit_forecast(s.train, s.options, 1, threads).model.lambda - expected).cwiseAbs().maxCoeff(),
            6e-5);
}

/// Eq. 15 of [achten2023] with dense matrices: features of the window, centred, and the next value.
TEST(Forecast, OneStepIsTheMissingViewByHand) {
  const Index T = 60, p = 2;
  Rng rng(3);
  Matrix y(T, 2);
  y.row(0).setZero();
  for (Index t = 1; t < T; ++t)
    y.row(t) =
        0.7 * y.row(t - 1) + 0.3 * y.row(t - 1).reverse().array().sin().matrix() + rng.normal(2).transpose();
  const Index s = 5;
  const ForecastFit fit = fit_forecast(
      alone(y), {.lags = p, .dims = s, .lengthscale = 1.7, .preimage = Preimage::identity, .validation = 0},
      1, threads);
  const Matrix z = (y.rowwise() - y.colwise().mean()) *
                   ((y.rowwise() - y.colwise().mean()).colwise().squaredNorm() / double(T - 1))
                       .cwiseSqrt()
                       .cwiseInverse()
                       .asDiagonal();
  const Index n = T - p - 1;
  Matrix past(n, 6), next(n, 2);
  for (Index i = 0; i < n; ++i) {
    past.row(i) << z.row(i), z.row(i + 1), z.row(i + 2);
    next.row(i) = z.row(i + 3);
  }
  const auto k = [](const auto& a, const auto& b) {
    return std::exp(-(a - b).squaredNorm() / (2 * 1.7 * 1.7));
  };
  Eigen::MatrixXd Kx(n, n),
      centre = Eigen::MatrixXd::Identity(n, n) - Eigen::MatrixXd::Constant(n, n, 1.0 / double(n));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) Kx(i, j) = k(past.row(i), past.row(j));
  const Eigen::MatrixXd Y = centre * next, Kxc = centre * Kx * centre;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(Kxc + Y * Y.transpose());
  const Eigen::MatrixXd H = eigen.eigenvectors().rightCols(s);
  const Eigen::MatrixXd Lambda = eigen.eigenvalues().tail(s).asDiagonal(), Uy = Y.transpose() * H;
  Eigen::VectorXd kx(n);
  const Eigen::RowVectorXd window = (Matrix(1, 6) << z.row(T - 3), z.row(T - 2), z.row(T - 1)).finished();
  for (Index i = 0; i < n; ++i) kx(i) = k(past.row(i), window);
  const Eigen::VectorXd kc = centre * (kx - Kx.rowwise().mean());
  const Eigen::VectorXd phi = Uy * (Lambda - Uy.transpose() * Uy).inverse() * (H.transpose() * kc);
  const Eigen::VectorXd standardised = phi + next.colwise().mean().transpose();
  const Eigen::VectorXd sd =
      ((y.rowwise() - y.colwise().mean()).colwise().squaredNorm() / double(T - 1)).cwiseSqrt();
  const Eigen::VectorXd expected = standardised.cwiseProduct(sd) + y.colwise().mean().transpose();
  const Matrix mean = forecast(fit, 3, nothing(3), {}, threads).mean;
  EXPECT_LT((mean.row(0).transpose() - expected).norm(), 1e-8);
}

TEST(Forecast, PrimalAndDualCoincideWithTheSameFeatures) {
  const Sines s;
  ForecastOptions o = s.options;
  o.kernel = "rbf";
  o.dims = 30;
  o.features = {.kind = FeatureSpec::Kind::random, .count = 60};
  o.solver = KpcaSolver::primal;
  const Matrix a = forecast(fit_forecast(s.train, o, 1, threads), 50, nothing(50), {}, threads).mean;
  o.solver = KpcaSolver::dual;
  const Matrix b = forecast(fit_forecast(s.train, o, 1, threads), 50, nothing(50), {}, threads).mean;
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Forecast, SameBytesForAnyNumberOfThreads) {
  const Sines s;
  ForecastOptions o = s.options;
  o.kernel = "rbf";
  o.dims = 20;
  o.validation = 0.2;
  const auto run = [&](int count) {
    const Threads t(count);
    return forecast(fit_forecast(s.train, o, 1, t), 20, nothing(20), {0.9}, t);
  };
  const Forecast one = run(1);
  for (const int count : {2, 7}) {
    const Forecast other = run(count);
    EXPECT_EQ(one.mean, other.mean);
    EXPECT_EQ(one.intervals[0].upper, other.intervals[0].upper);
  }
}

/// A damped oscillation driven by noise: forecasts decay, errors grow, both are known.
Matrix noisy_cycle(Index T, std::uint64_t seed) {
  Rng rng(seed);
  Matrix y = Matrix::Zero(T, 1);
  for (Index t = 2; t < T; ++t) y(t, 0) = 1.6 * y(t - 1, 0) - 0.9 * y(t - 2, 0) + rng.normal();
  return y;
}

TEST(Forecast, IntervalsHoldWhatTheySay) {
  Index inside = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Matrix y = noisy_cycle(420, seed);
    const ForecastFit fit =
        fit_forecast(alone(y.topRows(400)), {.lags = 4, .dims = 4, .kernel = "linear"}, 1, threads);
    const Forecast f = forecast(fit, 20, nothing(20), {0.9}, threads);
    for (Index t = 0; t < 20; ++t)
      inside += f.intervals[0].lower(t, 0) <= y(400 + t, 0) && y(400 + t, 0) <= f.intervals[0].upper(t, 0);
    all += 20;
  }
  // Steps of one forecast lie in or out together: about 60 x 4 independent ones, standard error 0.02.
  EXPECT_NEAR(double(inside) / double(all), 0.9, 0.06);
}

TEST(Forecast, ANoisySeriesNeedsTheRidge) {
  double ridge = 0, identity = 0, best = 0;
  const SeriesTable long_one = alone(noisy_cycle(1000, 11));
  ForecastOptions o{.lags = 4, .dims = 5, .kernel = "linear"};
  const BacktestOptions next{.folds = 200, .steps = 1, .intervals = false};
  for (const BacktestFold& f : backtest(long_one, o, next, 1, threads))
    ridge += f.rmse * f.rmse / 200, best += f.ar_rmse * f.ar_rmse / 200;
  o.preimage = Preimage::identity;
  for (const BacktestFold& f : backtest(long_one, o, next, 1, threads)) identity += f.rmse * f.rmse / 200;
  EXPECT_LT(ridge, 1.05 * best);  // least squares on the same times is the best there is
  EXPECT_GT(identity, 1.2 * best);
}

TEST(Forecast, IntervalsGrowAndNest) {
  const Matrix y = noisy_cycle(400, 5);
  const ForecastFit fit = fit_forecast(alone(y), {.lags = 4, .dims = 4, .kernel = "linear"}, 1, threads);
  const Forecast f = forecast(fit, 200, nothing(200), {0.5, 0.95}, threads);
  const Vector narrow = (f.intervals[0].upper - f.intervals[0].lower).col(0);
  const Vector wide = (f.intervals[1].upper - f.intervals[1].lower).col(0);
  EXPECT_TRUE((wide.array() > narrow.array()).all());
  for (Index t = 1; t < 200; ++t) EXPECT_GE(narrow(t), narrow(t - 1) - 1e-12);
}

TEST(Forecast, KnownCompanionsSteer) {
  Rng rng(9);
  const Index T = 300, steps = 10;
  Matrix known = rng.normal(T + steps, 1), y(T + steps, 1);
  y(0, 0) = 0;
  for (Index t = 1; t < T + steps; ++t) y(t, 0) = 0.5 * y(t - 1, 0) + 2 * known(t, 0);
  const ForecastOptions o{.lags = 1, .dims = 3, .kernel = "linear", .validation = 0};
  const ForecastFit with = fit_forecast({y.topRows(T), known.topRows(T)}, o, 1, threads);
  const Matrix f = forecast(with, steps, known.bottomRows(steps), {}, threads).mean;
  EXPECT_LT((f - y.bottomRows(steps)).cwiseAbs().maxCoeff(), 1e-6);
  const ForecastFit without = fit_forecast(alone(y.topRows(T)), o, 1, threads);
  EXPECT_GT((forecast(without, steps, nothing(steps), {}, threads).mean - y.bottomRows(steps)).norm(), 1);
  EXPECT_THROW(forecast(with, steps, nothing(steps), {}, threads), std::invalid_argument);
  EXPECT_THROW(forecast(with, steps, known.topRows(3), {}, threads), std::invalid_argument);
}

TEST(Forecast, GapsAreBridged) {
  const Sines s;
  Matrix y = s.train.y;
  for (const Index t : {60, 61, 150, 397}) y(t, 0) = std::nan("");  // the last one within the final window
  const ForecastFit fit = fit_forecast(alone(y), s.options, 1, threads);
  EXPECT_TRUE(fit.tail.allFinite());
  EXPECT_LT((forecast(fit, 100, nothing(100), {}, threads).mean - s.test).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Forecast, TooShortOrTooFullOfGapsIsSaid) {
  const auto refused = [](const Matrix& y, Index lags) {
    try {
      fit_forecast(alone(y), {.lags = lags, .dims = 2, .kernel = "linear"}, 1, threads);
      return std::string();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(refused(noisy_cycle(20, 1), 15).find("use fewer lags"), std::string::npos);
  Matrix gappy = noisy_cycle(200, 1);
  for (Index t = 0; t < 200; t += 5) gappy(t, 0) = std::nan("");
  EXPECT_EQ(
      refused(gappy, 10),
      "a forecast from 11 times needs at least 21 times in a row without a gap, but the longest stretch in "
      "all 200 times is 4, because of gaps in series 1 (40 values missing); use fewer lags");
  Matrix at_end = noisy_cycle(200, 1);
  EXPECT_EQ(refused(at_end, 5), "");
  Matrix constant = Matrix::Constant(100, 1, 3.0);
  EXPECT_NE(refused(constant, 5).find("all the same"), std::string::npos);
}

// ---- Backtest and tuning

TEST(Backtest, FoldsAreWhatTheySay) {
  const Matrix y = noisy_cycle(300, 7);
  const ForecastOptions o{.lags = 4, .dims = 4, .kernel = "linear"};
  const std::vector<BacktestFold> folds = backtest(alone(y), o, {.folds = 3, .steps = 10}, 1, threads);
  ASSERT_EQ(folds.size(), 3u);
  for (Index k = 0; k < 3; ++k) {
    const BacktestFold& fold = folds[static_cast<std::size_t>(k)];
    EXPECT_EQ(fold.origin, 270 + 10 * k);
    // The same by hand, from what lies before the origin alone.
    const ForecastFit fit = fit_forecast(alone(y.topRows(fold.origin)), o, 1, threads);
    const Vector e =
        (forecast(fit, 10, nothing(10), {}, threads).mean - y.middleRows(fold.origin, 10)).col(0);
    EXPECT_NEAR(fold.rmse, std::sqrt(e.squaredNorm() / 10), 1e-12);
    EXPECT_NEAR(fold.mae, e.cwiseAbs().mean(), 1e-12);
    const Vector naive =
        (seasonal_naive(y.topRows(fold.origin), 0, 10) - y.middleRows(fold.origin, 10)).col(0);
    EXPECT_NEAR(fold.naive_rmse, std::sqrt(naive.squaredNorm() / 10), 1e-12);
    EXPECT_GE(fold.coverage, 0);
    EXPECT_LE(fold.coverage, 1);
  }
  EXPECT_THROW(backtest(alone(y), o, {.folds = 30, .steps = 10}, 1, threads), InputError);
  SeriesTable gappy{Matrix(300, 2), Matrix(300, 0), {"a", "b"}};
  gappy.y << y, y;
  for (Index t = 0; t < 270; t += 5) gappy.y(t, 1) = std::nan("");
  try {
    backtest(gappy, o, {.folds = 3, .steps = 10}, 1, threads);
    ADD_FAILURE() << "not refused";
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "a forecast from 5 times needs at least 15 times in a row without a gap, but the longest stretch "
        "in the 270 times before fold 1 of 3 of the backtest is 4, counting times at which all series "
        "were measured; most gaps are in 'b' (54 values missing); use fewer lags, folds or steps");
  }
}

TEST(Backtest, DoesNotLookAhead) {
  Matrix y = noisy_cycle(200, 7);
  const ForecastOptions o{.lags = 4, .dims = 4, .kernel = "linear"};
  const double before = backtest(alone(y), o, {.folds = 2, .steps = 10}, 1, threads)[0].rmse;
  y.bottomRows(10) *= 100;  // the second fold
  EXPECT_EQ(before, backtest(alone(y), o, {.folds = 2, .steps = 10}, 1, threads)[0].rmse);
}

TEST(Tuning, RanksByTheBacktest) {
  const Sines s;
  ForecastOptions o = s.options;
  o.kernel = "rbf";
  o.lags = 8;
  const std::vector<TuningStep> tried = tune_forecast(s.train, o, {.folds = 2, .steps = 20}, 1, threads);
  ASSERT_EQ(tried.size(), 48u);
  for (std::size_t i = 1; i < tried.size(); ++i) EXPECT_LE(tried[i - 1].rmse, tried[i].rmse);
  double squares = 0;
  for (const BacktestFold& fold :
       backtest(s.train, tried[0].options, {.folds = 2, .steps = 20, .intervals = false}, 1, threads))
    squares += fold.rmse * fold.rmse / 2;
  EXPECT_NEAR(tried[0].rmse, std::sqrt(squares), 1e-12);
  int calls = 0;
  const auto stop = [&](double) { return ++calls < 3; };
  EXPECT_EQ(tune_forecast(s.train, o, {.folds = 2, .steps = 20}, 1, threads, stop).size(), 3u);
}

}  // namespace
}  // namespace bochner::forecast_test
