// Random features of every kernel that has a spectrum: unbiased, differentiable, and as accurate as they should be.
#include <gtest/gtest.h>

#include <cmath>

#include "bochner/features/feature_stream.hpp"
#include "bochner/features/fourier_features.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::spectral_kernels_test {
namespace {

using namespace testing;
using Features = FourierFeatures<double>;

/// Every name that make_kernel knows and that has a spectrum, and some that are made of them.
std::vector<std::string> spectral_names() {
  std::vector<std::string> names;
  for (const std::string& name : kernel_names())
    if (has_spectrum(make_kernel(name, 3, Rng(1)))) names.push_back(name);
  for (const char* made : {"rbf+matern32", "rbf*periodic", "rbf+ngsm", "scaled(sm)"}) names.push_back(made);
  return names;
}

AnyKernel example(const std::string& name) {
  return make_kernel(name, 3, Rng(1), {.ell = 0.9, .sigma2 = 1.3, .period = 2.0});
}

Matrix draw_features(const AnyKernel& k, const Matrix& X, Index L, Directions directions, Rng& rng) {
  const SpectralNoise noise = draw_noise(k, L, directions, rng);
  return feature_matrix(Features::from(frequencies(k, noise)), X, Threads(1));
}

TEST(SpectralKernels, AreMoreThanAHandful) { EXPECT_GE(spectral_names().size(), 9u); }

TEST(SpectralKernels, FeaturesAreUnbiased) {
  const Matrix X{{0.3, -0.2, 0.5}, {0.6, 0.1, 0.2}, {-0.1, 0.5, 0.6}, {0.5, -0.3, 0.9}};  // three lags
  const Index maps = 300;
  for (const std::string& name : spectral_names())
    for (const Directions directions : {Directions::independent, Directions::orthogonal}) {
      const AnyKernel k = example(name);
      Rng rng(41);
      Matrix products(maps, 3);
      for (Index b = 0; b < maps; ++b) {
        const Matrix Phi = draw_features(k, X, 60, directions, rng);
        for (Index p = 0; p < 3; ++p) products(b, p) = Phi.row(0).dot(Phi.row(p + 1));
      }
      for (Index p = 0; p < 3; ++p) {
        const double mean = products.col(p).mean(), exact = evaluate(k, X.row(0), X.row(p + 1));
        const double se = std::sqrt((products.col(p).array() - mean).square().mean() / double(maps));
        EXPECT_NEAR(mean, exact, 4 * se) << name << ", lag " << p;
        EXPECT_LT(se, 0.02 * evaluate(k, X.row(0), X.row(0))) << name << ": too noisy to tell";
      }
    }
}

TEST(SpectralKernels, FeaturesPullBackToInputsAndParameters) {
  const Index N = 6, L = 3;
  const Matrix X = Rng(3).normal(N, 3);
  for (const std::string& name : spectral_names())
    for (const Directions directions : {Directions::independent, Directions::orthogonal}) {
      const AnyKernel k = example(name);
      Rng rng(42);
      const SpectralNoise noise = draw_noise(k, L, directions, rng);
      const Features map = Features::from(frequencies(k, noise));
      const Matrix W = rng.normal(N, map.count());
      const auto back = feature_pullback(map, X, feature_matrix(map, X, Threads(1)), W, Threads(1));
      const auto of_parameters = [&](const Vector& theta) {
        const Features moved = Features::from(frequencies(with_parameters(k, theta), noise));
        return feature_matrix(moved, X, Threads(1)).cwiseProduct(W).sum();
      };
      expect_gradient(of_parameters, parameters(k), frequencies_pullback(k, noise, back.gradient), 1e-6,
                      name.c_str());
      const auto of_inputs = [&](const Vector& x) {
        return feature_matrix(map, unflat(x, N, 3), Threads(1)).cwiseProduct(W).sum();
      };
      expect_gradient(of_inputs, flat(X), flat(back.dX), 1e-6, name.c_str());
    }
}

/// Mean over maps and pairs of points of the squared error of phi(x)'phi(y).
double mean_squared_error(const AnyKernel& k, const Matrix& X, Index L, Directions directions, Index maps,
                          Rng& rng) {
  const Matrix K = gram(k, X, Threads(1));
  double sum = 0;
  for (Index b = 0; b < maps; ++b) {
    const Matrix Phi = draw_features(k, X, L, directions, rng);
    sum += (Phi * Phi.transpose() - K).squaredNorm() / double(K.size());
  }
  return sum / double(maps);
}

TEST(SpectralKernels, ErrorFallsLikeTheRootOfTheNumberOfFrequencies) {
  const Matrix X = 0.7 * Rng(3).normal(15, 3);
  for (const std::string& name : spectral_names()) {
    const AnyKernel k = example(name);
    Rng rng(43);
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    const Index sizes[] = {16, 64, 256, 1024};
    for (const Index L : sizes) {
      const double x = std::log(double(L));
      const double y = 0.5 * std::log(mean_squared_error(k, X, L, Directions::independent, 60, rng));
      sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    const double slope = (4 * sxy - sx * sy) / (4 * sxx - sx * sx);
    EXPECT_NEAR(slope, -0.5, 0.1) << name;
  }
}

// [yu2016]: orthogonal directions, as many per block as dimensions, lower the variance.
TEST(SpectralKernels, OrthogonalFrequenciesAreMoreAccurateInEightDimensions) {
  const AnyKernel k = Rbf{.ell = Vector::Constant(8, 2.0), .sigma2 = 1};
  const Matrix X = Rng(3).normal(20, 8);
  Rng rng(44);
  const Index rounds = 40;
  Vector gain(rounds);
  double plain = 0, orthogonal = 0;
  for (Index b = 0; b < rounds; ++b) {
    const double p = mean_squared_error(k, X, 64, Directions::independent, 5, rng);
    const double o = mean_squared_error(k, X, 64, Directions::orthogonal, 5, rng);
    gain(b) = p - o;
    plain += p;
    orthogonal += o;
  }
  const double se = std::sqrt((gain.array() - gain.mean()).square().mean() / double(rounds));
  EXPECT_GT(gain.mean(), 4 * se);
  EXPECT_LT(orthogonal / plain, 0.9);
}

}  // namespace
}  // namespace bochner::spectral_kernels_test
