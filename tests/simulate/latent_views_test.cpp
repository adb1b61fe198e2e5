#include "bochner/simulate/latent_views.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "bochner/core/errors.hpp"

namespace bochner::latent_views_test {
namespace {

const Threads one(1);

/// log density of the columns of F under N(0, K + 1e-4 I), per entry.
double log_density(const AnyKernel& kernel, const Matrix& X, const Matrix& F) {
  Eigen::MatrixXd S = gram(kernel, X, one);
  S.diagonal().array() += 1e-4;
  const Eigen::LLT<Eigen::MatrixXd> llt(S);
  const double log_det = 2 * Eigen::MatrixXd(llt.matrixL()).diagonal().array().log().sum();
  const Eigen::MatrixXd white = llt.matrixL().solve(Eigen::MatrixXd(F));
  return -0.5 * (log_2pi + (log_det + white.squaredNorm() / double(F.cols())) / double(F.rows()));
}

TEST(LatentViews, DefaultIsTheSingleViewDataSetOfThePaper) {
  const Simulated s = simulate_views(SCurveViews{}, Rng(1), one);
  EXPECT_EQ(s.data.rows(), 500);
  ASSERT_EQ(s.data.view_count(), 1);
  EXPECT_EQ(s.data.view(0).cols(), 100);
  EXPECT_EQ(s.X, s_curve(Rng(1)).X);
  EXPECT_EQ(s.t, s_curve(Rng(1)).t);
  const ViewTruth& truth = s.truth.at(0);
  EXPECT_EQ(s.data.view(0).Y, truth.Y);
  EXPECT_EQ(truth.mean, truth.F);
  EXPECT_EQ(truth.noise_variance, 0.25);
  const Matrix noise = truth.Y - truth.F;
  EXPECT_NEAR(noise.squaredNorm() / 50'000, 0.25, 4 * 0.25 * std::sqrt(2 / 50'000.0));
}

// Each view's functions must be likelier under the kernel they came from than under the others, by far.
TEST(LatentViews, EveryMapIsRecognisedByItsOwnKernel) {
  const std::vector<AnyKernel> kernels{rbf_map(), rbf_periodic_map(), gibbs_map()};
  std::vector<ViewRecipe> views;
  for (const char* name : {"a", "b", "c"})
    views.push_back({.name = name, .kernel = kernels[views.size()], .M = 40});
  const Simulated s = simulate_views({.curve = {.N = 150}, .views = views}, Rng(2), one);
  for (std::size_t v = 0; v < 3; ++v) {
    const double own = log_density(kernels[v], s.X, s.truth[v].F);
    for (std::size_t w = 0; w < 3; ++w) {
      if (w == v) continue;
      EXPECT_GT(own, log_density(kernels[w], s.X, s.truth[v].F) + 0.05) << v << w;
    }
  }
}

TEST(LatentViews, TwoViewsOfThePaper) {
  const Simulated s = simulate_views({.curve = {.N = 60}, .views = rbf_and_gibbs_views(8)}, Rng(3), one);
  ASSERT_EQ(s.data.view_count(), 2);
  EXPECT_EQ(s.data.view("rbf").cols(), 8);
  EXPECT_EQ(s.data.view("gibbs").cols(), 8);
  EXPECT_GT((s.truth[0].F - s.truth[1].F).norm(), 1);  // streams of their own
}

TEST(LatentViews, AnotherViewOrHolesChangeNothingElse) {
  const ViewRecipe a{.name = "a", .M = 6}, b{.name = "b", .M = 4, .emission = PoissonEmission{}};
  const SCurveOptions curve{.N = 50};
  const Simulated alone = simulate_views({.curve = curve, .views = {b}}, Rng(4), one);
  const Simulated both = simulate_views({.curve = curve, .views = {a, b}}, Rng(4), one);
  const Simulated holes = simulate_views(
      {.curve = curve, .views = {a, b}, .missing = {.samples = 0.2, .entries = 0.1}}, Rng(4), one);
  EXPECT_EQ(alone.truth[0].Y, both.truth[1].Y);
  EXPECT_EQ(holes.truth[1].Y, both.truth[1].Y);
  EXPECT_EQ(holes.truth[0].F, both.truth[0].F);
  EXPECT_EQ(holes.data.present(0).count(), 40);
  EXPECT_LT(holes.data.observed(), both.data.observed());
  for (Index n = 0; n < 50; ++n)
    for (Index m = 0; m < 4; ++m) {
      const double y = holes.data.view("b").Y(n, m);
      EXPECT_TRUE(std::isnan(y) || y == both.truth[1].Y(n, m));
    }
}

TEST(LatentViews, CountsKeepTheirRatesAsTruth) {
  const Simulated s =
      simulate_views({.curve = {.N = 80},
                      .views = {{.name = "poisson", .M = 30, .emission = PoissonEmission{}},
                                {.name = "nb", .M = 5, .emission = NegativeBinomialEmission{}},
                                {.name = "multinomial", .M = 7, .emission = MultinomialEmission{}},
                                {.name = "binomial", .M = 6, .emission = BinomialEmission{.trials = 3}}}},
                     Rng(5), one);
  EXPECT_LT((s.truth[0].mean.array().log() - s.truth[0].F.array()).abs().maxCoeff(), 1e-14);
  EXPECT_EQ(s.truth[1].dispersion, (Vector{{1, 2, 3, 4, 5}}));
  EXPECT_EQ(s.truth[2].F.rightCols(1).cwiseAbs().maxCoeff(), 0);
  EXPECT_GT(s.truth[2].F.leftCols(6).cwiseAbs().maxCoeff(), 0.5);
  for (Index n = 0; n < 80; ++n) EXPECT_EQ(s.truth[2].Y.row(n).sum(), 100);
  EXPECT_LE(s.truth[3].Y.maxCoeff(), 3);
  // Pearson residuals of the Poisson view: mean square 1, error from the residuals themselves.
  const Matrix& rate = s.truth[0].mean;
  const Vector r2 = ((s.truth[0].Y - rate).array().square() / rate.array()).reshaped();
  const double se = std::sqrt((r2.array() - r2.mean()).square().mean() / double(r2.size()));
  EXPECT_NEAR(r2.mean(), 1, 4 * se);
}

TEST(LatentViews, SameBytesForAnyNumberOfThreads) {
  const SCurveViews recipe{.curve = {.N = 260}, .views = rbf_and_gibbs_views(5)};
  const Simulated expected = simulate_views(recipe, Rng(6), one);
  for (const int threads : {2, 7}) {
    const Simulated s = simulate_views(recipe, Rng(6), Threads(threads));
    for (std::size_t v = 0; v < 2; ++v) EXPECT_EQ(s.truth[v].Y, expected.truth[v].Y);
  }
}

TEST(LatentViews, BadRecipesAreRefused) {
  const Matrix X = Matrix::Ones(5, 2);
  const Vector t = Vector::Zero(5);
  EXPECT_THROW(simulate_views(X, t, {}, {}, Rng(1), one), std::exception);
  EXPECT_THROW(simulate_views(X, t.head(4), {ViewRecipe{}}, {}, Rng(1), one), std::invalid_argument);
  EXPECT_THROW(simulate_views(X, t, {ViewRecipe{.kernel = rbf_map(3)}}, {}, Rng(1), one),
               std::invalid_argument);
  EXPECT_THROW(simulate_views(X, t, {ViewRecipe{.M = 0}}, {}, Rng(1), one), std::exception);
  EXPECT_THROW(simulate_views(X, t, {ViewRecipe{}, ViewRecipe{}}, {}, Rng(1), one),
               InputError);  // one name twice
}

}  // namespace
}  // namespace bochner::latent_views_test
