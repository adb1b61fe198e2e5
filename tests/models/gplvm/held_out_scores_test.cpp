#include "bochner/assess/held_out_scores.hpp"
#include "bochner/core/errors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/data/fills.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/kernels/linear.hpp"
#include "bochner/models/gplvm/assess.hpp"
#include "src/models/gplvm/weights.hpp"

namespace bochner::held_out_scores_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const Threads one(1);

/// With a linear kernel, Z = I and R = I the function is certain: f(x) = x'alpha. Known latents, no noise in them.
GplvmView linear_view(std::string name, const Matrix& alpha, const Scaling& scaling, double noise_variance) {
  GplvmView view{.name = std::move(name), .scaling = scaling, .kernel = Linear{.weight = Vector::Ones(2)}};
  for (Index m = 0; m < alpha.cols(); ++m) view.columns.push_back("c" + std::to_string(m));
  view.noise_variance = noise_variance;
  view.Z = Matrix::Identity(2, 2);
  set_functions(view, alpha, Matrix::Identity(2, 2));
  return view;
}

struct Example {
  Dataset data;
  std::vector<BoolMatrix> masks;
  GplvmFit fit;
};

/// Two views of 40 samples: three columns with scales of their own, and two columns as they are.
Example example() {
  const Index N = 40;
  const Matrix X = Rng(1).normal(N, 2), A = Rng(2).normal(2, 3), B = Rng(3).normal(2, 2);
  const Scaling by_column{
      .kind = ScalingKind::standardise, .centre = Vector{{100, 0, -3}}, .scale = Vector{{50, 0.1, 2}}};
  const Scaling none{.kind = ScalingKind::none, .centre = Vector::Zero(2), .scale = Vector::Ones(2)};
  Matrix first = by_column.undo(X * A + 0.3 * Rng(4).normal(N, 3)),
         second = X * B + 0.5 * Rng(5).normal(N, 2);
  first(3, 1) = nan;
  second.row(7).setConstant(nan);
  Dataset data = join({make_view("first", first), make_view("second", second)});
  std::vector<BoolMatrix> masks = held_out_masks(data, 0.2, Rng(6));
  GplvmFit fit{.ids = data.ids(), .latent = {X, Matrix::Zero(N, 2)}};
  fit.views = {linear_view("first", A, by_column, 0.09), linear_view("second", B, none, 0.25)};
  return {std::move(data), std::move(masks), std::move(fit)};
}

double root_mean_square(const Matrix& truth, const Matrix& guess, const BoolMatrix& where) {
  double sum = 0, count = 0;
  for (Index n = 0; n < truth.rows(); ++n)
    for (Index m = 0; m < truth.cols(); ++m)
      if (where(n, m)) sum += std::pow(truth(n, m) - guess(n, m), 2), ++count;
  return std::sqrt(sum / count);
}

TEST(HeldOutScores, AreThoseOfTheHiddenEntriesByHand) {
  const Example e = example();
  const std::vector<ViewScores> scores = held_out_scores(e.data, e.masks, e.fit, {}, Rng(9), one);
  const Dataset seen = hide(e.data, e.masks);
  Matrix beside(40, 5);
  beside << e.fit.views[0].scaling.apply(seen.view(0).Y), seen.view(1).Y;
  const Matrix low_rank = fill_low_rank(beside, {.rank = 2}, Rng(9), one),
               neighbours = fill_neighbours(beside, 5, one);
  ASSERT_EQ(scores.size(), 2u);
  for (std::size_t v = 0; v < 2; ++v) {
    const ViewScores& s = scores[v];
    const Matrix& Y = e.data.view(static_cast<Index>(v)).Y;
    const Scaling& scaling = e.fit.views[v].scaling;
    const BoolMatrix& mask = e.masks[v];
    EXPECT_EQ(s.view, v == 0 ? "first" : "second");
    EXPECT_EQ(s.entries, mask.count());
    ASSERT_GT(s.entries, 10);
    const Matrix mean = scaling.undo(e.fit.latent.mean * e.fit.views[v].G * e.fit.views[v].W);
    const Matrix means = fill_column_means(seen.view(static_cast<Index>(v)).Y);
    const Index at = v == 0 ? 0 : 3, M = v == 0 ? 3 : 2;
    const Matrix pca = scaling.undo(low_rank.middleCols(at, M)),
                 knn = scaling.undo(neighbours.middleCols(at, M));
    EXPECT_NEAR(s.rmse.model, root_mean_square(Y, mean, mask), 1e-10);
    EXPECT_NEAR(s.rmse.column_mean, root_mean_square(Y, means, mask), 1e-10);
    EXPECT_NEAR(s.rmse.low_rank, root_mean_square(Y, pca, mask), 1e-9);
    EXPECT_NEAR(s.rmse.neighbours, root_mean_square(Y, knn, mask), 1e-9);
    const Matrix Z = scaling.apply(Y);
    EXPECT_NEAR(s.scaled_rmse.model, root_mean_square(Z, scaling.apply(mean), mask), 1e-10);
    EXPECT_NEAR(s.scaled_rmse.column_mean, root_mean_square(Z, scaling.apply(means), mask), 1e-10);
    EXPECT_NEAR(s.scaled_rmse.low_rank, root_mean_square(Z, scaling.apply(pca), mask), 1e-9);
    EXPECT_NEAR(s.scaled_rmse.neighbours, root_mean_square(Z, scaling.apply(knn), mask), 1e-9);
    EXPECT_NEAR(s.r2, 1 - std::pow(s.scaled_rmse.model / s.scaled_rmse.column_mean, 2), 1e-12);
    double log_density = 0, inside = 0;
    for (Index n = 0; n < Y.rows(); ++n)
      for (Index m = 0; m < Y.cols(); ++m) {
        if (!mask(n, m)) continue;
        const double sd = std::sqrt(e.fit.views[v].noise_variance) * scaling.scale(m),
                     r = (Y(n, m) - mean(n, m)) / sd;
        log_density += -0.5 * r * r - std::log(sd) - 0.5 * log_2pi;
        inside += std::abs(r) <= 1.6448536269514722;
      }
    EXPECT_NEAR(s.log_density, log_density / static_cast<double>(s.entries), 1e-10);
    EXPECT_NEAR(s.coverage90, inside / static_cast<double>(s.entries), 1e-12);
  }
  // In the table's units the column with scale 50 drowns the others; scaled they count alike.
  EXPECT_GT(scores[0].rmse.model, 5);
  EXPECT_LT(scores[0].scaled_rmse.model, 0.6);
}

