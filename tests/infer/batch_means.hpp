#pragma once
#include <gtest/gtest.h>

#include <cmath>

#include "bochner/core/types.hpp"

namespace bochner::testing {

/// Mean of a stationary chain and its standard error from the spread of 40 batch means, which is right as
/// long as a batch is much longer than the autocorrelation.
struct ChainMean {
  double mean = 0, se = 0;

  explicit ChainMean(const Vector& chain) {
    const Index batches = 40, length = chain.size() / batches;
    Vector means(batches);
    for (Index b = 0; b < batches; ++b) means(b) = chain.segment(b * length, length).mean();
    mean = means.mean();
    se = std::sqrt((means.array() - mean).square().sum() / double(batches * (batches - 1)));
  }
};

/// The chain's mean must lie within 4 standard errors of `expected`; an error of more than `max_se` would
/// make the test say nothing and fails it too.
inline void expect_mean(const Vector& chain, double expected, double max_se, const char* what) {
  const ChainMean m(chain);
  EXPECT_NEAR(m.mean, expected, 4 * m.se)
      << what << ", off by " << (m.mean - expected) / m.se << " standard errors";
  EXPECT_LT(m.se, max_se) << what;
}

/// Means and covariances (about the true mean) of all columns.
inline void expect_moments(const Matrix& draws, const Vector& mean, const Matrix& covariance, double max_se,
                           const char* what) {
  for (Index i = 0; i < mean.size(); ++i) {
    expect_mean(draws.col(i), mean(i), max_se, what);
    for (Index j = 0; j <= i; ++j) {
      const Vector product = (draws.col(i).array() - mean(i)) * (draws.col(j).array() - mean(j));
      expect_mean(product, covariance(i, j), max_se, what);
    }
  }
}

}  // namespace bochner::testing
