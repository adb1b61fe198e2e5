// predict(fit, view, seen, at): samples that lack a view by the cross-view predictors, the others at their latents.
#include <gtest/gtest.h>

#include <limits>

#include "bochner/core/errors.hpp"
#include "bochner/models/gplvm/cross_view.hpp"
#include "bochner/models/gplvm/file.hpp"
#include "examples.hpp"

namespace bochner::predict_absent_test {
namespace {

using testing::same_bytes;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const std::vector<std::string> names{"a", "b", "c"};

struct Example {
  GplvmFit fit;
  Dataset seen;
  LatentPosterior at;
};

/// Three views of one curve. Of the first 60 samples the fit is made; the other 23 lack single entries and every combination
/// of views, the last one everything.
const Example& example() {
  static const Example made = [] {
    std::vector<ViewRecipe> recipes;
    for (const auto& [name, columns] : {std::pair{"a", 4}, {"b", 6}, {"c", 5}})
      recipes.push_back({.name = name, .M = columns, .emission = GaussianEmission{.noise_variance = 0.05}});
    const Simulated all = simulate_views({.curve = {.N = 83}, .views = recipes}, Rng(3), Threads(1));
    const IndexVector train = IndexVector::LinSpaced(60, 0, 59), rest = IndexVector::LinSpaced(23, 60, 82);
    GplvmOptions options = testing::short_options();
    options.restarts = 1;
    const Dataset known = all.data.take_rows(train);
    GplvmFit fit = with_cross_views(fit_gplvm(known, options, 1, Threads(1)), known, Threads(1));
    fit.views[1].calibration = 1.3;
    const Dataset some = all.data.take_rows(rest);
    std::vector<Matrix> values;
    Rng rng(4);
    for (Index v = 0; v < 3; ++v) {
      Matrix Y = some.view(v).Y;
      for (Index n = 0; n < 23; ++n) {
        const Index kept = rng.below(Y.cols());
        for (Index m = 0; m < Y.cols(); ++m)
          if (m != kept && rng.uniform() < 0.2) Y(n, m) = nan;
        if ((n % 7) >> v & 1 || n == 22)
          Y.row(n).setConstant(nan);  // n % 7 = 0 .. 6: lacks none to two views
      }
      values.push_back(Y);
    }
    const Dataset seen = some.with_values(values);
    LatentPosterior at = embed(fit, seen, Threads(1));
    return Example{std::move(fit), seen, std::move(at)};
  }();
  return made;
}

bool lacks(const Dataset& data, const std::string& view, Index n) {
  return data.view(view).Y.row(n).array().isNaN().all();
}

void expect_same(const Predictive& a, const Predictive& b) {
  EXPECT_TRUE(same_bytes(a.mean, b.mean));
  EXPECT_TRUE(same_bytes(a.f_variance, b.f_variance));
  EXPECT_TRUE(same_bytes(a.y_variance, b.y_variance));
}

Predictive row(const Predictive& p, Index n) {
  return {p.mean.row(n), p.f_variance.row(n), p.y_variance.row(n)};
}

TEST(PredictAbsent, RowsThatLackTheViewComeFromTheOtherViews) {
  const Example& e = example();
  ASSERT_FALSE(e.fit.cross_views.predictors.empty());
  for (const std::string& view : names) {
    const Predictive both = predict(e.fit, view, e.seen, e.at, Threads(1)),
                     latent = predict(e.fit.view(view), e.at, Threads(1));
    Index absent = 0;
    for (Index n = 0; n < e.seen.rows(); ++n) {
      SCOPED_TRACE(view + ", sample " + std::to_string(n));
      std::vector<std::string> present;
      for (const std::string& other : names)
        if (!lacks(e.seen, other, n)) present.push_back(other);
      if (!lacks(e.seen, view, n) || present.empty()) {
        expect_same(row(both, n), row(latent, n));
        continue;
      }
      ++absent;
      const CrossViewPredictor* predictor = e.fit.cross_views.choose(present, view);
      ASSERT_NE(predictor, nullptr);
      EXPECT_EQ(predictor->inputs.from, present) << "every set of three views has its own";
      expect_same(row(both, n), row(predict(*predictor, e.fit, e.seen, Threads(1)), n));
      EXPECT_FALSE(same_bytes(both.mean.row(n), latent.mean.row(n)));
    }
    EXPECT_GE(absent, 6);
    EXPECT_LT(absent, 15);
  }
}

TEST(PredictAbsent, WithoutCrossViewsItIsTheLatents) {
  const Example& e = example();
  GplvmFit plain = e.fit;
  plain.cross_views = {};
  for (const std::string& view : names)
    expect_same(predict(plain, view, e.seen, e.at, Threads(1)), predict(plain.view(view), e.at, Threads(1)));
}

TEST(PredictAbsent, AViewThatTheTablesDoNotHaveAtAll) {
  const Example& e = example();
  const Dataset without = join({e.seen.view("b"), e.seen.view("c")});
  std::vector<Matrix> values;
  for (const View& view : e.seen.views()) values.push_back(view.Y);
  values[0].setConstant(nan);
  expect_same(predict(e.fit, "a", without, e.at, Threads(1)),
              predict(e.fit, "a", e.seen.with_values(values), e.at, Threads(1)));
}

TEST(PredictAbsent, IsTheSameFromAModelFile) {
  const Example& e = example();
  const GplvmFit again = gplvm_from(parse_model(format_model(gplvm_group(e.fit)), "file"));
  EXPECT_EQ(again.cross_views.predictors.size(), e.fit.cross_views.predictors.size());
  EXPECT_EQ(again.view("b").calibration, 1.3);
  for (const std::string& view : names)
    expect_same(predict(e.fit, view, e.seen, e.at, Threads(1)),
                predict(again, view, e.seen, e.at, Threads(1)));
}

TEST(PredictAbsent, ARowAloneHasTheBytesThatItHasInCompany) {
  const Example& e = example();
  for (const std::string& view : names) {
    const Predictive all = predict(e.fit, view, e.seen, e.at, Threads(2));
    for (Index n = 0; n < e.seen.rows(); ++n) {
      SCOPED_TRACE(view + ", sample " + std::to_string(n));
      expect_same(row(all, n), predict(e.fit, view, e.seen.take_rows(IndexVector::Constant(1, n)),
                                       {e.at.mean.row(n), e.at.sd.row(n)}, Threads(1)));
    }
  }
}

TEST(PredictAbsent, ThreadsDoNotChangeAByte) {
  const Example& e = example();
  for (const std::string& view : names)
    for (const int threads : {2, 7})
      expect_same(predict(e.fit, view, e.seen, e.at, Threads(1)),
                  predict(e.fit, view, e.seen, e.at, Threads(threads)));
}

// What a sample lacks is told by the tables, not by the latents: at other latents only the others change.
TEST(PredictAbsent, LatentsDoNotMatterToAnAbsentView) {
  const Example& e = example();
  const LatentPosterior other{e.at.mean.array() + 0.3, e.at.sd};
  const Predictive here = predict(e.fit, "a", e.seen, e.at, Threads(1)),
                   there = predict(e.fit, "a", e.seen, other, Threads(1));
  for (Index n = 0; n + 1 < e.seen.rows(); ++n)
    EXPECT_EQ(same_bytes(here.mean.row(n), there.mean.row(n)), lacks(e.seen, "a", n)) << n;
}

TEST(PredictAbsent, Refusals) {
  const Example& e = example();
  EXPECT_THROW(predict(e.fit, "d", e.seen, e.at, Threads(1)), InputError);
  EXPECT_THROW(predict(e.fit, "a", e.seen, {e.at.mean.topRows(5), e.at.sd.topRows(5)}, Threads(1)),
               std::invalid_argument);
}

}  // namespace
}  // namespace bochner::predict_absent_test
