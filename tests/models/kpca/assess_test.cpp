#include "bochner/models/kpca/assess.hpp"

#include "examples.hpp"

namespace bochner::assess_test {
namespace {

using namespace bochner::testing;
const Threads threads(2);

TEST(AssessKpca, ViewsOfTheSameNumbersPredictEachOther) {
  const Dataset data = tables(three_tables(1, 60));
  const KpcaOptions options{.dims = 3};
  const KpcaFit fit = fit_kpca(data, options, 1, threads);
  const KpcaAssessment a = assess(fit, data, options, 1, 0.2, threads);
  ASSERT_EQ(a.scores.size(), 3u);
  for (const CrossView& s : a.scores) {
    EXPECT_EQ(s.samples, 12);
    EXPECT_GT(s.r2, 0.5) << s.view;
    EXPECT_FALSE(s.accuracy);
  }
  EXPECT_EQ(a.verdict.kind, VerdictKind::good);
  EXPECT_TRUE(a.verdict.message().starts_with("trust this fit: from the other views it predicts R^2 0."))
      << a.verdict.message();
}

TEST(AssessKpca, ViewsWithNothingInCommonDoNot) {
  const Dataset data = tables({Rng(1).normal(50, 3), Rng(2).normal(50, 4)});
  const KpcaOptions options{.dims = 4};
  const KpcaFit fit = fit_kpca(data, options, 1, threads);
  const KpcaAssessment a = assess(fit, data, options, 1, 0.3, threads);
  EXPECT_EQ(a.verdict.kind, VerdictKind::doubtful) << a.verdict.message();
  EXPECT_EQ(a.verdict.warnings.size(), 2u);
  EXPECT_FALSE(a.verdict.not_converged());
}

TEST(AssessKpca, UnjudgedWithoutSamplesOrViews) {
  const Dataset data = tables(three_tables(1, 30));
  const KpcaFit fit = fit_kpca(data, {.dims = 2}, 1, threads);
  const KpcaAssessment none = assess(fit, data, {.dims = 2}, 1, 0, threads);
  EXPECT_TRUE(none.scores.empty());
  EXPECT_EQ(none.verdict.kind, VerdictKind::unjudged);
  EXPECT_EQ(none.verdict.remedy, Remedy::hold_out_samples);
  const Dataset one = tables({three_tables(1, 30)[0]});
  const KpcaAssessment alone =
      assess(fit_kpca(one, {.dims = 2}, 1, threads), one, {.dims = 2}, 1, 0.2, threads);
  EXPECT_EQ(alone.verdict.kind, VerdictKind::unjudged);
  EXPECT_EQ(alone.verdict.remedy, Remedy::none);
}

TEST(AssessKpca, SaysThatItLearnedFromFewOfTheSamples) {
  std::vector<Matrix> Y = three_tables(1, 60);
  const auto verdict = [&] {
    const Dataset data = tables(Y);
    return assess(fit_kpca(data, {.dims = 2}, 1, threads), data, {.dims = 2}, 1, 0.2, threads).verdict;
  };
  for (Index n = 0; n < 20; ++n) Y[0](3 * n, 1) = not_measured;
  EXPECT_EQ(verdict().message().find("it learned from"), std::string::npos);
  for (Index n = 0; n < 50; ++n) Y[1](n, 0) = not_measured;
  EXPECT_EQ(verdict().kind, VerdictKind::doubtful);
  EXPECT_NE(verdict().message().find("it learned from 7 of 60 samples"), std::string::npos)
      << verdict().message();
}

TEST(AssessKpca, NewSamplesArePredictedByTheFitItself) {
  const std::vector<Matrix> Y = three_tables(1, 90);
  const KpcaFit fit = fit_kpca(tables(rows_of(Y, 0, 60)), {.dims = 3}, 1, threads);
  std::vector<Matrix> rest = rows_of(Y, 60, 30);
  rest[1](4, 0) = not_measured;  // 29 are complete
  const KpcaAssessment a = assess_new(fit, tables(rest), threads);
  ASSERT_EQ(a.scores.size(), 3u);
  EXPECT_EQ(a.scores[0].samples, 29);
  EXPECT_GT(a.scores[2].r2, 0.5);
  EXPECT_EQ(a.verdict.kind, VerdictKind::good);
  EXPECT_TRUE(assess_new(fit, tables({rest[0]}), threads).scores.empty());  // nothing to predict from
}

}  // namespace
}  // namespace bochner::assess_test
