#include "bochner/assess/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nanoflann.hpp>
#include <utility>
#include <vector>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

constexpr Index nobody = -1;
constexpr Index tree_dimensions = 10;  // beyond, a k-d tree visits most of its leaves anyway
constexpr Index query_block = 64;

/// The k best (squared distance, index) pairs so far, in lexicographic order. Also a result set for
/// nanoflann.
class Best {
 public:
  using DistanceType = double;

  Best(Index k, Index skip) : capacity_(static_cast<std::size_t>(k)), skip_(skip) {
    items_.reserve(capacity_ + 1);
  }

  bool addPoint(double squared, std::size_t index) {
    const std::pair<double, Index> item{squared, static_cast<Index>(index)};
    if (item.second == skip_ || (full() && item > items_.back())) return true;
    items_.insert(std::upper_bound(items_.begin(), items_.end(), item), item);
    if (items_.size() > capacity_) items_.pop_back();
    return true;
  }

  bool full() const { return items_.size() == capacity_; }
  std::size_t size() const { return items_.size(); }

  /// nanoflann passes over points at this distance and beyond, and over boxes whose distance, with rounding,
  /// is beyond. A little more than the true value lets ties in, and addPoint decides.
  double worstDist() const {
    return full() ? items_.back().first * (1 + 1e-9) + std::numeric_limits<double>::min()
                  : std::numeric_limits<double>::infinity();
  }

  const std::vector<std::pair<double, Index>>& items() const { return items_; }

 private:
  std::size_t capacity_;
  Index skip_;
  std::vector<std::pair<double, Index>> items_;
};

struct PointCloud {
  MatrixIn X;
  std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(X.rows()); }
  double kdtree_get_pt(std::size_t row, std::size_t column) const {
    return X(static_cast<Index>(row), static_cast<Index>(column));
  }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, PointCloud>, PointCloud,
                                                 -1, std::size_t>;

/// The power of two that brings the largest entry to about one: squares then neither overflow nor vanish, and
/// not a bit of any comparison changes.
double common_unit(MatrixIn A, MatrixIn B) {
  const auto largest = [](MatrixIn M) { return M.size() ? M.cwiseAbs().maxCoeff() : 0.0; };
  const double size = std::max(largest(A), largest(B));
  return size > 0 ? std::ldexp(1.0, std::clamp(std::ilogb(size), -1000, 1000)) : 1.0;
}

Neighbours search(MatrixIn reference, MatrixIn query, Index k, bool skip_self, const Compute& compute) {
  const double unit = common_unit(reference, query);
  const Matrix R = reference / unit, X = query / unit;
  Neighbours out{.index = MatrixT<Index>(X.rows(), k), .distance = Matrix(X.rows(), k)};
  const auto keep = [&](Index n, const Best& best) {
    for (Index j = 0; j < k; ++j) {
      out.index(n, j) = best.items()[j].second;
      out.distance(n, j) = std::sqrt(best.items()[j].first) * unit;
    }
  };
  const auto skip = [&](Index n) { return skip_self ? n : nobody; };

  if (X.cols() > 0 && X.cols() <= tree_dimensions) {
    const PointCloud cloud{R};
    const Tree tree(static_cast<int>(X.cols()), cloud);
    for_each_block(compute, X.rows(), query_block, [&](Index begin, Index size) {
      for (Index n = begin; n < begin + size; ++n) {
        Best best(k, skip(n));
        tree.findNeighbors(best, X.row(n).data(), nanoflann::SearchParams());
        keep(n, best);
      }
    });
  } else {
    for_each_block(compute, X.rows(), query_block, [&](Index begin, Index size) {
      for (Index n = begin; n < begin + size; ++n) {
        Best best(k, skip(n));
        for (Index r = 0; r < R.rows(); ++r)
          best.addPoint((R.row(r) - X.row(n)).squaredNorm(), static_cast<std::size_t>(r));
        keep(n, best);
      }
    });
  }
  return out;
}

}  // namespace

Neighbours nearest_neighbours(MatrixIn reference, MatrixIn query, Index k, const Compute& compute) {
  check_size("nearest_neighbours", "columns of query", query.cols(), "columns of reference",
             reference.cols());
  check_at_least("nearest_neighbours", "k", k, 1);
  check_at_least("nearest_neighbours", "rows of reference", reference.rows(), k);
  check_finite("nearest_neighbours", "reference", reference);
  check_finite("nearest_neighbours", "query", query);
  return search(reference, query, k, false, compute);
}

Neighbours nearest_others(MatrixIn X, Index k, const Compute& compute) {
  check_at_least("nearest_others", "k", k, 1);
  check_at_least("nearest_others", "rows of X", X.rows(), k + 1);
  check_finite("nearest_others", "X", X);
  return search(X, X, k, true, compute);
}

}  // namespace bochner
