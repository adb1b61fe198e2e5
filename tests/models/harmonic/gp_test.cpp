#include "bochner/models/harmonic/gp.hpp"

#include <gtest/gtest.h>

#include "bochner/random/rng.hpp"
#include "twin.hpp"

namespace bochner::gp_test {
namespace {

using namespace testing;

const Threads threads(2);
const AnyKernel matern = Matern{.ell = Vector{{0.9, 1.6, 1.1}}, .sigma2 = 0.8};
const AnyLikelihood noise = GaussianNoise{.variance = Vector::Constant(2, 0.2)};
const std::vector<Symmetry> two_ways{negate(3, {0}), negate(3, {1, 2})};

HarmonicGp model(const std::vector<Symmetry>& symmetries, Index m, std::uint64_t seed) {
  HarmonicGp gp = make_harmonic_gp(matern, symmetries, Rng(seed).normal(m, 3), noise, {.latents = 2});
  for (std::size_t h = 0; h < gp.mean.size(); ++h) {
    gp.mean[h] = Rng(seed + h).normal(m, 2);
    for (Matrix& F : gp.factor[h]) F *= 0.3;
  }
  return gp;
}

TEST(HarmonicGp, PriorIsTheKernel) {
  const Matrix X = Rng(1).normal(20, 3);
  for (const auto& symmetries : {std::vector<Symmetry>{}, two_ways}) {
    const HarmonicGp gp = make_harmonic_gp(matern, symmetries, Rng(2).normal(6, 3), noise, {.latents = 2});
    const LatentMarginals prior = predict_latent(gp, X, threads);
    EXPECT_EQ(prior.mean.norm(), 0);
    EXPECT_LT((prior.variance.array() - 0.8).abs().maxCoeff(), 1e-12);
  }
}

TEST(HarmonicGp, PartsAddUpAndHaveTheirSymmetry) {
  const HarmonicGp gp = model(two_ways, 6, 3);
  const Matrix X = Rng(4).normal(600, 3);  // more than one block
  const LatentMarginals whole = predict_latent(gp, X, threads);
  const std::vector<LatentMarginals> parts = predict_parts(gp, X, threads);
  ASSERT_EQ(parts.size(), 4u);
  Matrix mean = Matrix::Zero(600, 2), variance = mean;
  for (const LatentMarginals& part : parts) {
    mean += part.mean;
    variance += part.variance;
  }
  EXPECT_LT((mean - whole.mean).norm(), 1e-11);
  EXPECT_LT((variance - whole.variance).norm(), 1e-10);
  // k_h(x, Gy) = +-k_h(x, y): every part is even or odd under each symmetry.
  for (const Symmetry& s : two_ways) {
    const std::vector<LatentMarginals> there = predict_parts(gp, s.generator.apply(X), threads);
    for (std::size_t h = 0; h < 4; ++h)
      EXPECT_LT(std::min((there[h].mean - parts[h].mean).norm(), (there[h].mean + parts[h].mean).norm()),
                1e-11);
  }
}

// [sun2021, Thm 4.1]: with shared inducing points and a joint q over all groups, the predictive is that of a sparse GP whose
// inducing points are the whole orbit. u_h = sum_g w_hg f(g Z), so q(u) is a linear image of q(v).
TEST(HarmonicGp, JointPosteriorIsASparseGpOnTheOrbit) {
  const Index m = 4, N = 15;
  const Matrix Z = Rng(5).normal(m, 3), X = Rng(6).normal(N, 3);
  const std::vector<Harmonic> groups = harmonic_kernels(matern, two_ways, 3);
  const Index G = Index(groups.front().motions.size()), H = Index(groups.size());
  Matrix orbit(G * m, 3), W = Matrix::Zero(H * m, G * m);
  for (Index g = 0; g < G; ++g) {
    orbit.middleRows(g * m, m) = groups.front().motions[static_cast<std::size_t>(g)].apply(Z);
    for (Index h = 0; h < H; ++h)
      W.block(h * m, g * m, m, m) = groups[static_cast<std::size_t>(h)].weight(g) * Matrix::Identity(m, m);
  }
  // any q(v) on the orbit
  const Vector mv = Rng(7).normal(G * m);
  const Matrix A = Rng(8).normal(G * m, G * m), Sv = A * A.transpose() / double(G * m);
  const auto predict = [&](const Matrix& Kuu, const Matrix& Kxu, const Vector& mean, const Matrix& S) {
    const Matrix T = Kxu * Kuu.inverse();
    Matrix out(N, 2);
    out.col(0) = T * mean;
    out.col(1) = (T * (S - Kuu) * T.transpose()).diagonal();
    return out;
  };
  const Matrix sparse = predict(gram(matern, orbit, threads), gram(matern, X, orbit, threads), mv, Sv);
  Matrix Kuu = Matrix::Zero(H * m, H * m), Kxu(N, H * m);
  for (Index h = 0; h < H; ++h) {
    const Harmonic& k = groups[static_cast<std::size_t>(h)];
    Kuu.block(h * m, h * m, m, m) = slow_gram(k, Z, Z);  // groups are independent in the prior
    Kxu.middleCols(h * m, m) = slow_gram(k, X, Z);
  }
  const Matrix harmonic = predict(Kuu, Kxu, W * mv, W * Sv * W.transpose());
  EXPECT_LT((sparse - harmonic).norm(), 1e-10 * sparse.norm());
}

TEST(HarmonicGp, TraceErrorIsThatOfTheFeatures) {
  const HarmonicGp gp = model(two_ways, 6, 9);
  const Matrix X = Rng(10).normal(30, 3);
  double slow = 30 * 0.8;
  for (Index h = 0; h < 4; ++h) {
    const Harmonic k = group_kernel(gp, h);
    const Matrix K = slow_gram(k, gp.points(h), gp.points(h)), Kx = slow_gram(k, X, gp.points(h));
    slow -= (Kx * K.inverse() * Kx.transpose()).trace();
  }
  EXPECT_NEAR(nystrom_trace_error(gp, X, threads), slow, 1e-6);
  EXPECT_LT(nystrom_trace_error(gp, gp.points(0), threads),
            1e-6);  // k_h of all groups is known at shared points
}

TEST(HarmonicGp, RowsDoNotDependOnEachOther) {
  const HarmonicGp gp = model(two_ways, 6, 11);
  const Matrix X = Rng(12).normal(1100, 3);
  const LatentMarginals all = predict_latent(gp, X, Threads(1)),
                        some = predict_latent(gp, X.bottomRows(1), Threads(7));
  EXPECT_EQ(all.mean.bottomRows(1), some.mean);
  EXPECT_EQ(all.variance.bottomRows(1), some.variance);
}

TEST(HarmonicGp, GroupsOfWhichNothingIsLeftAreLeftOut) {
  Matrix Z = Rng(13).normal(5, 3);
  Z.col(0).setZero();  // odd functions of the first column vanish at these points
  EXPECT_EQ(make_harmonic_gp(matern, {negate(3, {0})}, Z, noise, {.latents = 2}).groups(), 1);
}

}  // namespace
}  // namespace bochner::gp_test
