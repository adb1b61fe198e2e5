// The whole fit on tables whose truth is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/assess/prediction_scores.hpp"
#include "bochner/data/fills.hpp"
#include "bochner/data/held_out.hpp"
#include "examples.hpp"

namespace bochner::fit_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// With half the columns the bound itself does not tell the true latents from folded ones.
constexpr Index N = 150, M = 60;

/// Noise variance in the units of the table, averaged over columns.
double noise_in_units(const GplvmView& view) {
  return view.scaling.undo_variance(Matrix::Constant(1, view.scaling.scale.size(), view.noise_variance))
      .mean();
}

TEST(GplvmFit, RecoversLatentsNoiseAndHiddenEntries) {
  // With 60 columns the bound of seed 1 is higher at folded latents (-3161) than at the true ones (-3165).
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Simulated truth = testing::s_curve_table(seed, N, 100);
    const std::vector<BoolMatrix> hidden = held_out_masks(truth.data, 0.15, Rng(100 + seed));
    const GplvmFit fit =
        fit_gplvm(hide(truth.data, hidden), {.view = {.kernel = "rbf"}, .steps = 600}, seed, Threads(1));
    EXPECT_GT(affine_r2(fit.latent.mean, truth.X).mean, 0.97) << "seed " << seed;
    EXPECT_NEAR(noise_in_units(fit.views[0]), 0.05, 0.15 * 0.05) << "seed " << seed;

    const Predictive p = predict(fit.views[0], fit.latent, Threads(1));
    const Matrix Y = held_out_values(truth.truth[0].Y, hidden[0]);
    const double entries = double(hidden[0].count());
    const double covered = gaussian_coverage(Y, p.mean, p.y_variance, 0.9);
    EXPECT_NEAR(covered, 0.9, 3 * std::sqrt(0.09 / entries) + 0.02) << "seed " << seed;
    const Matrix F = held_out_values(truth.truth[0].F, hidden[0]);
    EXPECT_NEAR(gaussian_coverage(F, p.mean, p.f_variance, 0.9), 0.9, 0.12) << "seed " << seed;
    EXPECT_LT(rmse(Y, p.mean), 1.3 * std::sqrt(0.05)) << "noise is all that is left, seed " << seed;
  }
}

TEST(GplvmFit, DefaultsRecoverTheLatents) {
  const Simulated truth = testing::s_curve_table(3, N, M);
  const GplvmFit fit = fit_gplvm(truth.data, {.steps = 500, .restarts = 1}, 1, Threads(1));
  EXPECT_EQ(fit.features.kind, FeatureSpec::Kind::exact);
  EXPECT_EQ(kernel_name(fit.views[0].kernel), "ngsm");
  EXPECT_GT(affine_r2(fit.latent.mean, truth.X).mean, 0.97);
  EXPECT_NEAR(noise_in_units(fit.views[0]), 0.05, 0.15 * 0.05);
}

TEST(GplvmFit, LearnsTheNoiseWhateverItIs) {
  for (const double noise : {0.01, 0.2, 1.0}) {
    const Simulated truth = simulate_views(
        {.curve = {.N = N}, .views = {{.M = M, .emission = GaussianEmission{.noise_variance = noise}}}},
        Rng(11), Threads(1));
    const GplvmFit fit =
        fit_gplvm(truth.data, {.view = {.kernel = "rbf"}, .steps = 500, .restarts = 1}, 1, Threads(1));
    EXPECT_NEAR(noise_in_units(fit.views[0]), noise, 0.1 * noise);
  }
}

TEST(GplvmFit, HolesAreNotZeros) {
  const Simulated truth = testing::s_curve_table(4, N, M, {.entries = 0.4});
  const Matrix& Y = truth.data.view(0).Y;
  const BoolMatrix hole = Y.array().isNaN();
  const Matrix hidden = held_out_values(truth.truth[0].Y, hole);
  const GplvmOptions options{.view = {.kernel = "rbf"}, .steps = 400, .restarts = 1};
  const auto score = [&](const Matrix& table) {
    const GplvmFit fit = fit_gplvm(truth.data.with_values({table}), options, 1, Threads(1));
    return rmse(hidden, predict(fit.views[0], fit.latent, Threads(1)).mean);
  };
  const double model = score(Y), zeros = score(hole.select(0.0, Y)),
               mean = rmse(hidden, fill_column_means(Y));
  EXPECT_LT(model, 1.4 * std::sqrt(0.05));
  EXPECT_LT(model, 0.6 * zeros);
  EXPECT_LT(model, 0.5 * mean);
}

