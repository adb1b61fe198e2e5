#include "bochner/models/harmonic/file.hpp"

#include <gtest/gtest.h>

#include "bochner/symmetry/input_scaling_names.hpp"
#include "file_examples.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::file_test {
namespace {

using namespace testing;

void expect_same(const HarmonicGp& a, const HarmonicGp& b) {
  const Matrix X = Rng(3).normal(7, D);
  const LatentMarginals fa = predict_latent(a, X, threads), fb = predict_latent(b, X, threads);
  EXPECT_EQ(fa.mean, fb.mean);
  EXPECT_EQ(fa.variance, fb.variance);
  ASSERT_EQ(a.motions.size(), b.motions.size());
  for (std::size_t g = 0; g < a.motions.size(); ++g) {
    EXPECT_EQ(a.motions[g].from, b.motions[g].from);
    EXPECT_EQ(a.motions[g].sign, b.motions[g].sign);
    EXPECT_EQ(a.motions[g].A, b.motions[g].A);
    EXPECT_EQ(a.motions[g].b, b.motions[g].b);
  }
  EXPECT_EQ(a.Z, b.Z);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.factor, b.factor);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.jitter, b.jitter);
  EXPECT_EQ(likelihood_name(a.likelihood), likelihood_name(b.likelihood));
  EXPECT_EQ(parameters(a.likelihood), parameters(b.likelihood));
}

TEST(HarmonicFile, GivesEveryKindOfFitBackToTheBit) {
  for (const std::string& likelihood : likelihood_names())
    for (const bool shared : {false, true}) {
      SCOPED_TRACE(likelihood);
      const HarmonicFit fit = example_harmonic({likelihood, shared, shared});
      TempFolder folder;
      write_harmonic(folder.file("model.bochner"), fit);
      const HarmonicFit read = read_harmonic(folder.file("model.bochner"));
      EXPECT_EQ(format_model(harmonic_group(read)), format_model(harmonic_group(fit)));
      expect_same(read.gp, fit.gp);
      const Matrix table = example_table();
      EXPECT_EQ(read.inputs.apply(table), fit.inputs.apply(table));
      const HarmonicPrediction a = predict(read, table, threads), b = predict(fit, table, threads);
      EXPECT_EQ(a.f.mean, b.f.mean);
      EXPECT_EQ(a.f.variance, b.f.variance);
      EXPECT_EQ(a.y.mean, b.y.mean);
      EXPECT_EQ(a.y.variance, b.y.variance);
      EXPECT_EQ(a.probabilities, b.probabilities);
    }
}

TEST(HarmonicFile, KeepsWhatPredictionsDoNotNeed) {
  const HarmonicFit fit = example_harmonic({"student", true, false});
  const HarmonicFit read = harmonic_from(harmonic_group(fit));
  EXPECT_EQ(read.inputs.columns, fit.inputs.columns);
  EXPECT_EQ(read.inputs.names(), fit.inputs.names());
  EXPECT_EQ(read.outputs.scale, fit.outputs.scale);
  EXPECT_EQ(read.outputs.kind, fit.outputs.kind);
  EXPECT_EQ(read.outcomes, fit.outcomes);
  EXPECT_EQ(read.symmetries, fit.symmetries);
  ASSERT_EQ(read.compared.size(), 2u);
  EXPECT_TRUE(read.compared[0].words.empty());
  EXPECT_EQ(read.compared[1].words, fit.compared[1].words);
  EXPECT_EQ(read.compared[1].groups, 6);
  EXPECT_EQ(read.compared[1].missed, 0.1);
  EXPECT_EQ(read.rows, 12345);
  EXPECT_EQ(read.steps, 678);
  EXPECT_EQ(read.bound, fit.bound);
  EXPECT_EQ(read.status, Status::converged);
  ASSERT_EQ(read.trace.size(), 2u);
  EXPECT_EQ(read.trace[0].step, 100);
  EXPECT_EQ(read.trace[0].bound, -2.5);
  EXPECT_EQ(read.trace[0].validation, -2.6);
  EXPECT_TRUE(std::isnan(read.trace[1].validation));
  EXPECT_EQ(read.notes, fit.notes);
  EXPECT_EQ(read.seed, fit.seed);
  EXPECT_EQ(std::get<StudentT>(read.gp.likelihood).degrees, 3.3);
  const HarmonicFitOptions &o = read.options, &p = fit.options;
  EXPECT_EQ(
      std::tie(o.kernel, o.ard, o.lengthscale, o.likelihood, o.degrees, o.noise, o.symmetries, o.scaling),
      std::tie(p.kernel, p.ard, p.lengthscale, p.likelihood, p.degrees, p.noise, p.symmetries, p.scaling));
  EXPECT_EQ(std::tie(o.inducing, o.shared_inducing, o.shared_covariance, o.learn_kernel, o.learn_inducing,
                     o.jitter),
            std::tie(p.inducing, p.shared_inducing, p.shared_covariance, p.learn_kernel, p.learn_inducing,
                     p.jitter));
  EXPECT_EQ(std::tie(o.steps, o.batch, o.step_size, o.natural_step, o.validation, o.check_every, o.patience),
            std::tie(p.steps, p.batch, p.step_size, p.natural_step, p.validation, p.check_every, p.patience));
  ASSERT_EQ(o.circles.size(), 1u);
  EXPECT_EQ(o.circles[0].period, 24);
  ASSERT_EQ(o.spheres.size(), 1u);
  EXPECT_EQ(o.spheres[0].latitude, 3);
}

