#include "bochner/models/gplvm/cross_view.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "bochner/core/errors.hpp"
#include "examples.hpp"

namespace bochner {
namespace {

using testing::same_bytes;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Views a = S A + H_a W_a + noise, b = shared S B + H_b W_b + noise: a signal that both have, correlated structure that is
/// each view's own, and noise.
struct TwoViews {
  Matrix A, B, Wa, Wb;
  double shared = 1, noise = 0.5;

  static TwoViews make(double shared, Rng rng) {
    return {rng.normal(2, 20), rng.normal(2, 15), rng.normal(3, 20), rng.normal(3, 15), shared};
  }
  std::vector<View> draw(Index N, Rng rng) const {
    const Matrix S = rng.normal(N, 2);
    return {
        make_view("a", S * A + rng.normal(N, 3) * Wa + noise * rng.normal(N, 20)),
        make_view("b", (shared * S * B + rng.normal(N, 3) * Wb + noise * rng.normal(N, 15)).array() + 7.0)};
  }
  /// E[b | a] with everything known.
  Matrix oracle(const Matrix& a) const {
    Matrix C = A.transpose() * A + Wa.transpose() * Wa;
    C.diagonal().array() += noise * noise;
    return ((shared * B.transpose() * A) * C.llt().solve(a.transpose())).transpose().array() + 7.0;
  }
};

/// A predictor needs scaling and columns of a fit, and nothing that its optimiser finds.
GplvmFit quick_fit(const Dataset& data, ViewScaling scaling = ViewScaling::automatic) {
  return fit_gplvm(data,
                   {.dims = 1,
                    .view = {.kernel = "rbf", .scaling = scaling},
                    .steps = 2,
                    .cooling = 1,
                    .race = false,
                    .restarts = 1},
                   1, Threads(1));
}

double r2(const Matrix& Y, const Matrix& F, const Matrix& train) {
  const Eigen::RowVectorXd mean = train.colwise().mean();
  return 1 - (Y - F).squaredNorm() / (Y.rowwise() - mean).squaredNorm();
}

double coverage(const Matrix& Y, const Predictive& p) {
  return ((Y - p.mean).array().abs() <= 1.6449 * p.y_variance.array().sqrt()).cast<double>().mean();
}

/// Hides a share of the entries of view a.
std::vector<View> hide_some(std::vector<View> views, double share, Rng rng) {
  for (double& y : views[0].Y.reshaped())
    if (rng.uniform() < share) y = nan;
  return views;
}

TEST(CrossView, PredictsAsWellAsTheOracleRegression) {
  const TwoViews truth = TwoViews::make(1, Rng(1));
  const Dataset train = join(truth.draw(300, Rng(2))), test = join(truth.draw(400, Rng(3)));
  const GplvmFit fit = quick_fit(train);
  const CrossViewPredictor p = fit_cross_view(fit, train, {"a"}, "b", Rng(4), Threads(1));
  const Predictive at = predict(p, fit, test, Threads(1));
  const Matrix &Y = test.view("b").Y, &seen = train.view("b").Y;
  const double best = r2(Y, truth.oracle(test.view("a").Y), seen);
  EXPECT_GT(best, 0.25);
  EXPECT_GT(r2(Y, at.mean, seen), best - 0.03);
  EXPECT_LT(r2(Y, at.mean, seen), best + 0.03);
  EXPECT_NEAR(p.explained, best, 0.1);
  EXPECT_GT(coverage(Y, at), 0.86);
  EXPECT_LT(coverage(Y, at), 0.94);
  EXPECT_TRUE((at.f_variance.array() >= 0).all());
  EXPECT_TRUE((at.y_variance.array() > at.f_variance.array()).all());
}

TEST(CrossView, ShrinksAViewThatCannotBePredictedToItsMeans) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const TwoViews truth = TwoViews::make(0, Rng(seed));
    const Dataset train = join(truth.draw(120, Rng(seed).split("train"))),
                  test = join(truth.draw(400, Rng(seed).split("test")));
    const GplvmFit fit = quick_fit(train);
    const Predictive at =
        predict(fit_cross_view(fit, train, {"a"}, "b", Rng(4), Threads(1)), fit, test, Threads(1));
    EXPECT_NEAR(r2(test.view("b").Y, at.mean, train.view("b").Y), 0, 0.02) << seed;
    EXPECT_GT(coverage(test.view("b").Y, at), 0.86) << seed;
    EXPECT_LT(coverage(test.view("b").Y, at), 0.94) << seed;
  }
}

