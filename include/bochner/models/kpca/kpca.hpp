#pragma once
#include <functional>

#include "bochner/compute/compute.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/models/kpca/fit.hpp"
#include "bochner/models/kpca/options.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Called after each epoch of training networks with the share that is done; false ends the training, not the fit.
using KpcaProgress = std::function<bool(double done)>;

/// Multi-view kernel PCA, the restricted kernel machine of [achten2023]: with centred features of all views side by side,
/// C U~ = U~ Lambda (primal, Eq. 11) or K H = H Lambda with K the sum of the views' centred Gram matrices (dual, Eq. 14),
/// U = U~ Lambda^(1/2). It learns from the samples that have every entry of every view; embed() places the others.
KpcaFit fit_kpca(const Dataset& data, const KpcaOptions& options, std::uint64_t seed, const Compute& compute,
                 const KpcaProgress& progress = {});

/// The samples it learns from: those with every entry of every view.
IndexVector complete_rows(const Dataset& data);

/// Options whose weights make the views count alike: each is divided by the mean variance of its view in feature space, over
/// its first 2000 complete rows. Views with network features, and those with fewer than 3 complete rows, keep their weights.
KpcaOptions balanced(const Dataset& data, const KpcaOptions& options, std::uint64_t seed,
                     const Compute& compute);

/// The options of each of so many views: its own, or those of all.
std::vector<KpcaViewOptions> options_by_view(const KpcaOptions& options, Index views);

/// What `automatic` stands for, for n samples with so many features in all (no value: a view has no explicit ones).
KpcaSolver resolve(KpcaSolver solver, Index n, std::optional<Index> features);

/// The solver that fit_kpca would take for these data.
KpcaSolver planned_solver(const Dataset& data, const KpcaOptions& options);

/// Components of samples with any subset of the views. Setting phi_v = U_v h for the views that a sample lacks (Eq. 7) in
/// Eq. 6 gives
///
///   h = (Lambda - sum of missing G_v)^-1 sum of present e_v  =  (sum of present G_v)^-1 sum of present e_v
///
/// since the G_v = U_v'U_v add up to Lambda; directions that the present views hardly see (KpcaOptions::unseen) are left at
/// zero. One missing
/// view is Eq. 15, and 16 with k_w(x_w) for its k_v(x_v). A view with a hole in a row counts as missing there; rows
/// without any view get NaN. The views of `data` are found by name, their columns must be those of the fit.
Matrix embed(const KpcaFit& fit, const Dataset& data, const Compute& compute);  // N x s, h

/// Scores h Lambda^(1/2): as scikit-learn's KernelPCA and PCA scale them.
Matrix scores(const KpcaFit& fit, MatrixIn h);

/// View v at the components h (N x s), in the units of the data: pre-images of phi_v = U_v h.
/// `present` says which views h came from, for pre-images that are learned; empty: all of them.
Matrix predict_view(const KpcaFit& fit, Index v, MatrixIn h, const std::vector<bool>& present,
                    const Compute& compute);

/// View v of the samples of `data` from their other views, whether they have it or not; NaN where no other is present.
Matrix predict_from_others(const KpcaFit& fit, Index v, const Dataset& data, const Compute& compute);

/// Components along one axis: `steps` values from -width to width standard deviations of component `c`, the others at 0.
Matrix traverse(const KpcaFit& fit, Index c, Index steps, double width);

/// Components drawn from the training ones, smoothed: a row of H plus noise of Silverman's bandwidth, shrunk so that
/// variances stay what they are.
Matrix sample_components(const KpcaFit& fit, Index count, Rng rng);

/// Bytes at the peak of fit_kpca, roughly.
double kpca_memory(const Dataset& data, const KpcaOptions& options);

}  // namespace bochner
