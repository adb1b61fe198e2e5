#pragma once
#include <vector>

#include "gplvm_objective.hpp"

namespace bochner {

/// The data as the model sees it, and what is needed to undo that.
struct ScaledData {
  Dataset data;
  std::vector<Scaling> scalings;
};
ScaledData scale_views(const Dataset& data, const std::vector<GplvmViewOptions>& views);

/// A first guess for everything the model will learn better.
struct FirstGuess {
  Matrix X;                    // N x Q: principal components of all views together, unit variance
  std::vector<Matrix> filled;  // per view, N x M: holes by a low-rank fill
};

/// Every view counts the same, however many columns it has. Samples without any data are at zero.
FirstGuess first_guess(const Dataset& scaled, Index dims, const Rng& rng, const Threads& threads);

/// Where start number `start` begins: the first guess, shaken unless it is the first. Half of the variance is noise.
GplvmParameters start_parameters(const FirstGuess& guess, const std::vector<GplvmViewOptions>& views,
                                 const FeatureChoice& features, const std::vector<Index>& empty_rows,
                                 Index start, const Rng& rng, const Threads& threads);

/// Up to `count` of the rows of X whose Gram matrix explains the others best (linalg/pivoted_cholesky.hpp), to a
/// relative tolerance. Many rows are represented by some thousands of them.
Matrix choose_inducing(const AnyKernel& kernel, MatrixIn X, Index count, double tolerance, Rng rng,
                       const Threads& threads);

}  // namespace bochner