TEST(CrossView, FindsWhatNoLinearRegressionFinds) {
  const auto draw = [](Index N, Rng rng) {
    const Matrix S = rng.normal(N, 1), A = Rng(8).normal(1, 12), B = Rng(9).normal(1, 6);
    const Matrix squares = (S.array().square() - 1).matrix();
    return join({make_view("a", S * A + 0.3 * rng.normal(N, 12)),
                 make_view("b", squares * B + 0.3 * rng.normal(N, 6))});
  };
  const Dataset train = draw(200, Rng(1)), test = draw(200, Rng(2));
  const GplvmFit fit = quick_fit(train);
  const CrossViewPredictor p = fit_cross_view(fit, train, {"a"}, "b", Rng(4), Threads(1));
  EXPECT_GT(p.share, 0);
  EXPECT_GT(r2(test.view("b").Y, predict(p, fit, test, Threads(1)).mean, train.view("b").Y), 0.8);
}

TEST(CrossView, FillsMissingEntriesFromTheOthers) {
  const TwoViews truth = TwoViews::make(1, Rng(1));
  const std::vector<View> whole = truth.draw(300, Rng(2)), whole_test = truth.draw(300, Rng(3));
  const Dataset train = join(hide_some(whole, 0.3, Rng(5))), test = join(hide_some(whole_test, 0.3, Rng(6)));
  const GplvmFit fit = quick_fit(train);
  CrossViewPredictor p = fit_cross_view(fit, train, {"a"}, "b", Rng(4), Threads(1));
  const double best = r2(whole_test[1].Y, truth.oracle(whole_test[0].Y), whole[1].Y);
  const double ours = r2(whole_test[1].Y, predict(p, fit, test, Threads(1)).mean, whole[1].Y);
  EXPECT_GT(ours, best - 0.08);
  p.inputs.fill = Matrix(p.inputs.centre.size(), 0);  // entries at their means
  p.inputs.penalty = Vector(0);
  EXPECT_GT(ours, r2(whole_test[1].Y, predict(p, fit, test, Threads(1)).mean, whole[1].Y) + 0.01);
}

TEST(CrossView, LearnsEachColumnFromItsMeasuredEntries) {
  const TwoViews truth = TwoViews::make(1, Rng(1));
  std::vector<View> views = truth.draw(300, Rng(2));
  Rng rng(5);
  Matrix& Y = views[1].Y;
  const Matrix whole = Y;
  for (double& y : Y.reshaped())
    if (rng.uniform() < 0.4) y = nan;
  Y.col(3).setConstant(nan);   // never measured
  Y.col(4).setConstant(-2.5);  // does not vary
  Y.col(5).tail(298).setConstant(nan);
  const Dataset train = join(views), test = join(truth.draw(300, Rng(3)));
  const GplvmFit fit = quick_fit(train);
  const Predictive at =
      predict(fit_cross_view(fit, train, {"a"}, "b", Rng(4), Threads(1)), fit, test, Threads(1));
  EXPECT_TRUE(at.mean.col(3).array().isNaN().all());
  EXPECT_LT((at.mean.col(4).array() + 2.5).abs().maxCoeff(), 1e-9);
  EXPECT_TRUE(at.mean.col(5).allFinite());
  const Matrix F = at.mean.rightCols(9), truth_F = truth.oracle(test.view("a").Y).rightCols(9);
  const Matrix test_Y = test.view("b").Y.rightCols(9), train_Y = whole.rightCols(9);
  EXPECT_GT(r2(test_Y, F, train_Y), r2(test_Y, truth_F, train_Y) - 0.05);
}

TEST(CrossView, ThreadsDoNotChangeAByte) {
  const TwoViews truth = TwoViews::make(1, Rng(1));
  const Dataset train = join(hide_some(truth.draw(500, Rng(2)), 0.1, Rng(5)));
  const GplvmFit fit = quick_fit(train);
  const CrossViewPredictor one = fit_cross_view(fit, train, {"a"}, "b", Rng(4), Threads(1));
  const CrossViewPredictor two = fit_cross_view(fit, train, {"a"}, "b", Rng(4), Threads(2));
  EXPECT_EQ(format_model(cross_view_group(one)), format_model(cross_view_group(two)));
  const Predictive a = predict(one, fit, train, Threads(1)), b = predict(two, fit, train, Threads(2));
  EXPECT_TRUE(same_bytes(a.mean, b.mean));
  EXPECT_TRUE(same_bytes(a.f_variance, b.f_variance));
  EXPECT_TRUE(same_bytes(a.y_variance, b.y_variance));
}

