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
  std::vector<Vector> entries;    // per view, M: how many entries carry the variance of a column
};

/// Sums of squares over the measured entries of each column of one view.
struct ColumnErrors {
  Vector total;     // M, around the mean of the column
  Vector with_all;  // M, around what the model says with all dimensions
  Matrix without;   // M x Q, around what it says with dimension q averaged out
  Vector entries;   // M, carriers() of the squares of which `total` is the sum
};

/// With `total` and `entries` from (Y - mean of its column)^2, N x M, and the rest to be filled in.
ColumnErrors errors_of_means(MatrixIn squares, Index dims);

/// (Y - mean of its column)^2, 0 where Y is NaN.
Matrix squares_around_means(MatrixIn Y);

/// One entry of `errors` for each view.
Relevance relevance_of(const std::vector<ColumnErrors>& errors);

/// Sum over measured entries of (Y - F)^2, by column; Y and F: N x M.
Vector squared_errors(MatrixIn Y, MatrixIn F);

/// How many entries carry the sum of each column of squares (N x M): (sum_n t_n)^2 / sum_n t_n^2, which is the number of measured
/// entries if all are alike, and one if a single entry is all there is. 0 for columns without variance.
Vector carriers(MatrixIn squares);

/// The lower end of the 90 % interval of a relevance. It is taken as the square of a partial correlation r given the other Q - 1
/// dimensions, and with n entries atanh r is about normal with variance 1 / (n - (Q - 1) - 3) [fisher1924]. As n stand the
/// entries that carry the variance, not those that were measured: a column that is zero in all samples but one is explained by
/// any function with a bump there. 0 where n is too small for an interval.
double lower_relevance(double relevance, double entries, Index dims);

/// V x Q: whether a view depends on a dimension, that is, whether averaging it out costs the view more than a hundredth of its
/// variance and more than a twentieth of what is explained. A dimension on which several views depend is shared, one of a
/// single view is private to it, one of none is unused.
BoolMatrix views_of_dimensions(const Relevance& relevance);

/// A column that depends on a dimension.
struct TopColumn {
  Index view = 0, column = 0;
  double relevance = 0, loading = 0;
  double lower = 0;  // lower_relevance of it
};
/// At most `most` columns of all views, those that certainly depend on dimension q first: by the lower ends of their
/// relevances, then by the relevances. `loadings` (per view, M x Q) may be empty: those of the columns are 0 then.
std::vector<TopColumn> top_columns(const Relevance& relevance, const std::vector<Matrix>& loadings, Index q,
                                   Index most);

/// Where the curves of a response are drawn: `count` values at even distances, from the 2.5th to the 97.5th percentile of
/// dimension q of the latents (N x Q).
Vector response_values(MatrixIn latents, Index q, Index count);

}  // namespace bochner
