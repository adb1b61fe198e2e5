#pragma once
#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "bochner/compute/row_plan.hpp"
#include "bochner/compute/shared_sum.hpp"

namespace bochner {

/// The sum of parts[first .. first + count - 1], left in the first of them.
template <class T>
void add_in_tree(std::vector<T>& parts, std::size_t first, std::size_t count) {
  if (count < 2) return;
  const auto left = static_cast<std::size_t>(left_of_tree(static_cast<Index>(count)));
  add_in_tree(parts, first, left);
  add_in_tree(parts, first + left, count - left);
  parts[first] += parts[first + left];
}
double add_in_tree(const std::vector<double>& parts);

/// The same for arrays of doubles or floats, piece by piece: part(i, begin, out) writes the entries of part i from `begin`
/// on to `out`. A piece stays in the cache, and nothing is written to memory but the sum.
template <class S, class Part>
class ArrayTree {
 public:
  static constexpr Index piece = 1024;

  ArrayTree(std::size_t parts, const Part& part) : parts_(static_cast<Index>(parts)), part_(part) {}

  void add(const Compute& compute, Eigen::Map<VectorT<S>> out) const {
    for_each_block(compute, out.size(), 16 * piece, [&](Index begin, Index size) {
      for (Index at = begin; at < begin + size; at += piece)
        add(0, parts_, at, out.segment(at, std::min(piece, begin + size - at)));
    });
  }

 private:
  void add(Index first, Index count, Index begin, VectorOutT<S> out) const {
    if (count == 1) return part_(first, begin, out);
    const Index left = left_of_tree(count);
    add(first, left, begin, out);
    Eigen::Matrix<S, Eigen::Dynamic, 1, Eigen::ColMajor, piece, 1> right(out.size());  // on the stack
    add(first + left, count - left, begin, right);
    out += right;
  }

  Index parts_;
  const Part& part_;
};

template <class T>
concept DenseMatrix = std::is_base_of_v<Eigen::PlainObjectBase<T>, T>;

/// A struct of numbers that are added one by one: each_array(f) calls f(Eigen::Map<Vector>) on all of them, piece by piece.
template <class T>
concept ArrayStruct = requires(T& value) {
  value.each_array([](Eigen::Map<Vector>) {});
};

/// An accumulator for each lane of a RowPlan, and their sum: the one place where lanes are added up.
///
///     LaneSum<Matrix> sum(plan, Matrix::Zero(F, F));
///     for_each_block(compute, plan, [&](Index lane, Index begin, Index size) { sum[lane] += of_rows(begin, size); });
///     const Matrix total = sum.total(compute);
///
/// T is a number, an Eigen matrix, or a struct with operator+=. Lanes of a strand must come in order. A strand holds the
/// lane it is at and the subtrees that are complete, at most one of each size: memory does not grow with the number of
/// lanes. When lanes come a second time, what they add is a sum of its own.
///
/// The lanes of a shared plan are those of all ranks of compute.comm, and each rank has their sum; a struct must be an
/// ArrayStruct then, and lanes come once.
template <class T>
class LaneSum {
 public:
  LaneSum(Index lanes, const T& zero) : LaneSum(RowPlan{.rows = 0, .block = 1, .lanes = lanes}, zero) {}
  LaneSum(const RowPlan& plan, const T& zero)
      : plan_(plan),
        each_(lanes_per_strand(plan.lanes)),
        strands_(static_cast<std::size_t>(plan.strands()), Strand{zero}) {
    if (each_ > 1 || plan.is_shared()) zero_.push_back(zero);
  }

  const RowPlan& plan() const { return plan_; }

  T& operator[](Index lane) {
    if (plan_.is_shared()) return of_shared(lane);
    Strand& strand = strands_[static_cast<std::size_t>(lane / each_)];
    if (each_ > 1) go_to(lane % each_, strand);
    return strand.open;
  }

  /// The sum of each strand, which is used up: what is left to add in a tree.
  std::vector<T> parts() {
    std::vector<T> out;
    out.reserve(strands_.size());
    for (Strand& strand : strands_) out.push_back(sum_of(strand));
    strands_.clear();
    return out;
  }

