// Tables that nobody would hand in, and that somebody will.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/core/errors.hpp"
#include "bochner/models/gplvm/relevance.hpp"
#include "examples.hpp"

namespace bochner::pathological_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Kind = FeatureSpec::Kind;

GplvmOptions brief(Index dims = 2, Kind kind = Kind::automatic) {
  return {.dims = dims, .features = {.kind = kind, .count = kind == Kind::automatic ? 0 : 8}, .steps = 20};
}

/// Everything that comes out of a fit is finite, and can be used.
void expect_sound(const GplvmFit& fit, const Dataset& data) {
  EXPECT_EQ(fit.latent.mean.rows(), data.rows());
  EXPECT_TRUE(fit.latent.mean.allFinite());
  EXPECT_TRUE(fit.latent.sd.allFinite());
  EXPECT_GT(fit.latent.sd.minCoeff(), 0);
  EXPECT_TRUE(std::isfinite(fit.objective));
  for (const GplvmView& view : fit.views) {
    EXPECT_GT(view.noise_variance, 0);
    const Predictive p = predict(view, fit.latent, Threads(1));
    for (Index m = 0; m < p.mean.cols(); ++m) {
      if (std::count(view.unmeasured.begin(), view.unmeasured.end(), m) > 0) continue;
      EXPECT_TRUE(p.mean.col(m).allFinite()) << m;
      EXPECT_TRUE(p.y_variance.col(m).allFinite()) << m;
      EXPECT_GE(p.f_variance.col(m).minCoeff(), 0) << m;
    }
  }
  const LatentPosterior q = embed(fit, data, Threads(1));
  EXPECT_TRUE(q.mean.allFinite());
  EXPECT_TRUE(q.sd.allFinite());
  EXPECT_TRUE(relevance(fit, data, Threads(1)).by_view.allFinite());
}

void expect_sound(const Matrix& Y, Index dims = 2) {
  const Dataset data = join({make_view("y", Y)});
  for (const Kind kind : {Kind::automatic, Kind::random, Kind::nystrom}) {
    SCOPED_TRACE(::testing::Message() << "features " << int(kind));
    expect_sound(fit_gplvm(data, brief(dims, kind), 1, Threads(1)), data);
  }
}

TEST(GplvmPathological, OneColumn) { expect_sound(Rng(1).normal(40, 1)); }
TEST(GplvmPathological, OneColumnOneDimension) { expect_sound(Rng(1).normal(40, 1), 1); }
TEST(GplvmPathological, ThreeSamples) { expect_sound(Rng(1).normal(3, 5)); }
TEST(GplvmPathological, MoreDimensionsThanColumns) { expect_sound(Rng(1).normal(50, 2), 4); }
TEST(GplvmPathological, MoreDimensionsThanSamples) {
  expect_sound(Rng(1).normal(5, 8), 5);
  expect_sound(Rng(1).normal(5, 8), 9);
  expect_sound(Rng(1).normal(4, 2), 6);
}

TEST(GplvmPathological, TwoSamplesAreTooFew) {
  try {
    fit_gplvm(join({make_view("y", Rng(1).normal(2, 5))}), brief(), 1, Threads(1));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("2"), std::string::npos);
  }
}

TEST(GplvmPathological, DuplicateRows) {
  Matrix Y = Rng(1).normal(40, 4);
  Y.bottomRows(30) = Y.topRows(10).replicate(3, 1);
  expect_sound(Y);
  expect_sound(Rng(1).normal(1, 4).replicate(20, 1) + Matrix::Identity(20, 4));  // one row, and four others
}

TEST(GplvmPathological, DuplicateColumns) { expect_sound(Rng(1).normal(40, 1).replicate(1, 6)); }

TEST(GplvmPathological, HugeAndTinyScales) {
  const Matrix Y = Rng(1).normal(40, 4);
  for (const double scale : {1e12, 1e-12, 1e150, 1e-150}) {
    SCOPED_TRACE(scale);
    expect_sound(scale * Y);
    // scaling is all that a scale meets: the latents are those of the plain table
    const GplvmFit plain = fit_gplvm(join({make_view("y", Y)}), brief(), 1, Threads(1));
    const GplvmFit scaled = fit_gplvm(join({make_view("y", scale * Y)}), brief(), 1, Threads(1));
    EXPECT_LT((plain.latent.mean - scaled.latent.mean).cwiseAbs().maxCoeff(), 1e-6);
  }
  expect_sound(Y * Vector{{1e12, 1e-12, 1, 1e5}}.asDiagonal());  // in one table
  expect_sound((Y * 1e-3).array() + 1e9);                        // far from zero
}

