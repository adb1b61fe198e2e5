#pragma once
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/linalg/missing_patterns.hpp"

namespace bochner {

/// A table Y (N x M, NaN = not measured) with what the evidence needs of it and what never changes between steps.
/// Infinite entries are refused. T is double or float.
template <class T>
class Observations {
 public:
  explicit Observations(MatrixT<T> Y, const Compute& compute);

  Index rows() const { return Y_.rows(); }
  Index cols() const { return Y_.cols(); }
  const MatrixT<T>& Y() const { return Y_; }
  bool complete() const { return patterns_.empty(); }
  Index observed() const { return observed_; }           // number of measured entries
  double squared_norm() const { return squared_norm_; }  // |Y|^2 over measured entries

  /// Columns grouped by which rows they lack; empty when the table is complete.
  const std::vector<MissingPattern>& patterns() const { return patterns_; }

  /// S = Y Y', kept only for a complete table with fewer than 2 M rows, where it replaces both products with Y.
  const MatrixT<T>& S() const { return S_; }
  bool has_S() const { return S_.size() > 0; }

  /// A matrix with min(N, M) columns whose outer product is Y Y' (complete tables): Y itself, or the triangular
  /// factor of Y' when there are more columns than rows. The evidence sees Y only through Y Y' and M.
  const MatrixT<T>& compact() const { return compact_.size() > 0 ? compact_ : Y_; }

 private:
  MatrixT<T> Y_, S_, compact_;
  std::vector<MissingPattern> patterns_;
  Index observed_ = 0;
  double squared_norm_ = 0;
};

}  // namespace bochner
