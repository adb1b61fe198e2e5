#pragma once
#include "bochner/models/forecast/forecast.hpp"

namespace bochner {

/// The next row of a standardised series from its window and from what is known of that time: the components that
/// these views give and the pre-image of the next row, with all that does not change multiplied out, y = constant + sum_v (features or kernel values of view v) W_v.
class OneStep {
 public:
  explicit OneStep(const KpcaFit& model, const Compute& compute);

  /// N rows at once: past N x (p + 1) S, known N x E.
  Matrix operator()(MatrixIn past, MatrixIn known) const;

 private:
  Matrix view_part(std::size_t v, MatrixIn X) const;

  const KpcaFit& model_;
  Compute compute_;
  Vector constant_;        // S
  std::vector<Matrix> W_;  // of past and known: n x S, or F x S
};

/// Fills the gaps after the first window without one, each from the window before it; NaN before that.
Matrix fill_gaps(const OneStep& next, Matrix y, MatrixIn known, Index lags);

}  // namespace bochner
