#pragma once
#include <cmath>

#include "bochner/models/harmonic/gp.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/symmetry/harmonic.hpp"

namespace bochner::testing {

/// Somewhere in the middle of learning, away from every special value.
inline Matrix some_factor(Index m, Rng& rng) {
  Matrix F = 0.2 * rng.normal(m, m);
  F.diagonal().array() = 0.5 + F.diagonal().array().abs();
  F.triangularView<Eigen::StrictlyUpper>().setZero();
  return F;
}

inline HiddenLayer some_layer(const AnyKernel& kernel, const std::vector<Symmetry>& symmetries, Index d,
                              Index R, Index m, std::uint64_t seed) {
  Rng rng(seed);
  HiddenLayer out{.kernel = kernel, .jitter = 1e-6};
  const std::vector<Harmonic> all = harmonic_kernels(kernel, symmetries, d);
  out.motions = all.front().motions;
  out.weights.resize(Index(all.size()), all.front().weight.size());
  for (std::size_t h = 0; h < all.size(); ++h) {
    out.weights.row(Index(h)) = all[h].weight.transpose();
    out.Z.push_back(rng.normal(m, d));
    out.mean.push_back(0.7 * rng.normal(m, R));
    out.factor.push_back(some_factor(m, rng));
    out.output_factor.push_back(some_factor(R, rng));
  }
  out.map = 0.5 * rng.normal(d, R);
  return out;
}

inline HarmonicGp some_last(const AnyKernel& kernel, const std::vector<Symmetry>& symmetries, Index d,
                            Index m, const AnyLikelihood& likelihood, std::uint64_t seed) {
  Rng rng(seed);
  HarmonicGp gp = make_harmonic_gp(kernel, symmetries, rng.normal(m, d), likelihood,
                                   {.latents = latents(likelihood), .jitter = 1e-6});
  for (Matrix& Z : gp.Z) Z += 0.3 * rng.normal(m, d);
  for (Matrix& mean : gp.mean) mean = 0.7 * rng.normal(mean.rows(), mean.cols());
  for (auto& group : gp.factor)
    for (Matrix& F : group) F = some_factor(m, rng);
  return gp;
}

}  // namespace bochner::testing
