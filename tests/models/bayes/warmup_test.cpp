#include "src/models/bayes/warmup.hpp"

#include <gtest/gtest.h>

#include "bochner/models/bayes/bayes.hpp"
#include "bochner/models/bayes/file.hpp"

namespace bochner::warmup_test {
namespace {

std::vector<Vector> noise(Index chains, Index sweeps) {
  std::vector<Vector> out;
  for (Index c = 0; c < chains; ++c)
    out.push_back(Rng(1).split(static_cast<std::uint64_t>(c)).normal(sweeps));
  return out;
}

TEST(BayesWarmup, HasSettledWhenNothingMovesAnyMore) {
  const std::vector<Vector> steps(3, Vector::Constant(200, -3));
  const std::vector<Vector> levels = noise(3, 200);
  EXPECT_TRUE(settled(levels, steps));

  std::vector<Vector> other = levels;
  other[1].head(90).array() -= 50;  // long ago
  EXPECT_TRUE(settled(other, steps));
  other[1] += Vector::LinSpaced(200, 0, 8);  // still climbs
  EXPECT_FALSE(settled(other, steps));
  other[1] = levels[1].array() + 2;  // as high as the others, but not where they are
  EXPECT_FALSE(settled(other, steps));
  other[1] = levels[1].array() - 40;  // stays in another mode
  EXPECT_TRUE(settled(other, steps));
  other[1].setZero();  // does not move at all
  EXPECT_FALSE(settled(other, steps));

  std::vector<Vector> adapting = steps;
  adapting[2].tail(30).array() += 0.3;
  EXPECT_FALSE(settled(levels, adapting));
}

BayesData waves(double noise_sd) {
  const Index rows = 30, columns = 6;
  Matrix Y(rows, columns);
  Rng rng(4);
  for (Index n = 0; n < rows; ++n)
    for (Index j = 0; j < columns; ++j)
      Y(n, j) = std::sin(0.15 * double(n) + double(j)) + noise_sd * rng.normal();
  return {.data = join({make_view("y", Y)}), .axis = {.time = Vector::LinSpaced(rows, 0, 1)}};
}

BayesOptions automatic() {
  return {.dims = 1,
          .frequencies = 5,
          .latent = {.dynamic = true},
          .chains = 2,
          .warmup = until_settled,
          .draws = 12,
          .start = BayesStart::pca};
}

void expect_same(const BayesFit& a, const BayesFit& b) {
  EXPECT_EQ(a.options.warmup, b.options.warmup);
  EXPECT_EQ(a.latent.mean, b.latent.mean);
  EXPECT_EQ(a.log_density, b.log_density);
}

// Chains of some seeds find modes of nearly the same level and go on to the limit: any seed whose chains settle will do.
TEST(BayesWarmup, EndsByItselfWithTheSameBytes) {
  const BayesData data = waves(0.3);
  std::uint64_t seed = 0;
  BayesFit whole;
  std::vector<Index> of;
  do {
    of.clear();
    whole = fit_bayes(data, automatic(), ++seed, Threads(1), {.on_sweep = [&](const BayesProgress& now) {
                        of.push_back(now.of);
                        EXPECT_TRUE(!now.warming || now.of == most_sweeps(automatic()));
                        return true;
                      }});
  } while (whole.options.warmup == longest_warmup && seed < 5);
  const Index taken = whole.options.warmup;
  EXPECT_GE(taken, exploring_sweeps);
  EXPECT_LT(taken, longest_warmup);
  EXPECT_EQ((taken - exploring_sweeps) % asking_every, 0);
  EXPECT_EQ(static_cast<Index>(of.size()), taken + 12);
  EXPECT_EQ(of.back(), taken + 12);
  EXPECT_EQ(whole.draws, 24);
  EXPECT_EQ(bayes_from(bayes_group(whole)).options.warmup, taken);

  expect_same(whole, fit_bayes(data, automatic(), seed, Threads(2)));
  for (const Index stop : {Index{120}, taken, taken + 5}) {
    ModelGroup checkpoint;
    const BayesFit part =
        fit_bayes(data, automatic(), seed, Threads(1), {.on_sweep = [&](const BayesProgress& now) {
                    if (now.sweep < stop) return true;
                    checkpoint = now.checkpoint();
                    return false;
                  }});
    EXPECT_EQ(part.options.warmup, std::min(stop, taken));
    expect_same(whole, fit_bayes(data, automatic(), seed, Threads(1), {.resume = &checkpoint}));
  }
}

}  // namespace
}  // namespace bochner::warmup_test
