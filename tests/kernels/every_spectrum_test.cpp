#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "kernel_examples.hpp"
#include "tests/support/gradient_check.hpp"

// What the frequencies of every spectral kernel of AnyKernel must do.

namespace bochner::every_spectrum_test {
namespace {

using namespace testing;

/// phi(x)'phi(y): the features of frequencies.hpp, written out.
double feature_product(const Frequencies& f, const Vector& x, const Vector& y) {
  double sum = 0;
  for (Index j = 0; j < f.count(); ++j) {
    double cx = std::cos(f.Omega1.row(j).dot(x)), sx = std::sin(f.Omega1.row(j).dot(x));
    double cy = std::cos(f.Omega1.row(j).dot(y)), sy = std::sin(f.Omega1.row(j).dot(y));
    if (f.paired()) {
      cx += std::cos(f.Omega2.row(j).dot(x)), sx += std::sin(f.Omega2.row(j).dot(x));
      cy += std::cos(f.Omega2.row(j).dot(y)), sy += std::sin(f.Omega2.row(j).dot(y));
    }
    sum += f.amplitude(j) * f.amplitude(j) * (cx * cy + sx * sy);
  }
  return sum;
}

// Three pairs in 3-D whose lags are short, middling and in mixed directions: most kernels are well away from 0 and 1.
const Matrix firsts{{0.3, -0.2, 0.5}, {0.6, 0.4, -0.3}, {-0.4, 0.5, 0.2}};
const Matrix seconds{{0.1, 0.1, 0.3}, {-0.1, 0.8, 0.2}, {0.3, -0.4, 0.7}};

void expect_unbiased(const AnyKernel& k, Directions directions) {
  constexpr int batches = 3000;
  constexpr Index L = 7;  // not a multiple of D: the last orthogonal block is cut
  Rng rng(1);
  Matrix estimates(batches, 3);
  for (int b = 0; b < batches; ++b) {
    const Frequencies f = frequencies(k, draw_noise(k, L, directions, rng));
    for (Index i = 0; i < 3; ++i) estimates(b, i) = feature_product(f, firsts.row(i), seconds.row(i));
  }
  for (Index i = 0; i < 3; ++i) {
    const double mean = estimates.col(i).mean();
    const double se = std::sqrt((estimates.col(i).array() - mean).square().mean() / batches);
    EXPECT_GT(se, 0);
    EXPECT_NEAR(mean, evaluate(k, firsts.row(i), seconds.row(i)), 4 * se) << "pair " << i << ", se " << se;
  }
}

void expect_frequencies_pullback(const AnyKernel& k, Directions directions) {
  Rng rng(2);
  const SpectralNoise noise = draw_noise(k, 6, directions, rng);
  const Frequencies f = frequencies(k, noise);
  EXPECT_EQ(f.paired(), has_paired_spectrum(k));
  const Frequencies dL{.Omega1 = rng.normal(f.count(), 3),
                       .Omega2 = rng.normal(f.Omega2.rows(), 3),
                       .amplitude = rng.normal(f.count())};
  const auto functional = [&](const Vector& theta) {
    const Frequencies at = frequencies(with_parameters(k, theta), noise);
    double sum = at.Omega1.cwiseProduct(dL.Omega1).sum() + at.amplitude.dot(dL.amplitude);
    if (at.paired()) sum += at.Omega2.cwiseProduct(dL.Omega2).sum();
    return sum;
  };
  expect_gradient(functional, parameters(k), frequencies_pullback(k, noise, dL), 1e-7, "theta");
}

/// log2 of the root mean square error at L = 2^4 .. 2^12, and the slope of the line through them.
void expect_error_falls_like_root_L(const AnyKernel& k) {
  constexpr int repeats = 48;
  Vector x(9), y(9);
  Rng rng(3);
  for (Index e = 4; e <= 12; ++e) {
    double square = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      const Frequencies f = frequencies(k, draw_noise(k, Index{1} << e, Directions::independent, rng));
      for (Index i = 0; i < 3; ++i) {
        const double error =
            feature_product(f, firsts.row(i), seconds.row(i)) - evaluate(k, firsts.row(i), seconds.row(i));
        square += error * error / (3 * repeats);
      }
    }
    x(e - 4) = double(e);
    y(e - 4) = 0.5 * std::log2(square);
  }
  const Vector centred = x.array() - x.mean();
  // each y has a standard error of about 0.09, the slope of about 0.012
  EXPECT_NEAR(centred.dot(y) / centred.squaredNorm(), -0.5, 0.06);
}

template <class K>
struct EverySpectrum : ::testing::Test {
  template <class F>
  void for_each_spectral_example(const F& f) {
    for (const K& k : examples<K>(3)) {
      SCOPED_TRACE(kernel_name(AnyKernel(k)));
      if (has_spectrum(AnyKernel(k))) f(AnyKernel(k));
    }
  }
};
TYPED_TEST_SUITE(EverySpectrum, TypesOf<AnyKernel>::type);

TYPED_TEST(EverySpectrum, FeaturesAreUnbiased) {
  this->for_each_spectral_example([](const AnyKernel& k) { expect_unbiased(k, Directions::independent); });
}
TYPED_TEST(EverySpectrum, OrthogonalFeaturesAreUnbiased) {
  this->for_each_spectral_example([](const AnyKernel& k) { expect_unbiased(k, Directions::orthogonal); });
}
TYPED_TEST(EverySpectrum, FrequenciesPullback) {
  this->for_each_spectral_example([](const AnyKernel& k) {
    expect_frequencies_pullback(k, Directions::independent);
    expect_frequencies_pullback(k, Directions::orthogonal);
  });
}
/// Noise drawn for other inputs, by another kind of kernel, or none at all.
void expect_foreign_noise_is_refused(const AnyKernel& k) {
  Rng rng(8);
  EXPECT_THROW(frequencies(k, SpectralNoise{.E1 = rng.normal(6, 5)}), std::invalid_argument);
  EXPECT_THROW(frequencies(k, SpectralNoise{.parts = std::vector<SpectralNoise>(7)}), std::invalid_argument);
}

TYPED_TEST(EverySpectrum, ForeignNoiseIsRefused) {
  this->for_each_spectral_example(expect_foreign_noise_is_refused);
}
TYPED_TEST(EverySpectrum, ErrorFallsLikeRootL) {
  if (examples<TypeParam>(3).empty()) return;
  const AnyKernel k = examples<TypeParam>(3)[0];
  if (has_spectrum(k)) expect_error_falls_like_root_L(k);
}
TYPED_TEST(EverySpectrum, OrSaysThatItHasNone) {
  for (const TypeParam& example : examples<TypeParam>(3)) {
    const AnyKernel k = example;
    if (has_spectrum(k)) continue;
    Rng rng(4);
    const SpectralNoise noise;
    EXPECT_THROW(draw_noise(k, 4, Directions::independent, rng), std::invalid_argument);
    EXPECT_THROW(frequencies_pullback(k, noise, {}), std::invalid_argument);
    try {
      frequencies(k, noise);
      ADD_FAILURE() << "no exception";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(kernel_name(k)), std::string::npos) << error.what();
    }
  }
}

