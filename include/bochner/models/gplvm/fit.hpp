#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/data/predictive.hpp"
#include "bochner/data/scaling.hpp"
#include "bochner/infer/optimize_result.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/models/gplvm/cross_view_models.hpp"
#include "bochner/models/gplvm/options.hpp"
#include "bochner/models/latent/latent_posterior.hpp"

namespace bochner {

/// One view of a fitted model: all that predictions need, and no training data. The function of column m at a latent x is
/// a GP on inducing latents Z, in scaled units, seen through p directions phi(x) = G'k(Z, x),
///
///   E f_m(x) = phi'W_m,   V f_m(x) = amplitude_m (k(x, x) - sum_i w_im phi_i^2),   w_im = lambda_i / (lambda_i + ratio_m)
///
/// where lambda_i is how much the training samples say about direction i, and ratio_m the noise against the amplitude.
struct GplvmView {
  std::string name;
  std::vector<std::string> columns;  // M
  Scaling scaling;
  std::vector<Index> unmeasured;  // columns without a single measured entry: predicted as NaN
  std::vector<Index> constant;    // columns that do not vary: no part of the model, predicted as they are
  AnyKernel kernel;
  double noise_variance = 1;  // of the scaled view, common to all columns: what the latents were learned with
  Vector noise;            // M, noise variance of each column, scaled units: what predictions and embed use
  double calibration = 1;  // factor of predicted variances
  /// Rows of the view were divided by factors with this median (data/row_factors.hpp); 0: they were not. `embed` and `predict`
  /// take and give rows that are divided; normalised_for divides those of new samples.
  double row_median = 0;
  Matrix Z;          // m x Q
  Matrix G;          // m x p
  Matrix W;          // p x M
  Vector lambda;     // p, >= 0
  Vector amplitude;  // M, >= 0
  Vector ratio;      // M, > 0
  Index index(const std::string& column) const;

  /// p x M, amplitude_m w_im.
  Matrix shrinkage() const;
};

/// One step of the optimiser.
struct GplvmStep {
  Index start = 0, step = 0;
  double objective = 0;  // the bound, nats: a running mean over about 50 steps, 20 while cooling
  double step_size = 0;
  double draw = 0;  // the bound by the one draw of this step
};

/// The immutable result of fit_gplvm.
struct GplvmFit {
  std::vector<std::string> ids;  // N
  LatentPosterior latent;
  std::vector<GplvmView> views;
  CrossViewModels cross_views{};  // with several views: a view that a sample lacks, from those that it has
  std::string label_view{};       // the view that holds class labels as zeros and ones; empty: none

  double objective = 0;  // the bound at the end: the best running mean of the trace of its start
  Index steps = 0;       // of the start that won
  Status status = Status::converged;
  double jitter = 0;  // largest amount a factorisation had to add
  Index start = 0;    // which of the restarts won
  std::vector<double> start_objectives;
  std::vector<GplvmStep> trace;
  FeatureSpec features;  // as resolved
  GplvmOptions options;
  std::uint64_t seed = 0;

  Index dims() const { return latent.mean.cols(); }
  const GplvmView& view(std::string_view name) const;  // InputError if unknown
};

/// Means and variances of all columns of a view at latents with uncertainty, in the units of the table: over both x and
/// the functions, times the calibration of the view. Rows are independent of each other, to the last byte.
Predictive predict(const GplvmView& view, const LatentPosterior& at, const Compute& compute);

/// All columns of a view for samples with these measurements at these latents: samples that lack the view altogether by
/// cross_views, from the views that they have; all others at their latents.
Predictive predict(const GplvmFit& fit, std::string_view view, const Dataset& seen, const LatentPosterior& at,
                   const Compute& compute);

/// The latents of new samples with any subset of views and entries, given the fitted functions: maximises the bound over
/// q(x) of each sample alone, from several starts; the answer for a sample does not depend on the others. Views of
/// `data` are matched by name; those the model does not know throw InputError, those it lacks are simply not there.
/// Samples without any measurement get the prior.
LatentPosterior embed(const GplvmFit& fit, const Dataset& data, const Compute& compute);

}  // namespace bochner
