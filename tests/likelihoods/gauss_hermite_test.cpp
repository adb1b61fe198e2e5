#include "bochner/likelihoods/gauss_hermite.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace bochner::gauss_hermite_test {
namespace {

// E[z^k] = (k - 1)!! for even k, exact up to degree 2n - 1.
TEST(GaussHermite, MomentsOfTheNormal) {
  for (const Index n : {1, 2, 3, 5, 10, 20, 41, 100}) {
    const QuadratureRule rule = gauss_hermite(n);
    ASSERT_EQ(rule.nodes.size(), n);
    double moment = 1;
    for (Index k = 0; k <= std::min<Index>(2 * n - 1, 120); ++k) {
      const Vector terms = rule.weights.array() * rule.nodes.array().pow(static_cast<double>(k));
      if (k % 2 == 1) {
        EXPECT_LE(std::abs(terms.sum()), 1e-14 * terms.cwiseAbs().sum()) << "n " << n << ", power " << k;
      } else {
        if (k > 0) moment *= static_cast<double>(k - 1);
        EXPECT_NEAR(terms.sum() / moment, 1, 1e-14 * (3 + static_cast<double>(k)))
            << "n " << n << ", power " << k;
      }
    }
  }
}

// The degree the rule does not reach: E[H_n(z)^2] = n!, but the nodes are the zeros of H_n.
TEST(GaussHermite, IsNotExactBeyondItsDegree) {
  const QuadratureRule rule = gauss_hermite(2);
  EXPECT_NEAR(rule.weights.dot(rule.nodes.array().pow(4).matrix()), 1, 1e-14);  // the moment is 3
}

// numpy.polynomial.hermite_e.hermegauss(5), weights over sqrt(2 pi)
TEST(GaussHermite, FiveNodes) {
  const QuadratureRule rule = gauss_hermite(5);
  const Vector nodes{{-2.8569700138728056, -1.3556261799742659, 0, 1.3556261799742659, 2.8569700138728056}};
  const Vector weights{{0.011257411327720689, 0.22207592200561266, 0.53333333333333333, 0.22207592200561266,
                        0.011257411327720689}};
  EXPECT_LT((rule.nodes - nodes).cwiseAbs().maxCoeff(), 4e-15);
  EXPECT_LT((rule.weights - weights).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(GaussLegendre, IntegralsOfPowers) {
  for (const Index n : {1, 2, 7, 12, 60}) {
    const QuadratureRule rule = gauss_legendre(n);
    for (Index k = 0; k <= 2 * n - 1; ++k) {
      const double truth = k % 2 == 0 ? 2.0 / static_cast<double>(k + 1) : 0;
      EXPECT_NEAR(rule.weights.dot(rule.nodes.array().pow(static_cast<double>(k)).matrix()), truth, 2e-14);
    }
  }
}

TEST(GaussRules, RefuseImpossibleSizes) {
  EXPECT_THROW(gauss_hermite(0), std::invalid_argument);
  EXPECT_THROW(gauss_hermite(201), std::invalid_argument);
  EXPECT_THROW(gauss_legendre(0), std::invalid_argument);
  EXPECT_TRUE(gauss_hermite(200).weights.allFinite());
  EXPECT_NEAR(gauss_hermite(200).weights.sum(), 1, 1e-13);
}

}  // namespace
}  // namespace bochner::gauss_hermite_test
