#include "src/models/gplvm/sample_bound.hpp"

#include <gtest/gtest.h>

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

TEST(GplvmSampleBound, IsThatOfItsColumns) {
  const std::vector<GplvmView> views{example("rbf", 1), example("ngsm", 2)};
  const std::vector<EmbedView> fixed{{views[0], Threads(1)}, {views[1], Threads(1)}};
  const Matrix xi = sigma_points(Q);
  const Vector theta{{0.3, -0.5, -1.2, -0.7}};
  // all, few missing, most missing; what the constant column says never counts
  for (const Vector& second :
       {Vector{{0.5, -1, 0.2, 7, 1}}, Vector{{0.5, nan, 0.2, nan, 1}}, Vector{{nan, nan, 0.2, 3, nan}}}) {
    const std::vector<Vector> z{Vector{{1, 0.1, -0.4, 0, 0.3}}, second};
    std::vector<SampleView> samples;
    for (std::size_t v = 0; v < 2; ++v) samples.push_back(*look_at(fixed[v], z[v].transpose()));
    const SampleBound bound(samples, xi);
    const auto value = [&](const Vector& t) {
      Vector grad;
      Matrix hessian;
      return bound(t, grad, hessian);
    };
    EXPECT_NEAR(value(theta), slow_bound(views, z, theta), 1e-9);
    Vector grad;
    Matrix hessian;
    bound(theta, grad, hessian);
    testing::expect_gradient(value, theta, grad);

    // The Hessian in the mean is exact for a narrow posterior.
    Vector narrow = theta;
    narrow.tail(Q).setConstant(-7);
    bound(narrow, grad, hessian);
    for (Index q = 0; q < Q; ++q) {
      Vector up = narrow, down = narrow, g_up, g_down;
      Matrix unused;
      up(q) += 1e-4;
      down(q) -= 1e-4;
      bound(up, g_up, unused);
      bound(down, g_down, unused);
      const Vector slope = (g_up - g_down).head(Q) / 2e-4;
      EXPECT_LT((hessian.row(q).transpose() - slope).norm(), 1e-3 * hessian.norm());
    }
  }
}

TEST(GplvmSampleBound, NothingMeasuredIsNothing) {
  const GplvmView view = example("rbf", 1);
  const EmbedView fixed(view, Threads(1));
  EXPECT_FALSE(look_at(fixed, Eigen::RowVectorXd::Constant(M, nan)));
  Eigen::RowVectorXd z = Eigen::RowVectorXd::Constant(M, nan);
  z(3) = 2;  // a constant column
  EXPECT_FALSE(look_at(fixed, z));
  z(1) = 2;
  EXPECT_TRUE(look_at(fixed, z));
}

}  // namespace
}  // namespace bochner::sample_bound_test
