#include "bochner/infer/slice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "batch_means.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/infer/metropolis.hpp"

namespace bochner::slice_test {
namespace {

using testing::expect_mean;

constexpr double inf = std::numeric_limits<double>::infinity();

Vector run_chain(const std::function<double(double)>& log_density, double x, Index draws, std::uint64_t seed,
                 const SliceOptions& options) {
  Rng rng(seed);
  double value = log_density(x);
  Vector chain(draws);
  for (Index i = 0; i < draws; ++i) {
    const SliceMove move = slice_sample(log_density, x, value, rng, options);
    EXPECT_TRUE(move.moved);
    x = move.x;
    value = move.log_density;
    EXPECT_EQ(value, log_density(x));
    chain(i) = x;
  }
  return chain;
}

TEST(Slice, LogGammaHasItsMoments) {
  // x = log g, g ~ Gamma(0.7): E x = digamma(0.7), var x = trigamma(0.7), E exp(x) = 0.7 (scipy.special).
  const auto log_density = [](double x) { return 0.7 * x - std::exp(x); };
  for (const double width : {0.05, 1.0, 30.0}) {  // too narrow, right, too wide: the answer is the same
    const Vector chain = run_chain(log_density, 0.0, 40'000, 1, {.width = width, .max_expansions = 400});
    expect_mean(chain, -1.2200235536979349, 0.05, "mean");
    expect_mean((chain.array() + 1.2200235536979349).square(), 2.8340491566946113, 0.2, "variance");
    expect_mean(chain.array().exp(), 0.7, 0.02, "exp");
  }
}

TEST(Slice, FewExpansionsStillLeaveTheTargetInvariant) {
  // Two modes 6 apart and a narrow bracket: mixing is slow, the moments are right.
  const auto log_density = [](double x) {
    return std::log(0.3 * std::exp(-0.5 * (x + 1.5) * (x + 1.5)) +
                    0.7 * std::exp(-0.5 * (x - 1.5) * (x - 1.5)));
  };
  const Vector chain = run_chain(log_density, 0.0, 150'000, 2, {.width = 0.8, .max_expansions = 3});
  expect_mean(chain, 0.4 * 1.5, 0.05, "mean");
  expect_mean(chain.array().square(), 1 + 1.5 * 1.5, 0.05, "second moment");
}

TEST(Slice, SupportIsRespectedAndItsBordersAreNotSpecial) {
  // Beta(2, 1) on [0, 1]: mean 2/3, second moment 1/2; outside the density is never asked for.
  const auto log_density = [](double x) {
    EXPECT_GE(x, 0);
    EXPECT_LE(x, 1);
    return std::log(x);
  };
  const Vector chain = run_chain(log_density, 0.5, 40'000, 3, {.width = 0.4, .lower = 0, .upper = 1});
  expect_mean(chain, 2.0 / 3, 0.01, "mean");
  expect_mean(chain.array().square(), 0.5, 0.01, "second moment");
}

TEST(Slice, NoDensityIsNeverAccepted) {
  const auto half = [](double x) {
    if (x < 0) throw NumericalError("not here");
    return x > 5 ? std::numeric_limits<double>::quiet_NaN() : -x;
  };
  const Vector chain = run_chain(half, 1.0, 20'000, 4, {});
  EXPECT_GE(chain.minCoeff(), 0);
  EXPECT_LE(chain.maxCoeff(), 5);
  const double tail = std::exp(-5.0);
  expect_mean(chain, 1 - 5 * tail / (1 - tail), 0.02, "truncated exponential");
}

TEST(Slice, BoundsAndRefusals) {
  Rng rng(5);
  const auto spike = [](double x) { return x == 1.0 ? 0.0 : -inf; };
  const SliceMove stay = slice_sample(spike, 1.0, 0.0, rng, {.max_shrinks = 9});
  EXPECT_FALSE(stay.moved);
  EXPECT_EQ(stay.shrinks, 9);
  EXPECT_EQ(stay.x, 1.0);
  EXPECT_THROW(slice_sample(spike, 2.0, -inf, rng), NumericalError);
  EXPECT_THROW(slice_sample(spike, 1.0, 0.0, rng, {.width = 0}), std::domain_error);
  EXPECT_THROW(slice_sample(spike, 1.0, 0.0, rng, {.upper = 0.5}), std::domain_error);
  const SliceMove flat = slice_sample([](double) { return 0.0; }, 0.0, 0.0, rng, {.max_expansions = 7});
  EXPECT_EQ(flat.expansions, 6);
}

TEST(Metropolis, AcceptsWithTheRatio) {
  Rng rng(6);
  const Index draws = 100'000;
  for (const double ratio : {0.1, 0.5, 0.9}) {
    Index accepted = 0;
    for (Index i = 0; i < draws; ++i) accepted += metropolis_accept(std::log(ratio), rng);
    EXPECT_NEAR(double(accepted) / double(draws), ratio, 4 * std::sqrt(ratio * (1 - ratio) / double(draws)));
  }
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(metropolis_accept(0.0, rng));
    EXPECT_TRUE(metropolis_accept(inf, rng));
    EXPECT_FALSE(metropolis_accept(-inf, rng));
    EXPECT_FALSE(metropolis_accept(std::numeric_limits<double>::quiet_NaN(), rng));
  }
}

TEST(Metropolis, DrawsOneNumberWhateverTheOutcome) {
  Rng yes(7), no(7);
  metropolis_accept(1.0, yes);
  metropolis_accept(-inf, no);
  EXPECT_EQ(yes.uniform(), no.uniform());
}

}  // namespace
}  // namespace bochner::slice_test
