#include "src/models/harmonic/bound.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/models/gp/gp_regression.hpp"
#include "bochner/random/rng.hpp"
#include "src/models/harmonic/natural.hpp"
#include "tests/support/gradient_check.hpp"
#include "twin.hpp"

namespace bochner::bound_test {
namespace {

using namespace testing;

const Threads threads(2);

struct Case {
  std::string name;
  HarmonicGp gp;
  Matrix X, Y;
};

/// A model somewhere in the middle of learning, away from every special value.
HarmonicGp stirred(HarmonicGp gp, std::uint64_t seed) {
  Rng rng(seed);
  for (Matrix& Z : gp.Z) Z += 0.3 * rng.normal(Z.rows(), Z.cols());
  for (Matrix& m : gp.mean) m = 0.7 * rng.normal(m.rows(), m.cols());
  for (auto& group : gp.factor)
    for (Matrix& F : group) {
      F = 0.2 * rng.normal(F.rows(), F.cols());
      F.diagonal().array() = 0.5 + F.diagonal().array().abs();
      F.triangularView<Eigen::StrictlyUpper>().setZero();
    }
  return gp;
}

std::vector<Case> cases() {
  const AnyKernel rbf = Rbf{.ell = Vector::Constant(3, 1.4), .sigma2 = 1.3};
  const AnyKernel matern = Matern{.ell = Vector{{0.9, 1.6, 1.1}}, .sigma2 = 0.8};
  const AnyLikelihood noise = GaussianNoise{.variance = Vector{{0.2, 0.5}}};
  const Matrix Z = 1.2 * Rng(1).normal(5, 3), X = Rng(2).normal(9, 3);
  Matrix Y = Rng(3).normal(9, 2);
  Y(2, 0) = Y(5, 1) = std::nan("");
  Matrix classes(9, 1);
  for (Index n = 0; n < 9; ++n) classes(n, 0) = double(n % 3);
  const HarmonicGpOptions two{.latents = 2, .jitter = 1e-6}, three{.latents = 3, .jitter = 1e-6},
      four{.latents = 4, .jitter = 1e-6};
  const AnyLikelihood by_inputs =
      HeteroscedasticNoise{.variance = Vector{{0.2, 0.5}}, .amplitude = Vector{{0.7, 0.3}}};
  const AnyLikelihood counts = NegativeBinomial{.log_rate = Vector{{0.2, -0.4}}, .size = Vector{{0.8, 4.0}}};
  const Matrix K = Y.unaryExpr([](double y) { return std::floor(2 * std::abs(y)); });
  return {
      {"one group", stirred(make_harmonic_gp(matern, {}, Z, noise, two), 4), X, Y},
      {"four groups",
       stirred(make_harmonic_gp(matern, {negate(3, {0}), negate(3, {1, 2})}, Z, noise, two), 5), X, Y},
      {"rotations, shared points",
       stirred(make_harmonic_gp(rbf, {rotate(3, 0, 1, 5)}, Z, noise,
                                {.latents = 2, .shared_inducing = true, .jitter = 1e-6}),
               6),
       X, Y},
      {"rotations, shared covariance",
       stirred(make_harmonic_gp(rbf, {rotate(3, 0, 2, 4)}, Z, noise,
                                {.latents = 2, .shared_covariance = true, .jitter = 1e-6}),
               7),
       X, Y},
      {"noise by inputs", stirred(make_harmonic_gp(rbf, {negate(3, {0, 1, 2})}, Z, by_inputs, four), 9), X,
       Y},
      {"counts", stirred(make_harmonic_gp(matern, {}, Z, counts, two), 10), X, K},
      {"classes", stirred(make_harmonic_gp(rbf, {negate(3, {0, 1, 2})}, Z, Softmax{.classes = 3}, three), 8),
       X, classes}};
}

TEST(HarmonicBound, IsThatOfTheTextbook) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const SlowHarmonic slow = slow_harmonic(c.gp, c.X);
    const ExpectedLog data = expected_log(c.gp.likelihood, c.Y, slow.mean, slow.variance);
    const HarmonicBound bound = harmonic_bound(c.gp, c.X, c.Y, 7.0, threads);
    EXPECT_NEAR(bound.data, 7 * data.rows.sum(), 1e-8 * std::abs(bound.data));
    EXPECT_NEAR(bound.kl, slow.kl, 1e-8 * bound.kl);
    const LatentMarginals at = predict_latent(c.gp, c.X, threads);
    EXPECT_LT((at.mean - slow.mean).norm(), 1e-9);
    EXPECT_LT((at.variance - slow.variance).norm(), 1e-9);
  }
}

