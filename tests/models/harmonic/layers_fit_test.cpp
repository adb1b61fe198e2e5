#include <gtest/gtest.h>

#include <cmath>

#include "bochner/assess/prediction_scores.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/models/harmonic/file.hpp"
#include "bochner/random/rng.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::layers_fit_test {
namespace {

const Threads threads(2);

struct Table {
  Matrix X, Y;
};

/// A step, which a stationary kernel rings around, and a column that does not matter.
Table steps(Index N, std::uint64_t seed) {
  Rng rng(seed);
  Table out{rng.normal(N, 2), Matrix(N, 1)};
  const Matrix noise = 0.05 * rng.normal(N, 1);
  for (Index n = 0; n < N; ++n) out.Y(n, 0) = (out.X(n, 0) > 0.2 ? 1 : -1) + noise(n, 0);
  return out;
}

/// Images of 8 x 8 pixels of noise, with a bar of four bright pixels somewhere: upright is class 1, lying class 0.
Table bars(Index N, std::uint64_t seed) {
  Rng rng(seed);
  Table out{0.3 * rng.normal(N, 64), Matrix(N, 1)};
  const Vector where = rng.uniform(3 * N);
  for (Index n = 0; n < N; ++n) {
    const bool upright = where(3 * n) < 0.5;
    const auto along = static_cast<Index>(5 * where(3 * n + 1)),
               across = static_cast<Index>(8 * where(3 * n + 2));
    for (Index i = 0; i < 4; ++i) out.X(n, upright ? (along + i) * 8 + across : across * 8 + along + i) += 1;
    out.Y(n, 0) = upright ? 1 : 0;
  }
  return out;
}

HarmonicNames names(Index inputs, std::vector<std::string> classes = {}) {
  HarmonicNames out{.outcomes = {"y"}, .classes = std::move(classes)};
  for (Index i = 1; i <= inputs; ++i) out.inputs.push_back("x" + std::to_string(i));
  return out;
}

const HarmonicFitOptions quick{.inducing = 20, .steps = 1500, .batch = 200, .check_every = 100};

HarmonicFit fit_steps(const Table& table, const std::vector<std::string>& layers, Index steps,
                      const Compute& compute, const HarmonicHooks& hooks = {}) {
  HarmonicFitOptions options = quick;
  options.layers = layers;
  options.steps = steps;
  return fit_harmonic(memory_rows(table.X, table.Y), names(2), options, 1, compute, hooks);
}

TEST(HarmonicLayers, ASecondLayerLearnsASharpStep) {
  const Table in = steps(1000, 1), out = steps(1000, 2);
  const HarmonicFit one = fit_steps(in, {}, 1500, threads), two = fit_steps(in, {"2"}, 1500, threads);
  ASSERT_EQ(two.gp.hidden.size(), 1u);
  const double shallow = log_density(one, out.X, out.Y, threads).mean(),
               deep = log_density(two, out.X, out.Y, threads).mean();
  EXPECT_GT(deep, shallow + 0.2);
  EXPECT_GT(two.bound, one.bound);
}

TEST(HarmonicLayers, FilesKeepThemAndRowsAreAlone) {
  const Table in = steps(300, 3);
  const HarmonicFit fit = fit_steps(in, {"dense:3", "dense:2"}, 30, threads);
  const testing::TempFolder folder;
  const std::string path = folder.file("deep.bochner");
  write_harmonic(path, fit);
  const HarmonicFit read = read_harmonic(path);
  const HarmonicPrediction all = predict(fit, in.X, threads);
  EXPECT_EQ(predict(read, in.X, Threads(3)).y.mean, all.y.mean);
  EXPECT_EQ(predict(read, in.X, Threads(1)).y.variance, all.y.variance);
  const HarmonicPrediction few = predict(read, in.X.bottomRows(5), threads);
  EXPECT_LT((few.y.mean - all.y.mean.bottomRows(5)).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_EQ(read.options.layers, fit.options.layers);
}

TEST(HarmonicLayers, ResumedRunsHaveTheBytesOfUninterruptedOnes) {
  const Table in = steps(300, 4);
  const HarmonicFit whole = fit_steps(in, {"2"}, 60, threads);
  ModelGroup kept;
  fit_steps(in, {"2"}, 60, threads, {.on_step = [&](const HarmonicProgress& at) {
              if (at.step < 23) return true;
              kept = at.checkpoint();
              return false;
            }});
  const HarmonicFit resumed = fit_steps(in, {"2"}, 60, Threads(5), {.resume = &kept});
  EXPECT_EQ(resumed.gp.mean, whole.gp.mean);
  EXPECT_EQ(resumed.gp.hidden.front().Z, whole.gp.hidden.front().Z);
  EXPECT_EQ(resumed.gp.hidden.front().factor, whole.gp.hidden.front().factor);
  EXPECT_EQ(resumed.bound, whole.bound);
}

double accuracy(const HarmonicFit& fit, const Table& table) {
  const Matrix p = predict(fit, table.X, threads).probabilities;
  double right = 0;
  for (Index n = 0; n < table.Y.rows(); ++n) right += (p(n, p.cols() - 1) > 0.5) == (table.Y(n, 0) > 0.5);
  return right / double(table.Y.rows());
}

TEST(HarmonicLayers, WindowsSeeWhatIsAnywhereInAnImage) {
  const Table in = bars(400, 5), out = bars(400, 6);
  HarmonicFitOptions options = quick;
  options.likelihood = "bernoulli";
  options.steps = 400;
  const RowSource source = memory_rows(in.X, in.Y);
  const double plain = accuracy(fit_harmonic(source, names(64, {"no", "yes"}), options, 1, threads), out);
  options.image = "8x8";
  options.layers = {"patches:3"};
  const HarmonicFit windows = fit_harmonic(source, names(64, {"no", "yes"}), options, 1, threads);
  EXPECT_GT(accuracy(windows, out), 0.9);
  EXPECT_GT(accuracy(windows, out), plain + 0.1);

  options.layers = {"conv:3:1:4:pool2", "patches:2"};
  options.steps = 10;
  const HarmonicFit deep = fit_harmonic(source, names(64, {"no", "yes"}), options, 1, threads);
  const testing::TempFolder folder;
  const std::string path = folder.file("windows.bochner");
  write_harmonic(path, deep);
  EXPECT_EQ(predict(read_harmonic(path), out.X, threads).probabilities,
            predict(deep, out.X, threads).probabilities);
}

TEST(HarmonicLayers, BadOnesAreOneMessage) {
  const Table in = steps(100, 7);
  const auto refuses = [&](HarmonicFitOptions options) {
    EXPECT_THROW(fit_harmonic(memory_rows(in.X, in.Y), names(2), options, 1, threads), InputError);
  };
  HarmonicFitOptions options = quick;
  options.layers = {"patches:3"};
  refuses(options);  // no shape
  options.image = "3x3";
  refuses(options);  // not of the table
  options.image = "1x2";
  refuses(options);  // smaller than a window
  options = quick;
  options.layers = {"2"};
  options.hidden_inducing = {10, 10};
  refuses(options);
  options.hidden_inducing = {};
  options.symmetries = {"auto"};
  refuses(options);
  options.symmetries = {"negate:x1"};
  refuses(options);
}

}  // namespace
}  // namespace bochner::layers_fit_test
