#include "bochner/models/gplvm/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/assess/normal_interval.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/data/held_out_views.hpp"

namespace bochner {
namespace {

constexpr double calibrated_level = 0.9;
constexpr std::size_t fewest_hidden = 20;
// The log of the factor from n independent entries has a standard error of 1.8 / sqrt(n), and a root mean square of 0.5 over
// real tables: 1.8^2 / 0.5^2. Entries of a sample are not independent, but where that would matter there are many.
constexpr double prior_entries = 13;
constexpr Index calibration_folds = 5;

/// Squared errors in units of the variance, of all rows but those of a fold; fold -1 has none.
std::vector<double> squared_errors(const Matrix& truth, const Matrix& mean, const Matrix& variance,
                                   Index without) {
  std::vector<double> out;
  for (Index n = 0; n < truth.rows(); ++n) {
    if (n % calibration_folds == without) continue;
    for (Index m = 0; m < truth.cols(); ++m)
      if (!std::isnan(truth(n, m)) && variance(n, m) > 0)
        out.push_back(std::pow(truth(n, m) - mean(n, m), 2) / variance(n, m));
  }
  return out;
}

}  // namespace

double calibration_factor(std::vector<double> squared_errors) {
  if (squared_errors.size() < fewest_hidden) return 1;
  const double n = double(squared_errors.size()), z = normal_quantile_of_interval(calibrated_level);
  // The smallest factor with a share of at least 0.9 inside, as if one more error were infinite.
  const double rank = std::ceil(calibrated_level * (n + 1)) - 1;
  const auto at = squared_errors.begin() + static_cast<std::ptrdiff_t>(std::min(rank, n - 1));
  std::nth_element(squared_errors.begin(), at, squared_errors.end());
  const double log_factor = std::log(std::max(*at, 1e-300) / (z * z));
  return std::exp(std::clamp(log_factor * n / (n + prior_entries), -std::log(20.0), std::log(20.0)));
}

GplvmFit calibrated(GplvmFit fit, const Dataset& data, const std::vector<BoolMatrix>& held_out,
                    const Compute& compute) {
  check_size("calibrated", "samples of the fit", fit.latent.mean.rows(), "samples", data.rows());
  const HeldOutParts parts = split_held_out(data, held_out);
  for (GplvmView& view : fit.views) {
    const Index v = data.view_index(view.name);
    const BoolMatrix& mask = parts.entries[static_cast<std::size_t>(v)];
    if (mask.count() < Index(fewest_hidden)) continue;
    const Predictive p = predict(view, fit.latent, compute);
    Matrix truth = held_out_values(data.view(v).Y, mask);
    for (const Index m : view.constant) truth.col(m).setConstant(std::nan(""));  // predicted without error
    view.calibration *= calibration_factor(squared_errors(truth, p.mean, p.y_variance, -1));
  }
  return fit;
}

Matrix cross_calibrated(const Matrix& truth, const Matrix& mean, const Matrix& variance, double calibration) {
  Matrix out = variance / calibration;
  const Matrix plain = out;
  for (Index fold = 0; fold < calibration_folds; ++fold) {
    const double factor = calibration_factor(squared_errors(truth, mean, plain, fold));
    for (Index n = fold; n < truth.rows(); n += calibration_folds) out.row(n) *= factor;
  }
  return out;
}

}  // namespace bochner
