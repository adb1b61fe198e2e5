#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

#include "bayes_runs.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/run/any_fit.hpp"
#include "bochner/tables/hdf5.hpp"
#include "run_files.hpp"

namespace bochner::testing::bayes_test {

namespace {

TEST_F(Bayes, LeavesTheSameBytesForAnyNumberOfThreads) {
  const auto bytes = [&](const char* threads) {
    const std::string out = std::string("run") + threads;
    const Outcome outcome =
        run(fit + std::vector<std::string>{"--forecast", "2", "--threads", threads, "--out", out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* part : {"read  40 samples in 2 views: counts 40 x 4", "2 chains of 8 draws",
                             "variance explained (training)", "\n  counts, of f ", "leave-one-out (PSIS)",
                             "\n  dimension is ", "verdict: ", "Wrote run"})
      EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
    EXPECT_EQ(files_of(folder.file(out)), (std::vector<std::string>{"chains.csv",
                                                                    "config.toml",
                                                                    "draws.nc",
                                                                    "forecast/counts.csv",
                                                                    "forecast/counts_hi.csv",
                                                                    "forecast/counts_lo.csv",
                                                                    "forecast/counts_mean.csv",
                                                                    "forecast/kind_probability.csv",
                                                                    "forecast_latent.csv",
                                                                    "heldout.csv",
                                                                    "heldout_entries.csv",
                                                                    "imputed/counts.csv",
                                                                    "imputed/counts_hi.csv",
                                                                    "imputed/counts_lo.csv",
                                                                    "imputed/kind.csv",
                                                                    "imputed/kind_probability.csv",
                                                                    "kernel.json",
                                                                    "latent.csv",
                                                                    "latent_sd.csv",
                                                                    "loadings.csv",
                                                                    "loadings_sd.csv",
                                                                    "log.jsonl",
                                                                    "metrics.json",
                                                                    "model.bochner",
                                                                    "relevance.csv",
                                                                    "relevance_columns.csv",
                                                                    "responses.csv",
                                                                    "top_columns.csv",
                                                                    "trace.csv"}));
    return contents(folder.file(out));
  };
  const auto one = bytes("1");
  EXPECT_EQ(bytes("2"), one);
  EXPECT_EQ(bytes("3"), one);
  const Json metrics = Json::parse(slurp(folder.file("run1/metrics.json")));
  for (const char* view : {"counts", "kind"}) {
    const double share = metrics["explained"][view].get<double>();
    EXPECT_TRUE(share >= 0 && share <= 1) << view << " " << share;
  }
  EXPECT_TRUE(metrics["explained_heldout"]["counts"].is_number());
  EXPECT_TRUE(metrics["explained_heldout"]["kind"].is_null());  // labels have no variance
  EXPECT_EQ(metrics["dimensions"].size(), 2U);
  const Table relevance = read_csv(folder.file("run1/relevance.csv"));
  EXPECT_EQ(relevance.columns, (std::vector<std::string>{"counts", "kind"}));
  EXPECT_EQ(relevance.ids, (std::vector<std::string>{"z1", "z2"}));
  EXPECT_EQ(read_csv(folder.file("run1/relevance_columns.csv")).ids.back(), "kind/kind");  // not its classes
  const Table loadings = read_csv(folder.file("run1/loadings.csv")),
              sd = read_csv(folder.file("run1/loadings_sd.csv"));
  EXPECT_EQ(loadings.ids, read_csv(folder.file("run1/relevance_columns.csv")).ids);
  EXPECT_EQ(sd.ids, loadings.ids);
  EXPECT_TRUE((sd.values.array() >= 0).all());
  EXPECT_EQ(read_csv_text(folder.file("run1/top_columns.csv")).columns.back(), "loading_sd");
  // Every label is there, and is one.
  const TextTable kinds = read_csv_text(folder.file("run1/imputed/kind.csv"));
  for (const std::string& cell : kinds.cells[0]) EXPECT_TRUE(cell == "up" || cell == "down") << cell;
  EXPECT_EQ(read_hdf5(folder.file("run1/draws.nc"), "/sample_stats/log_density").cols(), 8);
  for (const char* view : {"counts", "kind"}) {
    EXPECT_LT(metrics["loo"][view]["elpd_loo"].get<double>(), 0) << view;
    EXPECT_EQ(metrics["loo"][view]["n_samples"], 16) << view;
    EXPECT_LT(metrics["waic"][view]["elpd_waic"].get<double>(), 0) << view;
  }
  const Json kernel = Json::parse(slurp(folder.file("run1/kernel.json")))["counts"];
  EXPECT_GE(kernel["n_components"]["median"], 1);
  EXPECT_EQ(kernel["kernel_along"]["z2"]["median"].size(), kernel["kernel_along"]["distance"].size());
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

TEST_F(Bayes, AStartIsShownStoppedAndGoneOnWith) {
  std::vector<std::string> slow = fit + std::vector<std::string>{"--checkpoint-seconds", "0"};
  *(std::find(slow.begin(), slow.end(), "--start") + 1) = "variational";
  const Outcome whole = run_program(slow + std::vector<std::string>{"--out", "whole"},
                                    {.folder = folder.file(""), .terminal = true});
  ASSERT_EQ(whole.code, 0) << whole.err;
  const std::size_t start = whole.err.find("start  ["), sweeps = whole.err.find("fit  [");
  ASSERT_NE(start, std::string::npos) << whole.err;
  ASSERT_NE(sweeps, std::string::npos);
  EXPECT_LT(start, sweeps);
  EXPECT_NE(whole.err.find("of at most 14 ", sweeps), std::string::npos) << whole.err;
  const auto expected = contents(folder.file("whole"));
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = "cut" + std::to_string(signal), path = folder.file(out);
    Program program(slow + std::vector<std::string>{"--out", out}, {.folder = folder.file("")});
    ASSERT_TRUE(program.wait_for_file(path + "/checkpoint.bochner"));
    program.send(signal);
    const Outcome cut = program.wait();
    EXPECT_EQ(cut.code, 128 + signal) << cut.err;
    const ModelGroup left = read_model(path + "/checkpoint.bochner");
    EXPECT_TRUE(left.has("start"));  // it was not waited for the first sweep
    EXPECT_EQ(bayes_checkpoint_progress(left).draws, 0);
    EXPECT_EQ(bayes_checkpoint_progress(left).sweeps, 0);
    EXPECT_EQ(Json::parse(slurp(path + "/metrics.json"))["stopped"], "interrupted");
    const Outcome resumed = run({"fit", "--resume", "--out", out});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(contents(path), expected);
    expect_whole_files(path);
  }
}

TEST_F(Bayes, SaysConvergedOnlyIfTheChainsDo) {
  const Outcome outcome = run(fit + std::vector<std::string>{"--out", "run"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(" s, finished\n"), std::string::npos) << outcome.out;
  for (const char* file : {"metrics.json", "log.jsonl"}) {
    EXPECT_NE(slurp(folder.file(std::string("run/") + file)).find("finished"), std::string::npos) << file;
    EXPECT_EQ(slurp(folder.file(std::string("run/") + file)).find("converged"), std::string::npos) << file;
  }
}

TEST_F(Bayes, TraceAndDrawsNumberChainsAlike) {
  ASSERT_EQ(run(fit + std::vector<std::string>{"--out", "run"}).code, 0);
  const Table trace = read_csv(folder.file("run/trace.csv"));
  ASSERT_EQ(trace.columns, (std::vector<std::string>{"chain_0", "chain_1"}));
  EXPECT_EQ(trace.ids.front(), "0");
  const Table of_draws = read_hdf5(folder.file("run/draws.nc"), "/sample_stats/log_density");
  EXPECT_EQ(of_draws.values, Matrix(trace.values.transpose()));
}

TEST_F(Bayes, ForecastsAreMediansInsideTheirIntervals) {
  const Outcome outcome = run(fit + std::vector<std::string>{"--forecast", "5", "--out", "run"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Matrix median = read_csv(folder.file("run/forecast/counts.csv")).values,
               low = read_csv(folder.file("run/forecast/counts_lo.csv")).values,
               high = read_csv(folder.file("run/forecast/counts_hi.csv")).values,
               mean = read_csv(folder.file("run/forecast/counts_mean.csv")).values;
  EXPECT_TRUE((median.array() >= low.array()).all() && (median.array() <= high.array()).all());
  EXPECT_TRUE((median.array() == median.array().round()).all());  // of counts that were drawn
  EXPECT_FALSE((mean.array() == mean.array().round()).any());
  const Json scores = Json::parse(slurp(folder.file("run/metrics.json")))["forecast"]["counts"];
  EXPECT_EQ(scores["entries"], 4 * 5 * 4);
  EXPECT_GT(scores["error"].get<double>(), 0);
  expect_refusal(run({"fit", "--inference", "mcmc", "--view", "a=counts.csv:poisson", "--view",
                      "a_mean=labels.csv:categorical", "--time", "t", "--forecast", "2", "--out", "other"}),
                 1, {"'a'", "'a_mean'", "rename"});
}

TEST_F(Bayes, SaysWhereTheLatentOfAnUnmeasuredSampleComesFrom) {
  folder.write("gap.csv", slurp(folder.file("counts.csv")) + "b40,20.5,,,,\n");
  const std::vector<std::string> few{"fit",
                                     "--model",
                                     "bayes",
                                     "--view",
                                     "counts=gap.csv:poisson",
                                     "--start",
                                     "pca",
                                     "--frequencies",
                                     "4",
                                     "--warmup",
                                     "2",
                                     "--draws",
                                     "4"};
  const Outcome timed = run(few + std::vector<std::string>{"--time", "t", "--out", "run"});
  EXPECT_EQ(timed.code, 0);
  EXPECT_NE(timed.err.find("the latent follows the path"), std::string::npos) << timed.err;
  EXPECT_EQ(timed.err.find("prior"), std::string::npos) << timed.err;
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
  const TextTable kinds = read_csv_text(folder.file("new/predicted/kind.csv"));
  for (Index n = 0; n < p.rows(); ++n) {
    EXPECT_NEAR(p.values.row(n).sum(), 1, 1e-9);
    EXPECT_EQ(kinds.cells[0][static_cast<std::size_t>(n)], p.values(n, 0) >= 0.5 ? "down" : "up");
  }
}

TEST_F(Bayes, TakesTimeAndTrialsFromAnnotations) {
  const std::vector<std::string> common{
      "fit",     "--model",  "bayes",   "--view",        "counts=counts.csv:poisson",
      "--meta",  "meta.csv", "--group", "trial",         "--warmup",
      "2",       "--draws",  "4",       "--frequencies", "4",
      "--start", "pca"};
  const Outcome outcome = run(common + std::vector<std::string>{"--time", "half", "--out", "run"});
  EXPECT_EQ(outcome.code, 1);  // t is still a column of the view, and no count
  EXPECT_NE(outcome.err.find("column 't': 0.5 is not a count"), std::string::npos) << outcome.err;
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
                 {"new.csv", "n1", "kind", "label 'sideways' is unknown to the model"});
  folder.write("new.csv", "bin,a,b,c,d\nn1,1,2,0.5,1\n");
  expect_refusal(run({"apply", "run/model.bochner", "--view", "counts=new.csv", "--out", "new"}), 1,
                 {"counts", "n1", "'c'", "0.5 is not a count"});
}

}  // namespace
}  // namespace bochner::testing::bayes_test
