#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "bochner/compute/loopback.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::gplvm_shared_fit_test {
namespace {

/// Two tables of one hidden path, the first with missing entries.
Dataset tables(Index N) {
  Rng rng(4);
  const Vector t = rng.normal(N);
  Matrix A(N, 5), B(N, 3);
  for (Index n = 0; n < N; ++n) {
    for (Index m = 0; m < 5; ++m) A(n, m) = std::sin(t(n) + 0.5 * double(m)) + 0.1 * rng.normal();
    for (Index m = 0; m < 3; ++m) B(n, m) = std::cos(t(n) * double(m + 1)) + 0.1 * rng.normal();
    if (n % 4 == 0) A(n, n % 5) = std::nan("");
  }
  return join({make_view("a", A), make_view("b", B)});
}

void expect_same_for_any_ranks(const GplvmOptions& options, Index N) {
  const Dataset data = tables(N);
  const GplvmFit one = fit_gplvm(data, options, 1, Threads(2));
  for (const Index ranks : {2, 3, 5})
    run_loopback(ranks, [&](const Communicator& comm) {
      const GplvmFit own = fit_gplvm(data, options, 1, {Threads(1), Device::cpu(), comm});
      EXPECT_EQ(own.latent.mean, one.latent.mean) << comm.name();
      EXPECT_EQ(own.latent.sd, one.latent.sd);
      EXPECT_EQ(own.objective, one.objective);
      EXPECT_EQ(own.trace.size(), one.trace.size());
    });
}

TEST(GplvmShared, RandomFeaturesHaveTheBytesOfOneProcess) {
  GplvmOptions options;
  options.features = {.kind = FeatureSpec::Kind::random, .count = 20};
  options.steps = 16;
  options.restarts = 1;
  expect_same_for_any_ranks(options, 1200);
}

TEST(GplvmShared, OtherFeaturesToo) {
  GplvmOptions options;
  options.features = {.kind = FeatureSpec::Kind::exact};
  options.steps = 10;
  options.restarts = 1;
  expect_same_for_any_ranks(options, 120);
}

}  // namespace
}  // namespace bochner::gplvm_shared_fit_test
