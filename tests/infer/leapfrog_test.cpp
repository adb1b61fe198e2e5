#include "bochner/infer/leapfrog.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "bochner/core/errors.hpp"

namespace bochner::leapfrog_test {
namespace {

/// Not Gaussian, not separable: -(x^4 / 4 + y^2 / 2 + x y sin(y) / 2).
double crooked(const Vector& t, Vector& grad) {
  const double x = t(0), y = t(1);
  grad << -(x * x * x + 0.5 * y * std::sin(y)), -(y + 0.5 * x * std::sin(y) + 0.5 * x * y * std::cos(y));
  return -(0.25 * x * x * x * x + 0.5 * y * y + 0.5 * x * y * std::sin(y));
}

PhasePoint point(const Vector& z) {  // (theta, momentum)
  PhasePoint p{.theta = z.head(2), .momentum = z.tail(2)};
  EXPECT_TRUE(evaluate_density(crooked, p));
  return p;
}

const Vector inverse_mass{{0.5, 2.0}};
const Vector z0{{0.7, -0.4, 0.3, 1.1}};

Vector flow(const Vector& z, int steps, double step) {
  PhasePoint p = point(z);
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(leapfrog(crooked, p, inverse_mass, step));
  Vector out(4);
  out << p.theta, p.momentum;
  return out;
}

TEST(Leapfrog, OneStepIsKickDriftKick) {
  PhasePoint p = point(z0);
  const double e = 0.13;
  Vector grad(2);
  crooked(z0.head(2), grad);
  const Vector half = z0.tail(2) + 0.5 * e * grad;
  const Vector theta = z0.head(2).array() + e * inverse_mass.array() * half.array();
  const double value = crooked(theta, grad);
  EXPECT_TRUE(leapfrog(crooked, p, inverse_mass, e));
  EXPECT_LT((p.theta - theta).norm(), 1e-15);
  EXPECT_LT((p.momentum - (half + 0.5 * e * grad)).norm(), 1e-15);
  EXPECT_EQ(p.log_density, value);
}

TEST(Leapfrog, IsReversible) {
  Vector z = flow(z0, 40, 0.1);
  EXPECT_GT((z - z0).norm(), 0.1);
  z.tail(2) = -z.tail(2);
  z = flow(z, 40, 0.1);
  z.tail(2) = -z.tail(2);
  EXPECT_LT((z - z0).norm(), 1e-12);
  EXPECT_LT((flow(flow(z0, 40, 0.1), 40, -0.1) - z0).norm(), 1e-12);  // backwards in time is the same thing
}

TEST(Leapfrog, PreservesVolume) {
  Eigen::Matrix4d jacobian;
  const double h = 1e-5;
  for (int j = 0; j < 4; ++j) {
    const Vector e = h * Vector::Unit(4, j);
    jacobian.col(j) = (flow(z0 + e, 15, 0.2) - flow(z0 - e, 15, 0.2)) / (2 * h);
  }
  EXPECT_NEAR(jacobian.determinant(), 1.0, 1e-7);
  EXPECT_GT((jacobian - Eigen::Matrix4d::Identity()).norm(), 0.5);
}

TEST(Leapfrog, EnergyErrorIsOfSecondOrder) {
  const auto error = [&](double step) {
    PhasePoint p = point(z0);
    const double before = hamiltonian(p, inverse_mass);
    for (int i = 0; i < std::lround(1.6 / step); ++i) leapfrog(crooked, p, inverse_mass, step);
    return std::abs(hamiltonian(p, inverse_mass) - before);
  };
  EXPECT_NEAR(error(0.02) / error(0.01), 4.0, 0.1);
}

TEST(Leapfrog, SaysWhereTheDensityEnds) {
  const auto wall = [](const Vector& t, Vector& grad) {
    grad = -t;
    if (t(0) > 2) throw NumericalError("not here");
    return t(0) < -2 ? -std::numeric_limits<double>::infinity() : -0.5 * t.squaredNorm();
  };
  for (const double direction : {1.0, -1.0}) {
    PhasePoint p{.theta = Vector::Zero(2), .momentum = Vector{{5 * direction, 0.0}}};
    ASSERT_TRUE(evaluate_density(wall, p));
    EXPECT_TRUE(leapfrog(wall, p, Vector::Ones(2), 0.3));
    EXPECT_FALSE(leapfrog(wall, p, Vector::Ones(2), 0.3));
  }
}

}  // namespace
}  // namespace bochner::leapfrog_test