template <class... K>
std::set<std::string> names_with_spectrum(std::variant<K...>*) {
  std::set<std::string> names;
  const auto collect = [&](const auto& list) {
    for (const auto& k : list)
      if (has_spectrum(AnyKernel(k))) names.insert(kernel_name(AnyKernel(k)));
  };
  (collect(examples<K>(3)), ...);
  return names;
}

TEST(AnyKernel, HasTheSpectraWeThinkItHas) {
  const std::set<std::string> expected = {"rbf",
                                          "matern12",
                                          "matern32",
                                          "matern52",
                                          "rq",
                                          "periodic",
                                          "sm",
                                          "ngsm",
                                          "rbf+periodic",
                                          "matern32+ngsm+sm",
                                          "rbf*matern52",
                                          "sm*sm",
                                          "sm*(rbf+matern32+rbf)*periodic",
                                          "rbf*ngsm",
                                          "scaled(matern52)",
                                          "scaled(ngsm)",
                                          "rbf[3,1]",
                                          "ngsm[2]"};
  EXPECT_EQ(names_with_spectrum(static_cast<AnyKernel*>(nullptr)), expected);
}

TEST(Product, OfTwoPairedKernelsHasNoSpectrum) {
  const AnyKernel ngsm = examples<NgSm>(3)[0];
  EXPECT_FALSE(has_spectrum(Product{{ngsm, ngsm}}));
  EXPECT_FALSE(has_paired_spectrum(Product{{ngsm, ngsm}}));
  EXPECT_FALSE(has_spectrum(Sum{}));
  EXPECT_FALSE(has_spectrum(Product{}));
}

/// Two components with L rows each against three terms with L rows each: 3 L is no multiple of 2 L, and to take rows in
/// turn would favour the first component by 4 to 3.
TEST(Product, OfFactorsWithUnlikeRowsIsUnbiased) {
  const SpectralMixture sm{
      .alpha = Vector{{0.9, 0.2}}, .mu = Matrix{{2.5, 0.1}, {0.2, -0.3}}, .sd = Matrix::Constant(2, 2, 0.2)};
  const Rbf rbf{.ell = Vector::Constant(2, 3.0)};
  const AnyKernel k = Product{{sm, Sum{{rbf, Scaled{.inner = {rbf}, .scale = 0.1}, rbf}}}};
  const Vector x{{1.1, 0.2}}, y{{-0.2, 0.3}};
  Rng rng(7);
  Vector estimates(4000);
  for (double& estimate : estimates)
    estimate = feature_product(frequencies(k, draw_noise(k, 3, Directions::independent, rng)), x, y);
  const double se = std::sqrt((estimates.array() - estimates.mean()).square().mean() / 4000);
  EXPECT_NEAR(estimates.mean(), evaluate(k, x, y), 4 * se);
  EXPECT_LT(se, 0.02 * std::abs(evaluate(k, x, y)));  // sharp enough to see a share of 4 to 3
}

TEST(Directions, OrthogonalRowsAreOrthogonalWithinABlock) {
  Rng rng(5);
  const Matrix E = gaussian_directions(7, 3, Directions::orthogonal, rng);
  for (Index begin = 0; begin < 7; begin += 3)
    for (Index i = begin; i < std::min<Index>(7, begin + 3); ++i)
      for (Index j = begin; j < i; ++j) EXPECT_NEAR(E.row(i).dot(E.row(j)), 0, 1e-13);
}

/// Of the same length, orthogonal frequencies must beat independent ones where theory says so: Gaussian kernel, many
/// inputs [yu2016, Thm. 2].
TEST(Directions, OrthogonalOnesHaveLessVariance) {
  const Rbf k{.ell = Vector::Constant(16, 4.0)};
  const Vector x = Vector::Constant(16, 0.5), y = Vector::Zero(16);
  const auto variance = [&](Directions directions) {
    Rng rng(6);
    Vector estimates(2000);
    for (double& estimate : estimates)
      estimate = feature_product(k.frequencies(k.draw_noise(16, directions, rng)), x, y);
    return (estimates.array() - estimates.mean()).square().mean();
  };
  EXPECT_LT(variance(Directions::orthogonal), 0.5 * variance(Directions::independent));
}

}  // namespace
}  // namespace bochner::every_spectrum_test
