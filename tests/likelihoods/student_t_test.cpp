#include "bochner/likelihoods/student_t.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/likelihoods/gaussian_noise.hpp"

namespace bochner::student_t_test {
namespace {

Matrix cell(double x) { return Matrix::Constant(1, 1, x); }

// mpmath, 40 digits: quad over f of the density of the t and its derivatives, with break points about y and m.
struct Pin {
  double degrees, scale, y, m, v, value, dmean, dvar, dtheta, predictive;
};
constexpr Pin pins[] = {
    {4, 0.7, 1.3, -0.4, 2.5, -3.1716753463139779, 1.0477826764326228, -0.18037944710015553,
     1.6831277854362364, -1.963986810344358},
    {4, 0.7, 1.3, -0.4, 196, -9.596347851665462, 0.038163403692670877, -0.01112098127470566,
     3.4243024459621593, -3.5677890628111262},  // sd(f) is 20 scales
    {2.5, 0.1, 0.2, 0.5, 4, -5.7442584286440032, -0.23636134682569006, -0.38832012391615516,
     2.1774693953769483, -1.627859260693746},
    {30, 2, -9, 1, 0.01, -11.015586558106681, -1.409015207270048, -0.0064144067254846868, 13.09028036083499,
     -11.005661214930603},
};

TEST(StudentT, PinnedIntegrals) {
  for (const Pin& p : pins) {
    const StudentT l{.scale = Vector::Constant(1, p.scale), .degrees = p.degrees};
    const ExpectedLog e = l.expected_log(cell(p.y), cell(p.m), cell(p.v));
    EXPECT_NEAR(e.rows(0), p.value, 1e-10);
    EXPECT_NEAR(e.dmean(0, 0), p.dmean, 1e-10);
    EXPECT_NEAR(e.dvar(0, 0), p.dvar, 1e-9);
    EXPECT_NEAR(e.dtheta(0), p.dtheta, 1e-9);
    EXPECT_NEAR(l.log_predictive(cell(p.y), cell(p.m), cell(p.v))(0, 0), p.predictive, 1e-10);
  }
}

// log(1 + r^2/a) -> log(r^2/a) when r is far larger than the scale, and for mu = 0 E log z^2 = -gamma - log 2.
TEST(StudentT, ScaleFarBelowTheWidthOfQ) {
  const double scale = 1e-9, nu = 4;
  const StudentT l{.scale = Vector::Constant(1, scale), .degrees = nu};
  const double c = std::log(std::tgamma(2.5) / std::tgamma(2.0) / std::sqrt(nu * pi) / scale);
  const double log_square = -0.57721566490153286061 - std::log(2.0) - std::log(nu * scale * scale);
  // the correction E[log(1 + a/r^2)] is sqrt(2 pi a), of order 5e-9
  EXPECT_NEAR(l.expected_log(cell(0), cell(0), cell(1)).rows(0),
              c - 2.5 * (log_square + std::sqrt(2 * pi * nu) * scale), 1e-9);
  EXPECT_NEAR(l.log_predictive(cell(0), cell(0), cell(1))(0, 0), -0.5 * log_2pi, 1e-8);
}

TEST(StudentT, ManyDegreesAreGaussian) {
  const Matrix Y{{0.4, -3.0}}, M{{0.1, 0.2}}, V{{0.5, 2.0}};
  const StudentT t{.scale = Vector{{0.6, 1.5}}, .degrees = 1e7};
  const GaussianNoise g{.variance = t.scale.cwiseAbs2()};
  EXPECT_NEAR(t.expected_log(Y, M, V).rows(0), g.expected_log(Y, M, V).rows(0), 1e-5);
  EXPECT_LT((t.log_predictive(Y, M, V) - g.log_predictive(Y, M, V)).norm(), 1e-5);
}

TEST(StudentT, OutliersPullLess) {
  const StudentT l{.scale = Vector::Ones(1)};
  const auto pull = [&](double y) { return l.expected_log(cell(y), cell(0), cell(0.5)).dmean(0, 0); };
  EXPECT_GT(pull(2), pull(20));
  EXPECT_NEAR(pull(1e6), 5 / 1e6, 1e-11);  // (nu + 1) / y
  EXPECT_TRUE(std::isfinite(l.expected_log(cell(1e150), cell(0), cell(0.5)).rows(0)));
}

TEST(StudentT, MomentsThatDoNotExist) {
  const Matrix M{{0.5, -1.0}}, V{{0.1, 2.0}};
  const Outcome two = StudentT{.scale = Vector{{1, 2}}, .degrees = 2}.outcome(M, V);
  EXPECT_EQ(two.mean, M);
  EXPECT_EQ(two.variance(0, 1), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(StudentT{.scale = Vector{{1, 2}}, .degrees = 1}.outcome(M, V).mean(0, 0)));
  EXPECT_NEAR((StudentT{.scale = Vector{{1, 2}}, .degrees = 5}.outcome(M, V).variance(0, 1)), 2 + 4 * 5.0 / 3,
              1e-14);
  EXPECT_THROW((StudentT{.scale = Vector{{1, -2}}}.expected_log(M, M, V)), std::domain_error);
  EXPECT_THROW((StudentT{.scale = Vector{{1, 2}}, .degrees = 0}.expected_log(M, M, V)), std::domain_error);
}

}  // namespace
}  // namespace bochner::student_t_test