TEST(HarmonicBound, GradientsOfEveryBlock) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    HarmonicGradient g;
    const double scale = 3.5;
    const HarmonicBound with = harmonic_bound(c.gp, c.X, c.Y, scale, g, threads),
                        without = harmonic_bound(c.gp, c.X, c.Y, scale, threads);
    EXPECT_EQ(with.value(), without.value());
    const auto value = [&](const HarmonicGp& gp) {
      return harmonic_bound(gp, c.X, c.Y, scale, threads).value();
    };
    const auto changed = [&](const auto& change) {
      HarmonicGp gp = c.gp;
      change(gp);
      return value(gp);
    };
    expect_gradient(
        [&](const Vector& v) {
          return changed([&](HarmonicGp& gp) { gp.kernel = with_parameters(gp.kernel, v); });
        },
        parameters(c.gp.kernel), g.kernel, 1e-6, "kernel");
    if (g.likelihood.size() > 0)
      expect_gradient(
          [&](const Vector& v) {
            return changed([&](HarmonicGp& gp) { gp.likelihood = with_parameters(gp.likelihood, v); });
          },
          parameters(c.gp.likelihood), g.likelihood, 1e-6, "likelihood");
    ASSERT_EQ(g.Z.size(), c.gp.Z.size());
    for (std::size_t b = 0; b < g.Z.size(); ++b)
      expect_gradient(
          [&](const Vector& v) { return changed([&](HarmonicGp& gp) { gp.Z[b] = unflat(v, 5, 3); }); },
          flat(c.gp.Z[b]), flat(g.Z[b]), 1e-6, "Z");
    for (std::size_t h = 0; h < g.mean.size(); ++h) {
      expect_gradient(
          [&](const Vector& v) {
            return changed([&](HarmonicGp& gp) { gp.mean[h] = unflat(v, 5, gp.latents()); });
          },
          flat(c.gp.mean[h]), flat(g.mean[h]), 1e-6, "mean");
      for (std::size_t f = 0; f < g.factor[h].size(); ++f) {
        EXPECT_EQ(Matrix(g.factor[h][f].triangularView<Eigen::StrictlyUpper>()).norm(), 0);
        expect_gradient(
            [&](const Vector& v) {
              return changed([&](HarmonicGp& gp) {
                gp.factor[h][f] = unflat(v, 5, 5);
                gp.factor[h][f].triangularView<Eigen::StrictlyUpper>().setZero();
              });
            },
            flat(c.gp.factor[h][f]), flat(g.factor[h][f]), 1e-6, "factor");
      }
    }
  }
}

TEST(HarmonicBound, NaturalStepIsTheNaturalGradient) {
  // theta + dL/deta with theta = (Lambda m, -Lambda / 2), eta = (m, S + m m'): dL/dm and dL/dS by differences of the bound.
  const Case c = cases()[1];
  HarmonicGradient g;
  NaturalTarget target;
  harmonic_bound(c.gp, c.X, c.Y, 2.0, g, target, threads);
  HarmonicGradient plain;
  harmonic_bound(c.gp, c.X, c.Y, 2.0, plain, threads);
  EXPECT_EQ(g.kernel, plain.kernel);
  const Precisions natural = precisions(c.gp, threads);
  for (std::size_t h = 0; h < 4; ++h)
    for (std::size_t p = 0; p < 2; ++p) {
      const Matrix F = c.gp.factor[h][p], S = F * F.transpose();
      const auto at = [&](const Matrix& S_new) {
        HarmonicGp gp = c.gp;
        gp.factor[h][p] = S_new.llt().matrixL();
        return harmonic_bound(gp, c.X, c.Y, 2.0, threads).value();
      };
      Matrix dS(5, 5);
      for (Index i = 0; i < 5; ++i)
        for (Index j = 0; j <= i; ++j) {
          Matrix up = S, down = S;
          const double e = 1e-5;
          up(i, j) += e, down(i, j) -= e;
          if (i != j) up(j, i) += e, down(j, i) -= e;
          dS(i, j) = dS(j, i) = (at(up) - at(down)) / (i == j ? 2 * e : 4 * e);
        }
      const Matrix precision = natural[h][p] - 2 * dS;
      EXPECT_LT(Matrix((target.precision[h][p] - precision).triangularView<Eigen::Lower>()).norm(),
                1e-5 * precision.norm());
      EXPECT_EQ(target.dmean[h], plain.mean[h]);
    }
}

TEST(HarmonicBound, MeansFollowTheNaturalParameters) {
  // One group: Lambda m <- Lambda m + step (dL/dm - 2 dL/dS m), with 2 dL/dS = Lambda - target.
  const Case c = cases()[0];
  HarmonicGp gp = c.gp;
  HarmonicGradient g;
  NaturalTarget target;
  harmonic_bound(gp, c.X, c.Y, 2.0, g, target, threads);
  const Precisions before = precisions(gp, threads);
  Precisions now = before;
  const double step = 0.3;
  natural_step(now, target, step, gp, threads);
  for (std::size_t p = 0; p < 2; ++p) {
    const Matrix T = target.precision[0][p].selfadjointView<Eigen::Lower>();
    const Vector m = c.gp.mean[0].col(Index(p));
    const Vector shift = before[0][p] * m + step * (target.dmean[0].col(Index(p)) - (before[0][p] - T) * m);
    const Matrix lambda = (1 - step) * before[0][p] + step * T;
    EXPECT_LT((lambda * gp.mean[0].col(Index(p)) - shift).norm(), 1e-10 * shift.norm());
    EXPECT_LT((gp.factor[0][p] * gp.factor[0][p].transpose() * lambda - Matrix::Identity(5, 5)).norm(),
              1e-10);
  }
}

