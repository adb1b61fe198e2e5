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
  EXPECT_LE(choose_dims(data, {}, 2, 1, Threads(1)).dims, 2);
  EXPECT_THROW(choose_dims(data, {}, 0, 1, Threads(1)), std::invalid_argument);
}

}  // namespace
}  // namespace bochner
