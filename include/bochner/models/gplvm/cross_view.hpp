#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/data/predictive.hpp"
#include "bochner/models/gplvm/fit.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

/// The grid of rho.
const Vector& cross_view_ratios();

/// Learns to predict `target` from the views `from` by samples that have a measurement in each of them. Kernel and share by
/// the evidence of at most 300 samples, the amount of shrinkage and the width of the intervals by five-fold
/// cross-validation of the same, weights by at most 20,000 samples. Deterministic in `rng`. InputError for a view that the
/// fit does not know, std::invalid_argument if `from` is empty, repeats a view or holds the target.
CrossViewPredictor fit_cross_view(const GplvmFit& fit, const Dataset& data,
                                  const std::vector<std::string>& from, const std::string& target,
                                  const Rng& rng, const Compute& compute);

/// All columns of the target for every row, in the units of the table; other views than `from` are not looked at. Rows
/// are independent of each other, to the last byte. A row without a measurement in `from` gets the prediction at the means.
Predictive predict(const CrossViewPredictor& predictor, const GplvmFit& fit, const Dataset& rows,
                   const Compute& compute);

ModelGroup cross_view_group(const CrossViewPredictor& predictor);
/// InputError if an entry is absent or does not fit the others or `fit`.
CrossViewPredictor cross_view_from(const ModelGroup& group, const GplvmFit& fit);

/// The sets that are learned: all but one view for every view, with up to three views every proper subset, then the sets
/// that occur among the samples from the most frequent down, then single views; at most 24, or as many as there are views.
std::vector<std::vector<std::string>> cross_view_sets(const GplvmFit& fit, const Dataset& data);

/// One predictor per set and view outside it. Views that no sample of a set has measured are left out, and so is all that
/// remains when `on_predictor`, called now and then with the number of those that are done, returns false.
CrossViewModels fit_cross_views(const GplvmFit& fit, const Dataset& data, const Rng& rng,
                                const Compute& compute,
                                const std::function<bool(Index done, Index of)>& on_predictor = {});

/// `fit` with predictors for views that a sample lacks, nothing new for a single view. `data` may show more than the fit has
/// seen: single entries that were hidden from it judge predictions at the latents, which these predictors have no part in;
/// whole views that were hidden must stay hidden. What `on_predictor` left out is predicted at the latents.
GplvmFit with_cross_views(GplvmFit fit, const Dataset& data, const Compute& compute,
                          const std::function<bool(Index done, Index of)>& on_predictor = {});

/// `target` for every row from the views that the row has, its own entries of `target` not looked at. Rows without a
/// predictor, those that have nothing but the target, are NaN.
Predictive predict(const CrossViewModels& models, const GplvmFit& fit, std::string_view target,
                   const Dataset& rows, const Compute& compute);

ModelGroup cross_views_group(const CrossViewModels& models);
CrossViewModels cross_views_from(const ModelGroup& group, const GplvmFit& fit);

}  // namespace bochner
