#include "bochner/infer/generalised_slice.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "batch_means.hpp"
#include "bochner/core/errors.hpp"

namespace bochner::generalised_slice_test {
namespace {

using testing::expect_moments;

TEST(GeneralisedSlice, TargetHasItsMomentsUnderAPoorApproximation) {
  const Vector mean{{1.0, -0.5, 0.3}}, about{{0.4, 0.1, 0.0}};
  const Matrix Sigma{{1.0, 0.6, -0.3}, {0.6, 2.0, 0.4}, {-0.3, 0.4, 0.7}}, precision = Sigma.inverse();
  const Vector P{{2.0, 0.4, 1.0}};  // of the approximation, diagonal
  Rng rng(1);
  Vector x = about;
  Matrix chain(60'000, 3);
  for (Index i = 0; i < chain.rows(); ++i) {
    const Vector d = x - about, nu = rng.normal(3).array() / P.array().sqrt();
    const auto at = [&](const EllipsePoint& p) { return Vector(about + p.cosine * d + p.sine * nu); };
    const auto log_density = [&](const EllipsePoint& p) {
      const Vector left = at(p) - mean;
      return -0.5 * left.dot(precision * left);
    };
    const ApproximationForms forms{d.cwiseAbs2().dot(P), d.cwiseProduct(nu).dot(P), nu.cwiseAbs2().dot(P), 3};
    x = at(generalised_slice(log_density, forms, 5, rng));
    chain.row(i) = x.transpose();
  }
  expect_moments(chain, mean, Sigma, 0.04, "target");
}

TEST(GeneralisedSlice, StaysWhereNothingElseIsPossible) {
  Rng rng(2);
  const auto only_here = [](const EllipsePoint& p) {
    return p.cosine == 1 && p.sine == 0 ? 0.0 : -std::numeric_limits<double>::infinity();
  };
  const EllipsePoint to = generalised_slice(only_here, {1.0, 0.2, 2.0, 3}, 10, rng);
  EXPECT_EQ(to.cosine, 1);
  EXPECT_EQ(to.sine, 0);
  EXPECT_THROW(generalised_slice([](const EllipsePoint&) { return std::nan(""); }, {1, 0, 1, 3}, 10, rng),
               NumericalError);
}

}  // namespace
}  // namespace bochner::generalised_slice_test
