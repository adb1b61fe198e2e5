#pragma once
#include <string>
#include <vector>

#include "bochner/models/gplvm/cross_view.hpp"

namespace bochner {

/// The rows of a dataset as some of its views show them.
struct SeenRows {
  std::vector<std::string> from;
  std::vector<Index> starts;  // V + 1, first column of each view
  Matrix X;  // N x M, scaled tables side by side, NaN where missing; columns that say nothing are 0
  VectorT<bool> complete;  // N: something is measured in each view
};
SeenRows seen_rows(const GplvmFit& fit, const Dataset& data, std::vector<std::string> from);

/// How much columns count.
enum class InputWeights {
  as_fitted,    // they keep the scale that the fit gave them, and a view counts by their number
  equal_views,  // the same, but every view has a total variance of one
  standardised  // every column of a view has the same variance, every view a total of one
};

/// What a predictor sees of the rows of a table.
struct CrossViewScores {
  Matrix T;       // n x r
  Vector length;  // n, |x|^2 / unit >= |t|^2
};

/// Learns what there is to see in rows of SeenRows::X; at most `most` components.
struct LearnedInputs {
  CrossViewInputs inputs;
  CrossViewScores at;  // of those rows
};
LearnedInputs learn_inputs(const SeenRows& seen, MatrixIn table, InputWeights weights, Index most,
                           const Rng& rng, const Compute& compute);

/// `table` with its missing entries at their conditional means given the others, by the leading principal components of all
/// its rows.
Matrix fill_inputs(const SeenRows& seen, MatrixIn table, const Rng& rng, const Compute& compute);

/// Row by row, so that the answer for a sample has the same bytes in any company.
CrossViewScores scores(const CrossViewInputs& inputs, MatrixIn table, const Compute& compute);

}  // namespace bochner
