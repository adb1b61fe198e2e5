#pragma once
#include <algorithm>
#include <type_traits>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

/// Sums of Phi'Phi (lower triangle) and Phi'Y over the blocks of a lane. In float, every few blocks the sums move on to
/// double, so that the error does not grow with the number of rows.
template <class T>
class LaneSums {
 public:
  LaneSums(Index F, Index M) : C_(MatrixT<T>::Zero(F, F)), A_(MatrixT<T>::Zero(F, M)) {}

  void add(MatrixInT<T> Phi, MatrixInT<T> Y) {
    if (!std::is_same_v<T, double> && pending_ == 16) move_on();
    C_.template selfadjointView<Eigen::Lower>().rankUpdate(Phi.transpose());
    A_.noalias() += Phi.transpose() * Y;
    ++pending_;
  }

  /// Adds rows [begin, begin + size) of the sums.
  void add_to(Matrix& C, Matrix& A, Index begin, Index size) const {
    C.middleRows(begin, size) += C_.middleRows(begin, size).template cast<double>();
    A.middleRows(begin, size) += A_.middleRows(begin, size).template cast<double>();
    if (C_moved_.size() == 0) return;
    C.middleRows(begin, size) += C_moved_.middleRows(begin, size);
    A.middleRows(begin, size) += A_moved_.middleRows(begin, size);
  }

 private:
  void move_on() {
    if (C_moved_.size() == 0) {
      C_moved_ = C_.template cast<double>();
      A_moved_ = A_.template cast<double>();
    } else {
      C_moved_ += C_.template cast<double>();
      A_moved_ += A_.template cast<double>();
    }
    C_.setZero();
    A_.setZero();
    pending_ = 0;
  }

  MatrixT<T> C_, A_;
  Matrix C_moved_, A_moved_;
  int pending_ = 0;
};

/// Fewer lanes where each would hold a large matrix (at most 512 MiB of them, at least 4), and where they would have a
/// single block each: adding them up then costs as much as filling them.
inline RowPlan sums_plan(const RowPlan& plan, Index F, Index M) {
  const double bytes = 8.0 * double(F) * double(F + M);
  const Index lanes = std::clamp<Index>(Index(536870912.0 / bytes), 4, 16);
  return RowPlan::make(plan.rows, plan.block, std::min(lanes, std::max<Index>(4, plan.blocks() / 2)));
}

}  // namespace bochner