TEST(HarmonicFile, MotionsThatSwapColumnsHaveNoMatrix) {
  // 12 motions, of which a third (no rotation) only swaps columns and turns signs.
  const ModelGroup group = harmonic_group(example_harmonic({}));
  const ModelGroup& motions = group.group("gp").group("motions");
  EXPECT_EQ(motions.matrix("b").rows(), 12);
  EXPECT_EQ(motions.integers("dense").size(), 8u);
  EXPECT_EQ(motions.matrix("A").rows(), 8 * D);
  EXPECT_EQ(motions.integers("from").size(), std::size_t(4 * D));

  const HarmonicGp images =
      make_harmonic_gp(Rbf{.ell = Vector::Ones(784)}, {shift_image(28, 28, 0, 7)}, Rng(1).normal(2, 784),
                       odd_likelihood("gaussian"), {.latents = 2});
  HarmonicFit fit = example_harmonic({});
  fit.gp = images;
  EXPECT_EQ(harmonic_group(fit).group("gp").group("motions").matrix("A").size(), 0);
}

TEST(HarmonicCheckpointFile, ComesBackToTheBit) {
  for (const bool natural : {false, true})
    for (const bool best : {false, true}) {
      const HarmonicCheckpoint c = example_checkpoint(natural, best);
      TempFolder folder;
      write_model(folder.file("checkpoint"), checkpoint_group(c));
      const ModelGroup group = read_model(folder.file("checkpoint"));
      EXPECT_EQ(harmonic_checkpoint_steps(group), 77);
      const HarmonicCheckpoint read = harmonic_checkpoint_from(group);
      EXPECT_EQ(format_model(checkpoint_group(read)), format_model(checkpoint_group(c)));
      EXPECT_EQ(std::tie(read.step, read.retries, read.cool_from, read.best_step),
                std::tie(c.step, c.retries, c.cool_from, c.best_step));
      EXPECT_EQ(std::tie(read.smoothed, read.smoothing_weight, read.best),
                std::tie(c.smoothed, c.smoothing_weight, c.best));
      EXPECT_EQ(read.precision, c.precision);
      ASSERT_EQ(read.adam.size(), c.adam.size());
      for (std::size_t i = 0; i < c.adam.size(); ++i) {
        EXPECT_EQ(read.adam[i].m, c.adam[i].m);
        EXPECT_EQ(read.adam[i].v, c.adam[i].v);
        EXPECT_EQ(read.adam[i].count, c.adam[i].count);
      }
      expect_same(read.gp, c.gp);
      expect_same(read.best_gp, c.best_gp);
      ASSERT_EQ(read.trace.size(), 2u);
      EXPECT_EQ(read.trace[1].step, 60);
      EXPECT_EQ(read.trace[1].validation, c.trace[1].validation);
    }
}

