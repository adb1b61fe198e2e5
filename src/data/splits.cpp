#include "bochner/data/splits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

/// Rows where `test` holds go to the test side.
template <class Predicate>
Split split_by(Index rows, Predicate test) {
  std::vector<Index> sides[2];
  for (Index n = 0; n < rows; ++n) sides[test(n) ? 1 : 0].push_back(n);
  const auto vector = [](const std::vector<Index>& v) {
    return IndexVector(Eigen::Map<const IndexVector>(v.data(), static_cast<Index>(v.size())));
  };
  return {.train = vector(sides[0]), .test = vector(sides[1])};
}

}  // namespace

Split train_test_split(Index rows, double test_fraction, Rng& rng) {
  check_at_least("train_test_split", "rows", rows, 2);
  check_between("train_test_split", "test_fraction", test_fraction, 0, 1);
  const Index wanted = static_cast<Index>(std::round(test_fraction * static_cast<double>(rows)));
  const Index tests = std::clamp<Index>(wanted, 1, rows - 1);
  const IndexVector order = rng.permutation(rows);
  VectorT<bool> is_test = VectorT<bool>::Constant(rows, false);
  for (Index i = 0; i < tests; ++i) is_test(order(i)) = true;
  return split_by(rows, [&](Index n) { return is_test(n); });
}

std::vector<Index> some_rows(Index rows, Index count, Rng rng) {
  std::vector<Index> out;
  out.reserve(static_cast<std::size_t>(count));
  for (Index n = 0; n < rows && static_cast<Index>(out.size()) < count; ++n)
    if (rng.below(rows - n) < count - static_cast<Index>(out.size())) out.push_back(n);
  return out;
}

std::vector<Index> held_out_rows(Index rows, double share, std::uint64_t seed) {
  constexpr Index most = 100'000;
  check_between("held_out_rows", "share", share, 0, 1);
  return some_rows(rows, std::min(most, static_cast<Index>(share * static_cast<double>(rows))),
                   Rng(seed).split("test"));
}

IndexVector k_fold(Index rows, Index folds, Rng& rng) {
  return stratified_k_fold(IndexVector::Zero(rows), folds, rng);
}

// Shuffled rows are brought together by label and dealt to the folds in turn. A label is a run of the deal,
// so its share of any two folds differs by at most one; dealing goes on where the last label stopped, so fold
// sizes do too.
IndexVector stratified_k_fold(const IndexVector& labels, Index folds, Rng& rng) {
  const Index rows = labels.size();
  check_at_least("k_fold", "folds", folds, 2);
  check_at_least("k_fold", "rows", rows, folds);
  IndexVector order = rng.permutation(rows);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return labels(a) < labels(b); });
  const IndexVector fold_name = rng.permutation(folds);  // else the larger folds would always be the first
  IndexVector fold_of_row(rows);
  for (Index i = 0; i < rows; ++i) fold_of_row(order(i)) = fold_name(i % folds);
  return fold_of_row;
}

Split fold_split(const IndexVector& fold_of_row, Index fold) {
  return split_by(fold_of_row.size(), [&](Index n) { return fold_of_row(n) == fold; });
}

}  // namespace bochner
