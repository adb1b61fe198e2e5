#include "bochner/features/linear_features.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/features/feature_stream.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::linear_features_test {
namespace {

TEST(LinearFeatures, GiveTheLinearKernelExactly) {
  const LinearFeatures<double> map{Vector{{std::log(0.5), std::log(2.0)}}};
  const Matrix X = Rng(1).normal(7, 2), Z = Rng(2).normal(5, 2);
  const Matrix K = feature_matrix(map, X, Threads(1)) * feature_matrix(map, Z, Threads(1)).transpose();
  for (Index i = 0; i < 7; ++i)
    for (Index j = 0; j < 5; ++j)
      EXPECT_NEAR(K(i, j), 0.25 * X(i, 0) * Z(j, 0) + 4 * X(i, 1) * Z(j, 1), 1e-14);
}

}  // namespace
}  // namespace bochner::linear_features_test
