#pragma once
#include <vector>

#include "bochner/compute/row_plan.hpp"
#include "bochner/kernels/any_kernel.hpp"

namespace bochner {

/// One term w K(X, X) of a sum of Gram matrices over the same n samples.
struct GramTerm {
  AnyKernel kernel;
  Matrix X;  // n x D
  double weight = 1;
};

/// K = sum_t w_t K_t(X_t, X_t), n x n, as an operator. It is cut into square tiles on and below the diagonal, which are
/// kept as far as they fit into `keep_bytes`; the others are made anew for every product, which needs no more memory than a
/// tile per thread. Kept or not, a product has the same bytes, for any number of threads. The ranks of compute.comm share the
/// tiles: all make the sum and call `times` together, and each has the product.
class GramSum {
 public:
  GramSum(std::vector<GramTerm> terms, double keep_bytes, const Compute& compute);

  Index rows() const { return n_; }
  double trace() const { return trace_; }
  bool kept() const { return kept(side_ * (side_ + 1) / 2 - 1); }  // all of it

  Matrix times(MatrixIn V, const Compute& compute) const;  // K V, n x b

  /// Bytes of the tiles of n samples.
  static double bytes(Index n) { return 4.0 * double(n) * double(n + tile_side); }

 private:
  static constexpr Index tile_side = 512;
  Index begin(Index i) const { return i * tile_side; }
  Index size(Index i) const { return std::min(tile_side, n_ - begin(i)); }
  bool kept(Index tile) const { return tile < static_cast<Index>(tiles_.size()); }
  void fill(Index i, Index j, Matrix& tile) const;
  /// f(lane, i) for each row of tiles, dealt to lanes so that each has about as many tiles.
  void for_each_row(const Compute& compute, const std::function<void(Index lane, Index i)>& f) const;

  std::vector<GramTerm> terms_;
  std::vector<Matrix> tiles_;  // row by row of the lower triangle, the first of them
  Index n_ = 0, side_ = 0;
  RowPlan plan_{};  // of lanes alone
  double trace_ = 0;
};

}  // namespace bochner
