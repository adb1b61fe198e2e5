#include "bochner/assess/series_baselines.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/data/lags.hpp"

namespace bochner {
namespace {

/// The last value before each gap; the mean where there is none.
Matrix carried(MatrixIn y) {
  Matrix out = y;
  for (Index s = 0; s < y.cols(); ++s) {
    double sum = 0, count = 0;
    for (Index t = 0; t < y.rows(); ++t)
      if (std::isfinite(y(t, s))) {
        sum += y(t, s);
        ++count;
      }
    double last = count > 0 ? sum / count : 0;
    for (Index t = 0; t < y.rows(); ++t) {
      if (std::isfinite(y(t, s))) last = y(t, s);
      out(t, s) = last;
    }
  }
  return out;
}

}  // namespace

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
  const Eigen::MatrixXd X = table.past.rowwise() - past_mean.transpose();
  const Eigen::MatrixXd Y = table.next.rowwise() - next_mean.transpose();
  const Matrix B = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(X).solve(Y);
  const Matrix whole = carried(y);
  Matrix window = window_at(whole, lags, y.rows() - 1), out(steps, y.cols());
  for (Index t = 0; t < steps; ++t) {
    out.row(t) = (window.row(0) - past_mean.transpose()) * B + next_mean.transpose();
    push(window, out.row(t));
  }
  return out;
}

}  // namespace bochner
