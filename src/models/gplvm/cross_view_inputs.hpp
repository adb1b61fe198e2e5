#pragma once
#include <string>
#include <vector>

#include "bochner/models/gplvm/cross_view.hpp"

namespace bochner {

/// The rows of a dataset as some of its views show them: scaled tables side by side, missing entries filled by the model,
/// and latents, which are found when they are first asked for.
class SeenRows {
 public:
  SeenRows(const GplvmFit& fit, const Dataset& data, std::vector<std::string> from);

  const std::vector<std::string>& from() const { return from_; }
  const VectorT<bool>& complete() const { return complete_; }   // N: something is measured in each view
  const std::vector<Index>& starts() const { return starts_; }  // V + 1, first column of each view

  Matrix table(const std::vector<Index>& rows, const Compute& compute);    // n x M, scaled; no missing values
  Matrix latents(const std::vector<Index>& rows, const Compute& compute);  // n x Q

 private:
  void embed_rows(const std::vector<Index>& rows, const Compute& compute);

  const GplvmFit& fit_;
  std::vector<std::string> from_;
  Dataset data_;  // the views `from` alone
  std::vector<Index> starts_;
  Matrix X_;  // N x M, NaN where missing and not yet filled
  VectorT<bool> complete_, embedded_;
  Matrix latent_;  // N x Q
};

/// The components of a table of SeenRows; at most `most` of them. With `equal_views` every view gets a total variance of
/// one, otherwise columns keep the scale that the fit gave them, and a view counts by their number.
CrossViewInputs learn_inputs(const SeenRows& seen, MatrixIn table, bool equal_views, Index most,
                             const Rng& rng, const Compute& compute);

/// What a predictor sees of the rows of a table.
struct CrossViewScores {
  Matrix T;       // n x r
  Vector length;  // n, |x|^2 / unit >= |t|^2
};
CrossViewScores scores(const CrossViewInputs& inputs, MatrixIn table, const Compute& compute);

}  // namespace bochner
