#include <chrono>
#include <csignal>
#include <thread>

#include "regression_tables.hpp"

namespace bochner::testing::regress_resume_test {

namespace {

class RegressResumed : public RegressionTables {
 protected:
  /// Long enough to be caught in the middle.
  const Words slow =
      Words{"regress",    "--x", "x.csv",   "--y", "y.csv",   "--symmetry", "negate:axes:2",
            "--inducing", "15",  "--steps", "250", "--batch", "64",         "--checkpoint-seconds",
            "0"};
  std::map<std::string, std::string> expected() {
    good(slow + Words{"--out", "reference", "--quiet"});
    return contents(folder.file("reference"));
  }
};

TEST_F(RegressResumed, KilledItEndsWithTheSameBytes) {
  const auto reference = expected();
  EXPECT_EQ(reference.size(), left_behind.size() - 1);
  Rng rng(7);
  int kills = 0;
  for (int trial = 0; kills < 6; ++trial) {
    ASSERT_LT(trial, 12);  // else it is never caught
    const std::string out = "run" + std::to_string(trial), path = folder.file(out);
    bool killed = true;
    for (int attempt = 0; killed && attempt < 3; ++attempt) {
      Program program((attempt == 0 ? slow : Words{"regress", "--resume", "--checkpoint-seconds", "0"}) +
                          Words{"--out", out, "--quiet"},
                      {.folder = folder.file("")});
      ASSERT_TRUE(attempt > 0 || program.wait_for_file(path + "/checkpoint.bochner"));
      std::this_thread::sleep_for(std::chrono::microseconds(1 + rng.below(300'000)));
      program.send(SIGKILL);
      killed = program.wait().signal == SIGKILL;
      kills += killed;
    }
    good({"regress", "--resume", "--out", out, "--quiet"});
    EXPECT_EQ(contents(path), reference) << "trial " << trial;
    expect_whole_files(path);
  }
}

TEST_F(RegressResumed, StoppedItLeavesACompleteRunAndGoesOn) {
  const auto reference = expected();
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = signal == SIGINT ? "int" : "term", path = folder.file(out);
    Program program(slow + Words{"--out", out}, {.folder = folder.file("")});
    ASSERT_TRUE(program.wait_for_file(path + "/checkpoint.bochner"));
    program.send(signal);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.code, 128 + signal);
    EXPECT_NE(outcome.out.find("do not trust this fit: it was stopped after"), std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.out.find("bochner regress --resume --out " + out), std::string::npos) << outcome.out;
    EXPECT_EQ(files_of(path), Words{"checkpoint.bochner"} + left_behind);
    expect_whole_files(path);
    EXPECT_EQ(json(out + "/metrics.json")["stopped"], "interrupted");
    const Outcome rest = good({"regress", "--resume", "--out", out});
    EXPECT_NE(rest.out.find("resume from step"), std::string::npos) << rest.out;
    EXPECT_EQ(contents(path), reference);
  }
}

TEST_F(RegressResumed, OnlyAsWhatItWas) {
  good(regress + Words{"--out", "run", "--quiet"});
  EXPECT_NE(good({"regress", "--resume", "--out", "run"}).out.find("is complete; nothing to resume"),
            std::string::npos);
  expect_refusal(run({"regress", "--resume", "--steps", "31", "--out", "run"}), 1,
                 {"--steps differs from", "run/config.toml"});
  expect_refusal(run({"regress", "--resume", "--out", "elsewhere"}), 1, {"elsewhere", "no run to resume"});
  expect_refusal(run({"classify", "--resume", "--out", "run"}), 1,
                 {"'bochner regress', not for 'bochner classify'"});

  Program program(slow + Words{"--out", "stopped", "--quiet"}, {.folder = folder.file("")});
  ASSERT_TRUE(program.wait_for_file(folder.file("stopped/checkpoint.bochner")));
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().code, 143);
  Table changed = read("y.csv");
  changed.values(3, 0) += 1;
  write_csv(folder.file("y.csv"), changed);
  expect_refusal(run({"regress", "--resume", "--out", "stopped"}), 1,
                 {"checkpoint.bochner", "tables have changed"});
  // Starting anew removes what was left of the old run.
  good(regress + Words{"--out", "stopped", "--quiet"});
  EXPECT_EQ(files_of(folder.file("stopped")), left_behind);
}

}  // namespace

}  // namespace bochner::testing::regress_resume_test