TEST(CrossView, ARowAloneHasTheBytesThatItHasInCompany) {
  const TwoViews truth = TwoViews::make(1, Rng(1));
  const Dataset train = join(truth.draw(80, Rng(2))),
                test = join(hide_some(truth.draw(37, Rng(3)), 0.2, Rng(6)));
  const GplvmFit fit = quick_fit(train);
  const CrossViewPredictor p = fit_cross_view(fit, train, {"a"}, "b", Rng(4), Threads(1));
  const Predictive all = predict(p, fit, test, Threads(2));
  for (const Index n : {0, 1, 18, 36}) {
    const Predictive one = predict(p, fit, test.take_rows(IndexVector::Constant(1, n)), Threads(1));
    EXPECT_TRUE(same_bytes(one.mean, all.mean.row(n))) << n;
    EXPECT_TRUE(same_bytes(one.y_variance, all.y_variance.row(n))) << n;
  }
}

TEST(CrossView, DoesNotExtrapolateToAnOutlier) {
  const TwoViews truth = TwoViews::make(1, Rng(1));
  const Dataset train = join(truth.draw(200, Rng(2)));
  std::vector<View> odd = truth.draw(1, Rng(3));
  odd[0].Y *= 1e6;
  const GplvmFit fit = quick_fit(train);
  const Predictive at =
      predict(fit_cross_view(fit, train, {"a"}, "b", Rng(4), Threads(1)), fit, join(odd), Threads(1));
  const double widest = (train.view("b").Y.array() - 7).abs().maxCoeff();
  EXPECT_LT((at.mean.array() - 7).abs().maxCoeff(), 2 * widest);
}

TEST(CrossView, ReadsWhatItWrote) {
  const TwoViews truth = TwoViews::make(1, Rng(1));
  const Dataset train = join(hide_some(truth.draw(60, Rng(2)), 0.1, Rng(5)));
  const GplvmFit fit = quick_fit(train);
  const CrossViewModels models = fit_cross_views(fit, train, Rng(4), Threads(1));
  const std::string bytes = format_model(cross_views_group(models));
  const CrossViewModels again = cross_views_from(parse_model(bytes, "file"), fit);
  EXPECT_EQ(format_model(cross_views_group(again)), bytes);
  EXPECT_TRUE(same_bytes(predict(models, fit, "b", train, Threads(1)).y_variance,
                         predict(again, fit, "b", train, Threads(1)).y_variance));

  CrossViewPredictor p = models.predictors[0];
  const auto refused = [&](auto change) {
    CrossViewPredictor wrong = p;
    change(wrong);
    EXPECT_THROW(cross_view_from(cross_view_group(wrong), fit), InputError);
  };
  refused([](CrossViewPredictor& w) { w.inputs.loadings.conservativeResize(5, w.inputs.loadings.cols()); });
  refused([](CrossViewPredictor& w) { w.inputs.from = {"nobody"}; });
  refused([](CrossViewPredictor& w) { w.inputs.from = {}; });
  refused([](CrossViewPredictor& w) { w.inputs.from = {w.target}; });
  refused([](CrossViewPredictor& w) { w.spectrum(0) = 0; });
  refused([](CrossViewPredictor& w) { w.weights(0, 0) = nan; });
  refused([](CrossViewPredictor& w) { w.weights.conservativeResize(2, w.weights.cols()); });
  refused([](CrossViewPredictor& w) { w.noise(0) = -1; });
  refused([](CrossViewPredictor& w) { w.share = 1.5; });
  refused([](CrossViewPredictor& w) { w.inputs.unit = 0; });
}

TEST(CrossView, LargeMatricesAreInSinglePrecision) {
  constexpr Index N = 120, wide = 1500;
  const Matrix S = Rng(1).normal(N, 3);
  const Dataset data = join({make_view("a", S * Rng(2).normal(3, wide) + 0.5 * Rng(3).normal(N, wide)),
                             make_view("b", S * Rng(4).normal(3, wide) + 0.5 * Rng(5).normal(N, wide))});
  const CrossViewPredictor p = fit_cross_view(quick_fit(data), data, {"a"}, "b", Rng(6), Threads(2));
  ASSERT_GE(p.weights.size(), 65536);
  ASSERT_GE(p.inputs.loadings.size(), 65536);
  EXPECT_EQ(p.weights, Matrix(p.weights.cast<float>().cast<double>()));
  EXPECT_EQ(p.inputs.loadings, Matrix(p.inputs.loadings.cast<float>().cast<double>()));
  const Vector exact = p.centre;  // small things are as they were learned
  EXPECT_NE(exact, Vector(exact.cast<float>().cast<double>()));
}

