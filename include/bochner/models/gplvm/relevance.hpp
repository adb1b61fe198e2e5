#pragma once
#include <vector>

#include "bochner/models/gplvm/fit.hpp"
#include "bochner/models/latent/relevance.hpp"

namespace bochner {

/// What the dimensions mean: for which views and columns they matter, and how.

/// Predictions are those at the means of the latents; a dimension is averaged over the training samples.
Relevance relevance(const GplvmFit& fit, const Dataset& data, const Compute& compute);

/// Per view, M x Q: the mean derivative of a column along a dimension over the training samples, in standard deviations of the
/// measured entries per standard deviation of the dimension. With a linear kernel these are loadings as in factor analysis,
/// shrunk by the uncertainty of the latents.
/// A column that rises and falls along a dimension has a small loading and a large relevance.
std::vector<Matrix> loadings(const GplvmFit& fit, const Dataset& data, const Compute& compute);

/// Partial dependence: every column of a view, in the units of the table, with dimension q at `values` and the others where
/// the training samples are, averaged over these (at most 500 of them, at even distances). values x M, NaN for columns that were
/// never measured. Rows that are divided by factors have their median.
Matrix response(const GplvmFit& fit, const GplvmView& view, Index q, const Vector& values,
                const Compute& compute);

}  // namespace bochner
