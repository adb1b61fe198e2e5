#include "bochner/models/forecast/assess.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bochner::assess_test {
namespace {

BacktestFold fold(Index measured, double rmse, double naive, double ar, double coverage,
                  double smoothing = 5) {
  return {.origin = 0,
          .measured = measured,
          .rmse = rmse,
          .mae = 0,
          .naive_rmse = naive,
          .ar_rmse = ar,
          .smoothing_rmse = smoothing,
          .coverage = coverage};
}

TEST(AssessForecast, ScoresCountMeasuredValuesAlike) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const BacktestScores s =
      backtest_scores({fold(3, 1, 2, 4, 1), fold(1, 3, 2, 4, 0), fold(0, nan, nan, nan, nan)});
  EXPECT_NEAR(s.rmse, std::sqrt((3 * 1 + 9) / 4.0), 1e-15);
  EXPECT_NEAR(s.naive_rmse, 2, 1e-15);
  EXPECT_NEAR(s.coverage90, 0.75, 1e-15);
}

TEST(AssessForecast, BetterThanAllBaselines) {
  EXPECT_EQ(assess({fold(10, 1, 2, 4, 0.9)}).verdict.message(),
            "trust this forecast: its error on the backtest is 0.50 times that of the seasonal naive "
            "forecast, 0.25 "
            "times that of linear autoregression and 0.20 times that of exponential smoothing.");
  const Verdict worse = assess({fold(10, 1, 2, 0.8, 0.9)}).verdict;
  EXPECT_EQ(worse.kind, VerdictKind::doubtful);
  EXPECT_EQ(worse.warnings.at(0).remedy, Remedy::tune);
  EXPECT_TRUE(
      worse.message().starts_with("do not trust this forecast: its error on the backtest is 0.50 times"));
  EXPECT_EQ(assess({fold(10, 1, 2, 4, 0.9, 0.9)}).verdict.kind, VerdictKind::doubtful);  // than smoothing
  EXPECT_EQ(assess({fold(10, 1, 1, 2, 0.9)}).verdict.kind, VerdictKind::doubtful);  // as good is not better
  EXPECT_NE(assess({fold(10, 1, 2, 4, 0.9)}, true).verdict.message().find("tuned on these folds"),
            std::string::npos);
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
