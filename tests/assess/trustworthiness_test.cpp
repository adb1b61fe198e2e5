#include "bochner/assess/trustworthiness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "bochner/random/rng.hpp"
#include "tests/support/portable_uniform.hpp"

namespace bochner::trustworthiness_test {
namespace {

using testing::PortableUniform;

// sklearn.manifold.trustworthiness(X, Z, n_neighbors=k), and (Z, X) for the continuity, scikit-learn 1.9.1:
//     g = Lcg(2); X = g.matrix(90, 6); Z = X[:, :2] + 0.3 * g.matrix(90, 2)
TEST(Trustworthiness, EqualsScikitLearn) {
  PortableUniform g(2);
  const Matrix X = g.matrix(90, 6), Z = X.leftCols(2) + 0.3 * g.matrix(90, 2);
  EXPECT_NEAR(trustworthiness(X, Z, 1), 0.6914141414141415, 1e-14);
  EXPECT_NEAR(trustworthiness(X, Z, 5), 0.7070189701897018, 1e-14);
  EXPECT_NEAR(trustworthiness(X, Z, 12), 0.7179098679098679, 1e-14);
  EXPECT_NEAR(trustworthiness(X, Z, 44), 0.7047926069202666, 1e-14);
  EXPECT_NEAR(continuity(X, Z, 1), 0.8118686868686869, 1e-14);
  EXPECT_NEAR(continuity(X, Z, 5), 0.7887262872628726, 1e-14);
  EXPECT_NEAR(continuity(X, Z, 44), 0.7278207607994842, 1e-14);
}

TEST(Trustworthiness, SameNeighboursScoreOne) {
  const Matrix X = Rng(1).normal(50, 3);
  EXPECT_EQ(trustworthiness(X, 1e-200 * X), 1);
  EXPECT_EQ(continuity(1e200 * X, X), 1);
}

// A line folded in the middle: i and N-1-i land side by side. Neighbours are invented, none is torn apart.
TEST(Trustworthiness, FoldingLosesTrustAndTearingLosesContinuity) {
  const Index N = 41;
  Matrix line(N, 1), folded(N, 1);
  for (Index i = 0; i < N; ++i) {
    line(i, 0) = static_cast<double>(i);
    folded(i, 0) = static_cast<double>(std::min(i, N - 1 - i)) + 1e-3 * static_cast<double>(i);
  }
  EXPECT_LT(trustworthiness(line, folded, 2), 0.8);
  EXPECT_GT(continuity(line, folded, 2), 0.95);
  EXPECT_EQ(trustworthiness(line, folded, 2), continuity(folded, line, 2));
}

// The worst embedding that the normalisation allows for: the k nearest in Z are the k farthest in X.
TEST(Trustworthiness, FarthestPointsScoreZero) {
  const Index N = 20, k = 3;
  Matrix X(N, N - 1), Z(N, 1);
  // Distances given at will need many dimensions; here a cycle does: Z places i beside the point opposite on
  // it.
  for (Index i = 0; i < N; ++i) {
    X.row(i).setZero();
    X(i, 0) = std::cos(2 * pi * static_cast<double>(i) / double(N));
    X(i, 1) = std::sin(2 * pi * static_cast<double>(i) / double(N));
    Z(i, 0) = static_cast<double>(i % (N / 2)) + (i < N / 2 ? 0 : 0.01);
  }
  const double score = trustworthiness(X, Z, 1);
  // Each nearest in Z is the opposite point, of rank N - 1: T = 1 - 2 / (N (2N - 4)) N (N - 2) = 0.
  EXPECT_NEAR(score, 0, 1e-14);
  EXPECT_GT(trustworthiness(X, Z, k), 0);
}

TEST(Trustworthiness, DoesNotDependOnTheThreads) {
  Rng rng(2);
  const Matrix X = rng.normal(200, 12), Z = rng.normal(200, 2);
  EXPECT_EQ(trustworthiness(X, Z, 6, Threads(1)), trustworthiness(X, Z, 6, Threads(5)));
}

TEST(Trustworthiness, BadArguments) {
  const Matrix X = Rng(3).normal(10, 2);
  EXPECT_THROW(trustworthiness(X, X, 5), std::invalid_argument);
  EXPECT_THROW(trustworthiness(X, X, 0), std::invalid_argument);
  EXPECT_THROW(continuity(X, X.topRows(9), 2), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::trustworthiness_test
