#include "bochner/models/gp/gp_regression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/evidence/kernel_evidence.hpp"
#include "bochner/evidence/observations.hpp"

namespace bochner {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

GpLikelihood likelihood(const AnyKernel& kernel, double noise_variance, MatrixIn X,
                        const Observations<double>& Y, bool gradient, const Compute& compute) {
  const Matrix K = gram(kernel, X, compute);
  const KernelEvidence evidence = kernel_evidence(K, Y, noise_variance, gradient, compute);
  GpLikelihood out{.value = evidence.value};
  if (!gradient) return out;
  const Vector dtheta = gram_pullback(kernel, X, K, evidence.dL_dK, compute).dtheta;
  out.gradient.resize(dtheta.size() + 1);
  out.gradient << dtheta, evidence.dsigma2 * noise_variance;
  return out;
}

void check_data(const char* function, MatrixIn X, MatrixIn Y, double noise_variance) {
  check_positive(function, "noise_variance", noise_variance);
  check_at_least(function, "the number of rows of X", X.rows(), 1);
  check_at_least(function, "the number of columns of X", X.cols(), 1);
  check_at_least(function, "the number of columns of Y", Y.cols(), 1);
  check_size(function, "rows of Y", Y.rows(), "rows of X", X.rows());
  check_finite(function, "X", X);
}

/// Where the optimiser walks: kernel parameters, then u with noise_variance = floor + exp(u). The floor keeps
/// data without noise from driving the Gram matrix out of the positive definite ones.
struct Search {
  const AnyKernel& kernel;
  MatrixIn X;
  const Observations<double>& Y;
  double floor;
  const Compute& compute;

  AnyKernel kernel_at(const Vector& theta) const {
    return with_parameters(kernel, theta.head(theta.size() - 1));
  }
  double noise_at(const Vector& theta) const { return floor + std::exp(theta(theta.size() - 1)); }

  Vector start(double noise_variance) const {
    const Vector kernel_theta = parameters(kernel);
    Vector theta(kernel_theta.size() + 1);
    theta << kernel_theta, std::log(std::max(noise_variance - floor, floor));
    return theta;
  }

  double operator()(const Vector& theta, Vector& gradient) const try {
    const double noise_variance = noise_at(theta);
    if (!std::isfinite(noise_variance)) return nan;
    const GpLikelihood at = likelihood(kernel_at(theta), noise_variance, X, Y, true, compute);
    gradient = at.gradient;
    gradient(theta.size() - 1) *= (noise_variance - floor) / noise_variance;  // dlog noise / du
    return at.value;
  } catch (const std::domain_error&) {  // a parameter left the numbers: the optimiser steps back
    return nan;
  }
};

}  // namespace

GpLikelihood gp_log_likelihood(const AnyKernel& kernel, double noise_variance, MatrixIn X, MatrixIn Y,
                               bool gradient, const Compute& compute) {
  check_data("gp_log_likelihood", X, Y, noise_variance);
  return likelihood(kernel, noise_variance, X, Observations<double>(Y, compute), gradient, compute);
}

GpFit GpRegression::fit(MatrixIn X, MatrixIn Y, const GpFitOptions& options, const Rng& rng,
                        const Compute& compute) const {
  check_data("GpRegression::fit", X, Y, noise_variance);
  check_non_negative("GpRegression::fit", "noise_floor", options.noise_floor);
  check_non_negative("GpRegression::fit", "restart_sd", options.restart_sd);
  check_at_least("GpRegression::fit", "restarts", options.restarts, 0);
  const Observations<double> observations(Y, compute);
  if (observations.observed() == 0)
    throw InputError("GpRegression::fit: Y has no measured entry to learn from");
  if (!options.learn) return GpFit(kernel, noise_variance, X, Y, compute);

  const double mean_square = observations.squared_norm() / static_cast<double>(observations.observed());
  const double scale = mean_square > 0 ? mean_square : noise_variance;
  const Search search{kernel, X, observations, options.noise_floor * scale, compute};
  const Vector origin = search.start(noise_variance);
  OptimizeResult best{.theta = origin, .value = nan};
  std::vector<GpStart> starts;
  std::string trouble = "the parameters given are not usable";
  for (Index s = 0; s <= options.restarts; ++s) {
    Vector theta = origin;
    if (s > 0)
      theta += options.restart_sd *
               rng.split("restarts").split(static_cast<std::uint64_t>(s)).normal(theta.size());
    OptimizeResult result = maximize(search, std::move(theta), options.lbfgs, options.on_iteration);
    starts.push_back({result.value, result.status, result.iterations});
    if (!result.trouble.empty()) trouble = result.trouble;
    const bool stopped = result.status == Status::stopped_by_callback;
    if (std::isfinite(result.value) && !(result.value <= best.value)) best = std::move(result);
    if (stopped) break;
  }
  if (!std::isfinite(best.value))
    throw NumericalError("GpRegression::fit: no start has a finite likelihood (" + trouble + ")");
  GpFit fit(search.kernel_at(best.theta), search.noise_at(best.theta), X, Y, compute);
  fit.status_ = best.status;
  fit.starts_ = std::move(starts);
  return fit;
}