TEST(GplvmFit, ViewsThatSomeSamplesLack) {
  const Simulated truth = testing::two_tables(5, N, 40, {.samples = 0.2, .entries = 0.1});
  const GplvmFit fit =
      fit_gplvm(truth.data, {.view = {.kernel = "rbf"}, .steps = 500, .restarts = 1}, 1, Threads(1));
  EXPECT_GT(affine_r2(fit.latent.mean, truth.X).mean, 0.97);
  EXPECT_NEAR(noise_in_units(fit.views[0]), 0.05, 0.2 * 0.05);
  EXPECT_NEAR(noise_in_units(fit.views[1]), 0.1, 0.2 * 0.1);
  // a view that was not measured, from the other
  for (Index v = 0; v < 2; ++v) {
    Matrix absent = truth.truth[std::size_t(v)].Y;
    for (Index n = 0; n < N; ++n)
      if (truth.data.present(v)(n)) absent.row(n).setConstant(nan);
    const Predictive p = predict(fit.views[std::size_t(v)], fit.latent, Threads(1));
    EXPECT_LT(rmse(absent, p.mean), 0.6 * rmse(absent, Matrix::Zero(N, absent.cols()))) << v;
    EXPECT_NEAR(gaussian_coverage(absent, p.mean, p.y_variance, 0.9), 0.9, 0.08) << v;
  }
}

TEST(GplvmFit, SaysHowItWent) {
  const Simulated truth = testing::s_curve_table(6, 60, 6);
  const GplvmOptions options{.view = {.kernel = "rbf"}, .steps = 60, .cooling = 20, .restarts = 3};
  const GplvmFit fit = fit_gplvm(truth.data, options, 9, Threads(1));
  EXPECT_EQ(fit.ids, truth.data.ids());
  EXPECT_EQ(fit.seed, 9u);
  EXPECT_EQ(fit.dims(), 2);
  EXPECT_EQ(fit.options.steps, 60);
  EXPECT_EQ(fit.status, Status::iteration_limit);
  EXPECT_EQ(fit.steps, 60);
  ASSERT_EQ(fit.start_objectives.size(), 3u);
  EXPECT_EQ(fit.objective, *std::max_element(fit.start_objectives.begin(), fit.start_objectives.end()));
  EXPECT_EQ(fit.objective, fit.start_objectives[std::size_t(fit.start)]);
  ASSERT_EQ(fit.trace.size(), 180u);
  for (std::size_t i = 0; i < 180; ++i) {
    EXPECT_EQ(fit.trace[i].start, Index(i / 60));
    EXPECT_EQ(fit.trace[i].step, Index(i % 60) + 1);
    EXPECT_TRUE(std::isfinite(fit.trace[i].objective));
    if (i % 60 <= 45) {  // a quarter of the steps is for cooling, whatever was asked for
      EXPECT_EQ(fit.trace[i].step_size, 0.1);
    } else {
      EXPECT_LT(fit.trace[i].step_size, fit.trace[i - 1].step_size);
    }
  }
  for (std::size_t s = 0; s < 3;
       ++s) {  // a start ends above where it began, and the objective is that of its end
    const double first = fit.trace[60 * s].objective, last = fit.trace[60 * s + 59].objective;
    EXPECT_GT(fit.start_objectives[s], first);
    EXPECT_NEAR(fit.start_objectives[s], last, 0.1 * std::abs(last - first) + 20);
  }
}

TEST(GplvmFit, StopsByItselfAndSaysSo) {
  const Simulated truth = testing::s_curve_table(6, 60, 6);
  GplvmOptions options{.view = {.kernel = "rbf"},
                       .steps = 3000,
                       .cooling = 30,
                       .patience = 40,
                       .tolerance = 1e-3,
                       .restarts = 1};
  const GplvmFit fit = fit_gplvm(truth.data, options, 9, Threads(1));
  EXPECT_EQ(fit.status, Status::converged);
  EXPECT_LT(fit.steps, 1000);
  EXPECT_EQ(Index(fit.trace.size()), fit.steps);
}

TEST(GplvmFit, SamplesWithoutDataHaveThePrior) {
  Simulated truth = testing::two_tables(7, 50, 6);
  std::vector<Matrix> values{truth.data.view(0).Y, truth.data.view(1).Y};
  for (const Index n : {0, 17, 49})
    for (Matrix& Y : values) Y.row(n).setConstant(nan);
  const Dataset data = truth.data.with_values(values);
  using Kind = FeatureSpec::Kind;
  for (const Kind kind : {Kind::exact, Kind::random, Kind::nystrom}) {
    const GplvmFit fit =
        fit_gplvm(data, {.view = {.kernel = "rbf"}, .features = {.kind = kind, .count = 10}, .steps = 50}, 1,
                  Threads(1));
    for (const Index n : {0, 17, 49}) {
      EXPECT_EQ(fit.latent.mean.row(n), Eigen::RowVectorXd::Zero(2)) << n;
      EXPECT_EQ(fit.latent.sd.row(n), Eigen::RowVectorXd::Ones(2)) << n;
    }
    EXPECT_LT(fit.latent.sd(1, 0), 1);
  }
}

