#include "bochner/symmetry/harmonic_grams.hpp"

#include <gtest/gtest.h>

#include "bochner/random/rng.hpp"
#include "bochner/symmetry/harmonic.hpp"

namespace bochner::harmonic_grams_test {
namespace {

struct Case {
  AnyKernel kernel;
  std::vector<Symmetry> symmetries;
  std::vector<Harmonic> each;
  std::vector<Motion> motions;
  Matrix weights;
  Case(AnyKernel k, std::vector<Symmetry> s, Index D)
      : kernel(k), symmetries(s), each(harmonic_kernels(k, s, D)), motions(each.front().motions) {
    weights.resize(Index(each.size()), Index(motions.size()));
    for (std::size_t h = 0; h < each.size(); ++h) weights.row(Index(h)) = each[h].weight.transpose();
  }
  Harmonics together() const { return {kernel, motions, weights}; }
};

std::vector<Case> cases() {
  const AnyKernel rbf = Rbf{.ell = Vector::Constant(3, 1.4), .sigma2 = 1.3};
  const AnyKernel matern = Matern{.ell = Vector{{0.7, 1.3, 0.9}}, .sigma2 = 0.8};
  return {{matern, {}, 3},
          {matern, {negate(3, {0}), negate(3, {1, 2})}, 3},
          {rbf, {rotate(3, 0, 1, 5)}, 3},
          {rbf, {rotate(3, 0, 2, 6), negate(3, {1})}, 3}};
}

// Sizes beyond one tile, so that the cuts are seen.
const Index n = 70, m = 300;

TEST(HarmonicGrams, AreThoseOfEachHarmonic) {
  const Matrix X = Rng(1).normal(n, 3), Z = Rng(2).normal(m, 3);
  for (const Case& c : cases()) {
    const std::vector<Matrix> K = harmonic_grams(c.together(), X, Z, Threads(2)),
                              Kzz = harmonic_grams(c.together(), Z, Threads(2));
    ASSERT_EQ(K.size(), c.each.size());
    for (std::size_t h = 0; h < K.size(); ++h) {
      EXPECT_LT((K[h] - gram(c.each[h], X, Z, Threads(1))).cwiseAbs().maxCoeff(), 1e-14);
      EXPECT_LT((Kzz[h] - gram(c.each[h], Z, Threads(1))).cwiseAbs().maxCoeff(), 1e-14);
      EXPECT_EQ(Kzz[h], Matrix(Kzz[h].transpose()));
    }
  }
}

TEST(HarmonicGrams, PullbacksAreTheSumOfThoseOfEachHarmonic) {
  const Matrix X = Rng(3).normal(n, 3), Z = Rng(4).normal(m, 3);
  for (const Case& c : cases()) {
    std::vector<Matrix> dK, dKzz;
    Vector theta = Vector::Zero(parameter_count(c.kernel)), theta_zz = theta;
    Matrix dZ = Matrix::Zero(m, 3), dZ_zz = dZ;
    for (std::size_t h = 0; h < c.each.size(); ++h) {
      dK.push_back(Rng(5 + h).normal(n, m));
      dKzz.push_back(Rng(50 + h).normal(m, m));
      const GramPullback one =
          gram_pullback(c.each[h], X, Z, gram(c.each[h], X, Z, Threads(1)), dK.back(), Threads(1));
      const GramPullback two =
          gram_pullback(c.each[h], Z, gram(c.each[h], Z, Threads(1)), dKzz.back(), Threads(1));
      theta += one.dtheta;
      dZ += one.dZ;
      theta_zz += two.dtheta;
      dZ_zz += two.dX;
    }
    const HarmonicsPullback one = harmonic_grams_pullback(c.together(), X, Z, dK, Threads(2)),
                            two = harmonic_grams_pullback(c.together(), Z, dKzz, Threads(2));
    EXPECT_LT((one.dtheta - theta).norm(), 1e-10 * (1 + theta.norm()));
    EXPECT_LT((one.dZ - dZ).norm(), 1e-11 * (1 + dZ.norm()));
    EXPECT_LT((two.dtheta - theta_zz).norm(), 1e-10 * (1 + theta_zz.norm()));
    EXPECT_LT((two.dZ - dZ_zz).norm(), 1e-11 * (1 + dZ_zz.norm()));
  }
}

TEST(HarmonicGrams, SameBytesForAnyNumberOfThreads) {
  const Matrix X = Rng(6).normal(n, 3), Z = Rng(7).normal(m, 3);
  const Case c = cases().back();
  std::vector<Matrix> dK, dKzz;
  for (std::size_t h = 0; h < c.each.size(); ++h) {
    dK.push_back(Rng(8).normal(n, m));
    dKzz.push_back(Rng(9).normal(m, m));
  }
  for (const int count : {2, 7}) {
    const Threads one(1), many(count);
    EXPECT_EQ(harmonic_grams(c.together(), X, Z, one), harmonic_grams(c.together(), X, Z, many));
    EXPECT_EQ(harmonic_grams(c.together(), Z, one), harmonic_grams(c.together(), Z, many));
    EXPECT_EQ(harmonic_grams_pullback(c.together(), X, Z, dK, one).dZ,
              harmonic_grams_pullback(c.together(), X, Z, dK, many).dZ);
    EXPECT_EQ(harmonic_grams_pullback(c.together(), Z, dKzz, one).dtheta,
              harmonic_grams_pullback(c.together(), Z, dKzz, many).dtheta);
  }
}

}  // namespace
}  // namespace bochner::harmonic_grams_test
