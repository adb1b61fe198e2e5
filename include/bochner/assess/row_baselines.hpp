#pragma once
#include <functional>

#include "bochner/core/types.hpp"
#include "bochner/data/row_source.hpp"

namespace bochner {

/// From the columns of a table to the inputs of ridge regression, N x D.
using InputsOf = std::function<Matrix(MatrixIn)>;

/// What predicts outcomes without a model: the mean of each, and ridge regression on the inputs; of classes the scores of logistic
/// regression, P being their number.
struct OutcomeBaselines {
  Vector mean, variance;     // P, of the outcomes; the variance of one that does not vary is 1, its own unit
  Matrix weights{};          // D x P; empty where there are too many inputs (4,000) to keep their covariance
  Vector intercept{};        // P
  Vector residual_variance;  // P, of ridge regression

  bool has_linear() const { return weights.size() > 0; }
  Matrix linear(
      MatrixIn inputs) const;  // N x P predictions of ridge regression, or scores of classes, at inputs N x D
};

/// One sweep over the rows: normal equations, in units of the standard deviations of the inputs, with a ridge of 1e-3 that
/// columns which repeat each other need. Outcomes may be missing (NaN). `centre` (P) is subtracted from the outcomes before
/// they are summed, so that large offsets do not cancel.
OutcomeBaselines outcome_baselines(const RowSource& rows, const InputsOf& inputs, Index D,
                                   const Vector& centre);

/// Logistic regression of Y, numbers of classes from 0, from rows that are evenly spaced: as many as give some ten million products of
/// an input, a class and a row. Empty weights where there are too many inputs for that, or no rows.
OutcomeBaselines class_baselines(const RowSource& rows, const InputsOf& inputs, Index D, Index K);

/// Shares of K classes among the rows, Y holding their numbers from 0; each class counts once more than it was seen.
Vector class_shares(const RowSource& rows, Index K);

}  // namespace bochner
