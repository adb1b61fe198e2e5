#include "bochner/symmetry/harmonic_grams.hpp"

#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

void check(const char* function, const Harmonics& k) {
  check_size(function, "columns of weights", k.weights.cols(), "the number of motions",
             static_cast<Index>(k.motions.size()));
}

std::vector<Matrix> moved(const Harmonics& k, MatrixIn Z) {
  std::vector<Matrix> out;
  for (const Motion& g : k.motions) out.push_back(g.apply(Z));
  return out;
}

bool counts(const Harmonics& k, Index g) { return (k.weights.col(g).array() != 0).any(); }

/// One tile of all H matrices.
template <class Tile>
void fill_tile(const Harmonics& k, MatrixIn X, const std::vector<Matrix>& Zg, Index col, Index width,
               const Tile& tile) {
  Matrix part(X.rows(), width);
  for (Index h = 0; h < k.weights.rows(); ++h) tile(h).setZero();
  for (Index g = 0; g < k.weights.cols(); ++g) {
    if (!counts(k, g)) continue;
    gram_block(k.kernel, X, Zg[at(g)].middleRows(col, width), part);
    for (Index h = 0; h < k.weights.rows(); ++h)
      if (const double w = k.weights(h, g); w != 0) tile(h) += w * part;
  }
}

/// The sum over blocks of rows of what `add` gives each of them.
template <class Add>
HarmonicsPullback summed(const Harmonics& k, Index rows, MatrixIn Z, const Compute& compute, const Add& add) {
  GramPullbackSum sum = sum_over_rows<GramPullbackSum>(
      compute, RowPlan::make(rows, gram_rows),
      {Vector::Zero(parameter_count(k.kernel)), Matrix::Zero(Z.rows(), Z.cols())}, add);
  return {std::move(sum.dtheta), std::move(sum.dZ), Matrix()};
}

/// Adds the adjoints of one tile; dX has the rows of X. `dtile(h)` is the adjoint of the tile of k_h.
template <class DTile>
void pull_tile(const Harmonics& k, MatrixIn X, const std::vector<Matrix>& Zg, Index col, Index width,
               const DTile& dtile, VectorOut dtheta, MatrixOut dX, MatrixOut dZ) {
  Matrix part(X.rows(), width), dpart(X.rows(), width), dZg(width, X.cols());
  for (Index g = 0; g < k.weights.cols(); ++g) {
    if (!counts(k, g)) continue;
    const auto Z = Zg[at(g)].middleRows(col, width);
    gram_block(k.kernel, X, Z, part);
    dpart.setZero();
    for (Index h = 0; h < k.weights.rows(); ++h)
      if (const double w = k.weights(h, g); w != 0) dpart += w * dtile(h);
    dZg.setZero();
    KernelAdjoint adjoint{dtheta, dX, dZg};
    pull_block(k.kernel, X, Z, part, dpart, adjoint);
    dZ += k.motions[at(g)].pull(dZg);
  }
}

}  // namespace

std::vector<Matrix> harmonic_grams(const Harmonics& k, MatrixIn X, MatrixIn Z, const Compute& compute) {
  check("harmonic_grams", k);
  const std::vector<Matrix> Zg = moved(k, Z);
  std::vector<Matrix> out(at(k.weights.rows()), Matrix(X.rows(), Z.rows()));
  for_each_block(compute, X.rows(), gram_rows, [&](Index begin, Index size) {
    for_each_tile(Z.rows(), [&](Index col, Index width) {
      fill_tile(k, X.middleRows(begin, size), Zg, col, width,
                [&](Index h) { return out[at(h)].block(begin, col, size, width); });
    });
  });
  return out;
}

std::vector<Matrix> harmonic_grams(const Harmonics& k, MatrixIn Z, const Compute& compute) {
  check("harmonic_grams", k);
  const std::vector<Matrix> Zg = moved(k, Z);
  std::vector<Matrix> out(at(k.weights.rows()), Matrix(Z.rows(), Z.rows()));
  for_each_block(compute, Z.rows(), gram_rows, [&](Index begin, Index size) {
    const auto tile = [&](Index col, Index width) {
      fill_tile(k, Z.middleRows(begin, size), Zg, col, width,
                [&](Index h) { return out[at(h)].block(begin, col, size, width); });
      for (Matrix& K : out) mirror_tile(begin, size, col, width, K);
    };
    for_each_tile(begin, tile);
    tile(begin, size);
  });
  return out;
}

HarmonicsPullback harmonic_grams_pullback(const Harmonics& k, MatrixIn X, MatrixIn Z,
                                          const std::vector<Matrix>& dL_dK, const Compute& compute) {
  check("harmonic_grams_pullback", k);
  const std::vector<Matrix> Zg = moved(k, Z);
  Matrix dX = Matrix::Zero(X.rows(), X.cols());
  HarmonicsPullback out = summed(k, X.rows(), Z, compute, [&](GramPullbackSum& sum, Index begin, Index size) {
    for_each_tile(Z.rows(), [&](Index col, Index width) {
      pull_tile(
          k, X.middleRows(begin, size), Zg, col, width,
          [&](Index h) { return dL_dK[at(h)].block(begin, col, size, width); }, sum.dtheta,
          dX.middleRows(begin, size), sum.dZ.middleRows(col, width));
    });
  });
  out.dX = std::move(dX);
  return out;
}

HarmonicsPullback harmonic_grams_pullback(const Harmonics& k, MatrixIn Z, const std::vector<Matrix>& dL_dK,
                                          const Compute& compute) {
  check("harmonic_grams_pullback", k);
  const std::vector<Matrix> Zg = moved(k, Z);
  return summed(k, Z.rows(), Z, compute, [&](GramPullbackSum& sum, Index begin, Index size) {
    const auto tile = [&](Index col, Index width) {
      std::vector<Matrix> folded(dL_dK.size(), Matrix(size, width));
      for (std::size_t h = 0; h < dL_dK.size(); ++h) fold_tile(begin, size, col, width, dL_dK[h], folded[h]);
      Matrix dX = Matrix::Zero(size, Z.cols());
      pull_tile(
          k, Z.middleRows(begin, size), Zg, col, width,
          [&](Index h) -> const Matrix& { return folded[at(h)]; }, sum.dtheta, dX,
          sum.dZ.middleRows(col, width));
      sum.dZ.middleRows(begin, size) += dX;
    };
    for_each_tile(begin, tile);
    tile(begin, size);
  });
}

}  // namespace bochner
