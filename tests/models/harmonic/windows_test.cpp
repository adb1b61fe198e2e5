// Symmetries, kernels, checkpoints and memory of layers that see windows of images.

#include <gtest/gtest.h>

#include <fstream>

#include "bochner/core/errors.hpp"
#include "bochner/models/harmonic/fit.hpp"
#include "bochner/random/rng.hpp"
#include "src/models/harmonic/groups.hpp"
#include "src/models/harmonic/start.hpp"

namespace bochner::windows_test {
namespace {

const Threads threads(2);
const AnyLikelihood two_classes = make_likelihood("bernoulli", 1);

HarmonicFitOptions windows_of(const std::vector<std::string>& layers, const std::string& image) {
  return {.symmetries = {"negate:checker"},
          .layers = layers,
          .image = image,
          .inducing = 9,
          .steps = 12,
          .batch = 30,
          .check_every = 5};
}

HarmonicStart started(const HarmonicFitOptions& options, const Matrix& X) {
  std::vector<std::string> columns;
  for (Index c = 0; c < X.cols(); ++c) columns.push_back(std::to_string(c + 1));
  return start_harmonic(options, two_classes, options.symmetries, columns, X, Rng(1), threads);
}

/// The Gram matrices of a layer with Z of the first group, each harmonic on its own and the kernel as a whole.
struct Grams {
  std::vector<Matrix> each;
  Matrix whole;
};

Grams grams_of(const AnyKernel& kernel, const std::vector<Motion>& motions, const Matrix& weights,
               const std::optional<PatchSum>& sum, const Matrix& X, const Matrix& Z) {
  const std::vector<Motion> none{identity_motion(Z.cols())};
  const Matrix one = Matrix::Ones(1, 1);
  return {row_grams({kernel, motions, weights}, sum, X, Z, threads),
          row_grams({kernel, none, one}, sum, X, Z, threads).front()};
}

double sum_error(const Grams& g) {
  Matrix left = g.whole;
  for (const Matrix& K : g.each) left -= K;
  return left.cwiseAbs().maxCoeff() / g.whole.cwiseAbs().maxCoeff();
}

TEST(HarmonicWindows, TheColoursOfAChessboardCutEveryLayerInFour) {
  const Matrix X = Rng(3).normal(40, 36);
  const HarmonicFitOptions options = windows_of({"conv:3:1:2", "patches:2"}, "6x6");
  const HarmonicStart start = started(options, X);
  const HiddenLayer& hidden = start.gp.hidden.front();
  ASSERT_EQ(hidden.groups(), 4);
  ASSERT_EQ(start.gp.groups(), 4);
  EXPECT_EQ(harmonic_groups(options, {}, X), 4);
  EXPECT_FALSE(start.ard);
  EXPECT_LT(sum_error(grams_of(hidden.kernel, hidden.motions, hidden.weights, std::nullopt,
                               hidden.patches->gather(X), hidden.Z.front())),
            1e-14);
  const Matrix inputs = Rng(4).normal(10, hidden.outputs());
  EXPECT_LT(sum_error(grams_of(start.gp.kernel, start.gp.motions, start.gp.weights, start.gp.patch_sum,
                               inputs, start.gp.Z.front())),
            1e-13);
}

// q(v) = N(0, I) is the prior: nothing is known of any part, and together they are k(x, x).
TEST(HarmonicWindows, PartsOfThePriorAddUpToTheKernel) {
  const Matrix X = Rng(5).normal(20, 36);
  const HarmonicStart start = started(windows_of({"patches:3"}, "6x6"), X);
  const std::vector<LatentMarginals> parts = predict_parts(start.gp, X, threads);
  ASSERT_EQ(parts.size(), 4u);
  Vector sum = Vector::Zero(X.rows());
  for (const LatentMarginals& part : parts) {
    EXPECT_EQ(part.mean.cwiseAbs().maxCoeff(), 0);
    EXPECT_GT(part.variance.minCoeff(), 0);
    sum += part.variance.col(0);
  }
  const Vector prior = row_variances(start.gp.kernel, start.gp.patch_sum, X, threads);
  EXPECT_LT((sum - prior).cwiseAbs().maxCoeff(), 1e-12 * prior.maxCoeff());
}

TEST(HarmonicWindows, OneWindowThatIsTheImageIsTheKernelItself) {
  const Matrix X = Rng(6).normal(12, 9), Z = Rng(7).normal(5, 11);
  const AnyKernel kernel = Rbf{.ell = Vector::LinSpaced(11, 1, 2), .sigma2 = 1.3};
  const std::optional<PatchSum> one = PatchSum{{{3, 3, 1}, 3}, Vector::Ones(1)};
  Matrix rows = Matrix::Zero(12, 11);  // the window begins at row 0 and column 0
  rows.leftCols(9) = X;
  const std::vector<Motion> motions{identity_motion(11)};
  const Matrix weights = Matrix::Ones(1, 1);
  EXPECT_LT(
      (row_grams({kernel, motions, weights}, one, X, Z, threads).front() - gram(kernel, rows, Z, threads))
          .cwiseAbs()
          .maxCoeff(),
      1e-15);
  EXPECT_LT((row_variances(kernel, one, X, threads) - diagonal(kernel, rows)).cwiseAbs().maxCoeff(), 1e-15);
}

Matrix labels(Index N) {
  Matrix Y(N, 1);
  for (Index n = 0; n < N; ++n) Y(n, 0) = double(n % 2);
  return Y;
}

HarmonicNames names_of(Index inputs) {
  HarmonicNames out{.outcomes = {"y"}, .classes = {"no", "yes"}};
  for (Index i = 1; i <= inputs; ++i) out.inputs.push_back("x" + std::to_string(i));
  return out;
}

TEST(HarmonicWindows, ResumedRunsHaveTheBytesOfUninterruptedOnes) {
  const Matrix X = Rng(8).normal(60, 36), Y = labels(60);
  HarmonicFitOptions options = windows_of({"conv:3:1:2:pool2", "patches:2"}, "6x6");
  options.likelihood = "bernoulli";
  const auto fit = [&](const Compute& compute, const HarmonicHooks& hooks) {
    return fit_harmonic(memory_rows(X, Y), names_of(36), options, 1, compute, hooks);
  };
  const HarmonicFit whole = fit(threads, {});
  ModelGroup kept;
  fit(threads, {.on_step = [&](const HarmonicProgress& at) {
        if (at.step < 7) return true;
        kept = at.checkpoint();
        return false;
      }});
  const HarmonicFit resumed = fit(Threads(1), {.resume = &kept});
  EXPECT_EQ(resumed.gp.mean, whole.gp.mean);
  EXPECT_EQ(resumed.gp.patch_sum->weight, whole.gp.patch_sum->weight);
  EXPECT_EQ(resumed.gp.hidden.front().output_factor, whole.gp.hidden.front().output_factor);
  EXPECT_EQ(resumed.bound, whole.bound);
}

TEST(HarmonicWindows, ImagesThatNoLayerLooksAtAreRefused) {
  const Matrix X = Rng(9).normal(60, 36), Y = labels(60);
  for (const std::vector<std::string>& layers :
       std::vector<std::vector<std::string>>{{}, {"1"}, {"2"}, {"dense:3"}}) {
    HarmonicFitOptions options = windows_of(layers, "6x6");
    options.symmetries = {};
    EXPECT_THROW(check_layers(options, 36), InputError);
  }
  EXPECT_NO_THROW(check_layers(windows_of({"patches:2"}, "6x6"), 36));
}

/// Bytes from a line of /proc/self/status.
double memory_line(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;)
    if (double kilobytes = 0; word == name + ":" && file >> kilobytes) return 1024 * kilobytes;
  return 0;
}

// Large enough that what the layers hold is most of it.
TEST(HarmonicWindows, MemoryStaysWithinWhatIsAnnounced) {
  std::ofstream reset("/proc/self/clear_refs");
  if (!(reset << 5 << std::flush)) GTEST_SKIP() << "no peak of memory can be read here";
  const Index N = 80;
  const Matrix X = Rng(10).normal(N, 400), Y = labels(N);
  HarmonicFitOptions options = windows_of({"conv:5:1:4", "patches:5:2"}, "20x20");
  options.inducing = 60;
  options.batch = 40;
  options.steps = 2;
  options.likelihood = "bernoulli";
  const double before = memory_line("VmRSS");
  fit_harmonic(memory_rows(X, Y), names_of(400), options, 1, threads);
  const double needed = memory_line("VmHWM") - before, announced = harmonic_memory(N, 400, 1, 4, options);
  EXPECT_LT(needed, announced + 3e7);
  EXPECT_GT(needed, 0.25 * announced);
}

}  // namespace
}  // namespace bochner::windows_test
