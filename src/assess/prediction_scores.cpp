#include "bochner/assess/prediction_scores.hpp"

#include <cmath>
#include <limits>

#include "bochner/assess/normal_interval.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

void check_shape(const char* function, const char* what_rows, const char* what_columns, MatrixIn truth,
                 MatrixIn A) {
  check_size(function, what_rows, A.rows(), "rows of truth", truth.rows());
  check_size(function, what_columns, A.cols(), "columns of truth", truth.cols());
}

/// Mean of f(n, m) over the entries where the truth is known.
template <class F>
double mean_over_known(MatrixIn truth, F f) {
  double sum = 0;
  Index count = 0;
  for (Index n = 0; n < truth.rows(); ++n)
    for (Index m = 0; m < truth.cols(); ++m)
      if (!std::isnan(truth(n, m))) {
        sum += f(n, m);
        ++count;
      }
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

}  // namespace

double rmse(MatrixIn truth, MatrixIn mean) {
  check_shape("rmse", "rows of mean", "columns of mean", truth, mean);
  return std::sqrt(mean_over_known(truth, [&](Index n, Index m) {
    check_finite("rmse", "mean", mean(n, m));
    return std::pow(truth(n, m) - mean(n, m), 2);
  }));
}

double mae(MatrixIn truth, MatrixIn mean) {
  check_shape("mae", "rows of mean", "columns of mean", truth, mean);
  return mean_over_known(truth, [&](Index n, Index m) {
    check_finite("mae", "mean", mean(n, m));
    return std::abs(truth(n, m) - mean(n, m));
  });
}

double log_predictive_density(MatrixIn truth, MatrixIn mean, MatrixIn variance) {
  check_shape("log_predictive_density", "rows of mean", "columns of mean", truth, mean);
  check_shape("log_predictive_density", "rows of variance", "columns of variance", truth, variance);
  return mean_over_known(truth, [&](Index n, Index m) {
    check_finite("log_predictive_density", "mean", mean(n, m));
    check_positive("log_predictive_density", "variance", variance(n, m));
    const double z = (truth(n, m) - mean(n, m)) / std::sqrt(variance(n, m));
    return -0.5 * (log_2pi + std::log(variance(n, m)) + z * z);
  });
}

double crps(MatrixIn truth, MatrixIn mean, MatrixIn variance) {
  check_shape("crps", "rows of mean", "columns of mean", truth, mean);
  check_shape("crps", "rows of variance", "columns of variance", truth, variance);
  return mean_over_known(truth, [&](Index n, Index m) {
    check_finite("crps", "mean", mean(n, m));
    check_non_negative("crps", "variance", variance(n, m));
    const double error = truth(n, m) - mean(n, m), sd = std::sqrt(variance(n, m));
    if (sd == 0) return std::abs(error);
    const double z = error / sd;
    // sd [z (2 Phi(z) - 1) + 2 phi(z) - 1 / sqrt(pi)], and 2 Phi(z) - 1 = erf(z / sqrt 2)
    return error * std::erf(z / std::sqrt(2.0)) +
           sd * (std::sqrt(2 / pi) * std::exp(-0.5 * z * z) - 1 / std::sqrt(pi));
  });
}

double interval_coverage(MatrixIn truth, MatrixIn lower, MatrixIn upper) {
  check_shape("interval_coverage", "rows of lower", "columns of lower", truth, lower);
  check_shape("interval_coverage", "rows of upper", "columns of upper", truth, upper);
  return mean_over_known(truth, [&](Index n, Index m) {
    check_between("interval_coverage", "lower", lower(n, m), -std::numeric_limits<double>::infinity(),
                  upper(n, m));
    return lower(n, m) <= truth(n, m) && truth(n, m) <= upper(n, m) ? 1.0 : 0.0;
  });
}

double gaussian_coverage(MatrixIn truth, MatrixIn mean, MatrixIn variance, double level) {
  check_shape("gaussian_coverage", "rows of mean", "columns of mean", truth, mean);
  check_shape("gaussian_coverage", "rows of variance", "columns of variance", truth, variance);
  check_between("gaussian_coverage", "level", level, 0, 1);
  const double z = level < 1 ? normal_quantile_of_interval(level) : std::numeric_limits<double>::infinity();
  return mean_over_known(truth, [&](Index n, Index m) {
    check_finite("gaussian_coverage", "mean", mean(n, m));
    check_non_negative("gaussian_coverage", "variance", variance(n, m));
    return level == 1 || std::abs(truth(n, m) - mean(n, m)) <= z * std::sqrt(variance(n, m)) ? 1.0 : 0.0;
  });
}

}  // namespace bochner
