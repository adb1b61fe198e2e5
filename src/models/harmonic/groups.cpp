#include "groups.hpp"

#include <string>

#include "bochner/compute/products.hpp"

namespace bochner {
namespace {

const std::optional<PatchSum> no_patch_sum{};

}  // namespace

Inducing inducing_of(const HarmonicGp& gp) {
  return {gp.kernel, gp.motions, gp.weights, gp.Z, gp.jitter, gp.patch_sum};
}

Inducing inducing_of(const HiddenLayer& layer) {
  return {layer.kernel, layer.motions, layer.weights, layer.Z, layer.jitter, no_patch_sum};
}

std::vector<HarmonicBlock> blocks_of(const Inducing& points) {
  std::vector<HarmonicBlock> out;
  const Index H = points.groups(), each = points.Z.size() == 1 ? H : 1;
  for (Index first = 0; first < H; first += each)
    out.push_back({first, each, points.Z[points.Z.size() == 1 ? 0 : at(first)],
                   Harmonics{points.kernel, points.motions, points.weights.middleRows(first, each)}});
  return out;
}

HarmonicFactors factorise(const Inducing& points, const std::vector<HarmonicBlock>& blocks,
                          const Compute& compute) {
  const Index H = points.groups();
  std::vector<Matrix> Kzz(at(H));
  for_each_group(Index(blocks.size()), compute, [&](Index b) {
    const HarmonicBlock& block = blocks[at(b)];
    std::vector<Matrix> K = harmonic_grams(block.harmonics, block.Z, compute);
    for (Index i = 0; i < block.count; ++i) Kzz[at(block.first + i)] = std::move(K[at(i)]);
  });
  HarmonicFactors out{std::vector<CholeskyFactor>(at(H)), std::vector<double>(at(H), points.jitter)};
  for_each_group(H, compute, [&](Index h) {
    Matrix& K = Kzz[at(h)];
    const double mean = K.diagonal().mean();
    K.diagonal().array() += points.jitter * mean;
    out.factor[at(h)] = cholesky(
        std::move(K), {.what = "the Gram matrix of the inducing points of group " + std::to_string(h + 1)},
        compute);
    if (mean > 0) out.share[at(h)] += out.factor[at(h)].jitter / mean;
  });
  return out;
}

std::vector<Matrix> whitened_features(const Inducing& points, const std::vector<HarmonicBlock>& blocks,
                                      const HarmonicFactors& factors, MatrixIn X, const Compute& compute) {
  std::vector<Matrix> Psi(factors.factor.size());
  for_each_group(Index(blocks.size()), compute, [&](Index b) {
    const HarmonicBlock& block = blocks[at(b)];
    const std::vector<Matrix> K = row_grams(block.harmonics, points.patch_sum, X, block.Z, compute);
    for_each_group(block.count, compute, [&](Index i) {
      Psi[at(block.first + i)] =
          solve_lower(factors.factor[at(block.first + i)], K[at(i)].transpose(), compute);
    });
  });
  return Psi;
}

FeaturesPullback pull_features(const Inducing& points, const std::vector<HarmonicBlock>& blocks,
                               const HarmonicFactors& factors, MatrixIn X, const std::vector<Matrix>& Psi,
                               const std::vector<Matrix>& dPsi, const Compute& compute) {
  const Index H = points.groups();
  std::vector<Matrix> dKxz(at(H)), dKzz(at(H));
  for_each_group(H, compute, [&](Index h) {
    const CholeskyFactor& factor = factors.factor[at(h)];
    // Psi = L^-1 K: as in features/nystrom_features.cpp only the lower triangle of dPsi Psi' reaches k(Z, Z).
    dKxz[at(h)] = solve_lower_transposed(factor, dPsi[at(h)], compute).transpose();
    Matrix& dK = dKzz[at(h)];
    dK = -0.5 * congruence_solve(factor, lower_of_product(dPsi[at(h)], Psi[at(h)], compute), compute);
    dK.diagonal().array() += factors.share[at(h)] * dK.diagonal().mean();  // the jitter follows the diagonal
  });
  std::vector<RowGramsPullback> cross(blocks.size());
  FeaturesPullback out{.kernel = Vector::Zero(parameter_count(points.kernel)),
                       .Z = std::vector<Matrix>(blocks.size()),
                       .X = Matrix::Zero(X.rows(), X.cols()),
                       .patch_weight = Vector::Zero(points.patch_sum ? points.patch_sum->weight.size() : 0)};
  for_each_group(Index(blocks.size()), compute, [&](Index b) {
    const HarmonicBlock& block = blocks[at(b)];
    const auto of = [&](std::vector<Matrix>& all) {
      return std::vector<Matrix>(std::make_move_iterator(all.begin() + block.first),
                                 std::make_move_iterator(all.begin() + block.first + block.count));
    };
    cross[at(b)] = row_grams_pullback(block.harmonics, points.patch_sum, X, block.Z, of(dKxz), compute);
    const HarmonicsPullback inner = harmonic_grams_pullback(block.harmonics, block.Z, of(dKzz), compute);
    cross[at(b)].dtheta += inner.dtheta;
    out.Z[at(b)] = cross[at(b)].dZ + inner.dZ;
  });
  for (const RowGramsPullback& one : cross) {
    out.kernel += one.dtheta;
    out.X += one.dX;
    if (points.patch_sum) out.patch_weight += one.dweight;
  }
  return out;
}

}  // namespace bochner