TEST(HeldOutScores, WhatIsLeftOutIsNaN) {
  const Example e = example();
  const auto few =
      held_out_scores(e.data, e.masks, e.fit, {.most_neighbour_work = 40.0 * 40 * 5 - 1}, Rng(9), one);
  EXPECT_TRUE(std::isnan(few[0].rmse.neighbours));
  EXPECT_TRUE(std::isnan(few[1].scaled_rmse.neighbours));
  EXPECT_FALSE(std::isnan(few[0].rmse.low_rank));
  const auto enough =
      held_out_scores(e.data, e.masks, e.fit, {.most_neighbour_work = 40.0 * 40 * 5}, Rng(9), one);
  EXPECT_FALSE(std::isnan(enough[0].rmse.neighbours));
  std::vector<BoolMatrix> one_view = e.masks;
  one_view[1].setConstant(false);
  const auto half = held_out_scores(e.data, one_view, e.fit, {}, Rng(9), one);
  EXPECT_GT(half[0].entries, 0);
  EXPECT_EQ(half[1].entries, 0);
  EXPECT_TRUE(std::isnan(half[1].rmse.model) && std::isnan(half[1].log_density) &&
              std::isnan(half[1].coverage90) && std::isnan(half[1].r2));
}

TEST(HeldOutScores, OfWhatDidNotVaryNothingIsSaidAndNothingSeen) {
  Example e = example();
  const auto scores = [&] { return held_out_scores(e.data, e.masks, e.fit, {}, Rng(9), one); };
  e.fit.views[0].constant = {2};
  const std::vector<ViewScores> ordinary = scores();
  Index left = 0;
  for (const Index m : {0, 1}) left += Index(e.masks[0].col(m).count());
  EXPECT_EQ(ordinary[0].entries, left);
  std::vector<View> views = {e.data.view(0), e.data.view(1)};
  for (Index n = 0; n < 40; ++n)
    if (e.masks[0](n, 2)) views[0].Y(n, 2) = 1e6;  // would draw PCA and the neighbours to itself
  e.data = join(std::move(views));
  const std::vector<ViewScores> odd = scores();
  for (std::size_t v = 0; v < 2; ++v) {
    EXPECT_EQ(odd[v].rmse.low_rank, ordinary[v].rmse.low_rank);
    EXPECT_EQ(odd[v].rmse.neighbours, ordinary[v].rmse.neighbours);
    EXPECT_EQ(odd[v].rmse.column_mean, ordinary[v].rmse.column_mean);
    EXPECT_EQ(odd[v].coverage90, ordinary[v].coverage90);
  }
}

TEST(HeldOutScores, EntriesAreKeptByThemselvesEvenlySpaced) {
  Example e = example();
  const auto all = held_out_scores(e.data, e.masks, e.fit, {}, Rng(9), one);
  const auto some = held_out_scores(e.data, e.masks, e.fit, {.most_entries = 7}, Rng(9), one);
  for (std::size_t v = 0; v < 2; ++v) {
    const View& view = e.data.view(Index(v));
    ASSERT_EQ(Index(all[v].predicted.size()), all[v].entries);
    double squares = 0, within = 0;
    for (const HeldOutEntry& own : all[v].predicted) {
      EXPECT_TRUE(e.masks[v](own.row, own.column));
      EXPECT_EQ(own.observed, view.Y(own.row, own.column));
      const double z = (own.observed - own.mean) / own.sd;
      EXPECT_NEAR(own.pit, 0.5 * (1 + std::erf(z / std::sqrt(2.0))), 1e-14);
      squares += std::pow(own.observed - own.mean, 2);
      within += std::abs(2 * own.pit - 1) <= 0.9 ? 1 : 0;
    }
    EXPECT_NEAR(std::sqrt(squares / double(all[v].entries)), all[v].rmse.model, 1e-10 * all[v].rmse.model);
    EXPECT_NEAR(within / double(all[v].entries), all[v].coverage90, 1e-14);
    EXPECT_EQ(some[v].predicted.size(), 7u);
    EXPECT_GT(some[v].predicted.back().row, 30);  // they reach to the end
    EXPECT_EQ(some[v].coverage90, all[v].coverage90);
  }
  e.fit.label_view = "second";
  EXPECT_TRUE(held_out_scores(e.data, e.masks, e.fit, {}, Rng(9), one)[1].predicted.empty());
}

TEST(HeldOutScores, MasksAndFitMustBeThoseOfTheData) {
  const Example e = example();
  EXPECT_THROW(held_out_scores(e.data, {e.masks[0]}, e.fit, {}, Rng(1), one), std::invalid_argument);
  GplvmFit other = e.fit;
  other.views.pop_back();
  EXPECT_THROW(held_out_scores(e.data, e.masks, other, {}, Rng(1), one), InputError);
}

}  // namespace
}  // namespace bochner::held_out_scores_test
