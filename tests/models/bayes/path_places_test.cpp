#include "src/models/bayes/path_places.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

namespace bochner::path_places_test {
namespace {

constexpr double ell = 3, variance = 2.5, unknown = std::numeric_limits<double>::quiet_NaN();

/// One draw of two paths over two groups, rows out of order, turned.
BayesFit fit_with_paths(PathKind kind) {
  BayesFit fit;
  fit.axis.time = Vector{{4, 0, 1, 2.5, 7, 5}};
  fit.axis.group = {0, 0, 0, 0, 1, 1};
  fit.axis.group_names = {"a", "b"};
  fit.grid = make_time_grid(fit.axis.time, fit.axis.group);
  const Matrix X{{0.4, 1}, {-1, 0.3}, {0.2, -0.6}, {1.3, 0.1}, {0.9, -0.2}, {0.5, 2}};
  const Matrix turn{{0.6, 0.8}, {-0.8, 0.6}};
  fit.X = {X * turn};
  fit.turns = {turn};
  fit.paths = {{{kind, ell, variance}, {kind, ell, variance}}};
  fit.latent = summary(fit.X);
  return fit;
}

double at_fit(const BayesFit& fit, Index row, Index d) {
  return (fit.X[0] * fit.turns[0].transpose())(row, d);
}

PathPlaces places_of(const BayesFit& fit, const TimeAxis& axis) {
  return path_places(fit, axis, axis.time.size(), Rng(1), Threads(2));
}

/// Matern 1/2 is Markov without derivatives: x given the rows around it is a normal variable given two others.
TEST(PathPlaces, OrnsteinUhlenbeckBridges) {
  const BayesFit fit = fit_with_paths(PathKind::matern12);
  const PathPlaces places = places_of(fit, {.time = Vector{{3, -2, 6}}, .group = {0, 0, 0}});
  const auto r = [](double t) { return std::exp(-t / ell); };
  for (Index d = 0; d < 2; ++d) {
    const double left = at_fit(fit, 3, d), right = at_fit(fit, 0, d);  // at 2.5 and 4
    const double a = r(0.5), b = r(1), ab = r(1.5), det = 1 - ab * ab;
    EXPECT_NEAR(places.mean[0](0, d), ((a - b * ab) * left + (b - a * ab) * right) / det, 1e-12);
    EXPECT_NEAR(places.sd[0](0, d), std::sqrt(variance * (1 - (a * a + b * b - 2 * a * b * ab) / det)),
                1e-12);
    EXPECT_NEAR(places.mean[0](1, d), r(2) * at_fit(fit, 1, d), 1e-12);  // before the first
    EXPECT_NEAR(places.sd[0](1, d), std::sqrt(variance * (1 - r(4))), 1e-12);
    EXPECT_NEAR(places.mean[0](2, d), r(2) * at_fit(fit, 0, d), 1e-12);  // after the last
  }
}

/// Averaged over what the derivatives may be, the law is that of the Gram matrix of the path.
TEST(PathPlaces, SmoothPathsHaveTheLawOfTheirKernel) {
  BayesFit fit = fit_with_paths(PathKind::matern32);
  constexpr std::size_t S = 20000;
  fit.X.assign(S, fit.X[0]);
  fit.turns.assign(S, fit.turns[0]);
  fit.paths.assign(S, fit.paths[0]);
  const PathPlaces places = places_of(fit, {.time = Vector{{3.2}}, .group = {0}});
  const auto k = [](double t) {
    const double s = std::sqrt(3.0) * std::abs(t) / ell;
    return variance * (1 + s) * std::exp(-s);
  };
  const Vector t{{0, 1, 2.5, 4}};
  Matrix K(4, 4);
  Vector c(4);
  for (Index i = 0; i < 4; ++i) {
    c(i) = k(t(i) - 3.2);
    for (Index j = 0; j < 4; ++j) K(i, j) = k(t(i) - t(j));
  }
  const Vector w = K.inverse() * c;
  for (Index d = 0; d < 2; ++d) {
    const Vector x{{at_fit(fit, 1, d), at_fit(fit, 2, d), at_fit(fit, 3, d), at_fit(fit, 0, d)}};
    double mean = 0, square = 0, within = 0;
    for (std::size_t s = 0; s < S; ++s) {
      const double m = places.mean[s](0, d);
      mean += m / double(S);
      square += m * m / double(S);
      within += std::pow(places.sd[s](0, d), 2) / double(S);
    }
    const double law = variance - w.dot(c), sd = std::sqrt(law);
    EXPECT_NEAR(mean, w.dot(x), 4 * sd / std::sqrt(double(S)));
    EXPECT_NEAR(within + square - mean * mean, law, 0.03 * law);
  }
}

TEST(PathPlaces, ARowOfTheFitIsWhereItWas) {
  for (const PathKind kind :
       {PathKind::matern12, PathKind::matern32, PathKind::matern52, PathKind::random_walk}) {
    const BayesFit fit = fit_with_paths(kind);
    const PathPlaces places = places_of(fit, fit.axis);
    for (Index n = 0; n < 6; ++n)
      for (Index d = 0; d < 2; ++d) {
        EXPECT_NEAR(places.mean[0](n, d), at_fit(fit, n, d), 1e-12);
        EXPECT_EQ(places.sd[0](n, d), 0);
      }
  }
}

TEST(PathPlaces, WithoutATimeOrAGroupThereIsTheStationaryLaw) {
  const BayesFit fit = fit_with_paths(PathKind::matern52);
  TimeAxis nothing;
  for (const TimeAxis& axis : {TimeAxis{.time = Vector{{unknown, 1}}, .group = {0, TimeAxis::no_group}},
                               TimeAxis{.time = Vector{{1, 2}}}, nothing}) {
    const PathPlaces places = path_places(fit, axis, 2, Rng(1), Threads(1));
    EXPECT_TRUE(places.mean[0].isZero(0));
    EXPECT_TRUE((places.sd[0].array() == std::sqrt(variance)).all());
  }
}

TEST(PathPlaces, DoNotDependOnOtherSamples) {
  const BayesFit fit = fit_with_paths(PathKind::matern52);
  const TimeAxis axis{.time = Vector{{3, 6, 9, 0.2}}, .group = {0, 1, 1, 0}};
  const PathPlaces all = places_of(fit, axis);
  for (Index n = 0; n < 4; ++n) {
    const PathPlaces one =
        places_of(fit, {.time = axis.time.segment(n, 1), .group = {axis.group[static_cast<std::size_t>(n)]}});
    EXPECT_EQ(one.mean[0].row(0), all.mean[0].row(n));
    EXPECT_EQ(one.sd[0].row(0), all.sd[0].row(n));
  }
}

}  // namespace
}  // namespace bochner::path_places_test
