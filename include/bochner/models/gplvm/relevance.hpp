#pragma once
#include <vector>

#include "bochner/models/gplvm/fit.hpp"

namespace bochner {

/// What the dimensions mean: for which views and columns they matter, and how.

/// How much of what a view varies depends on each latent dimension: the share of the variance of the measured entries
/// that the model stops explaining when the dimension is averaged out, between 0 and 1.
struct Relevance {
  Matrix by_view;                 // V x Q
  std::vector<Matrix> by_column;  // per view, M x Q
  Vector explained;               // V, share of the variance explained with all dimensions
};
Relevance relevance(const GplvmFit& fit, const Dataset& data, const Compute& compute);

/// V x Q: whether a view depends on a dimension, that is, whether averaging it out costs the view more than a hundredth of its
/// variance and more than a twentieth of what is explained. A dimension on which several views depend is shared, one of a
/// single view is private to it, one of none is unused.
BoolMatrix views_of_dimensions(const Relevance& relevance);

/// Per view, M x Q: the mean derivative of a column along a dimension over the training samples, in standard deviations of the
/// measured entries per standard deviation of the dimension. With a linear kernel these are loadings as in factor analysis,
/// shrunk by the uncertainty of the latents.
/// A column that rises and falls along a dimension has a small loading and a large relevance.
std::vector<Matrix> loadings(const GplvmFit& fit, const Dataset& data, const Compute& compute);

/// Partial dependence: every column of a view, in the units of the table, with dimension q at `values` and the others where
/// the training samples are, averaged over these (at most 500 of them, at even distances). values x M, NaN for columns that were
/// never measured.
Matrix response(const GplvmFit& fit, const GplvmView& view, Index q, const Vector& values,
                const Compute& compute);
/// `count` values at even distances, from the 2.5th to the 97.5th percentile of dimension q.
Vector response_values(const GplvmFit& fit, Index q, Index count);

/// A column that depends on a dimension.
struct TopColumn {
  Index view = 0, column = 0;
  double relevance = 0, loading = 0;
};
/// At most `most` columns of all views, those of the largest relevance for dimension q first.
std::vector<TopColumn> top_columns(const Relevance& relevance, const std::vector<Matrix>& loadings, Index q,
                                   Index most);

}  // namespace bochner
