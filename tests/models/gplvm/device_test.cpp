// Fits whose steps run on a device: the host twin stands for a card.
#include "bochner/models/gplvm/device.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "bochner/backend/host_engine.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "examples.hpp"
#include "src/models/gplvm/view_term.hpp"

namespace bochner::device_test {
namespace {

using testing::short_options;
using Kind = FeatureSpec::Kind;

Compute on_the_twin() {
  Compute out = Threads(1);
  out.engine = make_host_engine();
  return out;
}

GplvmOptions random_options(const char* kernel) {
  GplvmOptions out = short_options();
  out.view.kernel = kernel;
  out.features = {.kind = Kind::random, .count = 9};
  out.precision = FloatingPoint::double_precision;
  return out;
}

TEST(GplvmDevice, AViewGivesWhatItGivesOnTheProcessor) {
  for (const char* kernel : {"ngsm", "sm", "rbf", "matern32", "rbf+matern32"})
    for (const double missing : {0.0, 0.15}) {
      SCOPED_TRACE(::testing::Message() << kernel << ", missing " << missing);
      const Simulated table = testing::s_curve_table(3, 70, 6, {.entries = missing});
      const Matrix& Y = table.data.view(0).Y;
      const AnyKernel k = make_kernel(kernel, 2, Rng(2), {.sigma2 = 0.6});
      const FeatureSpec features{.kind = Kind::random, .count = 9};
      ViewTerm here("y", Y, Matrix(Matrix::Zero(70, 6)), k, features, FloatingPoint::double_precision,
                    Threads(1));
      ViewTerm there = here;
      for (Index step = 0; step < 3; ++step) {
        const Matrix X = Rng(4).split(std::uint64_t(step)).normal(70, 2);
        const ViewEvidence a = here.evaluate(k, 0.2, {}, X, step, Rng(5), Threads(1));
        const ViewEvidence b = there.evaluate(k, 0.2, {}, X, step, Rng(5), on_the_twin());
        EXPECT_NEAR(a.value, b.value, 1e-11 * std::abs(a.value));
        EXPECT_NEAR(a.dsigma2, b.dsigma2, 1e-10 * std::abs(a.dsigma2));
        EXPECT_LT((a.dX - b.dX).norm(), 1e-10 * a.dX.norm());
        EXPECT_LT((a.dtheta - b.dtheta).norm(), 1e-10 * a.dtheta.norm());
      }
      EXPECT_LE((here.guesses() - there.guesses()).norm(), 1e-11 * here.guesses().norm());
      EXPECT_LT((here.filled() - there.filled()).norm(), 1e-11 * here.filled().norm());
      const ViewTerm copy = there;  // of what is on the device now
      EXPECT_EQ(copy.guesses(), there.guesses());
      ViewTerm back = there;
      back.set_features({.kind = Kind::exact});
      EXPECT_EQ(back.guesses(), there.guesses());
    }
}

TEST(GplvmDevice, AFitTakesTheSameSteps) {
  const Simulated tables = testing::two_tables(5, 48, 6, {.samples = 0.1, .entries = 0.15});
  for (const char* kernel : {"ngsm", "rbf"}) {
    GplvmOptions options = random_options(kernel);
    options.steps = 16;
    const GplvmFit here = fit_gplvm(tables.data, options, 3, Threads(1));
    const GplvmFit there = fit_gplvm(tables.data, options, 3, on_the_twin());
    ASSERT_EQ(here.trace.size(), there.trace.size());
    for (std::size_t i = 0; i < here.trace.size(); ++i)
      EXPECT_NEAR(here.trace[i].draw, there.trace[i].draw, 1e-7 * std::abs(here.trace[i].draw));
    EXPECT_LT((here.latent.mean - there.latent.mean).norm(), 1e-6 * here.latent.mean.norm());
  }
}

TEST(GplvmDevice, AResumedFitHasTheBytesOfOneThatWasNot) {
  const Simulated table = testing::s_curve_table(7, 60, 8, {.entries = 0.1});
  GplvmOptions options = random_options("ngsm");
  options.steps = 30;
  options.race = false;
  options.restarts = 1;
  const GplvmFit whole = fit_gplvm(table.data, options, 3, on_the_twin());
  for (const Index stop : {4, 17, 25}) {
    std::optional<ModelGroup> saved;
    GplvmHooks first{.on_step = [&](const GplvmProgress& p) {
      if (p.step.step < stop) return true;
      saved = p.checkpoint();
      return false;
    }};
    fit_gplvm(table.data, options, 3, on_the_twin(), first);
    ASSERT_TRUE(saved);
    testing::expect_same_fit(whole, fit_gplvm(table.data, options, 3, on_the_twin(), {.resume = &*saved}));
  }
}

/// Skipped where there is no plugin or no card (docs/gpu.md).
TEST(GplvmDevice, AFitOnACardIsRepeatedAndResumedByteByByte) {
  const Compute cuda{Threads(2), Device::cuda()};
  const Simulated table = testing::s_curve_table(7, 700, 20, {.entries = 0.1});
  GplvmOptions options = random_options("ngsm");
  options.features.count = 40;
  options.steps = 60;
  options.restarts = 1;
  Compute open;
  try {
    open = choose_device(table.data, options, cuda).compute;
  } catch (const InputError& error) {
    GTEST_SKIP() << error.what();
  }
  const GplvmFit whole = fit_gplvm(table.data, options, 3, cuda);
  testing::expect_same_fit(whole, fit_gplvm(table.data, options, 3, open));
  std::optional<ModelGroup> saved;
  GplvmHooks first{.on_step = [&](const GplvmProgress& p) {
    if (p.step.step < 31) return true;
    saved = p.checkpoint();
    return false;
  }};
  fit_gplvm(table.data, options, 3, open, first);
  ASSERT_TRUE(saved);
  testing::expect_same_fit(whole, fit_gplvm(table.data, options, 3, open, {.resume = &*saved}));

  const GplvmFit twin = fit_gplvm(table.data, options, 3, on_the_twin());
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_NEAR(whole.trace[i].draw, twin.trace[i].draw, 1e-7 * std::abs(twin.trace[i].draw));
  EXPECT_NEAR(whole.objective, twin.objective, 2e-3 * double(table.data.observed()));
}

std::string refusal(const GplvmOptions& options) {
  const Simulated table = testing::s_curve_table(7, 30, 4);
  try {
    choose_device(table.data, options, {Threads(1), Device::cuda()});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(GplvmDevice, FitsWithoutStepsForACardAreRefusedWithARemedy) {
  GplvmOptions options = short_options();
  options.features = {.kind = Kind::exact};
  EXPECT_EQ(refusal(options),
            "cuda:0: the exact kernel and inducing latents have no steps for a card yet; choose random "
            "features, such as "
            "features 300, or the device cpu");
  options = random_options("rbf");
  options.precision = FloatingPoint::single_precision;
  EXPECT_EQ(
      refusal(options),
      "cuda:0: a card computes in double so far; choose the precision double or auto, or the device cpu");
  EXPECT_EQ(refusal(random_options("bsm")),
            "cuda:0: the kernel bsm has no steps for a card; choose another one, or the device cpu");
}

TEST(GplvmDevice, AutomaticIsTheProcessorWhereACardWouldNotPay) {
  const Simulated table = testing::s_curve_table(7, 30, 4);
  const DeviceChoice small =
      choose_device(table.data, random_options("rbf"), {Threads(1), Device::automatic()});
  EXPECT_TRUE(small.compute.device.is_cpu());
  EXPECT_EQ(small.reason, "the fit is short");
  GplvmOptions exact = short_options();
  exact.features = {.kind = Kind::exact};
  EXPECT_NE(choose_device(table.data, exact, {Threads(1), Device::automatic()}).reason, "");
  EXPECT_EQ(choose_device(table.data, exact, Threads(1)).reason, "");  // the processor was asked for
}

TEST(GplvmDevice, MemoryGrowsWithTheTableAndTheFeatures) {
  const Simulated small = testing::s_curve_table(7, 30, 4), large = testing::s_curve_table(7, 300, 4);
  GplvmOptions options = random_options("ngsm"), wide = options;
  wide.features.count = 300;
  EXPECT_LT(device_bytes(small.data, options), device_bytes(large.data, options));
  EXPECT_LT(device_bytes(large.data, options), device_bytes(large.data, wide));
}

}  // namespace
}  // namespace bochner::device_test