TEST(HarmonicCheckpointFile, AFitGoesOnFromItAsIfItHadNeverStopped) {
  const Matrix X = Rng(1).normal(120, 3);
  Matrix Y(120, 2);
  Y << X.col(0).array().sin().matrix(), X.col(1).cwiseProduct(X.col(2));
  Y(5, 1) = std::numeric_limits<double>::quiet_NaN();
  const RowSource data = memory_rows(X, Y);
  const HarmonicNames names{.inputs = {"a", "b", "c"}, .outcomes = {"u", "v"}};
  for (const double natural_step : {0.1, 0.0}) {
    const HarmonicFitOptions options{.kernel = "rbf",
                                     .symmetries = {"negate:pca:2"},
                                     .inducing = 6,
                                     .steps = 40,
                                     .batch = 16,
                                     .natural_step = natural_step,
                                     .check_every = 10};
    TempFolder folder;
    HarmonicHooks hooks;
    hooks.on_step = [&](const HarmonicProgress& now) {
      if (now.step == 25) write_model(folder.file("checkpoint"), now.checkpoint());
      return true;
    };
    const HarmonicFit whole = fit_harmonic(data, names, options, 3, threads, hooks);
    const ModelGroup c = read_model(folder.file("checkpoint"));
    EXPECT_EQ(harmonic_checkpoint_steps(c), 25);
    const HarmonicFit resumed = fit_harmonic(data, names, options, 3, threads, {.resume = &c});
    EXPECT_EQ(format_model(harmonic_group(resumed)), format_model(harmonic_group(whole)));
    write_harmonic(folder.file("model.bochner"), whole);
    const HarmonicFit read = read_harmonic(folder.file("model.bochner"));
    EXPECT_EQ(log_density(read, X.topRows(5), Y.topRows(5), threads),
              log_density(whole, X.topRows(5), Y.topRows(5), threads));
  }
}

TEST(HarmonicFile, OtherKindsOfFileAreNamed) {
  ModelGroup kpca, unknown;
  kpca.set("model", "kpca");
  unknown.set("model", "tree");
  TempFolder folder;
  write_model(folder.file("m"), kpca);
  expect_message([&] { read_harmonic(folder.file("m")); },
                 {folder.file("m"), "of the kind 'kpca', but one of the kind 'harmonic' is required"});
  expect_message([&] { harmonic_from(unknown); }, {"of the kind 'tree'"});
  write_model(folder.file("c"), checkpoint_group(example_checkpoint(true, true)));
  expect_message([&] { read_harmonic(folder.file("c")); }, {"of the kind 'harmonic checkpoint'"});
  write_harmonic(folder.file("h"), example_harmonic({}));
  expect_message([&] { harmonic_checkpoint_from(read_model(folder.file("h"))); },
                 {"of the kind 'harmonic', but one of the kind 'harmonic checkpoint' is required"});
  expect_message([&] { read_harmonic(folder.write("t.csv", "id,a\nx,1\n")); }, {"not a model file"});
}

TEST(HarmonicFile, CutOffAndDamagedFilesAreMessages) {
  TempFolder folder;
  write_harmonic(folder.file("whole"), example_harmonic({"poisson", true, true}));
  const std::string bytes = slurp(folder.file("whole"));
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{10}, std::size_t{512}, bytes.size() / 2, bytes.size() - 1})
    expect_message([&] { read_harmonic(folder.write("cut", bytes.substr(0, length))); }, {"cut"});
  for (std::size_t at = 600; at < bytes.size(); at += bytes.size() / 20) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    expect_message([&] { read_harmonic(folder.write("bad", damaged)); }, {"bad", "checksum"});
  }
}

TEST(HarmonicNames, ComeBack) {
  for (const char* text : {"auto", "standardise", "common", "none"})
    EXPECT_EQ(to_text(parse_input_scaling(text)), text);
  expect_message([] { parse_input_scaling("whole"); }, {"'whole'", "'common'"});
}

}  // namespace
}  // namespace bochner::file_test
