#pragma once
#include <optional>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/types.hpp"
#include "bochner/evidence/observations.hpp"

namespace bochner {

/// A table Y (N x M, NaN = not measured) whose missing entries hold guesses, for the bounds of bounded_evidence.hpp. The guesses
/// are variational parameters: any will do, better ones tighten the bound. Every row needs a measured entry.
template <class T>
class FilledTable {
 public:
  /// `guess` (N x M, finite) is read in the missing entries alone.
  FilledTable(MatrixT<T> Y, MatrixInT<T> guess, const Compute& compute);

  Index rows() const { return Y().rows(); }
  Index cols() const { return Y().cols(); }
  bool complete() const { return complete_.has_value(); }
  Index observed() const { return observed_; }      // measured entries
  const Vector& weight() const { return weight_; }  // N, share of the columns that a row has measured, > 0
  const MatrixT<T>& Y() const { return complete_ ? complete_->Y() : Y_; }    // no NaN
  const Observations<T>& observations() const { return complete_.value(); }  // of a complete table

  /// Missing columns of row n: missing_begin(n) .. missing_end(n) - 1 of missing_columns().
  Index missing_begin(Index n) const { return first_missing_[static_cast<std::size_t>(n)]; }
  Index missing_end(Index n) const { return first_missing_[static_cast<std::size_t>(n) + 1]; }
  const std::vector<Index>& missing_columns() const { return missing_columns_; }

  /// Y Y' of the table as filled now, and a matrix with min(N, M) columns whose outer product it is: the bounds see Y through
  /// nothing else. Computed when asked for the first time after the guesses have changed.
  const MatrixT<T>& outer(const Compute& compute);
  const MatrixT<T>& compact(const Compute& compute);

  /// Writes the missing entries of rows [begin, begin + F.rows()) from F; blocks may come from several threads. `refilled`
  /// comes after the last one.
  void refill(Index begin, MatrixInT<T> F);
  void refilled();

  /// Brings together the guesses of rows that the ranks of a shared plan have refilled, each its own.
  void gather_guesses(const Compute& compute, const RowPlan& plan);

  /// The guesses, row by row: what a checkpoint keeps.
  VectorT<T> guesses() const;
  void set_guesses(VectorInT<T> values);

 private:
  std::optional<Observations<T>> complete_;
  MatrixT<T> Y_;
  MatrixT<T> outer_, compact_;  // empty: to be computed
  Vector weight_;
  Index observed_ = 0;
  std::vector<Index> first_missing_, missing_columns_;
};

extern template class FilledTable<double>;
extern template class FilledTable<float>;

}  // namespace bochner
