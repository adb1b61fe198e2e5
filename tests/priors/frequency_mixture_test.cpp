#include "bochner/priors/frequency_mixture.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bochner::frequency_mixture_test {
namespace {

/// Functions of a mixture and its frequencies whose law must not change under the sampler.
Vector summary(const FrequencyMixture& m, const Matrix& W) {
  const SpectralComponent& first = m.of(0);
  Vector out(9);
  double same = 0;
  for (std::size_t l = 1; l < m.member.size(); ++l) same += m.member[l] == m.member[0];
  out << double(m.components.size()), m.alpha, m.alpha * m.alpha, same, std::log(first.L.diagonal().prod()),
      std::tanh(first.mean(0)), std::tanh(first.mean(0)) * std::tanh(W(0, 1)),
      std::tanh(W(0, 0)) * std::tanh(W(1, 0)), std::atan(first.L(1, 0) * first.L(0, 0));
  return out;
}

struct Moments {
  Vector sum = Vector::Zero(9), squares = Vector::Zero(9);
  double n = 0;
  void add(const Vector& x) {
    sum += x;
    squares += x.cwiseAbs2();
    ++n;
  }
  Vector mean() const { return sum / n; }
  Vector variance() const { return squares / n - mean().cwiseAbs2(); }
};

/// Draws of (mixture, W) by the prior, and by alternating W | mixture and the Gibbs sweep, must agree [geweke2004].
void check_joint_distribution(const FrequencyPrior& prior, bool wrong) {
  constexpr Index L = 6, Q = 2;
  Rng rng(5);
  Moments marginal;
  for (int s = 0; s < 60000; ++s) {
    const FrequencyMixture m = draw_mixture(prior, L, Q, rng);
    marginal.add(summary(m, draw_frequencies(m, rng)));
  }
  // Each chain begins in the prior and makes a few steps: independent chains give honest standard errors.
  Moments successive;
  for (int s = 0; s < 60000; ++s) {
    FrequencyMixture m = draw_mixture(prior, L, Q, rng);
    Matrix W = draw_frequencies(m, rng);
    for (int step = 0; step < 3; ++step) {
      FrequencyPrior used = prior;
      if (wrong) used.degrees = prior.degrees + 1;
      m = update_mixture(std::move(m), W, used, rng);
      W = draw_frequencies(m, rng);
    }
    successive.add(summary(m, W));
  }
  const Vector z =
      (marginal.mean() - successive.mean()).array() /
      ((marginal.variance() / marginal.n + successive.variance() / successive.n).array() + 1e-12).sqrt();
  if (wrong)
    EXPECT_GT(z.cwiseAbs().maxCoeff(), 6) << z.transpose();
  else
    EXPECT_LT(z.cwiseAbs().maxCoeff(), 4) << z.transpose();
}

TEST(FrequencyMixture, GibbsSweepLeavesThePriorInvariant) {
  check_joint_distribution({.degrees = 5}, false);
  check_joint_distribution({.degrees = 5, .scale = 2, .alpha_shape = 1, .alpha_rate = 0.5}, false);
}

TEST(FrequencyMixture, OneGaussianIsSampledAsWell) {
  check_joint_distribution({.dirichlet = false, .degrees = 5}, false);
}

TEST(FrequencyMixture, AWrongConditionalIsFound) { check_joint_distribution({.degrees = 5}, true); }

TEST(FrequencyMixture, FindsTheNumberOfClusters) {
  Rng rng(1);
  Matrix W(60, 2);
  for (Index l = 0; l < 60; ++l)
    W.row(l) << (l % 3 == 0   ? -10
                 : l % 3 == 1 ? 0
                              : 10) +
                    0.3 * rng.normal(),
        5 * (l % 3) + 0.3 * rng.normal();
  const FrequencyPrior prior{.alpha_shape = 1, .alpha_rate = 1};
  FrequencyMixture m = draw_mixture(prior, 60, 2, rng);
  for (int s = 0; s < 200; ++s) m = update_mixture(std::move(m), W, prior, rng);
  for (Index l = 3; l < 60; ++l) EXPECT_EQ(m.member[std::size_t(l)], m.member[std::size_t(l % 3)]) << l;
  EXPECT_LE(m.components.size(), 4U);
}

}  // namespace
}  // namespace bochner::frequency_mixture_test
