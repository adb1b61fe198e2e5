#include "bochner/assess/convergence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/random/rng.hpp"
#include "tests/support/portable_uniform.hpp"

namespace bochner::convergence_test {
namespace {

using testing::PortableUniform;

double rounded(double v) { return std::round(std::ldexp(v, 24)) / std::ldexp(1.0, 24); }

/// Autoregressive chains, one of which may be shifted against the others; heavy tails by a rational function,
/// so that the numbers are the same in every language:
///     e = g.u() - 0.5;  if heavy: e = e / (1.0001 - abs(2 * e));  x = r(phi * x + e);  X[i, t] = x + r(shift * i)
/// r rounds to multiples of 2^-24: ties (two draws as far from the median) then are ties with any compiler.
Matrix portable_chains(std::uint64_t seed, Index chains, Index draws, double phi, double shift = 0,
                       bool heavy = false) {
  PortableUniform g(seed);
  Matrix X(chains, draws);
  for (Index i = 0; i < chains; ++i) {
    double x = 0;
    for (Index t = 0; t < draws; ++t) {
      double e = g.next() - 0.5;
      if (heavy) e = e / (1.0001 - std::abs(2 * e));
      x = rounded(phi * x + e);
      X(i, t) = x + rounded(shift * static_cast<double>(i));
    }
  }
  return X;
}

void expect_diagnostics(const Matrix& draws, double r, double bulk, double tail, double mean,
                        const char* what) {
  EXPECT_NEAR(rhat(draws), r, 1e-10 * r) << what;
  EXPECT_NEAR(ess_bulk(draws), bulk, 1e-9 * bulk) << what;
  EXPECT_NEAR(ess_tail(draws), tail, 1e-9 * tail) << what;
  EXPECT_NEAR(ess_mean(draws), mean, 1e-9 * mean) << what;
}

// arviz.rhat, arviz.ess with method "bulk", "tail", "mean", ArviZ 0.23.4.
TEST(Convergence, EqualsArviz) {
  expect_diagnostics(portable_chains(5, 4, 250, 0.7), 1.021222699564316, 182.13476924952195,
                     331.0031546422335, 182.78953657667728, "autoregressive");
  expect_diagnostics(portable_chains(6, 3, 200, -0.2), 0.9977965981824701, 1057.0411932387287,
                     491.62119509123835, 967.3490930177591, "antithetic");
  expect_diagnostics(portable_chains(6, 3, 200, -0.6), 0.9956532907050711, 1666.890750230186,
                     555.8116748288006, 1666.890750230186, "so antithetic that the cap S log10(S) applies");
  expect_diagnostics(portable_chains(7, 4, 101, 0.5, 0.4), 1.7637262091469528, 6.559171575155665,
                     53.6062047485598, 6.333623223579162, "shifted chains, odd number of draws");
  expect_diagnostics(portable_chains(8, 4, 300, 0.3, 0.0, true), 1.0045009792508717, 463.0441159153043,
                     629.2635146842007, 569.9539566086956, "heavy tails");
  expect_diagnostics(portable_chains(10, 2, 9, 0.2), 0.9941432013381195, 19.265919722494797,
                     19.265919722494797, 19.265919722494797, "tiny");
  expect_diagnostics(portable_chains(20, 2, 3000, 0.95), 1.0078923717898907, 161.99087910582367,
                     463.2868745323381, 160.59122068213205, "slow");
}

// The halves of one chain; its R-hat from ArviZ's _rhat(_z_scale(_split_chains(X))) and the folded one, since
// ArviZ asks for two chains.
TEST(Convergence, OneChain) {
  expect_diagnostics(portable_chains(9, 1, 40, 0.9), 1.4953515611210964, 2.6281065521322007,
                     19.066733567486196, 2.4360653266272636, "one chain");
}

TEST(Convergence, TiedDraws) {
  const Matrix draws = (4 * portable_chains(11, 4, 200, 0.5)).array().round();  // 7 distinct values
  expect_diagnostics(draws, 1.0232185777662293, 216.9863144584205, 375.7885201792521, 217.62588389749178,
                     "tied");
}

// Three values only: [x <= 95 % quantile] is always true and counts as all 48 draws. A tiny sample: two draws lie at
// exactly the same distance from the median and must get the same rank.
TEST(Convergence, FewValuesAndFewDraws) {
  const Matrix few = (2 * portable_chains(31, 3, 16, 0.2)).array().round();
  expect_diagnostics(few, 1.000499875062461, 51.98593454152012, 45.34832947403241, 51.985934541520145,
                     "three values");
  const double cap = 19.265919722494797;  // 16 log10(16)
  expect_diagnostics(portable_chains(30, 4, 5, 0.3), 1.2870494579491514, cap, cap, cap, "five draws");
  expect_diagnostics(portable_chains(31, 4, 5, 0.3), 1.3919643131949482, cap, cap, cap, "five draws");
  expect_diagnostics(portable_chains(32, 4, 5, 0.3), 1.3227895312834321, cap, cap, cap, "five draws");
}

// Same centre, one chain three times as wide: only the folded R-hat sees it.
TEST(Convergence, AWiderChainIsSeenByTheTail) {
  Matrix draws = portable_chains(21, 4, 150, 0.3);
  draws.row(2) *= 3;
  expect_diagnostics(draws, 1.1591736035544904, 312.1069947622603, 37.16735435362319, 320.45227808692704,
                     "wider");
}

TEST(Convergence, MonotoneMapsChangeRanksNothing) {
  const Matrix draws = portable_chains(5, 4, 250, 0.7);
  EXPECT_DOUBLE_EQ(ess_bulk(draws.array().exp()), ess_bulk(draws));
  EXPECT_DOUBLE_EQ(ess_bulk(1e-200 * draws), ess_bulk(draws));
}

// For an autoregressive chain of coefficient phi the mean is worth S (1 - phi) / (1 + phi) draws. The
// estimate scatters around it, skewed and with a slight bias, so the average over runs is held against that
// of ArviZ over 400 runs of 4 x 10,000 draws of its own.
TEST(Convergence, AutoregressiveChainsHaveTheirKnownSize) {
  struct Known {
    double phi, mean, sd;  // of ArviZ's estimate over the exact value
  };
  const int runs = 40;
  for (const auto& [phi, mean, sd] : {Known{-0.3, 0.99787, 0.02594}, Known{0.0, 0.99269, 0.01596},
                                      Known{0.5, 0.99727, 0.02766}, Known{0.9, 0.99858, 0.06433}}) {
    double sum = 0;
    for (int run = 0; run < runs; ++run) {
      Rng rng = Rng(11).split(static_cast<std::uint64_t>(run));
      Matrix draws(4, 10000);
      for (Index c = 0; c < 4; ++c) {
        double x = rng.normal() / std::sqrt(1 - phi * phi);
        for (Index t = 0; t < draws.cols(); ++t) draws(c, t) = x = phi * x + rng.normal();
      }
      sum += ess_mean(draws) / (40000 * (1 - phi) / (1 + phi));
    }
    EXPECT_NEAR(sum / runs, mean, 4 * sd * std::sqrt(1.0 / runs + 1.0 / 400)) << phi;
  }
}

TEST(Convergence, DrawsThatDoNotVaryTellNothing) {
  const Matrix still = Matrix::Constant(3, 20, 0.1);
  EXPECT_TRUE(std::isnan(rhat(still)));
  EXPECT_TRUE(std::isnan(ess_bulk(still)));
  EXPECT_TRUE(std::isnan(ess_tail(still)));
  EXPECT_TRUE(std::isnan(ess_mean(still)));
}

TEST(Convergence, StuckChainsThatDisagreeNeverConverge) {
  Matrix stuck(2, 20);
  stuck.row(0).setConstant(1);
  stuck.row(1).setConstant(2);
  EXPECT_TRUE(std::isinf(rhat(stuck)));
  EXPECT_NEAR(ess_bulk(stuck), 40.0 / 12, 1e-12);  // ArviZ: 3.3333; every autocorrelation is 1
}

TEST(Convergence, BadArguments) {
  EXPECT_THROW(rhat(Matrix::Zero(2, 3)), std::invalid_argument);
  EXPECT_THROW(ess_bulk(Matrix(0, 10)), std::invalid_argument);
  EXPECT_THROW(ess_tail(Matrix::Constant(2, 10, std::numeric_limits<double>::quiet_NaN())),
               std::domain_error);
}

}  // namespace
}  // namespace bochner::convergence_test
