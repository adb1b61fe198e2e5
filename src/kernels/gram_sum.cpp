#include "bochner/kernels/gram_sum.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/lane_sum.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

constexpr Index most_lanes = 8;
constexpr Index tile_index(Index i, Index j) { return i * (i + 1) / 2 + j; }

// V in panels of eight columns, n x 8 each: a row is one or two vector registers.
constexpr Index panel = 8;
using Row = Eigen::Array<double, panel, 1>;
using Panel = Eigen::Matrix<double, Eigen::Dynamic, panel, Eigen::RowMajor>;

/// Rows of K at a time: their sums and their rows of V stay in registers.
template <Index height, bool both>
void multiply_rows(const double* K, Index stride, Index width, const double* Vi, const double* Vj, double* Oi,
                   double* Oj) {
  Row sum[height], v[height];
  for (Index r = 0; r < height; ++r) {
    sum[r].setZero();
    if (both) v[r] = Eigen::Map<const Row>(Vi + r * panel);
  }
  for (Index c = 0; c < width; ++c) {
    const Row below = Eigen::Map<const Row>(Vj + c * panel);
    Row other = Row::Zero();
    for (Index r = 0; r < height; ++r) {
      const double k = K[r * stride + c];
      sum[r] += k * below;
      if (both) other += k * v[r];
    }
    if (both) Eigen::Map<Row>(Oj + c * panel) += other;
  }
  for (Index r = 0; r < height; ++r) Eigen::Map<Row>(Oi + r * panel) += sum[r];
}

/// O_i += K V_j and, if `both`, O_j += K'V_i, reading K once. A general product would spend most of its time packing K
/// for a few columns.
template <bool both>
void multiply_tile(const Matrix& K, const double* Vi, const double* Vj, double* Oi, double* Oj) {
  constexpr Index height = 8;
  Index r = 0;
  const auto at = [&](const double* V) { return V + r * panel; };
  for (; r + height <= K.rows(); r += height)
    multiply_rows<height, both>(K.row(r).data(), K.cols(), K.cols(), at(Vi), Vj, Oi + r * panel, Oj);
  for (; r < K.rows(); ++r)
    multiply_rows<1, both>(K.row(r).data(), K.cols(), K.cols(), at(Vi), Vj, Oi + r * panel, Oj);
}

}  // namespace

GramSum::GramSum(std::vector<GramTerm> terms, double keep_bytes, const Compute& compute)
    : terms_(std::move(terms)) {
  check_at_least("GramSum", "number of terms", Index(terms_.size()), 1);
  n_ = terms_.front().X.rows();
  for (const GramTerm& t : terms_) {
    check_size("GramSum", "rows of X", t.X.rows(), "rows of the first X", n_);
    check_positive("GramSum", "weight", t.weight);
    if (const Index D = input_dims(t.kernel); D > 0)
      check_size("GramSum", "columns of X", t.X.cols(), "the kernel's input dimensions", D);
    trace_ += t.weight * diagonal(t.kernel, t.X).sum();
  }
  side_ = (n_ + tile_side - 1) / tile_side;
  const Index lanes = RowPlan::make(side_, 1, most_lanes).lanes;
  plan_ = RowPlan{.rows = lanes, .block = 1, .lanes = lanes}.shared_by(compute.comm);
  const double of_tile = 8.0 * double(tile_side) * double(tile_side), all = double(tile_index(side_, 0));
  tiles_.resize(static_cast<std::size_t>(
      bytes(n_) <= keep_bytes ? all : std::min(all, std::floor(keep_bytes / of_tile))));
  for_each_row(compute, [&](Index, Index i) {
    for (Index j = 0; j <= i; ++j)
      if (kept(tile_index(i, j))) fill(i, j, tiles_[static_cast<std::size_t>(tile_index(i, j))]);
  });
}

void GramSum::fill(Index i, Index j, Matrix& tile) const {
  tile.resize(size(i), size(j));
  Matrix part;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const GramTerm& term = terms_[t];
    Matrix& K = t == 0 ? tile : part;
    if (t > 0) part.resize(tile.rows(), tile.cols());
    // The kernels' own blocks, which stay in cache between their passes.
    for (Index r = 0; r < tile.rows(); r += gram_rows) {
      const Index height = std::min(gram_rows, tile.rows() - r);
      for_each_tile(tile.cols(), [&](Index c, Index width) {
        gram_block(term.kernel, term.X.middleRows(begin(i) + r, height),
                   term.X.middleRows(begin(j) + c, width), K.block(r, c, height, width));
      });
    }
    if (t > 0)
      tile += term.weight * part;
    else if (term.weight != 1)
      tile *= term.weight;
  }
}

void GramSum::for_each_row(const Compute& compute, const std::function<void(Index lane, Index i)>& f) const {
  // Rows from the longest down, there and back over the lanes: 0 1 2 2 1 0 0 1 ..
  const Index lanes = plan_.lanes;
  for_each_block(compute, plan_, [&](Index lane, Index, Index) {
    for (Index i = side_ - 1; i >= 0; --i) {
      const Index turn = (side_ - 1 - i) / lanes, at = (side_ - 1 - i) % lanes;
      if ((turn % 2 == 0 ? at : lanes - 1 - at) == lane) f(lane, i);
    }
  });
}

Matrix GramSum::times(MatrixIn V, const Compute& compute) const {
  check_size("GramSum::times", "rows of V", V.rows(), "rows of K", n_);
  const Index panels = (V.cols() + panel - 1) / panel;
  Panel in = Panel::Zero(panels * n_, panel);  // one panel below the other
  for (Index c = 0; c < V.cols(); ++c) in.col(c % panel).segment(c / panel * n_, n_) = V.col(c);
  LaneSum<Panel> sum(plan_, Panel::Zero(panels * n_, panel));
  for_each_row(compute, [&](Index lane, Index i) {
    Matrix made;
    for (Index j = 0; j <= i; ++j) {
      const Index t = tile_index(i, j);
      if (!kept(t)) fill(i, j, made);
      const Matrix& K = kept(t) ? tiles_[static_cast<std::size_t>(t)] : made;
      for (Index p = 0; p < panels; ++p) {
        const auto from = [&](Index tile) { return in.data() + (p * n_ + begin(tile)) * panel; };
        const auto to = [&](Index tile) { return sum[lane].data() + (p * n_ + begin(tile)) * panel; };
        if (i == j)
          multiply_tile<false>(K, from(i), from(j), to(i), to(j));
        else
          multiply_tile<true>(K, from(i), from(j), to(i), to(j));
      }
    }
  });
  const Panel total = sum.total(compute);
  Matrix out(n_, V.cols());
  for (Index p = 0; p < panels; ++p) {
    const Index first = p * panel, width = std::min(panel, V.cols() - first);
    out.middleCols(first, width) = total.middleRows(p * n_, n_).leftCols(width);
  }
  return out;
}

}  // namespace bochner
