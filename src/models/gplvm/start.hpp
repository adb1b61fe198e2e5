#pragma once
#include <vector>

#include "objective.hpp"

namespace bochner {

/// Largest number of dimensions with curved first guesses (Isomap): with more, principal components have room enough.
inline constexpr Index most_curved = 4;

/// The data as the model sees it, and what is needed to undo that.
struct ScaledData {
  Dataset data;
  std::vector<Scaling> scalings;
};
ScaledData scale_views(const Dataset& data, const std::vector<GplvmViewOptions>& views);

/// First guesses for everything the model will learn better.
struct FirstGuess {
  std::vector<Matrix> X;       // each N x Q, unit variance: principal components, then Isomap at two scales
  std::vector<Matrix> filled;  // per view, N x M: missing entries by a low-rank fill
};

/// Every view counts the same, however many columns it has. Samples without any data are at zero. On a curved sheet
/// principal components are functions of each other, and the first Q need not span Q dimensions: there the distances
/// along the data make the better start.
FirstGuess first_guess(const Dataset& scaled, const GplvmOptions& options, const Rng& rng,
                       const Compute& compute);

/// The kernels that the options ask for, one per view.
std::vector<AnyKernel> asked_kernels(const std::vector<GplvmViewOptions>& views, Index dims, const Rng& rng);

/// Where an optimiser begins: latents at X (N x Q), half of the variance noise, mixtures in their simple form.
GplvmParameters start_parameters(Matrix X, const std::vector<GplvmViewOptions>& views,
                                 const FeatureSpec& features, const std::vector<Index>& empty_rows,
                                 const Rng& rng, const Compute& compute);

/// The bound of all views of `scaled`, missing entries filled as in `filled` (per view, N x M).
GplvmObjective make_objective(const Dataset& scaled, const std::vector<Matrix>& filled,
                              const std::vector<GplvmViewOptions>& views, const FeatureSpec& features,
                              FloatingPoint precision, GplvmParameters start, const Rng& rng,
                              const Compute& compute);

/// Columns to mean zero and unit standard deviation; one that does not vary becomes zero. Their deviations before (1 where
/// there was none).
Vector whiten_columns(Matrix& X);

}  // namespace bochner
