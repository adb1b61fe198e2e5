#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "bochner/io/csv.hpp"
#include "io/temp_folder.hpp"
#include "program.hpp"

namespace bochner::testing {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

/// Small enough for a sanitizer build.
const std::vector<std::string> small{"--samples", "150", "--new-samples", "60"};

std::vector<std::string> demo(std::vector<std::string> more, const std::vector<std::string>& size = small) {
  std::vector<std::string> arguments{"demo"};
  arguments.insert(arguments.end(), size.begin(), size.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// Every file of a run but log.jsonl, which tells the time.
std::map<std::string, std::string> contents(const std::string& run) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::directory_iterator(run))
    if (entry.path().filename() != "log.jsonl")
      out[entry.path().filename().string()] = slurp(entry.path().string());
  return out;
}

const std::vector<std::string> left_behind{
    "config.toml",     "inputs.csv",    "kernel.json",     "log.jsonl",   "metrics.json", "new_inputs.csv",
    "new_targets.csv", "new_truth.csv", "predictions.csv", "targets.csv", "trace.csv"};

std::vector<std::string> sorted_names(const std::string& run) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(run)) out.push_back(entry.path().filename().string());
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Demo, LeavesTheSameBytesForAnyNumberOfThreads) {
  const TempFolder folder;
  const auto run = [&](const char* threads) {
    const std::string out = folder.file(std::string("run") + threads);
    const Outcome outcome = run_program(demo({"--threads", threads, "--out", out}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");  // no progress bar: this is not a terminal
    EXPECT_NE(outcome.out.find("verdict: "), std::string::npos);
    EXPECT_EQ(sorted_names(out), left_behind);
    return contents(out);
  };
  const auto one = run("1");
  EXPECT_EQ(run("2"), one);
  EXPECT_EQ(run("7"), one);
}

TEST(Demo, ConfigRepeatsTheRunAndTheSeedChangesIt) {
  const TempFolder folder;
  const Launch here{.folder = folder.file("")};
  const auto arguments =
      demo({"--seed", "5", "--noise", "0.3", "--holes", "0.2", "--steps", "7", "--out", "first", "--quiet"});
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
  EXPECT_NE(contents(folder.file("first"))["targets.csv"], contents(folder.file("third"))["targets.csv"]);
}

TEST(Demo, MetricsAreThoseOfItsTables) {
  const TempFolder folder;
  const std::string run = folder.file("run");
  ASSERT_EQ(run_program(demo({"--out", run, "--quiet"}, {"--samples", "300", "--new-samples", "100"})).code,
            0);
  const Table truth = read_csv(run + "/new_truth.csv"), measured = read_csv(run + "/new_targets.csv"),
              predicted = read_csv(run + "/predictions.csv"), targets = read_csv(run + "/targets.csv");
  const Json metrics = Json::parse(slurp(run + "/metrics.json"));
  ASSERT_EQ(predicted.columns, (std::vector<std::string>{"y1", "y1_lo", "y1_hi", "y2", "y2_lo", "y2_hi"}));
  ASSERT_EQ(predicted.ids, truth.ids);
  for (Index p = 0; p < 2; ++p) {
    double squares = 0, squares_of_mean = 0, inside = 0, sum = 0, count = 0;
    for (Index n = 0; n < targets.rows(); ++n)
      if (!std::isnan(targets.values(n, p))) sum += targets.values(n, p), ++count;
    for (Index n = 0; n < truth.rows(); ++n) {
      squares += std::pow(predicted.values(n, 3 * p) - truth.values(n, p), 2);
      squares_of_mean += std::pow(sum / count - truth.values(n, p), 2);
      inside += predicted.values(n, 3 * p + 1) <= measured.values(n, p) &&
                measured.values(n, p) <= predicted.values(n, 3 * p + 2);
    }
    const double N = static_cast<double>(truth.rows());
    EXPECT_NEAR(metrics["rmse"][p].get<double>(), std::sqrt(squares / N), 1e-10);
    EXPECT_NEAR(metrics["rmse_column_mean"][p].get<double>(), std::sqrt(squares_of_mean / N), 1e-10);
    EXPECT_NEAR(metrics["coverage_90"][p].get<double>(), inside / N, 1e-12);
    // The noise of the new measurements is what was asked for: sd 0.2, 100 entries, 4 standard errors.
    const double noise = std::sqrt((measured.values.col(p) - truth.values.col(p)).squaredNorm() / N);
    EXPECT_NEAR(noise, 0.2, 4 * 0.2 / std::sqrt(2 * N));
    EXPECT_GT(targets.rows() - static_cast<Index>(count), 0);  // holes
  }
  for (Index n = 0; n < targets.rows(); ++n) EXPECT_FALSE(targets.values.row(n).array().isNaN().all());
  EXPECT_EQ(metrics["verdict"], "good") << metrics["sentence"];
  EXPECT_EQ(metrics["status"], "converged");
  EXPECT_LT(metrics["rmse"][0].get<double>(), 0.5 * metrics["rmse_column_mean"][0].get<double>());

  // The evidence grows from step to step and ends where metrics.json and kernel.json say.
  const Table trace = read_csv(run + "/trace.csv");
  for (Index i = 1; i < trace.rows(); ++i) EXPECT_GE(trace.values(i, 0), trace.values(i - 1, 0));
  const double end = Json::parse(slurp(run + "/kernel.json"))["log_evidence"].get<double>();
  EXPECT_NEAR(trace.values(trace.rows() - 1, 0), end, 1e-8 * std::abs(end));
  // The log is one JSON object per line.
  std::istringstream log(slurp(run + "/log.jsonl"));
  Index events = 0;
  for (std::string line; std::getline(log, line); ++events) EXPECT_TRUE(Json::parse(line).contains("event"));
  EXPECT_EQ(events, 4);
}

TEST(Demo, AFitThatMayNotSettleIsNotTrusted) {
  const TempFolder folder;
  const Outcome outcome = run_program(demo({"--steps", "1", "--out", folder.file("run")}));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("verdict: do not trust this fit: it had not settled after 1 step"),
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
  const Outcome outcome =
      run_program({"demo", "--dry-run", "--samples", "4000"}, {.folder = folder.file("")});
  EXPECT_EQ(outcome.code, 0);
  for (const char* part :
       {"4000 samples", "exact GP regression", "L-BFGS", "GB of memory", "predictions.csv", "run/"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
  EXPECT_TRUE(folder.names().empty());
}

TEST(Demo, ShowsProgressOnATerminal) {
  const TempFolder folder;
  const Outcome outcome = run_program(demo({"--out", folder.file("run")}), {.terminal = true});
  EXPECT_EQ(outcome.code, 0);
  for (const char* part : {"\rfit  [", "step 0 of at most 60", "log evidence -", "0:0"})
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

TEST(Demo, TooLittleMemoryIsASentence) {
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
  const Outcome outcome =
      run_program({"demo", "--samples", "2000", "--threads", "1", "--out", folder.file("run")},
                  {.memory_bytes = 150'000'000});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "bochner: there is not enough memory; --dry-run says how much a run needs\n");
}

// ---- Ctrl-C

const std::vector<std::string> large{"--samples", "1000", "--new-samples", "50"};

void expect_whole_files(const std::string& run) {
  for (const std::string& name : sorted_names(run)) {
    EXPECT_FALSE(name.starts_with('.') || name.ends_with(".part")) << name;
    const std::string path = run + "/" + name;
    if (name.ends_with(".csv")) {
      EXPECT_NO_THROW(read_csv(path)) << name;
    }
    if (name.ends_with(".json")) {
      EXPECT_TRUE(Json::accept(slurp(path))) << name;
    }
    EXPECT_TRUE(slurp(path).ends_with('\n')) << name;
  }
}

TEST(Interrupted, DemoStopsAfterTheStepAndKeepsWhatItHas) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TempFolder folder;
    const std::string run = folder.file("run");
    Program program(demo({"--out", run}, large));
    ASSERT_TRUE(program.wait_for_file(run + "/new_truth.csv"));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // into the fit, which takes far longer
    program.send(signal);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.code, 128 + signal);
    EXPECT_NE(outcome.out.find("do not trust this fit: it was stopped at step"), std::string::npos)
        << outcome.out;
    EXPECT_EQ(sorted_names(run), left_behind);
    expect_whole_files(run);
    EXPECT_EQ(read_csv(run + "/predictions.csv").rows(), 50);
    EXPECT_EQ(Json::parse(slurp(run + "/metrics.json"))["status"], "stopped by callback");
  }
}

TEST(Interrupted, TwiceItDiesAndLeavesNoHalfWrittenFile) {
  const TempFolder folder;
  const std::string run = folder.file("run");
  // A step takes seconds here, so that the second signal comes within it however busy the machine is.
  Program program(demo({"--out", run}, {"--samples", "3000", "--new-samples", "50"}));
  ASSERT_TRUE(program.wait_for_file(run + "/new_truth.csv"));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  program.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().signal, SIGINT);
  expect_whole_files(run);
  EXPECT_FALSE(fs::exists(run + "/metrics.json"));
  // The remains do not stand in the way of the next run, and nothing of them survives it.
  ASSERT_EQ(run_program(demo({"--out", run, "--quiet"})).code, 0);
  EXPECT_EQ(sorted_names(run), left_behind);
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

}  // namespace bochner::testing
