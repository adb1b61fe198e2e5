#include <chrono>
#include <csignal>
#include <thread>

#include "bochner/models/gplvm/file.hpp"
#include "bochner/random/rng.hpp"
#include "fit_runs.hpp"

// Ctrl-C, kill and --resume.

namespace bochner::testing::fit_resume_test {

namespace {

namespace fs = std::filesystem;

class Resumed : public Fit {
 protected:
  /// Long enough to be caught in the middle: two starts, each with both phases.
  const std::vector<std::string> slow{
      "fit",     "--view", "rna.csv",    "--view", "protein.csv",          "--holdout", "0.15",
      "--steps", "150",    "--restarts", "2",      "--checkpoint-seconds", "0"};
  std::string reference() {
    EXPECT_EQ(run(slow + std::vector<std::string>{"--out", "reference", "--quiet"}).code, 0);
    return folder.file("reference");
  }
};

TEST_F(Resumed, KilledTwentyTimesItEndsWithTheSameBytes) {
  const auto expected = contents(reference());
  EXPECT_EQ(expected.size(), fit_leaves.size() - 1);
  const std::vector<std::string> resume{"fit", "--resume", "--checkpoint-seconds", "0"};
  Rng rng(7);
  int kills = 0;
  for (int trial = 0; kills < 20; ++trial) {
    ASSERT_LT(trial, 20);  // else it is never caught
    const std::string out = "run" + std::to_string(trial), path = folder.file(out);
    bool killed = true;
    for (int attempt = 0; killed && attempt < 4; ++attempt) {
      Program program((attempt == 0 ? slow : resume) + std::vector<std::string>{"--out", out, "--quiet"},
                      {.folder = folder.file("")});
      ASSERT_TRUE(attempt > 0 || program.wait_for_file(path + "/checkpoint.bochner"));
      std::this_thread::sleep_for(std::chrono::microseconds(1 + rng.below(200'000)));
      program.send(SIGKILL);
      killed = program.wait().signal == SIGKILL;
      kills += killed;
    }
    ASSERT_EQ(run({"fit", "--resume", "--out", out, "--quiet"}).code, 0);
    EXPECT_EQ(contents(path), expected) << "trial " << trial;
    expect_whole_files(path);
  }
}

TEST_F(Resumed, StoppedItLeavesACompleteRunAndGoesOn) {
  const auto expected = contents(reference());
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = signal == SIGINT ? "int" : "term", path = folder.file(out);
    Program program(slow + std::vector<std::string>{"--out", out}, {.folder = folder.file("")});
    ASSERT_TRUE(program.wait_for_file(path + "/checkpoint.bochner"));
    program.send(signal);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.code, 128 + signal);
    EXPECT_NE(outcome.out.find("do not trust this fit: it was stopped after"), std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.out.find("bochner fit --resume --out " + out), std::string::npos) << outcome.out;
    EXPECT_EQ(files_of(path), std::vector<std::string>{"checkpoint.bochner"} + fit_leaves);
    expect_whole_files(path);
    EXPECT_EQ(Json::parse(slurp(path + "/metrics.json"))["stopped"], "interrupted");
    EXPECT_NO_THROW(read_gplvm(path + "/model.bochner"));
    const Outcome rest = run({"fit", "--resume", "--out", out});
    EXPECT_EQ(rest.code, 0) << rest.err;
    EXPECT_NE(rest.out.find("resume from step"), std::string::npos) << rest.out;
    EXPECT_EQ(contents(path), expected);
  }
}

// After its steps a fit learns to predict each view from the others, which takes as long here.
TEST_F(Resumed, StoppedAmongPredictorsOfViewsItGoesOn) {
  std::vector<std::string> many{"fit", "--steps", "4", "--restarts", "1", "--threads", "1"};
  for (int v = 0; v < 6; ++v) {
    const std::string name = "view" + std::to_string(v) + ".csv";
    std::string text = "id";
    for (int m = 0; m < 40; ++m) text += ",c" + std::to_string(m);
    const Matrix Y = Rng(static_cast<std::uint64_t>(v)).normal(90, 40);
    for (Index n = 0; n < 90; ++n) {
      text += "\ns" + std::to_string(n);
      for (Index m = 0; m < 40; ++m) text += "," + std::to_string(Y(n, m));
    }
    folder.write(name, text + "\n");
    many.insert(many.end(), {"--view", name});
  }
  ASSERT_EQ(run(many + std::vector<std::string>{"--out", "reference", "--quiet"}).code, 0);
  const auto expected = contents(folder.file("reference"));
  int caught = 0;
  for (int trial = 0; trial < 12 && caught < 2; ++trial) {
    const std::string out = "stopped" + std::to_string(trial), path = folder.file(out);
    Program program(many + std::vector<std::string>{"--out", out}, {.folder = folder.file("")});
    ASSERT_TRUE(program.wait_for_file(path + "/config.toml"));
    std::this_thread::sleep_for(std::chrono::milliseconds(100 * (trial + 1)));
    program.send(SIGINT);
    const Outcome outcome = program.wait();
    if (outcome.code == 0) continue;  // it was faster
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_NE(outcome.out.find("--resume --out " + out), std::string::npos) << outcome.out;
    caught +=
        (outcome.out + outcome.err).find("stopped while predictors of absent views") != std::string::npos;
    const Outcome rest = run({"fit", "--resume", "--out", out});
    EXPECT_EQ(rest.code, 0) << rest.err;
    EXPECT_EQ(contents(path), expected) << "trial " << trial;
  }
  EXPECT_GT(caught, 0);
}

// The number of dimensions is not known yet: what a checkpoint would hold belongs to another fit.
TEST_F(Resumed, StoppedAmongDimensionsItSearchesAnew) {
  const std::vector<std::string> search{"fit",         "--view",     "rna.csv", "--view",
                                        "protein.csv", "--dims",     "auto",    "--steps",
                                        "30",          "--restarts", "1"};
  ASSERT_EQ(run(search + std::vector<std::string>{"--out", "reference", "--quiet"}).code, 0);
  const auto expected = contents(folder.file("reference"));
  for (const int delay : {150, 600}) {
    const std::string out = "stopped" + std::to_string(delay);
    Program program(search + std::vector<std::string>{"--out", out}, {.folder = folder.file("")});
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    program.send(SIGINT);
    const Outcome outcome = program.wait();
    if (outcome.code == 0 || outcome.signal != 0) continue;  // it was faster, or not yet ready for signals
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    const Outcome rest = run({"fit", "--resume", "--out", out});
    EXPECT_EQ(rest.code, 0) << rest.err;
    EXPECT_EQ(contents(folder.file(out)), expected) << delay;
  }
}

TEST_F(Resumed, FoldersThatNameTheirCommandUnderItsOldKey) {
  ASSERT_EQ(run(fit + std::vector<std::string>{"--out", "run", "--quiet"}).code, 0);
  std::string config = slurp(folder.file("run/config.toml"));
  const std::size_t key = config.find("\ncommand = ");
  ASSERT_NE(key, std::string::npos) << config;
  folder.write("run/config.toml", config.replace(key, 11, "\nverb = "));
  const Outcome finished = run({"fit", "--resume", "--out", "run"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(run({"fit", "--config", "run/config.toml", "--out", "again", "--quiet"}).code, 0);
  auto first = contents(folder.file("run")), again = contents(folder.file("again"));
  EXPECT_NE(again["config.toml"].find("\ncommand = "), std::string::npos);
  first.erase("config.toml"), again.erase("config.toml");
  EXPECT_EQ(again, first);
}

TEST_F(Resumed, OnlyAsWhatItWas) {
  ASSERT_EQ(run(fit + std::vector<std::string>{"--out", "run", "--quiet"}).code, 0);
  const Outcome finished = run({"fit", "--resume", "--out", "run"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_NE(finished.out.find("is complete; nothing to resume"), std::string::npos) << finished.out;
  expect_refusal(run({"fit", "--resume", "--steps", "31", "--out", "run"}), 1,
                 {"--steps differs from", "run/config.toml"});
  expect_refusal(run({"fit", "--resume", "--config", "run/config.toml", "--out", "run"}), 1,
                 {"omit --config"});
  expect_refusal(run({"fit", "--resume", "--out", "elsewhere"}), 1, {"elsewhere", "no run to resume"});

  Program program(slow + std::vector<std::string>{"--out", "stopped", "--quiet"},
                  {.folder = folder.file("")});
  ASSERT_TRUE(program.wait_for_file(folder.file("stopped/checkpoint.bochner")));
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().code, 143);
  std::string changed = slurp(folder.file("protein.csv"));
  changed.replace(changed.rfind('.') + 1, 1, changed[changed.rfind('.') + 1] == '1' ? "2" : "1");
  folder.write("protein.csv", changed);
  expect_refusal(run({"fit", "--resume", "--out", "stopped"}), 1,
                 {"checkpoint.bochner", "tables have changed"});
  // Starting anew removes what was left of the old run.
  ASSERT_EQ(run(fit + std::vector<std::string>{"--out", "stopped", "--quiet"}).code, 0);
  EXPECT_EQ(files_of(folder.file("stopped")), fit_leaves);
}

TEST_F(Resumed, NotWithTablesInOtherUnits) {
  Program program(slow + std::vector<std::string>{"--normalise", "rows", "--out", "run", "--quiet"},
                  {.folder = folder.file("")});
  ASSERT_TRUE(program.wait_for_file(folder.file("run/checkpoint.bochner")));
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().code, 143);
  Table protein = read_csv(folder.file("protein.csv"));
  protein.values *= 2;  // which rows that are divided by their sizes do not show
  write_csv(folder.file("protein.csv"), protein);
  expect_refusal(run({"fit", "--resume", "--out", "run"}), 1, {"checkpoint.bochner", "tables have changed"});
}

TEST_F(Resumed, BeforeTheFirstCheckpointItBeginsAnew) {
  ASSERT_EQ(run(fit + std::vector<std::string>{"--out", "run", "--quiet"}).code, 0);
  const auto expected = contents(folder.file("run"));
  fs::remove(folder.file("run/metrics.json"));  // as if it had been killed at once
  const Outcome outcome = run({"fit", "--resume", "--out", "run"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("resume from the beginning"), std::string::npos) << outcome.out;
  EXPECT_EQ(contents(folder.file("run")), expected);
}

}  // namespace

}  // namespace bochner::testing::fit_resume_test
