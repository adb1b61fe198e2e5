#include "bochner/kernels/gram_sum.hpp"

#include <gtest/gtest.h>

#include "bochner/compute/loopback.hpp"
#include "bochner/kernels/make_kernel.hpp"

namespace bochner::gram_sum_test {
namespace {

/// Three terms of different kernels, inputs and weights.
std::vector<GramTerm> terms(Index n) {
  return {{make_kernel("rbf", 3, Rng(1)), Rng(2).normal(n, 3), 1},
          {make_kernel("linear", 2, Rng(1)), Rng(3).normal(n, 2), 0.3},
          {make_kernel("poly2", 4, Rng(1)), Rng(4).normal(n, 4), 0.01}};
}

Matrix dense(const std::vector<GramTerm>& terms) {
  Matrix K = Matrix::Zero(terms.front().X.rows(), terms.front().X.rows());
  for (const GramTerm& t : terms) K += t.weight * gram(t.kernel, t.X, Threads(1));
  return K;
}

class GramSumRows : public ::testing::TestWithParam<Index> {};

TEST_P(GramSumRows, IsTheSumOfGramMatrices) {
  const Index n = GetParam();
  const auto all = terms(n);
  const Matrix K = dense(all);
  const GramSum kept(all, 1e9, Threads(2)), made(all, 0, Threads(2));
  EXPECT_TRUE(kept.kept());
  EXPECT_FALSE(made.kept());
  EXPECT_EQ(kept.rows(), n);
  EXPECT_NEAR(kept.trace(), K.trace(), 1e-12 * K.trace());
  EXPECT_EQ(kept.trace(), made.trace());
  for (const Index cols : {1, 17}) {
    const Matrix V = Rng(5).normal(n, cols), exact = K * V, KV = kept.times(V, Threads(1));
    EXPECT_LT((KV - exact).cwiseAbs().maxCoeff(), 1e-12 * exact.cwiseAbs().maxCoeff()) << cols;
    for (const int count : {1, 2, 7}) {
      EXPECT_EQ(kept.times(V, Threads(count)), KV) << cols << " columns, " << count << " threads";
      EXPECT_EQ(made.times(V, Threads(count)), KV) << cols << " columns, " << count << " threads";
    }
  }
}

TEST(GramSum, IsSharedByProcesses) {
  for (const Index n : {100, 1700, 4600}) {
    const auto all = terms(n);
    const Matrix V = Rng(5).normal(n, 3), KV = GramSum(all, 1e9, Threads(2)).times(V, Threads(2));
    for (const Index ranks : {1, 2, 3, 4, 5, 6, 7, 8, 16}) {
      if (n > 2000 && ranks != 3) continue;
      run_loopback(ranks, [&](const Communicator& comm) {
        const Compute compute(Threads(1), Device::cpu(), comm);
        for (const double keep_bytes : {0.0, 1e9}) {
          const GramSum K(all, keep_bytes, compute);
          EXPECT_EQ(K.times(V, compute), KV) << n << " rows, " << comm.name();
        }
      });
    }
  }
}

// around the side of a tile, 512
INSTANTIATE_TEST_SUITE_P(Rows, GramSumRows, ::testing::Values(1, 5, 511, 512, 513, 1024, 1300));

TEST(GramSum, TakesABlockOfAWiderMatrix) {
  const auto all = terms(40);
  const GramSum K(all, 1e9, Threads(1));
  const Matrix V = Rng(5).normal(40, 9), exact = dense(all) * V.middleCols(2, 3);
  EXPECT_LT((K.times(V.middleCols(2, 3), Threads(1)) - exact).cwiseAbs().maxCoeff(),
            1e-12 * exact.cwiseAbs().maxCoeff());
}

TEST(GramSum, KeepsWhatFits) {
  const Index n = 700;
  const double bytes = GramSum::bytes(n);
  EXPECT_GE(bytes, 4.0 * n * n);  // half of the matrix at least
  EXPECT_LE(bytes, 8.0 * n * n);  // and no more than the whole
  EXPECT_TRUE(GramSum(terms(n), bytes, Threads(1)).kept());
  EXPECT_FALSE(GramSum(terms(n), bytes - 1, Threads(1)).kept());
}

TEST(GramSum, ChecksShapesAtTheDoor) {
  EXPECT_THROW(GramSum({}, 1e9, Threads(1)), std::invalid_argument);
  auto uneven = terms(20);
  uneven[1].X = Rng(3).normal(19, 2);
  EXPECT_THROW(GramSum(uneven, 1e9, Threads(1)), std::invalid_argument);
  auto narrow = terms(20);
  narrow[0].X = Rng(3).normal(20, 2);
  EXPECT_THROW(GramSum(narrow, 1e9, Threads(1)), std::invalid_argument);
  const GramSum K(terms(20), 1e9, Threads(1));
  EXPECT_THROW(K.times(Matrix::Zero(19, 2), Threads(1)), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::gram_sum_test
