#include "src/models/gplvm/objective.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "bochner/core/errors.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "examples.hpp"
#include "tests/support/gradient_check.hpp"
#include "tests/support/slow_evidence.hpp"

namespace bochner::objective_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Index N = 13, Q = 2, inducing = 5;
using Kind = FeatureSpec::Kind;
using testing::slow_gram;

/// Two views of 13 samples; the second lacks three of them, so that rows must be scattered.
std::vector<Matrix> tables(double holes) {
  std::vector<Matrix> Y{testing::with_missing(Rng(1).normal(N, 4), holes, Rng(2)),
                        testing::with_missing(Rng(3).normal(N, 3), holes, Rng(4))};
  for (Matrix& y : Y)
    for (Index n = 0; n < N; ++n)
      if (y.row(n).array().isNaN().all()) y(n, n % y.cols()) = 0.3;
  for (const Index n : {0, 6, 12}) Y[1].row(n).setConstant(nan);
  return Y;
}

GplvmParameters example(const std::string& kernel, const FeatureSpec& features) {
  GplvmParameters p{.latent = {.mean = Rng(5).normal(N, Q),
                               .sd = (0.3 * Rng(6).normal(N, Q)).array().exp().matrix() * 0.2}};
  for (std::uint64_t v = 0; v < 2; ++v) {
    const AnyKernel plain = make_kernel(kernel, Q, Rng(7).split(v), {.sigma2 = 0.7});
    const AnyKernel moved =
        with_parameters(plain, parameters(plain) + 0.2 * Rng(8).split(v).normal(parameter_count(plain)));
    p.views.push_back({.kernel = moved, .noise_variance = v == 0 ? 0.3 : 0.6});
    if (features.kind == Kind::nystrom) p.views.back().Z = Rng(9).split(v).normal(features.count, Q);
  }
  return p;
}

GplvmObjective objective(const std::string& kernel, const FeatureSpec& features, double holes,
                         std::vector<std::optional<double>> fixed = {std::nullopt, std::nullopt}) {
  const GplvmParameters p = example(kernel, features);
  std::vector<ViewTerm> terms;
  std::uint64_t v = 0;
  for (const Matrix& Y : tables(holes)) {
    terms.emplace_back("view", Y, Rng(10).split(v).normal(Y.rows(), Y.cols()), p.views[v].kernel, features,
                       FloatingPoint::double_precision, Threads(1));
    ++v;
  }
  return {std::move(terms), p, std::move(fixed), Rng(11), Threads(1)};
}

/// Analytic against numeric, block by block: a wrong small block must not hide behind a large one.
void expect_every_block(const std::string& kernel, const FeatureSpec& features, double holes, Index step) {
  GplvmObjective f = objective(kernel, features, holes);
  const GplvmParameters p = example(kernel, features);
  const Vector theta = f.pack(p);
  const std::vector<Vector> guesses = f.guesses();
  Vector grad = Vector::Zero(theta.size());
  f(theta, step, grad);
  const auto value = [&](const Vector& t) {
    f.set_guesses(guesses);
    Vector unused = Vector::Zero(t.size());
    return f(t, step, unused);
  };
  const Vector numeric = testing::numerical_gradient(value, theta);
  Index at = 0;
  const auto check = [&](Index size, const std::string& block) {
    const Vector a = grad.segment(at, size), b = numeric.segment(at, size);
    EXPECT_LT(testing::relative_difference(a, b, 1e-6), 2e-6)
        << kernel << ", holes " << holes << ", " << block << "\nanalytic: " << a.transpose()
        << "\nnumeric:  " << b.transpose();
    at += size;
  };
  check(N * Q, "mean");
  check(N * Q, "log sd");
  for (const GplvmParameters::View& view : p.views) {
    check(parameter_count(view.kernel), "kernel");
    check(1, "noise");
    if (view.Z.size() > 0) check(view.Z.size(), "Z");
  }
  EXPECT_EQ(at, theta.size());
}

TEST(GplvmObjective, GradientOfTheExactKernel) {
  for (const char* kernel : {"ngsm", "sm", "rbf", "matern32", "bsm", "linear"})
    for (const double holes : {0.0, 0.3}) expect_every_block(kernel, {.kind = Kind::exact}, holes, 3);
}

