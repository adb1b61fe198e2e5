#include "src/symmetry/sign_flips.hpp"

#include <gtest/gtest.h>

#include "bochner/random/rng.hpp"
#include "bochner/symmetry/harmonic.hpp"

namespace bochner::sign_flips_test {
namespace {

struct Case {
  AnyKernel kernel;
  std::vector<Symmetry> symmetries;
  Index D;
  std::size_t blocks;  // of columns that turn together
};

std::vector<Index> every_second(Index D, Index first) {
  std::vector<Index> out;
  for (Index c = first; c < D; c += 2) out.push_back(c);
  return out;
}

Vector uneven(Index D) { return 1.5 + Rng(7).uniform(D).array(); }

/// Orthonormal directions that are no columns.
Matrix directions(Index D, Index count) {
  const Eigen::MatrixXd A = Rng(11).normal(D, count);
  const Eigen::MatrixXd Q = Eigen::HouseholderQR<Eigen::MatrixXd>(A).householderQ();
  return Q.leftCols(count);
}

std::vector<Case> cases() {
  const auto matern = [](Index D, Smoothness s) -> AnyKernel {
    return Matern{.ell = uneven(D), .sigma2 = 0.8, .smoothness = s};
  };
  const Matrix V = directions(5, 3);
  const Index wide = 60;  // beyond the columns from which on products are taken
  return {
      {matern(4, Smoothness::three_halves), {negate(4, {0, 1, 2, 3})}, 4, 1},
      {matern(4, Smoothness::half), {negate(4, {1}), negate(4, {2, 3})}, 4, 3},
      {matern(3, Smoothness::five_halves), {negate(3, {0}), negate(3, {1}), negate(3, {2})}, 3, 3},
      {Rbf{.ell = uneven(wide), .sigma2 = 1.3},
       {negate(wide, every_second(wide, 0)), negate(wide, every_second(wide, 1))},
       wide,
       2},
      {matern(wide, Smoothness::three_halves), {negate(wide, every_second(wide, 0))}, wide, 2},
      {Rbf{.ell = Vector::Constant(5, 1.7), .sigma2 = 0.6},
       {reflect(V.leftCols(2)), reflect(V.rightCols(1))},
       5,
       3},
  };
}

struct Group {
  std::vector<Harmonic> each;
  Matrix weights;
};

Group group_of(const Case& c) {
  Group out{harmonic_kernels(c.kernel, c.symmetries, c.D), {}};
  out.weights.resize(Index(out.each.size()), Index(out.each.front().motions.size()));
  for (std::size_t h = 0; h < out.each.size(); ++h)
    out.weights.row(Index(h)) = out.each[h].weight.transpose();
  return out;
}

// Beyond one tile; the first rows of X are points or their images, where distances vanish.
const Index n = 70, m = 270;

struct Points {
  Matrix X, Z;
  explicit Points(Index D) : X(Rng(1).normal(n, D)), Z(Rng(2).normal(m, D)) {
    X.row(0) = Z.row(0);
    X.row(1) = -Z.row(1);
  }
};

TEST(SignFlips, GramsAreThoseOfTheMotionsOneByOne) {
  for (const Case& c : cases()) {
    const Group g = group_of(c);
    const Points p(c.D);
    const Harmonics together{c.kernel, g.each.front().motions, g.weights};
    const std::optional<SignFlips> flips = sign_flips(together);
    ASSERT_TRUE(flips.has_value());
    EXPECT_EQ(flips->blocks.size(), c.blocks);
    const std::vector<Matrix> K = harmonic_grams(together, p.X, p.Z, Threads(2)),
                              Kzz = harmonic_grams(together, p.Z, Threads(2));
    Matrix sum = Matrix::Zero(n, m);
    for (std::size_t h = 0; h < K.size(); ++h) {
      EXPECT_LT((K[h] - gram(g.each[h], p.X, p.Z, Threads(1))).cwiseAbs().maxCoeff(), 1e-13);
      EXPECT_LT((Kzz[h] - gram(g.each[h], p.Z, Threads(1))).cwiseAbs().maxCoeff(), 1e-13);
      sum += K[h];
    }
    EXPECT_LT((sum - gram(c.kernel, p.X, p.Z, Threads(1))).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(SignFlips, PullbacksAreThoseOfTheMotionsOneByOne) {
  for (const Case& c : cases()) {
    const Group g = group_of(c);
    const Points p(c.D);
    const Harmonics together{c.kernel, g.each.front().motions, g.weights};
    std::vector<Matrix> dK, dKzz;
    Vector theta = Vector::Zero(parameter_count(c.kernel)), theta_zz = theta;
    Matrix dX = Matrix::Zero(n, c.D), dZ = Matrix::Zero(m, c.D), dZ_zz = dZ;
    for (std::size_t h = 0; h < g.each.size(); ++h) {
      dK.push_back(Rng(5 + h).normal(n, m));
      dKzz.push_back(Rng(50 + h).normal(m, m));
      const GramPullback one =
          gram_pullback(g.each[h], p.X, p.Z, gram(g.each[h], p.X, p.Z, Threads(1)), dK.back(), Threads(1));
      const GramPullback two =
          gram_pullback(g.each[h], p.Z, gram(g.each[h], p.Z, Threads(1)), dKzz.back(), Threads(1));
      theta += one.dtheta, dX += one.dX, dZ += one.dZ;
      theta_zz += two.dtheta, dZ_zz += two.dX;
    }
    const HarmonicsPullback one = harmonic_grams_pullback(together, p.X, p.Z, dK, Threads(2)),
                            two = harmonic_grams_pullback(together, p.Z, dKzz, Threads(2));
    if (!sign_flips(together)->directions.size()) {
      EXPECT_LT((one.dtheta - theta).norm(), 1e-10 * (1 + theta.norm()));
      EXPECT_LT((two.dtheta - theta_zz).norm(), 1e-10 * (1 + theta_zz.norm()));
    }
    const auto total = [&](const Vector& dtheta) {
      return dtheta.head(c.D).sum();
    };  // of a common length-scale
    EXPECT_NEAR(total(one.dtheta), total(theta), 1e-10 * (1 + theta.norm()));
    EXPECT_NEAR(total(two.dtheta), total(theta_zz), 1e-10 * (1 + theta_zz.norm()));
    EXPECT_NEAR(one.dtheta(c.D), theta(c.D), 1e-10 * (1 + theta.norm()));
    EXPECT_LT((one.dX - dX).norm(), 1e-10 * (1 + dX.norm()));
    EXPECT_LT((one.dZ - dZ).norm(), 1e-10 * (1 + dZ.norm()));
    EXPECT_LT((two.dZ - dZ_zz).norm(), 1e-10 * (1 + dZ_zz.norm()));
    EXPECT_EQ(harmonic_grams_pullback(together, p.X, p.Z, dK, Threads(1)).dZ, one.dZ);
  }
}

TEST(SignFlips, AreNotSeenWhereMotionsDoMoreOrKernelsAreOthers) {
  const auto seen = [](const AnyKernel& kernel, const std::vector<Symmetry>& symmetries) {
    const Case c{kernel, symmetries, 3, 0};
    const Group g = group_of(c);
    return sign_flips({c.kernel, g.each.front().motions, g.weights}).has_value();
  };
  const AnyKernel even = Rbf{.ell = Vector::Constant(3, 1.2)}, ard = Rbf{.ell = uneven(3)};
  EXPECT_TRUE(seen(even, {negate(3, {0})}));
  EXPECT_TRUE(seen(even, {rotate(3, 0, 1, 2)}));  // half a turn: two signs
  EXPECT_FALSE(seen(even, {}));
  EXPECT_FALSE(seen(even, {rotate(3, 0, 1, 3)}));
  EXPECT_FALSE(seen(even, {permute({1, 2, 0})}));
  EXPECT_FALSE(seen(even, {translate(Vector{{1, 0, 0}}, 2)}));
  EXPECT_FALSE(seen(RationalQuadratic{.ell = Vector::Constant(3, 1.2)}, {negate(3, {0})}));
  EXPECT_TRUE(seen(ard, {negate(3, {0})}));
  EXPECT_FALSE(seen(ard, {reflect(directions(3, 1))}));
}

}  // namespace
}  // namespace bochner::sign_flips_test
