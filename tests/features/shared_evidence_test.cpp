#include <gtest/gtest.h>

#include <limits>

#include "bochner/compute/loopback.hpp"
#include "bochner/evidence/bounded_evidence.hpp"
#include "bochner/features/feature_stream.hpp"
#include "bochner/features/fourier_features.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::shared_evidence_test {
namespace {

struct Shape {
  Index N, M, J;
  bool missing;
  std::size_t cache = std::size_t{1} << 27;
};

/// What a step of a fit asks for.
template <class T>
struct Step {
  FeatureEvidence evidence;
  FeaturePullback<FourierFeatures<T>> back;
  VectorT<T> guesses;
};

template <class T>
Step<T> step(const Shape& shape, const Compute& compute) {
  const AnyKernel kernel = make_kernel("rbf", 2, Rng(0));
  Rng draws(3);
  const SpectralNoise noise = draw_noise(kernel, shape.J, Directions::independent, draws);
  const auto map = FourierFeatures<T>::from(frequencies(kernel, noise));
  const MatrixT<T> X = Rng(4).normal(shape.N, 2).template cast<T>();
  MatrixT<T> Y = Rng(5).normal(shape.N, shape.M).template cast<T>();
  if (shape.missing)
    for (Index n = 0; n < shape.N; ++n)
      if (n % 3 == 0) Y(n, n % shape.M) = std::numeric_limits<T>::quiet_NaN();
  FilledTable<T> table(Y, MatrixT<T>::Zero(shape.N, shape.M), compute);
  const EvidenceOptions options{.block = 32, .cache_bytes = shape.cache, .shared = true};
  FeatureStream<FourierFeatures<T>> stream(map, X, evidence_plan(shape.N, options, compute));
  Step<T> out;
  for (int round = 0; round < 2; ++round) {  // the second one sees what the first one filled in
    out.evidence = bounded_feature_evidence<T>(stream.rows(), table, 0.3, stream.pull(), shape.missing,
                                               options, compute);
    out.back = stream.finish(compute);
  }
  if (shape.missing) out.guesses = table.guesses();
  return out;
}

template <class T>
void expect_same_bytes(const Shape& shape) {
  const Step<T> want = step<T>(shape, Threads(2));
  ASSERT_GT(want.back.dX.norm(), 0);
  for (const Index P : {1, 2, 3, 4, 5, 6, 7, 8, 16})
    run_loopback(P, [&](const Communicator& comm) {
      const Step<T> own = step<T>(shape, Compute(Threads(1), Device::cpu(), comm));
      EXPECT_EQ(own.evidence.value, want.evidence.value) << comm.name();
      EXPECT_EQ(own.evidence.dsigma2, want.evidence.dsigma2);
      EXPECT_EQ(own.back.dX, want.back.dX) << comm.name();
      EXPECT_EQ(own.back.gradient.Omega1, want.back.gradient.Omega1);
      EXPECT_EQ(own.back.gradient.amplitude, want.back.gradient.amplitude);
      EXPECT_EQ(own.guesses, want.guesses);
    });
}

TEST(SharedEvidence, CompleteTablesOfManyRows) {
  expect_same_bytes<double>({1000, 3, 10, false});
  expect_same_bytes<float>({1000, 3, 10, false});
}

TEST(SharedEvidence, MissingEntriesOfManyRows) {
  expect_same_bytes<double>({1000, 4, 10, true});
  expect_same_bytes<float>({1000, 4, 10, true});
}

// Sums of few lanes and gradients of many: a rank meets rows in the second sweep that it has not made in the first.
TEST(SharedEvidence, FewerLanesOfSumsThanOfRows) {
  expect_same_bytes<double>({300, 4, 10, true});
  expect_same_bytes<double>({300, 4, 10, true, 0});  // and keeps none
  expect_same_bytes<double>({130, 3, 5, false});
}

TEST(SharedEvidence, FewRows) {
  expect_same_bytes<double>({100, 80, 10, true});  // by the outer product
  expect_same_bytes<double>({100, 80, 10, false});
  expect_same_bytes<double>({20, 5, 30, false});  // by the Gram matrix
}

TEST(SharedEvidence, AStepSendsSumsAndRows) {
  const Shape shape{1024, 8, 16, false};
  std::vector<Traffic> traffic;
  run_loopback(2, traffic, [&](const Communicator& comm) {
    step<double>(shape, Compute(Threads(1), Device::cpu(), comm));
  });
  const double F = 2.0 * double(shape.J), sums = 8 * F * (F + double(shape.M)),
               rows = 8.0 * 1024;                                         // of one rank: 512 x 2
  EXPECT_LT(double(traffic[0].bytes()), 2 * (1.1 * sums + rows + 3000));  // two rounds
}

}  // namespace
}  // namespace bochner::shared_evidence_test