TEST(HarmonicBound, GroupsThatAllMendTheSameErrorDoNotOvershoot) {
  // Inputs on one side only: even and odd functions look the same there, four groups fit the same data.
  const AnyKernel kernel = Rbf{.ell = Vector::Constant(2, 1.0)};
  const Matrix X = 3 + Rng(1).uniform(400).reshaped<Eigen::RowMajor>(200, 2).array();
  const Matrix Y = (3 * X.rowwise().sum()).array().sin();
  HarmonicGp gp = make_harmonic_gp(kernel, {negate(2, {0}), negate(2, {1})}, X.topRows(20),
                                   GaussianNoise{.variance = Vector::Constant(1, 0.05)}, {.jitter = 1e-6});
  Precisions natural = precisions(gp, threads);
  HarmonicGradient g;
  NaturalTarget target;
  double last = harmonic_bound(gp, X, Y, 1.0, g, target, threads).value();
  for (int t = 0; t < 40; ++t) {
    natural_step(natural, target, 0.5, gp, threads);
    const double value = harmonic_bound(gp, X, Y, 1.0, g, target, threads).value();
    EXPECT_GE(value, last - 1e-6 * std::abs(last));
    last = value;
  }
}

TEST(HarmonicBound, NaturalStepsEndWhereTheGradientVanishes) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    HarmonicGp gp = c.gp;
    Precisions natural = precisions(gp, threads);
    HarmonicGradient g;
    NaturalTarget target;
    const double before = harmonic_bound(gp, c.X, c.Y, 3.0, threads).value();
    for (int step = 0; step < 1500; ++step) {
      harmonic_bound(gp, c.X, c.Y, 3.0, g, target, threads);
      natural_step(natural, target, 0.2, gp, threads);
    }
    EXPECT_GT(harmonic_bound(gp, c.X, c.Y, 3.0, g, threads).value(), before);
    for (std::size_t h = 0; h < g.mean.size(); ++h) {
      EXPECT_LT(g.mean[h].cwiseAbs().maxCoeff(), 1e-5);
      for (const Matrix& dF : g.factor[h]) EXPECT_LT(dF.cwiseAbs().maxCoeff(), 1e-5);
    }
  }
}

TEST(HarmonicBound, WithAllDataAsInducingPointsItIsTheExactEvidence) {
  const AnyKernel kernel = Rbf{.ell = Vector{{0.8, 1.7}}, .sigma2 = 1.4};
  const Matrix X = 2 * Rng(10).normal(40, 2), Y = Rng(11).normal(40, 2);
  const double noise = 0.3;
  HarmonicGp gp =
      stirred(make_harmonic_gp(kernel, {}, X, GaussianNoise{.variance = Vector::Constant(2, noise)},
                               {.latents = 2, .jitter = 1e-13}),
              12);
  gp.Z.front() = X;
  Precisions natural = precisions(gp, threads);
  HarmonicGradient g;
  NaturalTarget target;
  harmonic_bound(gp, X, Y, 1.0, g, target, threads);
  natural_step(natural, target, 1.0, gp, threads);
  const GpLikelihood exact = gp_log_likelihood(kernel, noise, X, Y, true, threads);
  const HarmonicBound bound = harmonic_bound(gp, X, Y, 1.0, g, threads);
  EXPECT_NEAR(bound.value(), exact.value, 1e-6);
  // At the optimum of q the gradient in the parameters is that of the evidence as well.
  EXPECT_LT((g.kernel - exact.gradient.head(3)).norm(), 1e-5 * exact.gradient.norm());
  EXPECT_NEAR(g.likelihood.sum(), exact.gradient(3), 1e-5 * exact.gradient.norm());
  for (const Matrix& m : g.mean) EXPECT_LT(m.cwiseAbs().maxCoeff(), 1e-6);
}

TEST(HarmonicBound, SameBytesForAnyNumberOfThreads) {
  for (const Case& c : cases()) {
    HarmonicGradient one, many;
    const HarmonicBound a = harmonic_bound(c.gp, c.X, c.Y, 1.0, one, Threads(1));
    for (const int count : {2, 7}) {
      const HarmonicBound b = harmonic_bound(c.gp, c.X, c.Y, 1.0, many, Threads(count));
      EXPECT_EQ(a.value(), b.value());
      EXPECT_EQ(one.kernel, many.kernel);
      EXPECT_EQ(one.Z, many.Z);
      EXPECT_EQ(one.mean, many.mean);
      EXPECT_EQ(one.factor, many.factor);
    }
  }
}

}  // namespace
}  // namespace bochner::bound_test
