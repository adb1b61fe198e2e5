#pragma once
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// How much of what a view varies depends on each latent dimension: the share of the variance of the measured entries
/// that the model stops explaining when the dimension is averaged out, between 0 and 1.
struct Relevance {
  Matrix by_view;                 // V x Q
  std::vector<Matrix> by_column;  // per view, M x Q
  Vector explained;               // V, share of the variance explained with all dimensions
};

/// Sums of squares over the measured entries of each column of one view.
struct ColumnErrors {
  Vector total;     // M, around the mean of the column
  Vector with_all;  // M, around what the model says with all dimensions
  Matrix without;   // M x Q, around what it says with dimension q averaged out
};

/// One entry of `errors` for each view.
Relevance relevance_of(const std::vector<ColumnErrors>& errors);

/// Sum over measured entries of (Y - F)^2, by column; Y and F: N x M.
Vector squared_errors(MatrixIn Y, MatrixIn F);

/// V x Q: whether a view depends on a dimension, that is, whether averaging it out costs the view more than a hundredth of its
/// variance and more than a twentieth of what is explained. A dimension on which several views depend is shared, one of a
/// single view is private to it, one of none is unused.
BoolMatrix views_of_dimensions(const Relevance& relevance);

/// A column that depends on a dimension.
struct TopColumn {
  Index view = 0, column = 0;
  double relevance = 0, loading = 0;
};
/// At most `most` columns of all views, those of the largest relevance for dimension q first. `loadings` (per view, M x Q)
/// may be empty: those of the columns are 0 then.
std::vector<TopColumn> top_columns(const Relevance& relevance, const std::vector<Matrix>& loadings, Index q,
                                   Index most);

/// Where the curves of a response are drawn: `count` values at even distances, from the 2.5th to the 97.5th percentile of
/// dimension q of the latents (N x Q).
Vector response_values(MatrixIn latents, Index q, Index count);

}  // namespace bochner
