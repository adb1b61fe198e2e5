#pragma once
#include <algorithm>
#include <type_traits>
#include <vector>

#include "bochner/compute/lane_sum.hpp"
#include "bochner/core/types.hpp"
#include "bochner/evidence/feature_evidence.hpp"

namespace bochner {

/// Sums of Phi'Phi (lower triangle) and Phi'Y over the blocks of a lane. In float, every few blocks the sums move on to
/// double, so that the error does not grow with the number of rows.
template <class T>
class FeatureSums {
 public:
  FeatureSums(Index F, Index M) : C_(MatrixT<T>::Zero(F, F)), A_(MatrixT<T>::Zero(F, M)) {}

  void add(MatrixInT<T> Phi, MatrixInT<T> Y) {
    if (!std::is_same_v<T, double> && pending_ == 16) move_on();
    C_.template selfadjointView<Eigen::Lower>().rankUpdate(Phi.transpose());
    A_.noalias() += Phi.transpose() * Y;
    ++pending_;
  }

  FeatureSums& operator+=(const FeatureSums& other) {
    if constexpr (std::is_same_v<T, double>) {
      C_ += other.C_;
      A_ += other.A_;
    } else {
      move_on();
      const auto sum = [](const MatrixT<T>& fresh, const Matrix& moved) -> Matrix {
        return moved.size() == 0 ? Matrix(fresh.template cast<double>())
                                 : Matrix(fresh.template cast<double>() + moved);
      };
      C_moved_ += sum(other.C_, other.C_moved_);
      A_moved_ += sum(other.A_, other.A_moved_);
    }
    return *this;
  }

  /// Entries of Phi'Phi or Phi'Y from `begin` on, in the order of memory.
  void read_C(Index begin, VectorOut out) const { read(C_, C_moved_, begin, out); }
  void read_A(Index begin, VectorOut out) const { read(A_, A_moved_, begin, out); }

 private:
  static void read(const MatrixT<T>& fresh, const Matrix& moved, Index begin, VectorOut out) {
    out = Eigen::Map<const VectorT<T>>(fresh.data() + begin, out.size()).template cast<double>();
    if (moved.size() > 0) out += Eigen::Map<const Vector>(moved.data() + begin, out.size());
  }

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

/// C = Phi'Phi (lower triangle) and A = Phi'Y from the sums of all lanes, which are used up.
template <class T>
void add_lanes(LaneSum<FeatureSums<T>>& sum, Matrix& C, Matrix& A, const Compute& compute) {
  const std::vector<FeatureSums<T>> parts = sum.parts();
  const auto part_of_C = [&](Index i, Index begin, VectorOut out) { parts[i].read_C(begin, out); };
  const auto part_of_A = [&](Index i, Index begin, VectorOut out) { parts[i].read_A(begin, out); };
  if (sum.plan().is_shared()) {
    add_over_ranks<double>(compute, sum.plan(), part_of_C, {C.data(), C.size()});
    add_over_ranks<double>(compute, sum.plan(), part_of_A, {A.data(), A.size()});
    return;
  }
  ArrayTree<double, decltype(part_of_C)>(parts.size(), part_of_C).add(compute, {C.data(), C.size()});
  ArrayTree<double, decltype(part_of_A)>(parts.size(), part_of_A).add(compute, {A.data(), A.size()});
}

/// Fewer lanes where their matrices would take more than 512 MiB (but at least 4), and where they would have a single
/// block each: adding them up then costs as much as filling them.
inline RowPlan sums_plan(const RowPlan& plan, Index F, Index M, const EvidenceOptions& options,
                         const Compute& compute) {
  const double bytes = 8.0 * double(F) * double(F + M);
  RowPlan out = RowPlan::make(plan.rows, plan.block, std::max<Index>(4, plan.blocks() / 2));
  while (out.lanes > 4 && bytes * double(out.accumulators()) > 536870912.0) out.lanes /= 2;
  return options.shared ? out.shared_by(compute.comm) : out;
}

}  // namespace bochner