GpFit::GpFit(AnyKernel kernel, double noise_variance, MatrixIn X, MatrixIn Y, const Compute& compute)
    : kernel_(std::move(kernel)), noise_variance_(noise_variance), X_(X), Y_(Y) {
  for (MissingPattern& pattern : missing_patterns(Y_)) {
    Group g{.columns = std::move(pattern.columns), .rows = std::move(pattern.rows)};
    g.X = X_(g.rows, Eigen::all);
    if (!g.rows.empty()) {
      Matrix K = gram(kernel_, g.X, compute);
      K.diagonal().array() += noise_variance_;
      g.factor = cholesky(std::move(K), {.what = "the Gram matrix plus noise"}, compute);
    }
    const Matrix white = solve_lower(g.factor, Y_(g.rows, g.columns), compute);  // L^-1 Y
    g.weights = solve_lower_transposed(g.factor, white, compute);
    const double columns = static_cast<double>(g.columns.size()), rows = static_cast<double>(g.rows.size());
    log_likelihood_ -= 0.5 * (columns * (rows * log_2pi + log_determinant(g.factor)) + white.squaredNorm());
    jitter_ = std::max(jitter_, g.factor.jitter);
    groups_.push_back(std::move(g));
  }
}

Predictive GpFit::predict(MatrixIn X_new, const Compute& compute) const {
  check_size("GpFit::predict", "columns of X_new", X_new.cols(), "columns of X", X_.cols());
  check_finite("GpFit::predict", "X_new", X_new);
  Predictive out{Matrix(X_new.rows(), outputs()), Matrix(X_new.rows(), outputs()), {}};
  for_each_block(compute, X_new.rows(), 128, [&](Index begin, Index size) {
    const auto block = X_new.middleRows(begin, size);
    const Vector prior = diagonal(kernel_, block);
    for (const Group& g : groups_) {
      const Matrix K = gram(kernel_, block, g.X, compute);  // size x rows of the group
      out.mean.middleRows(begin, size)(Eigen::all, g.columns) = K * g.weights;
      const Matrix V = solve_lower(g.factor, K.transpose(), compute);  // L^-1 k(X, x)
      // k(x, x) - |V|^2 may fall below zero by rounding where the data pin f down.
      const Vector variance = (prior.transpose() - V.colwise().squaredNorm()).cwiseMax(0.0).transpose();
      for (const Index p : g.columns) out.f_variance.middleRows(begin, size).col(p) = variance;
    }
  });
  out.y_variance = out.f_variance.array() + noise_variance_;
  return out;
}

Predictive GpFit::leave_one_out(const Compute& compute) const {
  const Matrix missing = Matrix::Constant(rows(), outputs(), nan);
  Predictive out{missing, missing, missing};
  for (const Group& g : groups_) {
    if (g.rows.empty()) continue;
    const Vector precision = inverse(g.factor, compute).diagonal();
    for (std::size_t i = 0; i < g.rows.size(); ++i)
      for (std::size_t j = 0; j < g.columns.size(); ++j) {
        const Index n = g.rows[i], p = g.columns[j];
        const double variance = 1 / precision(static_cast<Index>(i));
        out.mean(n, p) = Y_(n, p) - variance * g.weights(static_cast<Index>(i), static_cast<Index>(j));
        out.y_variance(n, p) = variance;
        out.f_variance(n, p) = std::max(variance - noise_variance_, 0.0);
      }
  }
  return out;
}

}  // namespace bochner