TEST(GplvmPathological, ScalesOfColumnsComeBack) {
  const Matrix X = Rng(2).normal(60, 2),
               Y = (X * Rng(3).normal(2, 4)) * Vector{{1e12, 1e-12, 1, 1e5}}.asDiagonal();
  const Dataset data = join({make_view("y", Y)});
  const GplvmFit fit =
      fit_gplvm(data, {.view = {.kernel = "rbf"}, .steps = 150, .restarts = 1}, 1, Threads(1));
  const Predictive p = predict(fit.views[0], fit.latent, Threads(1));
  for (Index m = 0; m < 4; ++m) EXPECT_LT((p.mean.col(m) - Y.col(m)).norm(), 0.4 * Y.col(m).norm()) << m;
}

TEST(GplvmPathological, AConstantViewHasNothingToTeach) {
  const Matrix good = Rng(1).normal(20, 3);
  for (const Matrix& bad : {Matrix(Matrix::Constant(20, 3, 5.0)), Matrix(Matrix::Constant(20, 3, nan))}) {
    try {
      fit_gplvm(join({make_view("good", good), make_view("bad", bad)}), brief(), 1, Threads(1));
      FAIL();
    } catch (const InputError& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find("'bad'"), std::string::npos) << what;
      EXPECT_NE(what.find("leave it out"), std::string::npos) << what;
    }
  }
}

TEST(GplvmPathological, InfiniteEntriesAreRefusedAtTheDoor) {
  Matrix Y = Rng(1).normal(20, 3);
  Y(4, 2) = std::numeric_limits<double>::infinity();
  try {
    join({make_view("rna", Y)});
    FAIL();
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("rna"), std::string::npos) << what;
    EXPECT_NE(what.find("rna_2"), std::string::npos) << what;
    EXPECT_NE(what.find("4"), std::string::npos) << what;
  }
  EXPECT_THROW(join({make_view("y", Matrix(Rng(1).normal(20, 3)))}).with_values({Y}), InputError);
}

TEST(GplvmPathological, AlmostNothingMeasured) {
  Matrix Y = Matrix::Constant(40, 6, nan);
  Rng rng(4);
  for (Index n = 0; n < 40; ++n) Y(n, rng.below(6)) = rng.normal();  // one entry a sample
  expect_sound(Y);
  Y.row(7).setConstant(nan);
  Y.col(3).setConstant(nan);
  Y(8, 3) = 1;  // a column with a single entry
  expect_sound(Y);
}

TEST(GplvmPathological, NoiselessTables) {
  const Matrix X = Rng(2).normal(60, 2);
  expect_sound(X * Rng(3).normal(2, 5));  // of rank two exactly
  Matrix binary = Rng(5).normal(60, 5);
  expect_sound((binary.array() > 0).cast<double>());
}

TEST(GplvmPathological, WrongOptions) {
  const Dataset data = join({make_view("y", Rng(1).normal(20, 3))});
  const Threads threads(1);
  const auto refused = [&](const GplvmOptions& options) {
    EXPECT_THROW(fit_gplvm(data, options, 1, threads), std::logic_error);
  };
  refused({.dims = 0});
  refused({.steps = 0});
  refused({.step_size = 0});
  refused({.cooling = -1});
  refused({.patience = 0});
  refused({.tolerance = -1});
  refused({.restarts = -1});
  refused({.own = {std::nullopt, std::nullopt}});
  refused({.view = {.fixed_noise = -1.0}});
  EXPECT_THROW(fit_gplvm(data, {.view = {.kernel = "nonsense"}}, 1, threads), InputError);
  EXPECT_THROW(
      fit_gplvm(data, {.view = {.kernel = "linear"}, .features = {.kind = Kind::random}}, 1, threads),
      InputError);
}

TEST(GplvmPathological, OneStep) {
  const Dataset data = join({make_view("y", Rng(1).normal(40, 3))});
  const GplvmFit fit = fit_gplvm(data, {.steps = 1, .restarts = 1}, 1, Threads(1));
  EXPECT_EQ(fit.steps, 1);
  expect_sound(fit, data);
}

}  // namespace
}  // namespace bochner::pathological_test
