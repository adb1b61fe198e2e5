#include "bochner/models/gplvm/assess.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/assess/prediction_scores.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/data/held_out_views.hpp"
#include "bochner/models/gplvm/calibrate.hpp"
#include "bochner/models/gplvm/cross_view.hpp"
#include "examples.hpp"

namespace bochner::assess_test {
namespace {

using Kind = Warning::Kind;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Nothing is wrong with it.
GplvmFit good_fit(Index N = 100, Index Q = 2) {
  return {.latent = {Rng(1).normal(N, Q), Matrix::Constant(N, Q, 0.1)},
          .steps = 500,
          .status = Status::converged};
}

ViewScores good_scores() {
  return {.view = "rna",
          .entries = 1000,
          .rmse = {1, 4, 2, 1.2},
          .scaled_rmse = {0.25, 1, 0.5, 0.3},
          .log_density = -1,
          .coverage90 = 0.9};
}

const Warning* find(const std::vector<Warning>& warnings, Kind kind) {
  for (const Warning& warning : warnings)
    if (warning.kind == kind) return &warning;
  return nullptr;
}

/// The only warning, which must be of this kind.
Warning only(const std::vector<Warning>& warnings, Kind kind) {
  EXPECT_EQ(warnings.size(), 1u);
  const Warning* found = find(warnings, kind);
  EXPECT_NE(found, nullptr);
  return found ? *found : Warning{};
}

TEST(FitWarnings, AGoodFitHasNone) {
  EXPECT_TRUE(fit_warnings(good_fit(), {good_scores()}, 10000).empty());
  EXPECT_TRUE(fit_warnings(good_fit(), {}, 10000).empty());
  ViewScores nothing_held_out{.view = "x", .rmse = {nan, nan, nan, nan}, .scaled_rmse = {nan, nan, nan, nan}};
  nothing_held_out.log_density = nothing_held_out.coverage90 = nan;
  EXPECT_TRUE(fit_warnings(good_fit(), {nothing_held_out}, 10000).empty());
}

TEST(FitWarnings, OfTheEnding) {
  GplvmFit fit = good_fit();
  fit.status = Status::stopped_by_callback;
  EXPECT_EQ(only(fit_warnings(fit, {}, 1000), Kind::stopped).message, "it was stopped after 500 steps");
  fit.status = Status::not_finite;
  EXPECT_EQ(only(fit_warnings(fit, {}, 1000), Kind::not_finite).severity, Severity::error);

  // At the step limit it matters how fast the bound still rose before the step size began to fall.
  fit.status = Status::iteration_limit;
  fit.options.patience = 100;
  fit.options.cooling = 50;
  EXPECT_EQ(only(fit_warnings(fit, {}, 1000), Kind::not_settled).severity,
            Severity::error);  // no trace to judge by
  const auto trace_with_slope = [&](double nats_per_step) {
    fit.trace.clear();
    for (Index i = 0; i < 150; ++i)
      fit.trace.push_back({0, 301 + i, 0, 0.03, nats_per_step * static_cast<double>(i)});
    for (Index i = 0; i < 50; ++i) fit.trace.push_back({0, 451 + i, 0, 0.02, 1e6});  // cooling does not count
  };
  trace_with_slope(1);  // halves of 40 steps differ by 40 nats: 0.04 for each of 1000 entries
  EXPECT_EQ(only(fit_warnings(fit, {}, 1000), Kind::not_settled).severity, Severity::error);
  trace_with_slope(0.1);
  const Warning mild = only(fit_warnings(fit, {}, 1000), Kind::not_settled);
  EXPECT_EQ(mild.severity, Severity::warning);
  EXPECT_EQ(mild.remedy, Remedy::more_steps);
  EXPECT_NE(mild.message.find("500 steps"), std::string::npos);
  fit.options.patience = 5;  // is how soon a fit gives up, not how it is judged
  EXPECT_EQ(only(fit_warnings(fit, {}, 1000), Kind::not_settled).severity, Severity::warning);
  for (std::size_t i = 0; i < 150; ++i)
    fit.trace[i].draw += i % 2 == 0 ? 60 : -60;  // a rise would not be seen
  EXPECT_EQ(only(fit_warnings(fit, {}, 1000), Kind::not_settled).severity, Severity::error);
  fit.start = 1;  // the trace is of another start
  EXPECT_EQ(only(fit_warnings(fit, {}, 1000), Kind::not_settled).severity, Severity::error);
}

TEST(FitWarnings, OfTheLatentSpace) {
  GplvmFit fit = good_fit(100, 3);
  fit.latent.mean.col(1).setZero();
  const Warning unused = only(fit_warnings(fit, {}, 1000), Kind::collapsed);
  EXPECT_EQ(unused.severity, Severity::warning);
  EXPECT_EQ(unused.message, "dimension 2 is unused; 2 dimensions suffice");
  EXPECT_EQ(unused.remedy, Remedy::fewer_dims);
  EXPECT_EQ(unused.suggested, 2);
  fit.latent.mean.setZero();
  EXPECT_EQ(only(fit_warnings(fit, {}, 1000), Kind::homogeneous).severity, Severity::error);
  fit = good_fit();
  fit.latent.mean.col(1) = fit.latent.mean.col(0);
  EXPECT_EQ(only(fit_warnings(fit, {}, 1000), Kind::duplicated).message,
            "its dimensions 1 and 2 are redundant");
  EXPECT_EQ(only(fit_warnings(good_fit(19), {}, 1000), Kind::few_samples).message,
            "it has 19 samples, fewer than ten for each of its 2 dimensions");
  EXPECT_TRUE(fit_warnings(good_fit(20), {}, 1000).empty());
  fit = good_fit();
  fit.jitter = 1e-8;
  EXPECT_EQ(only(fit_warnings(fit, {}, 1000), Kind::jitter).severity, Severity::warning);
}

TEST(FitWarnings, OfHeldOutEntries) {
  const auto warned = [](const ViewScores& s) { return fit_warnings(good_fit(), {good_scores(), s}, 1000); };
  ViewScores s = good_scores();
  s.view = "protein";
  s.scaled_rmse.model = 1.0;  // exactly the column mean
  const Warning useless = only(warned(s), Kind::no_better);
  EXPECT_EQ(useless.severity, Severity::error);
  EXPECT_NE(useless.message.find("'protein'"), std::string::npos);
  s.scaled_rmse.model = nan;
  EXPECT_EQ(only(warned(s), Kind::no_better).severity, Severity::error);
  // 1000 entries: three standard errors are 6.7 %.
  s.scaled_rmse.model = 0.5 * 1.066;
  EXPECT_FALSE(find(warned(s), Kind::linear_better));
  s.scaled_rmse.model = 0.5 * 1.068;
  EXPECT_EQ(only(warned(s), Kind::linear_better).severity, Severity::error);
  s.scaled_rmse.model = 0.4;  // the neighbours have 0.3
  EXPECT_EQ(only(warned(s), Kind::neighbours_better).severity, Severity::warning);
  s.scaled_rmse.neighbours = nan;  // not computed
  EXPECT_TRUE(warned(s).empty());
  s.coverage90 = 0.951;
  EXPECT_EQ(only(warned(s), Kind::coverage).severity, Severity::error);
  s.coverage90 = 0.949;
  EXPECT_TRUE(warned(s).empty());
  s.coverage90 = 0.71;
  EXPECT_NE(only(warned(s), Kind::coverage).message.find("71.0 %"), std::string::npos);
  s.entries = 20;  // three standard errors: 20 points
  EXPECT_TRUE(warned(s).empty());
}

TEST(ViewVerdict, ErrorsBelowTheMeansByChanceAreNotTrusted) {
  ViewScores lucky = good_scores();
  lucky.scaled_rmse = {0.99, 1, 1.2, 1.2};
  lucky.gain = 20;
  lucky.gain_se = 11;
  const Verdict chance = view_verdict({lucky}, score_warnings({lucky}));
  EXPECT_EQ(chance.kind, VerdictKind::doubtful);
  EXPECT_NE(find(chance.warnings, Kind::no_better)->message.find("0.99 times"), std::string::npos);
  lucky.gain_se = 9;
  EXPECT_EQ(view_verdict({lucky}, score_warnings({lucky})).kind, VerdictKind::good);
  // Views count together: what one gains may drown in the other.
  ViewScores noisy = lucky;
  noisy.view = "noise";
  noisy.gain = 0;
  noisy.gain_se = 30;
  EXPECT_EQ(view_verdict({lucky, noisy}, score_warnings({lucky, noisy})).kind, VerdictKind::doubtful);
  ViewScores worse = lucky;  // said once
  worse.scaled_rmse.model = 1.1;
  worse.gain = -20;
  EXPECT_EQ(view_verdict({worse}, score_warnings({worse})).warnings.size(), 1u);
}

TEST(AssessGplvm, ColumnsThatDoNotVaryDoNotCount) {
  const Simulated all = testing::two_tables(1, 60, 8);
  Matrix wide = Matrix::Constant(60, 28, 7.0);
  wide.leftCols(8) = all.data.view(0).Y;
  const Dataset padded = join({make_view("a", wide), all.data.view(1)});
  std::vector<BoolMatrix> masks = held_out_masks(padded, 0.1, 5);
  GplvmOptions options = testing::short_options();
  options.view.scaling = ViewScaling::centre;
  const GplvmFit fit = fit_gplvm(hide(padded, masks), options, 5, Threads(2));
  const auto assessed = [&] {
    return assess(calibrated(fit, padded, masks, Threads(1)), padded, masks, Threads(1));
  };
  const ViewAssessment with = assessed();
  EXPECT_EQ(with.scores[0].entries, masks[0].leftCols(8).count());
  EXPECT_GT(masks[0].rightCols(20).count(), 50);
  masks[0].rightCols(20).setConstant(false);
  const ViewAssessment without = assessed();
  EXPECT_EQ(with.scores[0].coverage90, without.scores[0].coverage90);
  EXPECT_EQ(with.scores[0].log_density, without.scores[0].log_density);
  EXPECT_EQ(with.scores[0].rmse.model, without.scores[0].rmse.model);
  EXPECT_GT(with.scores[0].gain_se, 0);
}

TEST(AssessGplvm, TheFitIsJudgedByWhatWasHidden) {
  const Simulated all = testing::two_tables(1, 60, 8);
  const auto masks = held_out_masks(all.data, 0.1, 5);
  GplvmOptions options = testing::short_options();
  options.steps = 120;
  const GplvmFit fit = fit_gplvm(hide(all.data, masks), options, 5, Threads(2));
  const ViewAssessment a = assess(fit, all.data, masks, Threads(2));
  ASSERT_EQ(a.scores.size(), 2u);
  EXPECT_EQ(a.scores[0].entries, masks[0].count());
  EXPECT_LT(a.scores[0].rmse.model, a.scores[0].rmse.column_mean);
  // The same without the masks: warnings of the fit alone.
  const ViewAssessment none = assess(fit, all.data, {}, Threads(2));
  EXPECT_TRUE(none.scores.empty());
  EXPECT_NE(none.verdict.kind, VerdictKind::good);
  // New samples of the same functions are placed by what is left of them.
  const Simulated more = testing::two_tables(1, 60, 8);
  const ViewAssessment fresh = assess_new(fit, more.data, masks, Threads(2));
  ASSERT_EQ(fresh.scores.size(), 2u);
  EXPECT_LT(fresh.scores[1].rmse.model, fresh.scores[1].rmse.column_mean);
  EXPECT_NE(fresh.scores[1].rmse.model, a.scores[1].rmse.model);  // at other latents
  EXPECT_EQ(fresh.scores[1].rmse.column_mean, a.scores[1].rmse.column_mean);
}

TEST(AssessGplvm, ViewsThatWereHiddenAltogetherAreJudgedByThemselves) {
  const Simulated all = testing::two_tables(1, 80, 8);
  const auto masks = held_out_entries_and_views(all.data, 0.1, 5);
  const HeldOutParts parts = split_held_out(all.data, masks);
  GplvmOptions options = testing::short_options();
  options.steps = 120;
  const Dataset seen = hide(all.data, masks);
  const GplvmFit fit = calibrated(with_cross_views(fit_gplvm(seen, options, 5, Threads(2)), seen, Threads(2)),
                                  all.data, masks, Threads(2));
  const ViewAssessment a = assess(fit, all.data, masks, Threads(2));
  ASSERT_EQ(a.scores.size(), 2u);
  ASSERT_EQ(a.absent.size(), 2u);
  for (std::size_t v = 0; v < 2; ++v) {
    const std::string name = v == 0 ? "a" : "b";
    EXPECT_EQ(a.scores[v].entries, parts.entries[v].count());
    EXPECT_EQ(a.absent[v].view, name);
    EXPECT_EQ(a.absent[v].samples, 8);
    EXPECT_EQ(a.absent[v].entries, parts.views[v].count());
    const Predictive p = predict(fit, name, seen, fit.latent, Threads(1));
    const Matrix truth = held_out_values(all.data.view(Index(v)).Y, parts.views[v]);
    EXPECT_EQ(a.absent[v].rmse, rmse(truth, p.mean));
    EXPECT_EQ(a.absent[v].coverage90, gaussian_coverage(truth, p.mean, p.y_variance, 0.9));
    EXPECT_GT(a.absent[v].r2, 0.3) << "one curve has made both";
    EXPECT_LT(a.absent[v].rmse, a.absent[v].rmse_mean);
  }
  EXPECT_NE(
      view_verdict(a.scores, {}, "", a.absent).evidence.find("; a view that a sample lacks is predicted"),
      std::string::npos);
  EXPECT_TRUE(assess(fit, all.data, held_out_masks(all.data, 0.1, 5), Threads(2)).absent.empty());
}

// A calibrated fit is judged by other factors than those that its own entries have made; one that was not calibrated
// by the intervals that it has.
TEST(AssessGplvm, IntervalsAreThoseOfTheFit) {
  const Simulated all = testing::s_curve_table(1, 80, 10);
  const auto masks = held_out_masks(all.data, 0.15, 5);
  GplvmFit fit = fit_gplvm(hide(all.data, masks), testing::short_options(), 5, Threads(2));
  fit.views[0].noise *= 0.02;  // far too sure of itself
  const Matrix truth = held_out_values(all.data.view(0).Y, masks[0]);
  const Predictive p = predict(fit.views[0], fit.latent, Threads(1));
  const double own = gaussian_coverage(truth, p.mean, p.y_variance, 0.9);
  EXPECT_LT(own, 0.8);
  const GplvmFit better = calibrated(fit, all.data, masks, Threads(2));
  EXPECT_GT(better.views[0].calibration, 1.3);
  EXPECT_NEAR(assess(better, all.data, masks, Threads(2)).scores[0].coverage90, 0.9, 0.1);
  EXPECT_NEAR(assess(fit, all.data, masks, Threads(2)).scores[0].coverage90, own, 1e-12);
}

// A start with much noise pushes every dimension out, and the noise that is learned there keeps them out.
TEST(AssessGplvm, ANoiseThatBeganTooLargeIsNamed) {
  const Simulated all = testing::s_curve_table(1, 80, 10);
  const auto masks = held_out_masks(all.data, 0.1, 5);
  GplvmOptions options = testing::short_options();
  options.view.kernel = "rbf";
  const auto noise_warning = [&](double start) {
    options.view.first_noise = start;
    const GplvmFit fit = fit_gplvm(hide(all.data, masks), options, 5, Threads(2));
    const ViewAssessment a = assess(fit, all.data, masks, Threads(2));
    const Warning* found = find(a.verdict.warnings, Kind::noise_too_large);
    return found ? *found : Warning{};
  };
  const Warning warning = noise_warning(100);
  EXPECT_EQ(warning.remedy, Remedy::smaller_noise_start) << warning.message;
  EXPECT_NE(warning.message.find("began at 100"), std::string::npos) << warning.message;
  EXPECT_EQ(noise_warning(0.5).remedy, Remedy::none);
}

}  // namespace
}  // namespace bochner::assess_test
