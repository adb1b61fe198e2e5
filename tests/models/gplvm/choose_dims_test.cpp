#include "bochner/models/gplvm/choose_dims.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "examples.hpp"

namespace bochner {
namespace {

/// Two views of smooth functions of `dims` latents, and noise.
Dataset smooth_table(Index dims, Index rows, std::uint64_t seed) {
  const Rng rng(seed);
  const Matrix X = rng.split("x").normal(rows, dims);
  std::vector<View> views;
  for (const char* name : {"a", "b"}) {
    const Rng own = rng.split(name);
    constexpr Index waves = 60, columns = 30;
    const Matrix W = 0.6 * own.split("w").normal(dims, waves);
    Matrix phase(1, waves);
    for (Index i = 0; i < waves; ++i) phase(0, i) = 0.1 * double(i);
    Matrix F = ((X * W).rowwise() + phase.row(0)).array().cos();
    F = F * own.split("b").normal(waves, columns) * std::sqrt(2.0 / waves);
    views.push_back(make_view(name, F + 0.2 * own.split("noise").normal(rows, columns)));
  }
  return join(std::move(views));
}

TEST(ChooseDims, FindsTheTruth) {
  for (const Index truth : {2, 3}) {
    const DimsChoice choice = choose_dims(smooth_table(truth, 120, 7), {}, 20, 1, Threads(2));
    EXPECT_EQ(choice.dims, truth);
    ASSERT_GE(Index(choice.trials.size()), truth);
    EXPECT_EQ(choice.trials.front().dims, 1);
  }
}

TEST(ChooseDims, OneForNoise) {
  const Dataset noise = join({make_view("a", Rng(3).normal(80, 12))});
  EXPECT_EQ(choose_dims(noise, {}, 20, 1, Threads(1)).dims, 1);
}

TEST(ChooseDims, StopsWhenAskedAndAtTheMost) {
  const Dataset data = smooth_table(3, 60, 5);
  const DimsChoice stopped = choose_dims(data, {}, 20, 1, Threads(1), [](Index dims) { return dims < 2; });
  EXPECT_EQ(stopped.trials.size(), 1u);
  EXPECT_TRUE(stopped.stopped);
  EXPECT_LE(choose_dims(data, {}, 2, 1, Threads(1)).dims, 2);
  EXPECT_THROW(choose_dims(data, {}, 0, 1, Threads(1)), std::invalid_argument);
}

// One hidden column of a label is known from the others of the sample: that is no evidence for a dimension.
TEST(ChooseDims, LabelsAreNotJudged) {
  const Index N = 90;
  Rng rng(4);
  Matrix labels = Matrix::Zero(N, 5);
  for (Index n = 0; n < N; ++n) labels(n, Index(rng.uniform() * 5)) = 1;
  const Dataset data = join({make_view("noise", Rng(3).normal(N, 12)), make_view("labels", labels)});
  const DimsChoice leaky = choose_dims(data, {}, 2, 1, Threads(2)),
                   honest = choose_dims(data, {}, 2, 1, Threads(2), {}, "labels");
  // Of noise nothing is known, of labels much: errors of both together are lower.
  EXPECT_GT(honest.trials.back().error, 0.9);
  EXPECT_LT(leaky.trials.back().error, honest.trials.back().error - 0.05);
  EXPECT_EQ(honest.dims, 1);
  EXPECT_FALSE(honest.stopped);
}

// Among the entries of 240 columns what the eight of the other view gain is lost in noise.
TEST(ChooseDims, ADimensionOfASmallViewPays) {
  for (const int seed : {7, 8, 9}) {
    const Rng rng(seed);
    const Matrix X = rng.split("x").normal(100, 2);
    const Matrix large = X.col(0) * rng.split("a").normal(1, 240),
                 small = X.col(1) * rng.split("b").normal(1, 8);
    const Dataset data = join({make_view("large", large + 1.0 * rng.split("large").normal(100, 240)),
                               make_view("small", small + 0.3 * rng.split("small").normal(100, 8))});
    EXPECT_EQ(choose_dims(data, {}, 20, 1, Threads(2)).dims, 2) << seed;
  }
}

TEST(ChooseDimsOperations, GrowWithWhatIsTried) {
  const TableShape table{.rows = 300, .columns = {50, 20}};
  const auto cost = [&](Index rows, Index most) {
    return choose_dims_operations({.rows = rows, .columns = table.columns}, {}, most);
  };
  EXPECT_GT(cost(300, 1), 0);
  EXPECT_NEAR(cost(300, 2), 3 * cost(300, 1), 1e-9 * cost(300, 2)) << "one, two, and one again";
  EXPECT_GT(cost(300, 20), cost(300, 2));
  EXPECT_EQ(cost(300, 20), cost(300, 10));
  EXPECT_EQ(cost(100000, 20), cost(500, 20)) << "on a part of the samples";
  EXPECT_EQ(cost(15, 20), cost(15, 1)) << "a tenth of the samples at most";
}

}  // namespace
}  // namespace bochner