  /// The sum, which is used up.
  T total(const Compute& compute) {
    std::vector<T> all = parts();
    if (plan_.is_shared()) return over_ranks(compute, all);
    if constexpr (std::is_same_v<T, double>) {
      return add_in_tree(all);
    } else if constexpr (DenseMatrix<T>) {
      using S = typename T::Scalar;
      const auto part = [&](Index i, Index begin, VectorOutT<S> out) {
        const S* from = all[static_cast<std::size_t>(i)].data() + begin;
        if (from != out.data()) out = Eigen::Map<const VectorT<S>>(from, out.size());
      };
      T& sum = all.front();
      if (all.size() > 1)
        ArrayTree<S, decltype(part)>(all.size(), part).add(compute, {sum.data(), sum.size()});
    } else {
      add_in_tree(all, 0, all.size());
    }
    return std::move(all.front());
  }

 private:
  struct Strand {
    T open;                    // the lane at work
    std::vector<T> closed{};   // complete subtrees, each larger than the next one
    Index at = 0;              // number of lanes that are closed
    std::vector<T> earlier{};  // the sum of earlier rounds, if there were any
  };

  T& of_shared(Index lane) {
    const Index s = plan_.strand_of(lane);
    Strand& strand = strands_[static_cast<std::size_t>(s)];
    const Index at = lane - plan_.strand(s).first;
    if (at < strand.at) throw std::logic_error("LaneSum: lanes of a shared plan come once");
    go_to(at, strand);
    return strand.open;
  }

  T over_ranks(const Compute& compute, std::vector<T>& all) {
    T sum = std::move(zero_.front());
    if constexpr (std::is_arithmetic_v<T>) {
      add_over_ranks<T>(compute, plan_,
                        [&](Index i, Index, VectorOutT<T> out) { out(0) = all[static_cast<std::size_t>(i)]; },
                        {&sum, 1});
    } else if constexpr (DenseMatrix<T>) {
      using S = typename T::Scalar;
      add_over_ranks<S>(compute, plan_,
                        [&](Index i, Index begin, VectorOutT<S> out) {
                          out = Eigen::Map<const VectorT<S>>(all[static_cast<std::size_t>(i)].data() + begin,
                                                             out.size());
                        },
                        {sum.data(), sum.size()});
    } else if constexpr (ArrayStruct<T>) {
      std::vector<Vector> flat;
      for (T& part : all) flat.push_back(flattened(part));
      Vector numbers = flattened(sum);
      add_over_ranks<double>(compute, plan_,
                             [&](Index i, Index begin, VectorOut out) {
                               out = flat[static_cast<std::size_t>(i)].segment(begin, out.size());
                             },
                             {numbers.data(), numbers.size()});
      Index at = 0;
      sum.each_array([&](Eigen::Map<Vector> array) {
        array = numbers.segment(at, array.size());
        at += array.size();
      });
    } else {
      throw std::logic_error("LaneSum: sums of this kind cannot be shared by processes");
    }
    return sum;
  }

  static Vector flattened(T& value) {
    Index size = 0;
    value.each_array([&](Eigen::Map<Vector> array) { size += array.size(); });
    Vector out(size);
    Index at = 0;
    value.each_array([&](Eigen::Map<Vector> array) {
      out.segment(at, array.size()) = array;
      at += array.size();
    });
    return out;
  }

  void go_to(Index lane, Strand& strand) {
    if (lane < strand.at) {
      std::vector<T> round;
      round.push_back(sum_of(strand));
      strand = Strand{zero_.front(), {}, 0, std::move(round)};
    }
    while (strand.at < lane) close(strand);
  }

  void close(Strand& strand) {
    T sum = std::exchange(strand.open, zero_.front());
    for (Index n = strand.at; n % 2 == 1; n /= 2) sum = joined(strand, std::move(sum));
    strand.closed.push_back(std::move(sum));
    ++strand.at;
  }

  static T sum_of(Strand& strand) {
    T sum = std::move(strand.open);
    while (!strand.closed.empty()) sum = joined(strand, std::move(sum));
    if (strand.earlier.empty()) return sum;
    strand.earlier.front() += sum;
    return std::move(strand.earlier.front());
  }

  /// The smallest closed subtree plus what is to its right.
  static T joined(Strand& strand, T right) {
    T left = std::move(strand.closed.back());
    strand.closed.pop_back();
    left += right;
    return left;
  }

  RowPlan plan_;
  Index each_;           // lanes of a strand, where the plan is not shared
  std::vector<T> zero_;  // for the next lane; none where a strand is a lane
  std::vector<Strand> strands_;
};

/// The sum over all blocks of a plan: add(sum, begin, size) adds the rows [begin, begin + size) to the sum of their lane.
template <class T, class Add>
T sum_over_rows(const Compute& compute, const RowPlan& plan, const T& zero, const Add& add) {
  LaneSum<T> sum(plan, zero);
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) { add(sum[lane], begin, size); });
  return sum.total(compute);
}

}  // namespace bochner