TEST(CrossView, LearnsTheMeansFromAHandfulOfSamples) {
  const TwoViews truth = TwoViews::make(1, Rng(1));
  std::vector<View> views = truth.draw(40, Rng(2));
  views[1].Y.bottomRows(34).setConstant(nan);
  const Dataset train = join(views);
  const GplvmFit fit = quick_fit(train);
  const CrossViewPredictor p = fit_cross_view(fit, train, {"a"}, "b", Rng(4), Threads(1));
  const Predictive at = predict(p, fit, train, Threads(1));
  const Eigen::RowVectorXd mean = views[1].Y.topRows(6).colwise().mean();
  EXPECT_LT((at.mean.rowwise() - mean).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_TRUE((at.y_variance.array() > 0).all());
  const CrossViewPredictor again =
      cross_view_from(parse_model(format_model(cross_view_group(p)), "file"), fit);
  EXPECT_TRUE(same_bytes(predict(again, fit, train, Threads(1)).mean, at.mean));
}

TEST(CrossView, RefusesSetsThatMakeNoSense) {
  const Dataset train = join(TwoViews::make(1, Rng(1)).draw(30, Rng(2)));
  const GplvmFit fit = quick_fit(train);
  EXPECT_THROW(fit_cross_view(fit, train, {}, "b", Rng(4), Threads(1)), std::invalid_argument);
  EXPECT_THROW(fit_cross_view(fit, train, {"b"}, "b", Rng(4), Threads(1)), std::invalid_argument);
  EXPECT_THROW(fit_cross_view(fit, train, {"a", "a"}, "b", Rng(4), Threads(1)), std::invalid_argument);
  EXPECT_THROW(fit_cross_view(fit, train, {"c"}, "b", Rng(4), Threads(1)), InputError);
}

/// Views v0, v1, .. of three columns that share one signal.
Dataset many_views(Index V, Index N, Rng rng) {
  const Matrix S = rng.normal(N, 1);
  std::vector<View> views;
  for (Index v = 0; v < V; ++v)
    views.push_back(make_view("v" + std::to_string(v), S * Matrix::Ones(1, 3) + 0.5 * rng.normal(N, 3)));
  return join(views);
}

TEST(CrossViews, LearnsEverySubsetOfThreeViewsAndAFewOfMany) {
  const Dataset three = many_views(3, 30, Rng(1));
  EXPECT_EQ(cross_view_sets(quick_fit(three), three).size(), 6u);
  const Dataset eight = many_views(8, 30, Rng(1));
  std::vector<Matrix> values;
  for (const View& view : eight.views()) values.push_back(view.Y);
  for (const std::size_t v : {1u, 4u, 6u}) values[v].topRows(10).setConstant(nan);
  const Dataset some = eight.with_values(values);
  const std::vector<std::vector<std::string>> sets = cross_view_sets(quick_fit(some), some);
  EXPECT_EQ(sets.size(), 17u);  // eight without one, eight alone, and the one that occurs
  EXPECT_EQ(sets[8], (std::vector<std::string>{"v0", "v2", "v3", "v5", "v7"}));
  const Dataset thirty = many_views(30, 20, Rng(1));
  EXPECT_EQ(cross_view_sets(quick_fit(thirty), thirty).size(), 30u);
}

TEST(CrossViews, TakeTheLargestSetThatARowHas) {
  const Dataset train = many_views(3, 100, Rng(1));
  const GplvmFit fit = quick_fit(train);
  const CrossViewModels models = fit_cross_views(fit, train, Rng(4), Threads(1));
  EXPECT_EQ(models.predictors.size(), 9u);
  EXPECT_EQ(models.choose({"v0", "v1"}, "v2")->inputs.from, (std::vector<std::string>{"v0", "v1"}));
  EXPECT_EQ(models.choose({"v1", "v2"}, "v2")->inputs.from, (std::vector<std::string>{"v1"}));
  EXPECT_EQ(models.choose({"v2"}, "v2"), nullptr);

  std::vector<Matrix> values;
  for (const View& view : train.views()) values.push_back(view.Y.topRows(3));
  values[2].setConstant(nan);
  values[0].row(1).setConstant(nan);
  values[0].row(2).setConstant(nan), values[1].row(2).setConstant(nan);
  const Dataset rows = train.take_rows(IndexVector::LinSpaced(3, 0, 2)).with_values(values);
  const Predictive at = predict(models, fit, "v2", rows, Threads(1));
  EXPECT_TRUE(same_bytes(at.mean.row(0),
                         predict(*models.choose({"v0", "v1"}, "v2"), fit, rows, Threads(1)).mean.row(0)));
  EXPECT_TRUE(
      same_bytes(at.mean.row(1), predict(*models.choose({"v1"}, "v2"), fit, rows, Threads(1)).mean.row(1)));
  EXPECT_TRUE(at.mean.row(2).array().isNaN().all());
}

}  // namespace
}  // namespace bochner