TEST(GplvmObjective, GradientOfRandomFeatures) {
  for (const char* kernel : {"ngsm", "sm", "rbf", "matern32", "bsm"})
    for (const Directions directions : {Directions::independent, Directions::orthogonal})
      for (const double holes : {0.0, 0.3})
        expect_every_block(kernel, {.kind = Kind::random, .count = 4, .directions = directions}, holes, 2);
}

TEST(GplvmObjective, GradientOfInducingLatents) {
  for (const char* kernel : {"ngsm", "sm", "rbf", "matern32", "bsm"})
    for (const double holes : {0.0, 0.3})
      expect_every_block(kernel, {.kind = Kind::nystrom, .count = inducing}, holes, 0);
}

TEST(GplvmObjective, GradientWithMoreFeaturesThanSamples) {
  expect_every_block("rbf", {.kind = Kind::random, .count = 20}, 0, 1);
  expect_every_block("rbf", {.kind = Kind::random, .count = 20}, 0.3, 1);
  expect_every_block("matern32", {.kind = Kind::nystrom, .count = 20}, 0, 1);
}

TEST(GplvmObjective, ValueIsTheDenseOneAtTheSameDraw) {
  for (const char* kernel : {"ngsm", "sm", "rbf", "matern32", "bsm", "linear"}) {
    GplvmObjective f = objective(kernel, {.kind = Kind::exact}, 0);
    const GplvmParameters p = example(kernel, {.kind = Kind::exact});
    const std::vector<Matrix> Y = tables(0);
    EXPECT_EQ(f.observed(), N * 4 + (N - 3) * 3);
    for (const Index step : {0, 1, 4, 5, 1001}) {
      Rng draws = Rng(11).split("latents").split(static_cast<std::uint64_t>(step / 2));
      Matrix X = p.latent.mean;
      double expected = 0;
      for (Index n = 0; n < N; ++n)
        for (Index q = 0; q < Q; ++q) {
          const double m = p.latent.mean(n, q), s = p.latent.sd(n, q);
          X(n, q) += (step % 2 == 0 ? 1 : -1) * s * draws.normal();
          expected -= 0.5 * (m * m + s * s - 1 - std::log(s * s));
        }
      for (std::size_t v = 0; v < 2; ++v)
        expected +=
            testing::slow_evidence(slow_gram(p.views[v].kernel, X, X), Y[v], p.views[v].noise_variance);
      Vector grad = Vector::Zero(f.pack(p).size());
      EXPECT_NEAR(f(f.pack(p), step, grad) * double(f.observed()), expected, 1e-8 * std::abs(expected))
          << kernel << " step " << step;
    }
  }
}

TEST(GplvmObjective, PackAndUnpackAreInverse) {
  const FeatureSpec features{.kind = Kind::nystrom, .count = inducing};
  const GplvmObjective f = objective("ngsm", features, 0);
  const GplvmParameters p = example("ngsm", features), back = f.unpack(f.pack(p));
  EXPECT_LT((back.latent.mean - p.latent.mean).norm(), 1e-14);
  EXPECT_LT((back.latent.sd - p.latent.sd).norm(), 1e-14);
  for (std::size_t v = 0; v < 2; ++v) {
    EXPECT_LT((parameters(back.views[v].kernel) - parameters(p.views[v].kernel)).norm(), 1e-13);
    EXPECT_NEAR(back.views[v].noise_variance, p.views[v].noise_variance, 1e-14);
    EXPECT_EQ(back.views[v].Z, p.views[v].Z);
  }
}

TEST(GplvmObjective, FixedNoiseStays) {
  GplvmObjective free = objective("rbf", {.kind = Kind::exact}, 0);
  GplvmObjective fixed = objective("rbf", {.kind = Kind::exact}, 0, {0.3, std::nullopt});
  const Vector theta = free.pack(example("rbf", {.kind = Kind::exact}));
  const Index at = 2 * N * Q + 3;  // noise of the first view, after its two length-scales and variance
  Vector a = Vector::Zero(theta.size()), b = a, moved = theta;
  EXPECT_NEAR(free(theta, 0, a), fixed(theta, 0, b), 1e-14);
  EXPECT_NE(a(at), 0.0);
  EXPECT_EQ(b(at), 0.0);
  EXPECT_NE(b(at + 4), 0.0);  // the second view's is free
  moved(at) += 1;
  EXPECT_EQ(fixed(moved, 0, a), fixed(theta, 0, b));
  EXPECT_EQ(fixed.unpack(moved).views[0].noise_variance, 0.3);
}

}  // namespace
}  // namespace bochner::objective_test
