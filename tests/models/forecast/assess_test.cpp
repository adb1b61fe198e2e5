#include "bochner/models/forecast/assess.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bochner::assess_test {
namespace {

BacktestFold fold(Index measured, double rmse, double naive, double ar, double coverage, double smoothing = 5,
                  double mean = 6) {
  return {.origin = 0,
          .measured = measured,
          .rmse = rmse,
          .mae = 0,
          .naive_rmse = naive,
          .ar_rmse = ar,
          .smoothing_rmse = smoothing,
          .mean_rmse = mean,
          .coverage = coverage};
}

TEST(AssessForecast, ScoresCountMeasuredValuesAlike) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const BacktestScores s =
      backtest_scores({fold(3, 1, 2, 4, 1), fold(1, 3, 2, 4, 0), fold(0, nan, nan, nan, nan)});
  EXPECT_NEAR(s.rmse, std::sqrt((3 * 1 + 9) / 4.0), 1e-15);
  EXPECT_NEAR(s.naive_rmse, 2, 1e-15);
  EXPECT_NEAR(s.coverage90, 0.75, 1e-15);
  EXPECT_NEAR(s.mean_rmse, 6, 1e-15);
}

TEST(AssessForecast, BetterThanAllBaselines) {
  EXPECT_EQ(assess({fold(10, 1, 2, 4, 0.9)}).verdict.message(),
            "trust this forecast: its error on the backtest is 0.50 times that of the seasonal naive "
            "forecast, the best of four simpler forecasts. Its 90 % intervals hold 90.0 % of the values.");
  const Verdict worse = assess({fold(10, 1, 2, 0.8, 0.9)}).verdict;
  EXPECT_EQ(worse.kind, VerdictKind::doubtful);
  EXPECT_EQ(worse.warnings.at(0).remedy, Remedy::tune);
  EXPECT_TRUE(worse.message().starts_with(
      "do not trust this forecast: its error on the backtest is 1.25 times that of linear autoregression"));
  EXPECT_EQ(assess({fold(10, 1, 2, 4, 0.9, 0.9)}).verdict.kind, VerdictKind::doubtful);     // than smoothing
  EXPECT_EQ(assess({fold(10, 1, 2, 4, 0.9, 5, 0.9)}).verdict.kind, VerdictKind::doubtful);  // than the mean
  EXPECT_NE(assess({fold(10, 1, 2, 4, 0.9)}, true).verdict.message().find("tuned on these folds"),
            std::string::npos);
  EXPECT_EQ(assess({fold(10, 1, 2, 0.8, 0.9)}, true).verdict.warnings.at(1).remedy, Remedy::none);
}

TEST(AssessForecast, BetterByChanceIsNotBetter) {
  const Verdict equal =
      assess({fold(10, 1, 2, 4, 0.9, 5, 0.95)}).verdict;  // a single fold: 1.05 times is worse
  EXPECT_EQ(equal.kind, VerdictKind::doubtful);
  EXPECT_EQ(assess({fold(10, 0.92, 1, 2, 0.9)}).verdict.kind, VerdictKind::linear);
  EXPECT_EQ(assess({fold(10, 0.89, 1, 2, 0.9)}).verdict.kind, VerdictKind::good);
  EXPECT_EQ(assess({fold(10, 1, 1, 2, 0.9)}).verdict.kind, VerdictKind::linear);
  // Gains of 1, -0.5 and 0.2: mean 0.23, standard error 0.43.
  const auto noise = [](double gain) { return fold(10, std::sqrt(4 - gain), 5, 5, 0.9, 5, 2); };
  EXPECT_EQ(
      assess({noise(1), noise(-0.5), noise(0.2)}).verdict.message(),
      "a simpler forecast does as well: its error on the backtest is 0.97 times that of the mean of the "
      "past, which may be chance with 3 folds. Use the mean of the past, or try other options. Its 90 % "
      "intervals hold 90.0 % of the values.");
  EXPECT_EQ(assess({noise(1), noise(0.5), noise(0.2)}).verdict.kind, VerdictKind::good);
  EXPECT_EQ(assess({noise(2), noise(-0.01), noise(0)}).verdict.kind,
            VerdictKind::linear);  // one fold says it all
  EXPECT_EQ(assess({noise(0.02), noise(0.021), noise(0.02)}).verdict.kind,
            VerdictKind::linear);  // steady but small
  EXPECT_EQ(assess({noise(-1), noise(0.5), noise(-0.2)}).verdict.kind, VerdictKind::doubtful);
}

TEST(AssessForecast, IntervalsThatHoldTooFew) {
  const auto covered = [](std::vector<double> shares) {
    std::vector<BacktestFold> folds;
    for (const double share : shares) folds.push_back(fold(40, 1, 2, 4, share));
    return assess(folds).verdict;
  };
  const Verdict few = covered({0.7, 0.65, 0.75, 0.7});
  EXPECT_EQ(few.kind, VerdictKind::doubtful);
  EXPECT_EQ(
      few.message(),
      "trust its means, not its intervals: its error on the backtest is 0.50 times that of the seasonal "
      "naive forecast, the best of four simpler forecasts; its 90 % intervals hold 70.0 % of the values.");
  EXPECT_EQ(covered({0.85, 0.9, 0.8, 0.82}).kind, VerdictKind::good);
  EXPECT_EQ(covered({1, 1, 0.3, 0.9}).kind, VerdictKind::good);  // one bad fold of four
  EXPECT_EQ(covered({0.2}).kind, VerdictKind::good);             // its values lie in or out together
  EXPECT_EQ(covered({1, 1, 1, 1}).kind, VerdictKind::good);
  EXPECT_EQ(covered(std::vector<double>(100, 1.0)).kind, VerdictKind::doubtful);  // too wide
  EXPECT_EQ(assess({fold(4, 1, 2, 4, 0.75), fold(4, 1, 2, 4, 0.75)}).verdict.kind,
            VerdictKind::good);  // 6 of 8
}

TEST(AssessForecast, NothingToJudgeBy) {
  EXPECT_EQ(assess({}).verdict.kind, VerdictKind::unjudged);
  EXPECT_EQ(assess({}).verdict.remedy, Remedy::backtest);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Verdict gap = assess({fold(0, nan, nan, nan, nan)}).verdict;
  EXPECT_EQ(gap.kind, VerdictKind::unjudged);
  EXPECT_NE(gap.message().find("all values of the backtest folds are missing"), std::string::npos);
}

}  // namespace
}  // namespace bochner::assess_test
