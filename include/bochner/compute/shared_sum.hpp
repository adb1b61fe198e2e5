#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "bochner/compute/row_plan.hpp"

// The sum over the lanes of a plan that several processes share, and the rows that they have made. Each rank adds up the
// subtrees that it holds wholly; these roots are exchanged, and the rest of the tree is the same for all.
namespace bochner {

/// The subtrees of a tree of lanes, from left to right without gaps, and their sum: part(i, begin, out) writes the entries of
/// subtree i from `begin` on to `out`.
template <class S, class Part>
class SubtreeSum {
 public:
  static constexpr Index piece = 1024;

  SubtreeSum(const std::vector<RowPlan::Strand>& subtrees, const Part& part)
      : subtrees_(subtrees), part_(part) {}

  /// Entries [begin, begin + out.size()) of the sum of a tree, which is made of some of these subtrees.
  void add(const Compute& compute, const RowPlan::Strand& tree, Index begin,
           Eigen::Map<VectorT<S>> out) const {
    for_each_block(compute, out.size(), 16 * piece, [&](Index first, Index size) {
      for (Index at = first; at < first + size; at += piece)
        add(tree, begin + at, out.segment(at, std::min(piece, first + size - at)));
    });
  }

 private:
  void add(const RowPlan::Strand& tree, Index begin, VectorOutT<S> out) const {
    const auto own = std::lower_bound(subtrees_.begin(), subtrees_.end(), tree.first,
                                      [](const RowPlan::Strand& s, Index lane) { return s.first < lane; });
    if (*own == tree) return part_(Index(own - subtrees_.begin()), begin, out);
    const Index left = left_of_tree(tree.count);
    add({tree.first, left}, begin, out);
    Eigen::Matrix<S, Eigen::Dynamic, 1, Eigen::ColMajor, piece, 1> right(out.size());  // on the stack
    add({tree.first + left, tree.count - left}, begin, right);
    out += right;
  }

  const std::vector<RowPlan::Strand>& subtrees_;
  const Part& part_;
};

/// The roots of all ranks, from left to right, and where the bytes of each are: root k of rank r is at `place` k there.
struct SharedRoots {
  explicit SharedRoots(const RowPlan& plan);
  std::vector<RowPlan::Strand> all;
  std::vector<std::size_t> rank;
  std::vector<Index> place;
};

/// out: the sum over all lanes of arrays of out.size() numbers, the same on all ranks. part(i, begin, to) writes the entries
/// of strand i of this rank from `begin` on.
template <class S, class Part>
void add_over_ranks(const Compute& compute, const RowPlan& plan, const Part& part,
                    Eigen::Map<VectorT<S>> out) {
  constexpr Index few = 4096 / sizeof(S);  // of which every rank adds up all
  const Index n = out.size(), P = plan.ranks;
  const auto slice = [&](Index r) { return n <= few ? (r == 0 ? 0 : n) : r * n / P; };
  const std::vector<RowPlan::Strand> own = plan.roots_of(plan.rank);
  const SubtreeSum<S, Part> strands(plan.shared, part);

  std::vector<std::string> messages(static_cast<std::size_t>(n <= few ? 1 : P));
  for (Index q = 0; q < Index(messages.size()); ++q) {
    const Index size = slice(q + 1) - slice(q);
    std::string& message = messages[static_cast<std::size_t>(q)];
    message.resize(own.size() * static_cast<std::size_t>(size) * sizeof(S));
    for (std::size_t k = 0; k < own.size(); ++k)
      strands.add(compute, own[k], slice(q), {reinterpret_cast<S*>(message.data()) + Index(k) * size, size});
  }
  const std::vector<std::string> received =
      n <= few ? compute.comm.all_gather(messages.front()) : compute.comm.all_to_all(messages);

  const Index begin = n <= few ? 0 : slice(plan.rank), size = n <= few ? n : slice(plan.rank + 1) - begin;
  const SharedRoots roots(plan);
  for (Index r = 0; r < P; ++r)
    check_message(received[static_cast<std::size_t>(r)],
                  plan.roots_of(r).size() * static_cast<std::size_t>(size) * sizeof(S));
  const auto root = [&](Index i, Index at, VectorOutT<S> to) {
    const auto k = static_cast<std::size_t>(i);
    const S* from = reinterpret_cast<const S*>(received[roots.rank[k]].data()) + roots.place[k] * size + at;
    to = Eigen::Map<const VectorT<S>>(from, to.size());
  };
  const SubtreeSum<S, decltype(root)> rest(roots.all, root);
  rest.add(compute, {0, plan.lanes}, 0, {out.data() + begin, size});
  if (n <= few) return;
  const std::vector<std::string> slices = compute.comm.all_gather(
      {reinterpret_cast<const char*>(out.data() + begin), static_cast<std::size_t>(size) * sizeof(S)});
  for (Index r = 0; r < P; ++r) {
    check_message(slices[static_cast<std::size_t>(r)],
                  static_cast<std::size_t>(slice(r + 1) - slice(r)) * sizeof(S));
    out.segment(slice(r), slice(r + 1) - slice(r)) = Eigen::Map<const VectorT<S>>(
        reinterpret_cast<const S*>(slices[static_cast<std::size_t>(r)].data()), slice(r + 1) - slice(r));
  }
}

/// Brings together the rows of A that the ranks of a shared plan have made, each its own. For a plan that is not shared, nothing.
template <class T>
void gather_rows(const Compute& compute, const RowPlan& plan, MatrixT<T>& A);

}  // namespace bochner
