#include "bochner/models/gplvm/warnings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bochner {
namespace {

using Kind = FitWarning::Kind;
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

const FitWarning* find(const std::vector<FitWarning>& warnings, Kind kind) {
  for (const FitWarning& warning : warnings)
    if (warning.kind == kind) return &warning;
  return nullptr;
}

/// The only warning, which must be of this kind.
FitWarning only(const std::vector<FitWarning>& warnings, Kind kind) {
  EXPECT_EQ(warnings.size(), 1u);
  const FitWarning* found = find(warnings, kind);
  EXPECT_NE(found, nullptr);
  return found ? *found : FitWarning{};
}

TEST(LatentFaults, CollapsedDuplicatedHomogeneous) {
  LatentPosterior latent{Rng(1).normal(200, 4), Matrix::Constant(200, 4, 0.1)};
  EXPECT_TRUE(latent_faults(latent).collapsed.empty());
  EXPECT_TRUE(latent_faults(latent).duplicated.empty());
  EXPECT_FALSE(latent_faults(latent).homogeneous);

  latent.mean.col(1) = 5 + 0.04 * Rng(2).normal(200).array();  // far away, but all in one place
  latent.mean.col(3) =
      3 - 2 * latent.mean.col(0).array() + 0.1 * Rng(3).normal(200).array();  // the first, turned round
  LatentFaults faults = latent_faults(latent);
  EXPECT_EQ(faults.collapsed, std::vector<Index>{1});
  ASSERT_EQ(faults.duplicated.size(), 1u);
  EXPECT_EQ(faults.duplicated[0], std::pair(Index{0}, Index{3}));

  latent.mean.col(1) = 0.06 * Rng(2).normal(200);  // little, but something
  latent.sd.col(2).setConstant(0.95);              // the prior everywhere
  EXPECT_EQ(latent_faults(latent).collapsed, std::vector<Index>{2});
  latent.sd(17, 2) = 0.5;  // but for one sample
  EXPECT_TRUE(latent_faults(latent).collapsed.empty());
  latent.mean.setZero();
  EXPECT_TRUE(latent_faults(latent).homogeneous);
  EXPECT_TRUE(latent_faults(latent).duplicated.empty());
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
  EXPECT_EQ(only(fit_warnings(fit, {}, 1000), Kind::stopped).sentence, "it was stopped after 500 steps");
  fit.status = Status::not_finite;
  EXPECT_TRUE(only(fit_warnings(fit, {}, 1000), Kind::not_finite).grave);

  // At the step limit it matters how fast the bound still rose before the step size began to fall.
  fit.status = Status::iteration_limit;
  fit.options.patience = 100;
  fit.options.cooling = 50;
  EXPECT_TRUE(only(fit_warnings(fit, {}, 1000), Kind::not_settled).grave);  // no trace to judge by
  const auto trace_with_slope = [&](double nats_per_step) {
    fit.trace.clear();
    for (Index i = 0; i < 150; ++i)
      fit.trace.push_back({0, 301 + i, 0, 0.03, nats_per_step * static_cast<double>(i)});
    for (Index i = 0; i < 50; ++i) fit.trace.push_back({0, 451 + i, 0, 0.02, 1e6});  // cooling does not count
  };
  trace_with_slope(1);  // halves of 50 steps differ by 50 nats: 0.05 for each of 1000 entries
  EXPECT_TRUE(only(fit_warnings(fit, {}, 1000), Kind::not_settled).grave);
  trace_with_slope(0.1);
  const FitWarning mild = only(fit_warnings(fit, {}, 1000), Kind::not_settled);
  EXPECT_FALSE(mild.grave);
  EXPECT_NE(mild.sentence.find("500 steps"), std::string::npos);
  fit.start = 1;  // the trace is of another start
  EXPECT_TRUE(only(fit_warnings(fit, {}, 1000), Kind::not_settled).grave);
}

TEST(FitWarnings, OfTheLatentSpace) {
  GplvmFit fit = good_fit(100, 3);
  fit.latent.mean.col(1).setZero();
  const FitWarning unused = only(fit_warnings(fit, {}, 1000), Kind::collapsed);
  EXPECT_FALSE(unused.grave);
  EXPECT_EQ(unused.sentence, "it has no use for dimension 2, so --dims 2 would do");
  fit.latent.mean.setZero();
  EXPECT_TRUE(only(fit_warnings(fit, {}, 1000), Kind::homogeneous).grave);
  fit = good_fit();
  fit.latent.mean.col(1) = fit.latent.mean.col(0);
  EXPECT_EQ(only(fit_warnings(fit, {}, 1000), Kind::duplicated).sentence,
            "its dimensions 1 and 2 say the same");
  EXPECT_EQ(only(fit_warnings(good_fit(19), {}, 1000), Kind::few_samples).sentence,
            "it has 19 samples, fewer than ten for each of its 2 dimensions");
  EXPECT_TRUE(fit_warnings(good_fit(20), {}, 1000).empty());
  fit = good_fit();
  fit.jitter = 1e-8;
  EXPECT_FALSE(only(fit_warnings(fit, {}, 1000), Kind::jitter).grave);
}

TEST(FitWarnings, OfHeldOutEntries) {
  const auto warned = [](const ViewScores& s) { return fit_warnings(good_fit(), {good_scores(), s}, 1000); };
  ViewScores s = good_scores();
  s.view = "protein";
  s.scaled_rmse.model = 1.0;  // exactly the column mean
  const FitWarning useless = only(warned(s), Kind::no_better);
  EXPECT_TRUE(useless.grave);
  EXPECT_NE(useless.sentence.find("'protein'"), std::string::npos);
  s.scaled_rmse.model = nan;
  EXPECT_TRUE(only(warned(s), Kind::no_better).grave);
  // 1000 entries: three standard errors are 6.7 %.
  s.scaled_rmse.model = 0.5 * 1.066;
  EXPECT_FALSE(find(warned(s), Kind::linear_better));
  s.scaled_rmse.model = 0.5 * 1.068;
  EXPECT_TRUE(only(warned(s), Kind::linear_better).grave);
  s.scaled_rmse.model = 0.4;  // the neighbours have 0.3
  EXPECT_FALSE(only(warned(s), Kind::neighbours_better).grave);
  s.scaled_rmse.neighbours = nan;  // not computed
  EXPECT_TRUE(warned(s).empty());
  s.coverage90 = 0.951;
  EXPECT_TRUE(only(warned(s), Kind::coverage).grave);
  s.coverage90 = 0.949;
  EXPECT_TRUE(warned(s).empty());
  s.coverage90 = 0.71;
  EXPECT_NE(only(warned(s), Kind::coverage).sentence.find("71.0 %"), std::string::npos);
  s.entries = 20;  // three standard errors: 20 points
  EXPECT_TRUE(warned(s).empty());
}

}  // namespace
}  // namespace bochner
