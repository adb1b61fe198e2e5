#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

#include "bochner/io/bayes_file.hpp"
#include "bochner/io/hdf5.hpp"
#include "program.hpp"
#include "run_files.hpp"

namespace bochner::testing {

namespace {

/// Counts of 40 bins in time with a hole, labels of some of them, and annotations.
void write_spikes(const TempFolder& folder) {
  std::string counts = "bin,t,a,b,c,d\n", labels = "bin,kind\n", meta = "bin,trial,half\n";
  Rng rng(1);
  for (int n = 0; n < 40; ++n) {
    const double x = std::sin(0.3 * n);
    const std::string id = "b" + std::to_string(n);
    counts += id + "," + std::to_string(0.5 * n);
    for (int j = 0; j < 4; ++j)
      counts += n == 3 && j == 1
                    ? ","
                    : "," + std::to_string(static_cast<int>(2 + 2 * x * (j % 2 ? 1 : -1) + rng.uniform()));
    counts += "\n";
    if (n % 3 != 0) labels += id + "," + (x > 0 ? "up" : "down") + "\n";
    meta += id + "," + (n < 20 ? "first" : "second") + "," + std::to_string(n % 20) + "\n";
  }
  folder.write("counts.csv", counts);
  folder.write("labels.csv", labels);
  folder.write("meta.csv", meta);
}

class Bayes : public ::testing::Test {
 protected:
  Bayes() { write_spikes(folder); }
  Outcome run(const std::vector<std::string>& arguments) {
    return run_program(arguments, {.folder = folder.file("")});
  }
  const std::vector<std::string> fit{"fit",
                                     "--model",
                                     "bayes",
                                     "--view",
                                     "counts=counts.csv:poisson",
                                     "--view",
                                     "kind=labels.csv:categorical",
                                     "--time",
                                     "t",
                                     "--warmup",
                                     "6",
                                     "--draws",
                                     "8",
                                     "--frequencies",
                                     "6",
                                     "--holdout",
                                     "0.1",
                                     "--start",
                                     "pca"};
  std::vector<std::string> with_draws(const char* draws) const {
    std::vector<std::string> out = fit;
    *(std::find(out.begin(), out.end(), "--draws") + 1) = draws;
    return out;
  }
  TempFolder folder;
};

TEST_F(Bayes, LeavesTheSameBytesForAnyNumberOfThreads) {
  const auto bytes = [&](const char* threads) {
    const std::string out = std::string("run") + threads;
    const Outcome outcome =
        run(fit + std::vector<std::string>{"--forecast", "2", "--threads", threads, "--out", out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* part :
         {"read  40 samples in 2 views: counts 40 x 4", "2 chains of 8 draws", "verdict: ", "left  run"})
      EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
    EXPECT_EQ(files_of(folder.file(out)), (std::vector<std::string>{"chains.csv",
                                                                    "config.toml",
                                                                    "draws.h5",
                                                                    "forecast/counts.csv",
                                                                    "forecast/counts_hi.csv",
                                                                    "forecast/counts_lo.csv",
                                                                    "forecast/kind_probability.csv",
                                                                    "forecast_latent.csv",
                                                                    "heldout.csv",
                                                                    "imputed/counts.csv",
                                                                    "imputed/counts_hi.csv",
                                                                    "imputed/counts_lo.csv",
                                                                    "imputed/kind.csv",
                                                                    "imputed/kind_probability.csv",
                                                                    "latent.csv",
                                                                    "latent_sd.csv",
                                                                    "log.jsonl",
                                                                    "metrics.json",
                                                                    "model.bochner",
                                                                    "trace.csv"}));
    return contents(folder.file(out));
  };
  const auto one = bytes("1");
  EXPECT_EQ(bytes("2"), one);
  EXPECT_EQ(bytes("3"), one);
  // Every label is there, and is one.
  const TextTable kinds = read_csv_text(folder.file("run1/imputed/kind.csv"));
  for (const std::string& cell : kinds.cells[0]) EXPECT_TRUE(cell == "up" || cell == "down") << cell;
  EXPECT_EQ(read_hdf5(folder.file("run1/draws.h5"), "/chain_1/log_density").rows(), 8);
}

TEST_F(Bayes, KilledItGoesOnAndEndsWithTheSameBytes) {
  const std::vector<std::string> slow =
      with_draws("60") + std::vector<std::string>{"--checkpoint-seconds", "0", "--quiet"};
  ASSERT_EQ(run(slow + std::vector<std::string>{"--out", "whole"}).code, 0);
  const auto expected = contents(folder.file("whole"));
  Rng rng(3);
  int kills = 0;
  for (int trial = 0; kills < 5; ++trial) {
    ASSERT_LT(trial, 10);  // else it is never caught
    const std::string out = "cut" + std::to_string(trial), path = folder.file(out);
    Program program(slow + std::vector<std::string>{"--out", out}, {.folder = folder.file("")});
    ASSERT_TRUE(program.wait_for_file(path + "/checkpoint.bochner"));
    std::this_thread::sleep_for(std::chrono::microseconds(1 + rng.below(200'000)));
    program.send(SIGKILL);
    kills += program.wait().signal == SIGKILL;
    ASSERT_EQ(run({"fit", "--resume", "--out", out, "--quiet"}).code, 0);
    EXPECT_EQ(contents(path), expected) << "trial " << trial;
    expect_whole_files(path);
  }
}

TEST_F(Bayes, AppliesToNewSamples) {
  ASSERT_EQ(run(fit + std::vector<std::string>{"--out", "run"}).code, 0);
  const Outcome outcome = run({"apply", "run/model.bochner", "--view", "counts=counts.csv", "--out", "new"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Table latent = read_csv(folder.file("new/latent.csv"));
  EXPECT_EQ(latent.rows(), 40);
  EXPECT_EQ(latent.cols(), 2);
  const Table p = read_csv(folder.file("new/predicted/kind_probability.csv"));
  EXPECT_EQ(p.columns, (std::vector<std::string>{"kind=down", "kind=up"}));
  for (Index n = 0; n < p.rows(); ++n) EXPECT_NEAR(p.values.row(n).sum(), 1, 1e-9);
}

TEST_F(Bayes, TakesTimeAndTrialsFromAnnotations) {
  const std::vector<std::string> common{
      "fit",     "--model",  "bayes",   "--view",        "counts=counts.csv:poisson",
      "--meta",  "meta.csv", "--group", "trial",         "--warmup",
      "2",       "--draws",  "4",       "--frequencies", "4",
      "--start", "pca"};
  const Outcome outcome = run(common + std::vector<std::string>{"--time", "half", "--out", "run"});
  EXPECT_EQ(outcome.code, 1);  // t is still a column of the view, and no count
  EXPECT_NE(outcome.err.find("column 't': 0.5 is no count"), std::string::npos) << outcome.err;
  folder.write("meta.csv", [&] {
    std::string meta = "bin,trial,t\n";
    for (int n = 0; n < 40; ++n)
      meta +=
          "b" + std::to_string(n) + "," + (n < 20 ? "first" : "second") + "," + std::to_string(n % 20) + "\n";
    return meta;
  }());
  const Outcome good =
      run(common + std::vector<std::string>{"--time", "t", "--forecast", "1", "--out", "run"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_EQ(read_csv(folder.file("run/forecast_latent.csv")).ids,
            (std::vector<std::string>{"b19+1", "b39+1"}));
  EXPECT_EQ(read_csv(folder.file("run/imputed/counts.csv")).cols(), 4);
}

TEST_F(Bayes, LabelsOfNewSamplesAreKnownByName) {
  ASSERT_EQ(run(fit + std::vector<std::string>{"--out", "run"}).code, 0);
  folder.write("new.csv", "bin,other,kind\nn1,x,up\nn2,y,down\nn3,z,\n");
  const Outcome good = run({"apply", "run/model.bochner", "--view", "kind=new.csv", "--out", "new"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_EQ(read_csv(folder.file("new/latent.csv")).rows(), 3);
  folder.write("new.csv", "bin,kind\nn1,sideways\n");
  expect_refusal(run({"apply", "run/model.bochner", "--view", "kind=new.csv", "--out", "new"}), 1,
                 {"new.csv", "n1", "kind", "does not know the label 'sideways'"});
  folder.write("new.csv", "bin,a,b,c,d\nn1,1,2,0.5,1\n");
  expect_refusal(run({"apply", "run/model.bochner", "--view", "counts=new.csv", "--out", "new"}), 1,
                 {"counts", "n1", "'c'", "0.5 is no count"});
}

TEST_F(Bayes, RefusesInOneSentence) {
  const auto refused = [&](const std::vector<std::string>& arguments, const char* sentence) {
    const Outcome outcome = run(std::vector<std::string>{"fit", "--model", "bayes"} + arguments);
    EXPECT_EQ(outcome.code, 1) << sentence;
    EXPECT_NE(outcome.err.find(sentence), std::string::npos) << outcome.err;
  };
  refused({"--view", "counts=counts.csv:bernoulli", "--time", "t"}, "is neither 0 nor 1");
  refused({"--view", "counts=counts.csv:binomial", "--time", "t"}, "--trials counts=N");
  refused({"--view", "counts=counts.csv:binomial", "--time", "t", "--trials", "1"},
          "is more than its number of trials");
  refused({"--view", "counts=counts.csv:poisson", "--time", "when"}, "no view has a column 'when'");
  refused({"--view", "counts=counts.csv", "--likelihood", "possion"}, "'possion' is no likelihood");
  refused({"--view", "counts=counts.csv", "--steps", "5"}, "--steps belongs to --model variational");
  refused({"--view", "counts=counts.csv", "--forecast", "5"}, "--forecast needs times");
  refused({"--view", "counts=counts.csv", "--trials", "counts=5"}, "write its table as TABLE:binomial");
  refused({"--view", "counts=counts.csv", "--time-kernel", "walk"}, "--time-kernel is of latents over time");
  refused({"--view", "counts=counts.csv", "--group", "trial"}, "--group tells trials");
  refused({"--view", "counts=counts.csv", "--meta", "meta.csv", "--time", "half"}, "have the same time");
  refused({"--view", "counts=counts.csv", "--kernel", "matern32"}, "learns its kernels");
  const Outcome outcome = run({"fit", "--view", "counts.csv", "--chains", "3"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("--chains belongs to --model bayes"), std::string::npos);
}

}  // namespace
}  // namespace bochner::testing
