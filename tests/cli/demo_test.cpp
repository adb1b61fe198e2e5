#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <thread>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/models/gplvm/file.hpp"
#include "program.hpp"
#include "run_files.hpp"

namespace bochner::testing::demo_test {

namespace {

namespace fs = std::filesystem;

/// Small enough for a sanitizer build.
const std::vector<std::string> small{"--samples", "60", "--columns", "6", "--steps", "40"};

std::vector<std::string> demo(const std::vector<std::string>& more,
                              const std::vector<std::string>& size = small) {
  return std::vector<std::string>{"demo"} + size + more;
}

const std::vector<std::string> left_behind{"config.toml",
                                           "gibbs.csv",
                                           "gibbs_truth.csv",
                                           "heldout.csv",
                                           "heldout_entries.csv",
                                           "heldout_views.csv",
                                           "imputed/gibbs.csv",
                                           "imputed/gibbs_hi.csv",
                                           "imputed/gibbs_lo.csv",
                                           "imputed/rbf.csv",
                                           "imputed/rbf_hi.csv",
                                           "imputed/rbf_lo.csv",
                                           "kernel.json",
                                           "latent.csv",
                                           "latent_sd.csv",
                                           "latent_truth.csv",
                                           "loadings.csv",
                                           "log.jsonl",
                                           "metrics.json",
                                           "model.bochner",
                                           "rbf.csv",
                                           "rbf_truth.csv",
                                           "relevance.csv",
                                           "relevance_columns.csv",
                                           "responses.csv",
                                           "top_columns.csv",
                                           "trace.csv"};

TEST(Demo, LeavesTheSameBytesForAnyNumberOfThreads) {
  const TempFolder folder;
  const auto run = [&](const char* threads) {
    const std::string out = folder.file(std::string("run") + threads);
    const Outcome outcome = run_program(demo({"--threads", threads, "--out", out}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");  // no progress bar: this is not a terminal
    EXPECT_NE(outcome.out.find("verdict: "), std::string::npos);
    EXPECT_EQ(files_of(out), left_behind);
    return contents(out);
  };
  const auto one = run("1");
  EXPECT_EQ(run("2"), one);
  EXPECT_EQ(run("7"), one);
}

TEST(Demo, OfChainsFindsItsTruthAndLeavesDraws) {
  const TempFolder folder;
  const auto run = [&](const char* threads) {
    const std::string out = folder.file(std::string("run") + threads);
    const Outcome outcome = run_program(
        {"demo", "--bayes", "--samples", "40", "--columns", "8", "--threads", threads, "--out", out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* part : {"Poisson counts", "elpd_loo", "R^2 of the latent", "of the true rates",
                             "verdict: ", "arviz.from_netcdf("})
      EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
    return std::pair(files_of(out), Json::parse(slurp(out + "/metrics.json"))["truth"]);
  };
  const auto [files, truth] = run("1");
  EXPECT_EQ(files, (std::vector<std::string>{"chains.csv",
                                             "config.toml",
                                             "counts.csv",
                                             "counts_rate_truth.csv",
                                             "counts_truth.csv",
                                             "draws.nc",
                                             "heldout.csv",
                                             "heldout_entries.csv",
                                             "imputed/counts.csv",
                                             "imputed/counts_hi.csv",
                                             "imputed/counts_lo.csv",
                                             "kernel.json",
                                             "latent.csv",
                                             "latent_sd.csv",
                                             "latent_truth.csv",
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
  EXPECT_GT(truth["coverage90"].get<double>(), 0.8);
  EXPECT_LT(truth["log_rate_rmse"].get<double>(), 0.7);
  EXPECT_EQ(run("2").second, truth);
  const Outcome plan = run_program({"demo", "--bayes", "--dry-run", "--out", folder.file("none")});
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_NE(plan.out.find("100 samples and 30 columns"), std::string::npos) << plan.out;
}

TEST(Demo, ConfigRepeatsTheRunAndTheSeedChangesIt) {
  const TempFolder folder;
  const Launch here{.folder = folder.file("")};
  const auto arguments = demo(
      {"--seed", "5", "--noise", "0.4", "--holes", "0.2", "--absent", "0.3", "--out", "first", "--quiet"});
  ASSERT_EQ(run_program(arguments, here).code, 0);
  ASSERT_EQ(run_program({"demo", "--config", "first/config.toml", "--out", "second", "--quiet"}, here).code,
            0);
  EXPECT_EQ(contents(folder.file("first")), contents(folder.file("second")));
  // Into its own folder, which it may overwrite.
  ASSERT_EQ(run_program({"demo", "--config", "second/config.toml", "--out", "second", "--quiet"}, here).code,
            0);
  EXPECT_EQ(contents(folder.file("first")), contents(folder.file("second")));
  ASSERT_EQ(
      run_program({"demo", "--config", "first/config.toml", "--seed", "6", "--out", "third", "--quiet"}, here)
          .code,
      0);
  EXPECT_NE(contents(folder.file("first"))["rbf.csv"], contents(folder.file("third"))["rbf.csv"]);
}

TEST(Demo, MetricsAreThoseOfItsTables) {
  const TempFolder folder;
  const std::string run = folder.file("run");
  ASSERT_EQ(
      run_program(demo({"--out", run, "--quiet"}, {"--samples", "120", "--columns", "20", "--steps", "300"}))
          .code,
      0);
  const Json metrics = Json::parse(slurp(run + "/metrics.json"));
  const Table latent = read_csv(run + "/latent.csv"), true_latent = read_csv(run + "/latent_truth.csv");
  std::map<std::string, Index> row;
  for (std::size_t n = 0; n < true_latent.ids.size(); ++n) row[true_latent.ids[n]] = static_cast<Index>(n);
  ASSERT_EQ(latent.rows(), 120);
  Matrix X(120, 2);
  for (Index n = 0; n < 120; ++n)
    X.row(n) = true_latent.values.row(row.at(latent.ids[static_cast<std::size_t>(n)]));
  EXPECT_NEAR(metrics["truth"]["r2"].get<double>(), affine_r2(latent.values, X).mean, 1e-10);

  double squares = 0, inside = 0, holes = 0, absent = 0, missing = 0, kept = 0;
  for (const std::string view : {"rbf", "gibbs"}) {
    const Table truth = read_csv(run + "/" + view + "_truth.csv"),
                measured = read_csv(run + "/" + view + ".csv");
    const Table mean = read_csv(run + "/imputed/" + view + ".csv"),
                low = read_csv(run + "/imputed/" + view + "_lo.csv"),
                high = read_csv(run + "/imputed/" + view + "_hi.csv");
    absent += static_cast<double>(truth.rows() - measured.rows());
    missing += static_cast<double>(measured.values.array().isNaN().count());
    kept += static_cast<double>(measured.values.size());
    for (Index n = 0; n < mean.rows(); ++n)
      for (Index m = 0; m < mean.cols(); ++m) {
        if (low.values(n, m) == high.values(n, m)) continue;  // measured
        const double y = truth.values(row.at(mean.ids[static_cast<std::size_t>(n)]), m);
        squares += std::pow(mean.values(n, m) - y, 2);
        inside += low.values(n, m) <= y && y <= high.values(n, m);
        ++holes;
      }
  }
  EXPECT_EQ(absent, 12);  // one sample in ten lacks one of the two
  EXPECT_NEAR(missing / kept, 0.15, 0.001);
  EXPECT_EQ(holes, missing + absent * 20);
  EXPECT_NEAR(metrics["truth"]["imputation_rmse"].get<double>(), std::sqrt(squares / holes), 1e-9);
  EXPECT_NEAR(metrics["truth"]["coverage90"].get<double>(), inside / holes, 1e-9);
  // The functions have unit variance, the noise an sd of 0.3: the fit is far better than the column mean.
  EXPECT_LT(metrics["truth"]["imputation_rmse"].get<double>(), 0.7);
  for (const char* view : {"rbf", "gibbs"})
    EXPECT_LT(metrics["heldout"][view]["rmse"].get<double>(),
              0.8 * metrics["heldout"][view]["rmse_mean"].get<double>());
  std::istringstream log(slurp(run + "/log.jsonl"));
  Index events = 0;
  Index written = 0;
  for (std::string line; std::getline(log, line); ++events) {
    const Json event = Json::parse(line);
    ASSERT_TRUE(event.contains("event"));
    written +=
        event["event"] == "write" && std::filesystem::exists(run + "/" + event["file"].get<std::string>());
  }
  EXPECT_EQ(written, 6);           // two views with lower and upper bounds
  EXPECT_EQ(events, written + 4);  // start, fit, end, report

  // The same tables through `bochner fit` give the same model.
  const Launch here{.folder = run};
  ASSERT_EQ(run_program({"fit", "--view", "rbf.csv", "--view", "gibbs.csv", "--steps", "300", "--restarts",
                         "1", "--out", "../fit", "--quiet"},
                        here)
                .code,
            0);
  EXPECT_EQ(slurp(folder.file("fit/model.bochner")), slurp(run + "/model.bochner"));
}

TEST(Demo, AFitThatMayNotSettleIsNotTrusted) {
  const TempFolder folder;
  const Outcome outcome =
      run_program(demo({"--out", folder.file("run")}, {"--samples", "40", "--columns", "4", "--steps", "1"}));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("verdict: do not trust this fit: it had not converged after 1 step (increase"),
            std::string::npos)
      << outcome.out;
  EXPECT_EQ(Json::parse(slurp(folder.file("run/metrics.json")))["verdict"], "doubtful");
}

TEST(Demo, QuietPrintsNothing) {
  const TempFolder folder;
  const Outcome outcome = run_program(demo({"--quiet", "--out", folder.file("run")}), {.terminal = true});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST(Demo, DryRunTellsThePlanAndWritesNothing) {
  const TempFolder folder;
  const Outcome outcome = run_program({"demo", "--dry-run", "--samples", "300"}, {.folder = folder.file("")});
  EXPECT_EQ(outcome.code, 0);
  for (const char* part :
       {"300 samples", "the exact Gram matrix, 300 x 300", "MB of memory", "latent_truth.csv", "run/"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
  EXPECT_TRUE(folder.names().empty());
}

TEST(Demo, ShowsProgressOnATerminal) {
  const TempFolder folder;
  const Outcome outcome = run_program(demo({"--out", folder.file("run")}), {.terminal = true});
  EXPECT_EQ(outcome.code, 0);
  for (const char* part : {"\rfit  [", "step 1 of at most ", "bound -", "0:0"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\nnot in: " << outcome.err;
  EXPECT_TRUE(outcome.err.ends_with("\r"));  // the line is gone
}

TEST(Demo, FoldersItMayNotUseAreExitCode3) {
  const TempFolder folder;
  folder.write("thesis.tex", "precious");
  folder.write("config.toml", "# of another program\n");
  fs::create_directory(folder.file("hidden"));
  folder.write("hidden/.keep", "");
  fs::create_directory(folder.file("fitted"));
  folder.write("fitted/config.toml", "# bochner fit --config THIS_FILE\n");
  const auto refusal = [&](const std::string& out, const std::vector<std::string>& parts) {
    expect_refusal(run_program(demo({"--out", out}), {.folder = folder.file("")}), 3, parts);
    expect_refusal(run_program(demo({"--out", out, "--dry-run"}), {.folder = folder.file("")}), 3, parts);
  };
  refusal(".", {"not empty", "no run"});
  refusal("thesis.tex", {"thesis.tex", "is a file"});
  refusal("fitted", {"fitted", "a run of 'fit'"});
  expect_refusal(run_program(demo({"--out", "/dev/null/run"})), 3, {"/dev/null/run", "cannot be made"});
  EXPECT_EQ(slurp(folder.file("thesis.tex")), "precious");
  EXPECT_EQ(slurp(folder.file("config.toml")), "# of another program\n");
  EXPECT_EQ(run_program(demo({"--out", folder.file("hidden"), "--quiet"})).code, 0);
}

TEST(Demo, TooLittleMemoryIsAMessage) {
#if defined(__has_feature)
#define BOCHNER_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BOCHNER_SANITIZED 1
#else
#define BOCHNER_SANITIZED 0
#endif
#endif
#if BOCHNER_SANITIZED
  GTEST_SKIP() << "sanitizers reserve terabytes of address space";
#endif
  const TempFolder folder;
  const Outcome outcome = run_program(
      {"demo", "--samples", "4000", "--columns", "2", "--threads", "1", "--out", folder.file("run")},
      {.memory_bytes = 100'000'000});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "bochner: out of memory; --dry-run prints how much a run requires\n");
}

// ---- Ctrl-C

/// Takes minutes if nobody stops it.
const std::vector<std::string> large{"--samples", "200", "--columns", "5", "--steps", "100000"};

TEST(Interrupted, DemoStopsAfterTheStepAndKeepsWhatItHas) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TempFolder folder;
    const std::string run = folder.file("run");
    Program program(demo({"--out", run}, large));
    ASSERT_TRUE(program.wait_for_file(run + "/latent_truth.csv"));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    program.send(signal);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.code, 128 + signal);
    EXPECT_NE(outcome.out.find("do not trust this fit: it was stopped after"), std::string::npos)
        << outcome.out;
    EXPECT_EQ(files_of(run), left_behind);
    expect_whole_files(run);
    EXPECT_EQ(read_csv(run + "/latent.csv").rows(), 200);
    EXPECT_NO_THROW(read_gplvm(run + "/model.bochner"));
    EXPECT_EQ(Json::parse(slurp(run + "/metrics.json"))["stopped"], "interrupted");
  }
}

TEST(Interrupted, TwiceItDiesAndLeavesNoHalfWrittenFile) {
  const TempFolder folder;
  const std::string run = folder.file("run");
  // A step takes long here, so that the second signal comes within it however busy the machine is.
  Program program(demo({"--out", run}, {"--samples", "2500", "--columns", "3"}));
  ASSERT_TRUE(program.wait_for_file(run + "/latent_truth.csv"));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  program.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().signal, SIGINT);
  expect_whole_files(run);
  EXPECT_FALSE(fs::exists(run + "/metrics.json"));
  // The remains do not stand in the way of the next run, and nothing of them survives it.
  ASSERT_EQ(run_program(demo({"--out", run, "--quiet"})).code, 0);
  EXPECT_EQ(files_of(run), left_behind);
}

TEST(Interrupted, AnEarlierRunIsNotMixedWithAStoppedOne) {
  const TempFolder folder;
  const std::string run = folder.file("run");
  ASSERT_EQ(run_program(demo({"--out", run, "--quiet"})).code, 0);
  Program program(demo({"--seed", "2", "--out", run}, large));
  for (int i = 0; i < 6000 && fs::exists(run + "/metrics.json"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  program.send(SIGKILL);
  EXPECT_EQ(program.wait().signal, SIGKILL);
  EXPECT_FALSE(fs::exists(run + "/metrics.json"));
  EXPECT_NE(slurp(run + "/config.toml").find("seed = 2"), std::string::npos);
}

}  // namespace

}  // namespace bochner::testing::demo_test