TEST(GplvmFit, ColumnsThatSayNothing) {
  const Simulated truth = testing::s_curve_table(8, 50, 6);
  Matrix Y = truth.data.view(0).Y;
  Y.col(2).setConstant(7.5);
  Y(3, 2) = nan;
  Y.col(4).setConstant(nan);
  for (const ViewScaling scaling : {ViewScaling::automatic, ViewScaling::none, ViewScaling::centre,
                                    ViewScaling::standardise, ViewScaling::whole_view}) {
    const GplvmFit fit =
        fit_gplvm(truth.data.with_values({Y}),
                  {.view = {.kernel = "rbf", .scaling = scaling}, .steps = 30, .restarts = 1}, 1, Threads(1));
    const GplvmView& view = fit.views[0];
    EXPECT_EQ(view.constant, std::vector<Index>{2});
    EXPECT_EQ(view.unmeasured, std::vector<Index>{4});
    const Predictive p = predict(view, fit.latent, Threads(1));
    for (Index n = 0; n < 50; ++n) {
      EXPECT_NEAR(p.mean(n, 2), 7.5, 1e-9) << "scaling " << int(scaling);
      EXPECT_TRUE(std::isnan(p.mean(n, 4)) && std::isnan(p.f_variance(n, 4)) &&
                  std::isnan(p.y_variance(n, 4)));
    }
    for (const Index m : {0, 1, 3, 5}) EXPECT_TRUE(p.mean.col(m).allFinite());
    // neither speaks when a sample is placed
    Matrix other = Y;
    other.col(2).setConstant(-100);
    other.col(4).setConstant(3);
    EXPECT_EQ(embed(fit, truth.data.with_values({Y}), Threads(1)).mean,
              embed(fit, truth.data.with_values({other}), Threads(1)).mean);
  }
}

TEST(GplvmFit, SinglePrecisionIsCloseToDouble) {
  const Simulated truth = testing::s_curve_table(9, 120, 15, {.entries = 0.1});
  GplvmOptions options{.view = {.kernel = "rbf"},
                       .features = {.kind = FeatureSpec::Kind::random, .count = 50},
                       .steps = 200,
                       .restarts = 1};
  const GplvmFit fine = fit_gplvm(truth.data, options, 1, Threads(1));
  options.precision = FloatingPoint::single_precision;
  const GplvmFit coarse = fit_gplvm(truth.data, options, 1, Threads(1));
  EXPECT_NE(fine.latent.mean, coarse.latent.mean);
  EXPECT_NEAR(coarse.objective, fine.objective, 0.02 * std::abs(fine.objective));
  EXPECT_NEAR(coarse.views[0].noise_variance, fine.views[0].noise_variance,
              0.05 * fine.views[0].noise_variance);
  EXPECT_GT(affine_r2(coarse.latent.mean, fine.latent.mean).mean, 0.98);
}

TEST(GplvmFit, FeaturesOfEveryKindRecoverTheLatents) {
  const Simulated truth = testing::s_curve_table(1, N, M, {.entries = 0.1});
  using Kind = FeatureSpec::Kind;
  for (const FeatureSpec& features :
       {FeatureSpec{.kind = Kind::random, .count = 60},
        FeatureSpec{.kind = Kind::random, .count = 60, .directions = Directions::orthogonal},
        FeatureSpec{.kind = Kind::nystrom, .count = 40}}) {
    const GplvmFit fit =
        fit_gplvm(truth.data, {.view = {.kernel = "rbf"}, .features = features, .steps = 400, .restarts = 1},
                  1, Threads(1));
    EXPECT_EQ(fit.features.kind, features.kind);
    EXPECT_EQ(fit.features.count, features.count);
    EXPECT_GT(affine_r2(fit.latent.mean, truth.X).mean, 0.97) << int(features.kind);
    EXPECT_NEAR(noise_in_units(fit.views[0]), 0.05, 0.25 * 0.05) << int(features.kind);
  }
}

TEST(GplvmFit, EveryViewItsOwnOptions) {
  const Simulated truth = testing::two_tables(5, 40, 5);
  GplvmOptions options = testing::short_options();
  options.own = {std::nullopt,
                 GplvmViewOptions{.kernel = "matern52", .scaling = ViewScaling::none, .fixed_noise = 0.2}};
  const GplvmFit fit = fit_gplvm(truth.data, options, 1, Threads(1));
  EXPECT_EQ(kernel_name(fit.view("a").kernel), "rbf");
  EXPECT_EQ(kernel_name(fit.view("b").kernel), "matern52");
  EXPECT_EQ(fit.view("b").noise_variance, 0.2);
  EXPECT_EQ(fit.view("b").scaling.kind, ScalingKind::none);
  EXPECT_NE(fit.view("a").noise_variance, 0.5);
}

}  // namespace
}  // namespace bochner::fit_test
