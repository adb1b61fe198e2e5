// Tables that nobody wants.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "examples.hpp"

namespace bochner::pathological_test {
namespace {

using namespace testing;

TEST(KpcaPathological, FewerThanThreeCompleteSamples) {
  auto Y = three_tables(1, 10);
  for (Index i = 2; i < 10; ++i) Y[std::size_t(i % 3)](i, 0) = not_measured;
  const std::string message = input_error([&] { fit_kpca(tables(Y), {}, 1, Threads(1)); });
  EXPECT_NE(message.find("2 of 10"), std::string::npos) << message;
  EXPECT_THROW(fit_kpca(tables(rows_of(Y, 0, 1)), {}, 1, Threads(1)), InputError);
  Y[2].row(2) = Y[2].row(0);  // the third
  EXPECT_EQ(fit_kpca(tables(Y), {.view = {.kernel = "linear"}}, 1, Threads(1)).ids.size(), 3u);
}

TEST(KpcaPathological, ConstantColumnsSayNothing) {
  const auto Y = three_tables(1, 40);
  Matrix wider(40, 6);
  wider << Matrix::Constant(40, 1, 7), Y[0], Matrix::Constant(40, 1, -1e9);
  for (const std::string kernel : {"linear", "rbf", "poly2"}) {
    const KpcaOptions options{.dims = 3, .view = {.kernel = kernel, .lengthscale = 2}};
    const KpcaFit with = fit_kpca(tables({wider}), options, 1, Threads(1)),
                  without = fit_kpca(tables({Y[0]}), options, 1, Threads(1));
    EXPECT_LT(largest(with.lambda - without.lambda), 1e-8 * without.lambda(0)) << kernel;
    EXPECT_LT(largest(with_signs_of(with.H, without.H) - without.H), 1e-8) << kernel;
    const Matrix back = predict_view(with, 0, with.H, {}, Threads(1));
    EXPECT_LT(largest((back.col(0).array() - 7).matrix()), 1e-9) << kernel;
    EXPECT_LT(largest((back.col(5).array() + 1e9).matrix()), 1e-3) << kernel;
  }
}

TEST(KpcaPathological, AConstantViewSaysNothing) {
  const auto Y = three_tables(1, 40);
  const Matrix constant = Matrix::Constant(40, 2, 5);
  for (const std::string kernel : {"linear", "rbf", "poly2"}) {
    const KpcaOptions options{.dims = 3, .view = {.kernel = kernel}};
    const KpcaFit with = fit_kpca(tables({Y[0], constant}), options, 1, Threads(1)),
                  without = fit_kpca(tables({Y[0]}), options, 1, Threads(1));
    EXPECT_LT(largest(with.lambda - without.lambda), 1e-8 * without.lambda(0)) << kernel;
    // known from the first view, it is what it always was; and alone it tells nothing
    const Matrix known = predict_from_others(with, 1, tables({Y[0], constant}), Threads(1));
    EXPECT_LT(largest(known - constant), 1e-8) << kernel;
    const Matrix h = embed(with, join({make_view("b", constant)}), Threads(1));
    EXPECT_LT(largest(h), 1e-8) << kernel;
  }
}

TEST(KpcaPathological, AllSamplesEqual) {
  for (const std::string kernel : {"linear", "rbf", "poly2", "matern32"})
    for (const KpcaSolver solver : {KpcaSolver::automatic, KpcaSolver::dual, KpcaSolver::dual_stiefel}) {
      const Matrix Y = Matrix::Constant(20, 3, 1.7);
      const std::string message = input_error(
          [&] { fit_kpca(tables({Y}), {.view = {.kernel = kernel}, .solver = solver}, 1, Threads(1)); });
      EXPECT_NE(message.find("same"), std::string::npos) << message;
    }
}

TEST(KpcaPathological, RoundingIsNoVariance) {
  // the Gram matrix is constant, and centring leaves the last digits of its entries
  const Matrix far = Matrix::Constant(20, 3, 1.7e7), Y = three_tables(1, 30)[0];
  const FeatureSpec itself{.kind = FeatureSpec::Kind::exact};
  EXPECT_THROW(
      fit_kpca(tables({far}), {.view = {.kernel = "poly3", .features = itself, .scaling = ScalingKind::none}},
               1, Threads(1)),
      InputError);
  EXPECT_THROW(fit_kpca(tables({Y}), {.view = {.kernel = "rbf", .lengthscale = 1e8}}, 1, Threads(1)),
               InputError);
  const KpcaFit wide =
      fit_kpca(tables({Y}), {.dims = 3, .view = {.kernel = "rbf", .lengthscale = 1e4}}, 1, Threads(1));
  const KpcaFit linear = fit_kpca(tables({Y}), {.dims = 3, .view = {.kernel = "linear"}}, 1, Threads(1));
  EXPECT_LT(largest(wide.explained() - linear.explained()), 1e-5);  // a wide rbf is linear
}

TEST(KpcaPathological, MoreComponentsThanTheRank) {
  const Matrix Z = Rng(3).normal(30, 2), Y = Z * Rng(4).normal(2, 6);  // rank 2 in 6 columns
  for (const KpcaSolver solver :
       {KpcaSolver::primal, KpcaSolver::dual, KpcaSolver::primal_stiefel, KpcaSolver::dual_stiefel}) {
    const KpcaFit fit =
        fit_kpca(tables({Y}), {.dims = 5, .view = {.kernel = "linear"}, .solver = solver}, 1, Threads(1));
    EXPECT_EQ(fit.dims(), 2) << int(solver);
    EXPECT_EQ(fit.H.cols(), 2);
    EXPECT_EQ(fit.views[0].G.rows(), 2);
    EXPECT_EQ(fit.views[0].U.cols(), 2);
    EXPECT_GT(fit.lambda.minCoeff(), 0);
    EXPECT_NEAR(fit.explained().sum(), 1, 1e-10) << int(solver);
    EXPECT_LT(largest(fit.H.transpose() * fit.H - Matrix::Identity(2, 2)), 1e-10) << int(solver);
    ASSERT_EQ(fit.notes.size(), 1u) << int(solver);
    EXPECT_NE(fit.notes[0].find("2 components with any variance, not 5"), std::string::npos) << fit.notes[0];
    EXPECT_LT(largest(predict_view(fit, 0, fit.H, {}, Threads(1)) - Y), 1e-8) << int(solver);
  }
}

TEST(KpcaPathological, MoreComponentsThanSamples) {
  const Matrix Y = Rng(3).normal(12, 5);
  for (const std::string kernel : {"linear", "rbf", "poly2"}) {
    const KpcaFit fit = fit_kpca(tables({Y}), {.dims = 50, .view = {.kernel = kernel}}, 1, Threads(1));
    EXPECT_EQ(fit.dims(), kernel == "linear" ? 5 : 11) << kernel;
    EXPECT_TRUE(fit.H.allFinite());
    EXPECT_LT(largest(fit.H.transpose() * fit.H - Matrix::Identity(fit.dims(), fit.dims())), 1e-9) << kernel;
    EXPECT_EQ(fit.notes.size(), 1u) << kernel;
    EXPECT_NEAR(fit.explained().sum(), 1, 1e-9) << kernel;
    EXPECT_LT(largest(embed(fit, tables({Y}), Threads(1)) - fit.H), 1e-8) << kernel;
  }
}

TEST(KpcaPathological, RepeatedSamples) {
  Matrix Y(40, 4);
  Y << three_tables(1, 20)[0], three_tables(1, 20)[0];
  for (const FeatureSpec::Kind kind :
       {FeatureSpec::Kind::exact, FeatureSpec::Kind::nystrom, FeatureSpec::Kind::random}) {
    const KpcaFit fit = fit_kpca(
        tables({Y}), {.dims = 30, .view = {.kernel = "rbf", .features = {.kind = kind, .count = 40}}}, 1,
        Threads(1));
    EXPECT_LE(fit.dims(), 19) << int(kind);
    EXPECT_TRUE(fit.H.allFinite());
    EXPECT_LT(largest(fit.H.topRows(20) - fit.H.bottomRows(20)), 1e-6) << int(kind);
  }
}

TEST(KpcaPathological, ViewsAreFoundByNameAndOtherColumnsRefused) {
  const auto Y = three_tables(1, 30);
  const KpcaFit fit = fit_kpca(tables(Y), {.dims = 3, .view = {.kernel = "rbf"}}, 1, Threads(1));
  const Dataset data = tables(Y);
  std::vector<View> views = data.views();
  std::rotate(views.begin(), views.begin() + 1, views.end());
  views.push_back(make_view("stranger", Rng(1).normal(30, 2)));  // is left aside
  EXPECT_EQ(embed(fit, join(views), Threads(1)), embed(fit, data, Threads(1)));
  EXPECT_THROW(embed(fit, join({make_view("stranger", Y[0])}), Threads(1)), InputError);

  const auto refused = [&](const View& changed) {
    return input_error([&] { embed(fit, join({changed, data.view(1)}), Threads(1)); });
  };
  View other = data.view(0), fewer = other, swapped = other;
  other.columns[1] = "nobody";
  fewer.columns.pop_back();
  fewer.Y = Y[0].leftCols(3);
  std::swap(swapped.columns[0], swapped.columns[1]);  // never silently in the wrong place
  for (const View& view : {other, fewer, swapped}) {
    const std::string message = refused(view);
    EXPECT_NE(message.find("'a'"), std::string::npos) << message;
  }
}

TEST(KpcaPathological, OptionsThatCannotBe) {
  const auto Y = three_tables(1, 30);
  const auto fit = [&](const KpcaOptions& options) { return fit_kpca(tables(Y), options, 1, Threads(1)); };
  EXPECT_ANY_THROW(fit({.dims = 0}));
  EXPECT_ANY_THROW(fit({.view = {.weight = 0}}));
  EXPECT_ANY_THROW(fit({.view = {.weight = -1}}));
  EXPECT_ANY_THROW(fit({.view = {.weight = std::nan("")}}));
  EXPECT_ANY_THROW(fit({.view = {.lengthscale = -1}}));
  EXPECT_THROW(fit({.view = {.kernel = "no such kernel"}}), InputError);
  EXPECT_ANY_THROW(fit({.own = {{}, {}, {}, KpcaViewOptions{}}}));  // more than there are views
  const std::string message =
      input_error([&] { fit({.view = {.kernel = "rbf"}, .solver = KpcaSolver::primal}); });
  EXPECT_NE(message.find("'a'"), std::string::npos) << message;
}

TEST(KpcaPathological, HugeAndTinyUnitsDoNotMatter) {
  const auto Y = three_tables(1, 40);
  std::vector<Matrix> other = Y;
  other[0] *= 1e150;
  other[1] *= 1e-150;
  other[2].array() += 1e6;
  const KpcaOptions options{.dims = 3, .view = {.kernel = "rbf", .lengthscale = 2}};
  const KpcaFit a = fit_kpca(tables(Y), options, 1, Threads(1)),
                b = fit_kpca(tables(other), options, 1, Threads(1));
  EXPECT_LT(largest(a.lambda - b.lambda), 1e-6 * a.lambda(0));
  EXPECT_LT(largest(with_signs_of(b.H, a.H) - a.H), 1e-6);
}

}  // namespace
}  // namespace bochner::pathological_test
