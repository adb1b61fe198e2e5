#include "bochner/random/rng.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "bochner/compute/row_plan.hpp"
#include "tests/support/goodness_of_fit.hpp"

namespace bochner::rng_test {
namespace {

// Keys, splits and draws as an independent Philox in Python computes them: whoever changes the layout changes
// every seeded result of the library.
TEST(Rng, KnownAnswers) {
  Rng root(42);
  EXPECT_EQ(root.bits(), 0x90567bfd4fa3a90fULL);
  EXPECT_EQ(root.bits(), 0xfa4282225fd8ca14ULL);
  const Rng row = root.split("latents").split(7);
  Rng a = row, b = row, c = row;
  for (const std::uint64_t word :
       {0xf506efbc507b02c5ULL, 0x92709e98e3771e9cULL, 0xefeec9afd33ee9aeULL, 0x51b72cd3bd2121b0ULL})
    EXPECT_EQ(a.bits(), word);
  EXPECT_EQ(b.uniform(), 0.957137092089834);  // (52 bits + 1/2) 2^-52
  EXPECT_EQ(b.uniform(), 0.5720309375060108);
  EXPECT_NEAR(c.normal(), -0.2662007608365338, 1e-15);  // Box-Muller of those two, cosine first
  EXPECT_NEAR(c.normal(), -0.12943896887169135, 1e-15);
}

TEST(Rng, SplittingLeavesTheParentAloneAndCopiesDrawTheSame) {
  Rng parent(3), twin(3);
  parent.split("child").normal(100);
  parent.split(5).bits();
  EXPECT_EQ(parent.bits(), twin.bits());
  Rng copy = parent;
  EXPECT_EQ(copy.normal(7), parent.normal(7));
  parent.bits();
  EXPECT_EQ(parent.split("x").bits(), Rng(3).split("x").bits())
      << "a child does not depend on the parent's position";
}

TEST(Rng, StreamsAreDistinct) {
  const Rng root(1);
  std::set<std::uint64_t> seen;
  Index streams = 0;
  const auto add = [&](Rng rng) {
    seen.insert(rng.bits());
    ++streams;
  };
  for (std::uint64_t i = 0; i < 20000; ++i) {
    add(Rng(i + 2));
    add(root.split(i));
    add(root.split(std::to_string(i)));
    add(root.split("latents").split(i));
    add(root.split(i).split(i));
  }
  Rng draws = root;
  for (int i = 0; i < 20000; ++i, ++streams) seen.insert(draws.bits());
  EXPECT_EQ(Index(seen.size()), streams);
}

TEST(Rng, NeighbouringStreamsAreIndependent) {
  const Rng root(11);
  const Index n = 100'000;
  Vector first(n), second(n);
  for (Index i = 0; i < n; ++i) {
    Rng child = root.split(std::uint64_t(i));
    first(i) = child.uniform();
    second(i) = child.uniform();
  }
  testing::expect_distribution(first, [](double u) { return u; });
  testing::expect_distribution(second, [](double u) { return u; });
  const Eigen::ArrayXd a = (first.array() - 0.5) * std::sqrt(12.0),
                       b = (second.array() - 0.5) * std::sqrt(12.0);
  const double se = 1 / std::sqrt(double(n));
  EXPECT_NEAR((a * b).mean(), 0, 4 * se);
  EXPECT_NEAR((a.head(n - 1) * a.tail(n - 1)).mean(), 0, 4 * se);
  EXPECT_NEAR((b.head(n - 1) * a.tail(n - 1)).mean(), 0, 4 * se);
}

TEST(Rng, BulkDrawsHaveTheBytesOfSingleDraws) {
  Rng one(5), bulk(5);
  Vector u(3001), z(3001);
  for (double& x : u) x = one.uniform();
  for (double& x : z) x = one.normal();
  EXPECT_EQ(u, bulk.uniform(3001));
  EXPECT_EQ(z, bulk.normal(3001));
  EXPECT_EQ(one.bits(), bulk.bits());
}

TEST(Rng, DrawsDoNotDependOnHowTheyAreCutIntoCalls) {
  const Rng start(6);
  const Vector all_u = Rng(start).uniform(2000), all_z = Rng(start).normal(2000);
  Rng cut_u = start, cut_z = start;
  Index at = 0;
  for (Index n : {0, 1, 2, 3, 5, 8, 16, 17, 31, 64, 255, 256, 511, 513}) {
    EXPECT_EQ(cut_u.uniform(n), all_u.segment(at, n)) << n;
    EXPECT_EQ(cut_z.normal(n), all_z.segment(at, n)) << n;
    EXPECT_EQ(Rng(start).normal(n), all_z.head(n)) << "a shorter vector is a prefix of a longer one, " << n;
    at += n;
  }
}

TEST(Rng, RowsOfAMatrixDoNotDependOnTheirNumber) {
  const Matrix tall = Rng(7).normal(400, 3), small = Rng(7).normal(11, 3);
  EXPECT_EQ(small, tall.topRows(11));
  EXPECT_EQ(testing::sample(33, [rng = Rng(7)]() mutable { return rng.normal(); }),
            Eigen::Map<const Vector>(small.data(), 33));
}

TEST(Rng, RowsDrawnFromTheirOwnStreamsHaveTheSameBytesForAnyThreadCount) {
  const Rng root(8);
  const auto draw = [&](int count) {
    Matrix X(500, 5);
    for_each_block(Threads(count), X.rows(), 16, [&](Index begin, Index size) {
      for (Index i = begin; i < begin + size; ++i) {
        Rng row = root.split(std::uint64_t(i));
        X.row(i) << row.normal(), row.gamma(0.3), row.gamma(4), row.beta(0.5, 2), double(row.below(1000));
      }
    });
    return X;
  };
  const Matrix X = draw(1);
  EXPECT_EQ(X, draw(2));
  EXPECT_EQ(X, draw(7));
}

}  // namespace
}  // namespace bochner::rng_test
