// From kernel parameters, noise and inputs to the evidence and back: the chain every model trains on, for every kernel.

#include <gtest/gtest.h>

#include "bochner/evidence/kernel_evidence.hpp"
#include "bochner/features/feature_stream.hpp"
#include "bochner/features/fourier_features.hpp"
#include "tests/kernels/kernel_examples.hpp"
#include "tests/support/gradient_check.hpp"
#include "tests/support/slow_evidence.hpp"

namespace bochner::evidence_gradient_test {
namespace {

constexpr Index N = 12, M = 3, D = 2;
constexpr double sigma2 = 0.3;

struct Tables {
  Matrix X = Rng(11).normal(N, D);
  Matrix complete = Rng(12).normal(N, M);
  Matrix holes = testing::with_missing(complete, 0.25, Rng(13));
};

Vector joined(const Vector& theta, double noise, const Matrix& X) {
  Vector all(theta.size() + 1 + X.size());
  all << theta, noise, testing::flat(X);
  return all;
}

template <class K>
struct EveryKernelEvidence : ::testing::Test {};
TYPED_TEST_SUITE(EveryKernelEvidence, testing::TypesOf<AnyKernel>::type);

TYPED_TEST(EveryKernelEvidence, ClosedFormGradientOfParametersNoiseAndInputs) {
  const Threads threads(1);
  const Tables tables;
  for (const TypeParam& k : testing::examples<TypeParam>(D))
    for (const Matrix* Y : {&tables.complete, &tables.holes}) {
      const Vector theta = k.parameters();
      const auto slow = [&](const Vector& all) {
        const TypeParam moved = k.with_parameters(all.head(theta.size()));
        const Matrix X = testing::unflat(all.tail(N * D), N, D);
        Matrix K(N, N);
        for (Index i = 0; i < N; ++i)
          for (Index j = 0; j < N; ++j) K(i, j) = moved(X.row(i), X.row(j));
        return testing::slow_evidence(K, *Y, all(theta.size()));
      };
      const Matrix G = gram(k, tables.X, threads);
      const KernelEvidence e = kernel_evidence(G, Observations<double>(*Y, threads), sigma2, true, threads);
      const GramPullback back = gram_pullback(k, tables.X, G, e.dL_dK, threads);
      const Vector at = joined(theta, sigma2, tables.X);
      EXPECT_NEAR(e.value, slow(at), 1e-9 * std::abs(e.value)) << kernel_name(k);
      testing::expect_gradient(slow, at, joined(back.dtheta, e.dsigma2, back.dX), 1e-6,
                               kernel_name(k).c_str());
    }
}

TYPED_TEST(EveryKernelEvidence, RandomFeatureGradientOfParametersNoiseAndInputs) {
  const Threads threads(1);
  const Tables tables;
  for (const TypeParam& example : testing::examples<TypeParam>(D)) {
    const AnyKernel k = example;
    if (!has_spectrum(k)) continue;
    for (const Directions directions : {Directions::independent, Directions::orthogonal})
      for (const Matrix* Y : {&tables.complete, &tables.holes}) {
        const Vector theta = parameters(k);
        Rng rng(14);
        const SpectralNoise noise = draw_noise(k, 3, directions, rng);
        const auto slow = [&](const Vector& all) {
          const Frequencies f = frequencies(with_parameters(k, all.head(theta.size())), noise);
          const Matrix X = testing::unflat(all.tail(N * D), N, D);
          Matrix Phi = Matrix::Zero(N, 2 * f.count());
          for (Index n = 0; n < N; ++n)
            for (Index j = 0; j < f.count(); ++j)
              for (const Matrix* Omega : {&f.Omega1, &f.Omega2}) {
                if (Omega->rows() == 0) continue;
                const double angle = X.row(n).dot(Omega->row(j));
                Phi(n, j) += f.amplitude(j) * std::cos(angle);
                Phi(n, f.count() + j) += f.amplitude(j) * std::sin(angle);
              }
          return testing::slow_evidence(Phi * Phi.transpose(), *Y, all(theta.size()));
        };
        const auto map = FourierFeatures<double>::from(frequencies(k, noise));
        for (const EvidenceForm form : {EvidenceForm::features, EvidenceForm::dual}) {
          const EvidenceOptions options{.form = form, .block = 5};
          FeatureStream stream(map, tables.X, evidence_plan(N, options));
          const FeatureEvidence e = feature_evidence<double>(stream.rows(), Observations<double>(*Y, threads),
                                                             sigma2, stream.pull(), options, threads);
          const auto back = stream.finish(threads);
          const Vector dtheta = frequencies_pullback(k, noise, back.gradient);
          const Vector at = joined(theta, sigma2, tables.X);
          EXPECT_NEAR(e.value, slow(at), 1e-9 * std::abs(e.value)) << kernel_name(k);
          testing::expect_gradient(slow, at, joined(dtheta, e.dsigma2, back.dX), 1e-6,
                                   kernel_name(k).c_str());
        }
      }
  }
}

}  // namespace
}  // namespace bochner::evidence_gradient_test
