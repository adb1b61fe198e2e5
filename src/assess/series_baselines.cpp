#include "bochner/assess/series_baselines.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/core/checks.hpp"
#include "bochner/data/lags.hpp"

namespace bochner {
namespace {

/// Of what was measured of each series; 0 where nothing was.
Vector means(MatrixIn y) {
  Vector out = Vector::Zero(y.cols());
  for (Index s = 0; s < y.cols(); ++s) {
    double sum = 0, count = 0;
    for (Index t = 0; t < y.rows(); ++t)
      if (std::isfinite(y(t, s))) {
        sum += y(t, s);
        ++count;
      }
    if (count > 0) out(s) = sum / count;
  }
  return out;
}

/// The last value before each gap; the mean where there is none.
Matrix carried(MatrixIn y) {
  Matrix out = y;
  const Vector mean = means(y);
  for (Index s = 0; s < y.cols(); ++s) {
    double last = mean(s);
    for (Index t = 0; t < y.rows(); ++t) {
      if (std::isfinite(y(t, s))) last = y(t, s);
      out(t, s) = last;
    }
  }
  return out;
}

/// (X'X + c I)^-1 X'Y with the c of a grid that minimises |Y - X B|^2 / (n - 1 - tr H)^2.
Matrix ridge_by_gcv(const Eigen::MatrixXd& X, const Eigen::MatrixXd& Y) {
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(X, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Vector d2 = svd.singularValues().cwiseAbs2();
  const Matrix UY = svd.matrixU().transpose() * Y;
  const Vector powers = UY.rowwise().squaredNorm();
  const double n = double(X.rows()) - 1, rest = std::max(0.0, Y.squaredNorm() - powers.sum());
  double best = 0, least = std::numeric_limits<double>::infinity();
  for (double exponent = -14; exponent <= 2; exponent += 0.5) {
    const double c = std::pow(10, exponent) * std::max(d2(0), std::numeric_limits<double>::min());
    const auto left = c / (d2.array() + c);
    const double residual = rest + (left.square() * powers.array()).sum();
    const double freedom = n - double(d2.size()) + left.sum();
    const double error = residual / (freedom * freedom);
    if (freedom > 0.5 && error < least) least = error, best = c;
  }
  const Vector shrunk = svd.singularValues().array() / (d2.array() + best);
  return svd.matrixV() * (shrunk.asDiagonal() * UY);
}

}  // namespace

Matrix mean_forecast(MatrixIn y, Index steps) { return means(y).transpose().replicate(steps, 1); }

Index find_season(MatrixIn y) {
  const Index T = y.rows(), most = T / 3;
  Vector correlation = Vector::Zero(std::max<Index>(most + 1, 1));
  Matrix z = carried(y);
  z.rowwise() -= z.colwise().mean().eval();
  for (Index lag = 0; lag <= most; ++lag)
    for (Index s = 0; s < y.cols(); ++s) {
      const double variance = z.col(s).squaredNorm();
      if (variance > 0)
        correlation(lag) +=
            z.col(s).head(T - lag).dot(z.col(s).tail(T - lag)) / variance * double(T) / double(T - lag);
    }
  Index lag = 1;
  while (lag < most && correlation(lag + 1) <= correlation(lag)) ++lag;  // down to the first minimum
  if (lag >= most) return 1;
  Index best = lag;
  correlation.segment(lag, most + 1 - lag).maxCoeff(&best);
  return lag + best;
}

Matrix seasonal_naive(MatrixIn y, Index season, Index steps) {
  check_at_least("seasonal_naive", "season", season, 0);
  check_at_least("seasonal_naive", "rows of y", y.rows(), std::max<Index>(season, 1));
  if (season == 0) season = find_season(y);
  const Matrix last = carried(y).bottomRows(season);
  Matrix out(steps, y.cols());
  for (Index t = 0; t < steps; ++t) out.row(t) = last.row(t % season);
  return out;
}

Matrix linear_autoregression(MatrixIn y, Index lags, Index steps) {
  const LagTable table = lag_table(y, lags);
  check_at_least("linear_autoregression", "number of windows", table.past.rows(), 2);
  const Vector past_mean = table.past.colwise().mean(), next_mean = table.next.colwise().mean();
  const Matrix B = ridge_by_gcv(table.past.rowwise() - past_mean.transpose(),
                                table.next.rowwise() - next_mean.transpose());
  const Matrix whole = carried(y);
  Matrix window = window_at(whole, lags, y.rows() - 1), out(steps, y.cols());
  for (Index t = 0; t < steps; ++t) {
    out.row(t) = (window.row(0) - past_mean.transpose()) * B + next_mean.transpose();
    push(window, out.row(t));
  }
  return out;
}

}  // namespace bochner
