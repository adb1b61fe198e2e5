#pragma once
#include <string>
#include <vector>

#include "bochner/compute/cholesky.hpp"
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/data/predictive.hpp"
#include "bochner/infer/lbfgs.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

struct GpFitOptions {
  bool learn = true;          // kernel parameters and noise variance; false keeps them as they are
  double noise_floor = 1e-8;  // of a learned noise variance, times the mean square of Y
  Index restarts = 0;         // further starts of the optimiser; the best end wins
  double restart_sd = 1;      // of the normal move of all unconstrained parameters that a restart begins with
  LbfgsOptions lbfgs{};
  OnIteration on_iteration{};  // sees every iteration of every start; false ends the learning, not the fit
};

/// How one start of the optimiser ended.
struct GpStart {
  double log_likelihood = 0;
  Status status = Status::iteration_limit;
  Index iterations = 0;
};

/// Exact GP regression at fixed parameters: immutable, made by GpRegression::fit.
class GpFit {
 public:
  /// log p(Y | X) and how it was reached; `starts` is empty when nothing was learned.
  double log_likelihood() const { return log_likelihood_; }
  const std::vector<GpStart>& starts() const { return starts_; }
  Status status() const { return status_; }  // of the start that won; converged when nothing was learned
  const AnyKernel& kernel() const { return kernel_; }
  double noise_variance() const { return noise_variance_; }
  double jitter() const { return jitter_; }    // largest amount a factorisation had to add to its diagonal
  Index rows() const { return X_.rows(); }     // N
  Index outputs() const { return Y_.cols(); }  // P

  /// Mean and variances at the rows of X_new (N_new x D), in blocks of rows: memory O(block N) a thread.
  Predictive predict(MatrixIn X_new, const Compute& compute) const;

  /// Each measured entry predicted from all the others of its column, at the same parameters, in closed form
  /// [rasmussen2006, Eq. 5.12]: with S = K + noise_variance I, mean y_n - [S^-1 y]_n / [S^-1]_nn and
  /// y_variance 1 / [S^-1]_nn. N x P, NaN where Y is.
  Predictive leave_one_out(const Compute& compute) const;

 private:
  friend struct GpRegression;

  /// Columns measured in the same rows share one factor.
  struct Group {
    std::vector<Index> columns, rows;
    Matrix X;               // the measured rows of X
    CholeskyFactor factor;  // of S = K(X, X) + noise_variance I
    Matrix weights;         // S^-1 Y, rows x columns of the group
  };

  GpFit(AnyKernel kernel, double noise_variance, MatrixIn X, MatrixIn Y, const Compute& compute);

  AnyKernel kernel_;
  double noise_variance_;
  Matrix X_, Y_;
  std::vector<Group> groups_;
  double log_likelihood_ = 0, jitter_ = 0;
  Status status_ = Status::converged;
  std::vector<GpStart> starts_;
};

/// Regression with a Gaussian process prior: y_p(x) = f_p(x) + N(0, noise_variance), f_p ~ GP(0, kernel), for
/// p = 1 .. P independent outputs that share kernel and noise. The prior mean is zero: centre Y first.
///
///     const GpFit fit = GpRegression{kernel, 0.1}.fit(X, Y, {}, Rng(1), threads);
///     const Predictive p = fit.predict(X_new, threads);
struct GpRegression {
  AnyKernel kernel;
  double noise_variance = 0.1;  // > 0; where learning starts

  /// X (N x D) finite, Y (N x P) finite or NaN where not measured. Learning maximises log_likelihood over all
  /// kernel parameters and the noise variance with L-BFGS. An evaluation costs O(N^3) time for each set of
  /// columns measured in the same rows, and the fit keeps an N x N factor for each. Throws NumericalError
  /// when no start leads to a finite likelihood; not converging is an answer (GpFit::status). `rng` is for
  /// the restarts alone.
  GpFit fit(MatrixIn X, MatrixIn Y, const GpFitOptions& options, const Rng& rng,
            const Compute& compute) const;
};

struct GpLikelihood {
  double value = 0;
  Vector gradient;  // in the unconstrained kernel parameters, then log noise_variance; empty if not asked for
};

/// log p(Y | X) = sum_p log N(y_p | 0, K + noise_variance I) over measured entries.
GpLikelihood gp_log_likelihood(const AnyKernel& kernel, double noise_variance, MatrixIn X, MatrixIn Y,
                               bool gradient, const Compute& compute);

}  // namespace bochner
