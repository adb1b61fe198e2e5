#include "bochner/assess/absent_view_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/random/rng.hpp"

namespace bochner::absent_view_scores_test {
namespace {

using Kind = Warning::Kind;
const double nan = std::numeric_limits<double>::quiet_NaN();

Scaling scaled_by(const Vector& scale) {
  return {.kind = ScalingKind::standardise, .centre = Vector::Constant(scale.size(), 3.0), .scale = scale};
}

/// Four entries of three samples; the second column has ten times the scale of the first.
struct ByHand {
  Matrix truth{{1, 20}, {nan, nan}, {3, nan}, {nan, -10}};
  Predictive predicted{.mean = Matrix{{0.5, 10}, {7, 7}, {2, -50}, {nan, 0}},
                       .f_variance = Matrix::Constant(4, 2, 0.01),
                       .y_variance = Matrix{{1, 25}, {1, 1}, {0.36, 1e-9}, {-1, 49}}};
  Vector means{{0, 5}}, scale{{1, 10}};
  AbsentViewScores scores() const {
    return absent_view_scores("rna", truth, predicted, means, scaled_by(scale));
  }
};

TEST(AbsentViewScores, ByHand) {
  const AbsentViewScores s = ByHand{}.scores();
  EXPECT_EQ(s.view, "rna");
  EXPECT_EQ(s.samples, 3);
  EXPECT_EQ(s.entries, 4);
  // Squared errors in units of the scales, sample by sample: 1/4 + 1, 1, 1 of the model; 1 + 9/4, 9, 9/4 of the means.
  EXPECT_NEAR(s.r2, 1 - 3.25 / 14.5, 1e-14);
  // sqrt(3/2 sum (a - R b)^2) / sum b with R = 3.25 / 14.5; by Python
  EXPECT_NEAR(s.r2_se, 0.10524320259789309, 1e-14);
  EXPECT_NEAR(s.rmse, std::sqrt((0.25 + 100 + 1 + 100) / 4), 1e-13);
  EXPECT_NEAR(s.rmse_mean, std::sqrt((1.0 + 225 + 9 + 225) / 4), 1e-13);
  // -1/2 log(2 pi v) - e^2 / 2 v for errors 0.5, 10, 1, 10 and variances 1, 25, 0.36, 49; by Python
  EXPECT_NEAR(s.log_density, -2.8136434056740773, 1e-13);
  // 0.5 < 1.645, 10 > 8.22, 1 > 0.987, 10 < 11.5: one of two, none of one, one of one
  EXPECT_DOUBLE_EQ(s.coverage90, 0.5);
  EXPECT_NEAR(s.coverage_se, std::sqrt(1.5 * 0.5) / 4, 1e-14);
}

TEST(AbsentViewScores, ByTheirNames) {
  const AbsentViewScores s = ByHand{}.scores();
  const NamedScores named = named_scores(s);
  const std::vector<std::string> names{"samples",   "entries",     "r2",         "r2_se",        "rmse",
                                       "rmse_mean", "log_density", "coverage90", "coverage90_se"};
  ASSERT_EQ(named.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(named[i].first, names[i]);
  EXPECT_EQ(named[0].second, 3);
  EXPECT_EQ(named[3].second, s.r2_se);
  EXPECT_EQ(named[8].second, s.coverage_se);
}

TEST(AbsentViewScores, UnitsOfAColumnDoNotMatterToR2) {
  ByHand same;
  for (Matrix* part : {&same.truth, &same.predicted.mean}) part->col(1) *= 1000;
  same.predicted.y_variance.col(1) *= 1e6;
  same.means(1) *= 1000, same.scale(1) *= 1000;
  Scaling scaling = scaled_by(same.scale);
  const AbsentViewScores a = ByHand{}.scores(),
                         b = absent_view_scores("rna", same.truth, same.predicted, same.means, scaling);
  EXPECT_NEAR(a.r2, b.r2, 1e-14);
  EXPECT_NEAR(a.r2_se, b.r2_se, 1e-14);
  EXPECT_EQ(a.coverage90, b.coverage90);
  EXPECT_GT(b.rmse, 100 * a.rmse);
}

TEST(AbsentViewScores, NothingHiddenIsNan) {
  ByHand nothing;
  nothing.truth.setConstant(nan);
  const AbsentViewScores s = nothing.scores();
  EXPECT_EQ(s.samples, 0);
  EXPECT_EQ(s.entries, 0);
  for (const double x : {s.r2, s.r2_se, s.rmse, s.rmse_mean, s.log_density, s.coverage90, s.coverage_se})
    EXPECT_TRUE(std::isnan(x));
  ByHand one;
  one.truth.bottomRows(3).setConstant(nan);
  EXPECT_TRUE(std::isnan(one.scores().r2_se)) << "one sample says nothing about its spread";
  EXPECT_NEAR(one.scores().r2, 1 - 1.25 / 3.25, 1e-14);
}

/// N samples of 30 columns whose errors are mostly common to a sample, with missing entries.
struct Correlated {
  static constexpr Index M = 30;
  Matrix truth;
  Predictive predicted;
  Vector means = Vector::Zero(M), scale = Vector::LinSpaced(M, 0.5, 5);

  Correlated(Index N, Rng rng) {
    const Vector common = rng.normal(N);
    predicted.mean = rng.normal(N, M);
    predicted.f_variance = Matrix::Constant(N, M, 0.1);
    predicted.y_variance = Matrix::Constant(N, M, 1.0);
    truth = predicted.mean + 0.3 * rng.normal(N, M);
    truth.colwise() += 0.9 * common;
    for (double& y : truth.reshaped())
      if (rng.uniform() < 0.3) y = nan;
    truth = truth * scale.asDiagonal();
    predicted.mean = predicted.mean * scale.asDiagonal();
    predicted.y_variance = predicted.y_variance * scale.cwiseAbs2().asDiagonal();
  }
  AbsentViewScores scores() const {
    return absent_view_scores("x", truth, predicted, means, scaled_by(scale));
  }
  AbsentViewScores without(Index n) const {
    Correlated less = *this;
    less.truth.row(n).setConstant(nan);
    return less.scores();
  }
};

TEST(AbsentViewScores, StandardErrorsAreThoseOfTheJackknifeOverSamples) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Index N = 60;
    const Correlated some(N, Rng(seed));
    const AbsentViewScores s = some.scores();
    Vector r2(N), covered(N);
    for (Index n = 0; n < N; ++n) {
      const AbsentViewScores left = some.without(n);
      r2(n) = left.r2, covered(n) = left.coverage90;
    }
    const auto jackknife = [](const Vector& x) {
      const double n = double(x.size());
      return std::sqrt((n - 1) / n * (x.array() - x.mean()).square().sum());
    };
    EXPECT_NEAR(s.r2_se, jackknife(r2), 0.2 * jackknife(r2)) << seed;
    EXPECT_NEAR(s.coverage_se, jackknife(covered), 0.2 * jackknife(covered)) << seed;
  }
}

// The spread of R^2 over tables that are drawn anew. Entries taken as independent would make it less than half of that.
TEST(AbsentViewScores, StandardErrorsAreTheSpreadOverTables) {
  const Index tables = 400;
  Vector r2(tables), covered(tables), r2_se(tables), covered_se(tables);
  for (Index i = 0; i < tables; ++i) {
    const AbsentViewScores s = Correlated(60, Rng(7).split(std::uint64_t(i))).scores();
    r2(i) = s.r2, covered(i) = s.coverage90, r2_se(i) = s.r2_se, covered_se(i) = s.coverage_se;
  }
  const auto sd = [](const Vector& x) { return std::sqrt((x.array() - x.mean()).square().mean()); };
  // A standard deviation of 400 draws has a standard error of 3.5 %, twice that for heavy tails.
  EXPECT_NEAR(r2_se.mean(), sd(r2), 0.2 * sd(r2));
  EXPECT_NEAR(covered_se.mean(), sd(covered), 0.2 * sd(covered));
  const double independent = std::sqrt(0.9 * 0.1 / (60 * Correlated::M * 0.7));
  EXPECT_GT(sd(covered), 2 * independent) << "or samples and entries cannot be told apart here";
}

AbsentViewScores example(double r2, double r2_se, double coverage = 0.9, double coverage_se = 0.01,
                         const std::string& view = "rna", Index entries = 500) {
  return {.view = view,
          .samples = 50,
          .entries = entries,
          .r2 = r2,
          .r2_se = r2_se,
          .rmse = 1,
          .rmse_mean = 1,
          .log_density = -1,
          .coverage90 = coverage,
          .coverage_se = coverage_se};
}

TEST(AbsentViewWarnings, WorseThanTheMeansIsAnError) {
  const std::vector<Warning> worse = absent_view_warnings({example(0.3, 0.05), example(-0.3, 0.05)});
  ASSERT_EQ(worse.size(), 1u);
  EXPECT_EQ(worse[0].kind, Kind::absent_view);
  EXPECT_EQ(worse[0].severity, Severity::error);
  EXPECT_NE(worse[0].message.find("'rna'"), std::string::npos);
  EXPECT_NE(worse[0].message.find("worse"), std::string::npos);
  EXPECT_NE(worse[0].message.find("-0.30"), std::string::npos);
}

TEST(AbsentViewWarnings, ChanceIsNoError) {
  for (const double r2 : {-0.14, -0.02, 0.0, 0.019}) {  // three standard errors are 0.15
    const std::vector<Warning> mild = absent_view_warnings({example(r2, 0.05)});
    ASSERT_EQ(mild.size(), 1u) << r2;
    EXPECT_EQ(mild[0].kind, Kind::absent_view);
    EXPECT_EQ(mild[0].severity, Severity::warning) << r2;
    EXPECT_NE(mild[0].message.find("hardly"), std::string::npos);
  }
  EXPECT_EQ(absent_view_warnings({example(-0.16, 0.05)})[0].severity, Severity::error);
  // However exactly it is known, a hundredth is not much.
  EXPECT_EQ(absent_view_warnings({example(-0.01, 1e-4)})[0].severity, Severity::warning);
  EXPECT_TRUE(absent_view_warnings({example(0.03, 0.05)}).empty());
  EXPECT_TRUE(absent_view_warnings({}).empty());
}

TEST(AbsentViewWarnings, IntervalsThatDoNotHoldAreAnError) {
  for (const double coverage : {0.5, 0.83, 0.97}) {
    const std::vector<Warning> wrong = absent_view_warnings({example(0.3, 0.05, coverage, 0.01)});
    ASSERT_EQ(wrong.size(), 1u) << coverage;
    EXPECT_EQ(wrong[0].kind, Kind::coverage);
    EXPECT_EQ(wrong[0].severity, Severity::error);
  }
  EXPECT_NE(absent_view_warnings({example(0.3, 0.05, 0.5, 0.01)})[0].message.find("50.0 %"),
            std::string::npos);
  EXPECT_TRUE(absent_view_warnings({example(0.3, 0.05, 0.83, 0.03)}).empty()) << "three standard errors";
  EXPECT_TRUE(absent_view_warnings({example(0.3, 0.05, 0.85, 0.001)}).empty()) << "not far off";
  EXPECT_EQ(absent_view_warnings({example(-0.3, 0.05, 0.5, 0.01)}).size(), 2u)
      << "one does not hide the other";
}

TEST(AbsentViewWarnings, AHandfulOfSamplesSaysNothing) {
  AbsentViewScores few = example(-2, 0.01, 0.1, 0.01);
  few.samples = 4;
  EXPECT_TRUE(absent_view_warnings({few}).empty());
  few.samples = 5;
  EXPECT_EQ(absent_view_warnings({few}).size(), 2u);
  // Six samples that agree by chance: their own spread says too little.
  AbsentViewScores agreeing = example(0.4, 0.05, 1, 0, "prot", 21);
  agreeing.samples = 7;
  EXPECT_TRUE(absent_view_warnings({agreeing}).empty());
  AbsentViewScores six = example(0.4, 0.05, 0.8, 0.03);
  EXPECT_EQ(absent_view_warnings({six}).size(), 1u);
  six.samples = 6;
  EXPECT_TRUE(absent_view_warnings({six}).empty());
  EXPECT_TRUE(absent_view_warnings({example(nan, nan, nan, nan)}).empty());
}

TEST(AbsentViewEvidence, NamesTwoViews) {
  const std::string text = absent_view_evidence(
      {example(0.31, 0.05, 0.91, 0.01, "rna", 300), example(0.18, 0.05, 0.886, 0.01, "protein", 150)});
  EXPECT_EQ(text,  // (300 * 91 + 150 * 88.6) / 450 = 90.2
            "a view that a sample lacks is predicted with R^2 0.31 +- 0.05 (rna) and 0.18 +- 0.05 "
            "(protein), 90.2 % of it within 90 % intervals");
}

TEST(AbsentViewEvidence, NamesTheWorstAndTheBestOfSix) {
  std::vector<AbsentViewScores> six;
  const double r2[] = {0.31, 0.62, 0.05, 0.44, 0.18, 0.27};
  for (int v = 0; v < 6; ++v) six.push_back(example(r2[v], 0.05, 0.9, 0.01, "v" + std::to_string(v)));
  EXPECT_EQ(absent_view_evidence(six),
            "a view that a sample lacks is predicted with R^2 0.05 +- 0.05 (v2) to 0.62 +- 0.05 (v1), 90.0 % "
            "of it within 90 % "
            "intervals");
  six[2].samples = 0;  // was not hidden
  six[1].r2 = nan;
  EXPECT_EQ(absent_view_evidence(six),
            "a view that a sample lacks is predicted with R^2 0.31 +- 0.05 (v0), 0.44 +- 0.05 (v3), 0.18 +- "
            "0.05 (v4) and 0.27 +- 0.05 (v5), "
            "90.0 % "
            "of it within 90 % intervals");
  EXPECT_EQ(absent_view_evidence({}), "");
  EXPECT_EQ(absent_view_evidence({six[2]}), "");
}

}  // namespace
}  // namespace bochner::absent_view_scores_test
