#include "src/models/gplvm/sample_bound.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "bochner/kernels/make_kernel.hpp"
#include "src/models/latent/sigma_points.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::sample_bound_test {
namespace {

constexpr Index Q = 2, m = 9, p = 6, M = 5;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

GplvmView example(const std::string& kernel, std::uint64_t seed) {
  Rng rng(seed);
  GplvmView view{.name = "y", .kernel = make_kernel(kernel, Q, Rng(seed)), .noise_variance = 0.3};
  for (Index c = 0; c < M; ++c) view.columns.push_back(std::to_string(c));
  view.constant = {3};
  view.noise = Vector{{0.3, 0.9, 0.2, 0.3, 0.01}};  // the last is far below the common noise
  view.Z = rng.normal(m, Q);
  view.G = 0.4 * rng.normal(m, p);
  view.W = rng.normal(p, M);
  view.W.col(3).setZero();
  view.lambda = rng.normal(p).array().exp();
  view.amplitude = Vector{{1, 0.5, 2, 1, 1.5}};
  view.ratio = Vector{{0.3, 2, 0.1, 0.3, 0.05}};
  return view;
}

/// The bound column by column and point by point, from the formulas of fit.hpp.
double slow_bound(const std::vector<GplvmView>& views, const std::vector<Vector>& z, const Vector& theta) {
  double value = 0;
  for (Index q = 0; q < Q; ++q) {
    const double sd = std::exp(theta(Q + q));
    value -= 0.5 * (theta(q) * theta(q) + sd * sd - 1 - 2 * theta(Q + q));
  }
  const Matrix xi = sigma_points(Q);
  for (Index j = 0; j < xi.rows(); ++j) {
    Vector x(Q);
    for (Index q = 0; q < Q; ++q) x(q) = theta(q) + xi(j, q) * std::exp(theta(Q + q));
    for (std::size_t v = 0; v < views.size(); ++v) {
      const GplvmView& view = views[v];
      Vector k(m);
      for (Index i = 0; i < m; ++i) k(i) = evaluate(view.kernel, x, view.Z.row(i).transpose());
      const Vector phi = view.G.transpose() * k;
      for (const Index c : {0, 1, 2, 4}) {
        if (std::isnan(z[v](c))) continue;
        double left = evaluate(view.kernel, x, x);
        for (Index i = 0; i < p; ++i)
          left -= phi(i) * phi(i) * view.lambda(i) / (view.lambda(i) + view.ratio(c));
        const double r = z[v](c) - phi.dot(view.W.col(c)), noise = std::max(view.noise(c), 0.15);
        value -= 0.5 * (r * r + view.amplitude(c) * left) / noise / double(xi.rows());
      }
    }
  }
  return value;
}

struct Example {
  std::vector<GplvmView> views{example("rbf", 1), example("ngsm", 2)};
  std::vector<EmbedView> fixed{{views[0], Threads(1)}, {views[1], Threads(1)}};
  Matrix xi = sigma_points(Q);
  // all, few missing, most missing; what the constant column says never counts
  std::vector<Matrix> z{Matrix{{1, 0.1, -0.4, 0, 0.3}, {0.2, 0.1, 1, nan, 0.3}, {1, nan, -2, 0, 1}},
                        Matrix{{0.5, -1, 0.2, 7, 1}, {0.5, nan, 0.2, nan, 1}, {nan, nan, 0.2, 3, nan}}};
};

BoundPoint bound_at(const Sample& sample, const Vector& theta, const Matrix& xi) {
  BoundPoint out{.sample = &sample, .theta = theta};
  evaluate_bounds({&out}, xi);
  return out;
}

TEST(GplvmSampleBound, IsThatOfItsColumns) {
  const Example e;
  const std::vector<Sample> samples = look_at(e.fixed, e.z);
  const Vector theta{{0.3, -0.5, -1.2, -0.7}};
  for (std::size_t n = 0; n < 3; ++n) {
    using Form = SampleView::Form;
    EXPECT_EQ(samples[n][1]->form, (std::array{Form::complete, Form::most_measured, Form::few_measured}[n]));
    const std::vector<Vector> z{e.z[0].row(Index(n)).transpose(), e.z[1].row(Index(n)).transpose()};
    const auto value = [&](const Vector& t) { return bound_at(samples[n], t, e.xi).value; };
    EXPECT_NEAR(value(theta), slow_bound(e.views, z, theta), 1e-9);
    testing::expect_gradient(value, theta, bound_at(samples[n], theta, e.xi).grad);

    // The Hessian in the mean is exact for a narrow posterior.
    Vector narrow = theta;
    narrow.tail(Q).setConstant(-7);
    const Matrix hessian = bound_at(samples[n], narrow, e.xi).hessian;
    for (Index q = 0; q < Q; ++q) {
      Vector up = narrow, down = narrow;
      up(q) += 1e-4;
      down(q) -= 1e-4;
      const Vector slope =
          (bound_at(samples[n], up, e.xi).grad - bound_at(samples[n], down, e.xi).grad).head(Q) / 2e-4;
      EXPECT_LT((hessian.row(q).transpose() - slope).norm(), 1e-3 * hessian.norm());
    }
  }
}

TEST(GplvmSampleBound, HasTheSameBytesInAnyCompany) {
  const Example e;
  std::vector<Matrix> many(2, Matrix(45, M));
  for (Index n = 0; n < 45; ++n)
    for (std::size_t v = 0; v < 2; ++v) many[v].row(n) = e.z[v].row(n % 3) * (1 + 0.01 * double(n));
  const std::vector<Sample> samples = look_at(e.fixed, many);
  std::vector<BoundPoint> points(45);
  std::vector<BoundPoint*> all;
  for (std::size_t n = 0; n < 45; ++n) {
    points[n].sample = &samples[n];
    points[n].theta = Vector{{0.3, -0.5, -1.2, -0.7}} + 0.1 * Rng(n).normal(2 * Q);
    all.push_back(&points[n]);
  }
  evaluate_bounds(all, e.xi);
  for (std::size_t n = 0; n < 45; ++n) {
    const Index i = Index(n);
    const std::vector<Sample> one = look_at(e.fixed, {many[0].row(i), many[1].row(i)});
    const BoundPoint alone = bound_at(one[0], points[n].theta, e.xi);
    EXPECT_EQ(alone.value, points[n].value) << n;
    EXPECT_EQ(alone.grad, points[n].grad) << n;
    EXPECT_EQ(alone.hessian, points[n].hessian) << n;
  }
}

TEST(GplvmSampleBound, NothingMeasuredIsNothing) {
  const Example e;
  Matrix z = Matrix::Constant(3, M, nan);
  z(1, 3) = 2;  // a constant column
  z(2, 1) = 2;
  const std::vector<Sample> samples = look_at(e.fixed, {z, e.z[1]});
  EXPECT_FALSE(samples[0][0]);
  EXPECT_FALSE(samples[1][0]);
  EXPECT_TRUE(samples[2][0]);
  EXPECT_TRUE(samples[0][1]);
}

}  // namespace
}  // namespace bochner::sample_bound_test
