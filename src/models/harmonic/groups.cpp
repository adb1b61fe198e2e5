#include "groups.hpp"
#include "bochner/compute/row_plan.hpp"

#include <algorithm>
#include <string>

namespace bochner {
namespace {

constexpr Index columns = 64;  // of a task of a triangular product
constexpr Index tile = 128;    // of a task of a product of which half is wanted

}  // namespace

std::vector<HarmonicBlock> blocks_of(const HarmonicGp& gp) {
  std::vector<HarmonicBlock> out;
  const Index H = gp.groups(), each = gp.Z.size() == 1 ? H : 1;
  for (Index first = 0; first < H; first += each)
    out.push_back({first, each, gp.points(first),
                   Harmonics{gp.kernel, gp.motions, gp.weights.middleRows(first, each)}});
  return out;
}

HarmonicFactors factorise(const HarmonicGp& gp, const std::vector<HarmonicBlock>& blocks,
                          const Compute& compute) {
  const Index H = gp.groups();
  std::vector<Matrix> Kzz(at(H));
  for_each_group(Index(blocks.size()), compute, [&](Index b) {
    const HarmonicBlock& block = blocks[at(b)];
    std::vector<Matrix> K = harmonic_grams(block.harmonics, block.Z, compute);
    for (Index i = 0; i < block.count; ++i) Kzz[at(block.first + i)] = std::move(K[at(i)]);
  });
  HarmonicFactors out{std::vector<CholeskyFactor>(at(H)), std::vector<double>(at(H), gp.jitter)};
  for_each_group(H, compute, [&](Index h) {
    Matrix& K = Kzz[at(h)];
    const double mean = K.diagonal().mean();
    K.diagonal().array() += gp.jitter * mean;
    out.factor[at(h)] = cholesky(
        std::move(K), {.what = "the Gram matrix of the inducing points of group " + std::to_string(h + 1)},
        compute);
    if (mean > 0) out.share[at(h)] += out.factor[at(h)].jitter / mean;
  });
  return out;
}

std::vector<Matrix> whitened_features(const std::vector<HarmonicBlock>& blocks,
                                      const HarmonicFactors& factors, MatrixIn X, const Compute& compute) {
  std::vector<Matrix> Psi(factors.factor.size());
  for_each_group(Index(blocks.size()), compute, [&](Index b) {
    const HarmonicBlock& block = blocks[at(b)];
    const std::vector<Matrix> K = harmonic_grams(block.harmonics, X, block.Z, compute);
    for_each_group(block.count, compute, [&](Index i) {
      Psi[at(block.first + i)] =
          solve_lower(factors.factor[at(block.first + i)], K[at(i)].transpose(), compute);
    });
  });
  return Psi;
}

Matrix lower_transposed_times(MatrixIn F, MatrixIn Psi, const Compute& compute) {
  Matrix out(Psi.rows(), Psi.cols());
  for_each_block(compute, Psi.cols(), columns, [&](Index begin, Index size) {
    out.middleCols(begin, size).noalias() =
        F.transpose().triangularView<Eigen::Upper>() * Psi.middleCols(begin, size);
  });
  return out;
}

Matrix lower_times(MatrixIn F, MatrixIn A, const Compute& compute) {
  Matrix out(A.rows(), A.cols());
  for_each_block(compute, A.cols(), columns, [&](Index begin, Index size) {
    out.middleCols(begin, size).noalias() = F.triangularView<Eigen::Lower>() * A.middleCols(begin, size);
  });
  return out;
}

Matrix lower_of_product(MatrixIn A, MatrixIn B, const Compute& compute) {
  const Index m = A.rows(), tiles = (m + tile - 1) / tile;
  Matrix out = Matrix::Zero(m, m);
  compute.threads.run(tiles * (tiles + 1) / 2, [&](Index task) {
    Index i = 0;
    while (task > i) task -= ++i;
    const Index bi = i * tile, bj = task * tile;
    const Index ni = std::min(tile, m - bi), nj = std::min(tile, m - bj);
    out.block(bi, bj, ni, nj).noalias() = A.middleRows(bi, ni) * B.middleRows(bj, nj).transpose();
    if (bi == bj) out.block(bi, bj, ni, nj).triangularView<Eigen::StrictlyUpper>().setZero();
  });
  return out;
}

}  // namespace bochner
