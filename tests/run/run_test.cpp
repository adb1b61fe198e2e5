#include "bochner/run/run.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <vector>

#include "bochner/compute/loopback.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/tables/atomic_file.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::run_test {

namespace {

namespace fs = std::filesystem;
using testing::slurp, testing::TempFolder;

/// Counts to ten. What it has learned is the sum of its steps.
struct Counting {
  std::string data = "table";
  Index refuse_at = -1;  // throws before this step; 0: before the model has accepted the data
  double bytes = 0;
  Index sum = 0, step = 0;
  bool stopped = false;

  std::vector<std::string> notes() const { return {"a note"}; }
  std::string plan(const Threads&) const { return "would count\n"; }
  MemoryNeed memory() const { return {bytes, "count less"}; }
  void identify(Fingerprint& sha) const { sha.add(data); }
  std::vector<std::string> files() const { return {"sum.txt", "metrics.json", "log.jsonl", "part.txt"}; }
  std::vector<std::string> resumed_files() const { return {"part.txt"}; }
  std::string summary() const { return "read\n"; }
  Json facts() const { return {{"numbers", 10}}; }
  std::string resumed_from(const ModelGroup& c) const { return "step " + std::to_string(c.integer("step")); }
  void fit(RunProgress& progress, const Threads&) {
    if (const ModelGroup* c = progress.resume()) {
      step = c->integer("step");
      sum = c->integer("sum");
    }
    while (step < 10 && !stopped) {
      if (step == refuse_at) throw InputError("refused");
      sum += ++step;
      stopped = !progress.step({.step = step, .of = 10, .value = double(sum)}, [&] {
        write_file(progress.folder().path("part.txt"), std::to_string(sum));
        ModelGroup out;
        return out.set("model", "counting checkpoint").set("step", step).set("sum", sum);
      });
    }
  }
  std::string status() const { return stopped ? "interrupted" : "converged"; }
  std::vector<std::string> fit_notes() const { return {}; }
  std::string fitted() const { return "fitted\n"; }
  void write(RunFolder& run, const Threads&) {
    write_file(run.path("sum.txt"), std::to_string(sum));
    write_file(run.path("metrics.json"), "{}");
  }
  bool interrupted() const { return stopped; }
  std::string verdict() const { return stopped ? "" : "good"; }
  std::string report(const RunFolder&) const { return "done\n"; }
};
static_assert(RunTask<Counting>);

class RunOfATask : public ::testing::Test {
 protected:
  RunOutcome count(Counting task = {}, bool resume = false, Index stop_at = 100, bool dry = false) {
    printed = notes = "";
    Index seen = 0;
    RunListener listener;
    listener.print = [this](const std::string& text) { printed += text; };
    listener.note = [this](const std::string& text) { notes += text; };
    listener.on_step = [&seen](const RunStep& step, RunFolder*) { seen = step.step; };
    listener.stop_asked = [&seen, stop_at] { return seen >= stop_at; };
    const RunOptions options{.folder = folder.file("run"),
                             .command = "count",
                             .config = "to = 10\n",
                             .resume = resume,
                             .dry_run = dry,
                             .checkpoint_seconds = 0};
    return run(options, listener, [&] { return task; });
  }
  std::string file(const std::string& name) { return folder.file("run/" + name); }

  TempFolder folder;
  std::string printed, notes;
};

TEST_F(RunOfATask, GoesFromTheTablesToTheFolder) {
  const RunOutcome outcome = count();
  EXPECT_EQ(outcome.end, RunEnd::finished);
  EXPECT_EQ(outcome.verdict, "good");
  EXPECT_EQ(printed, "read\nfitted\ndone\n");
  EXPECT_EQ(notes, "a note");
  EXPECT_EQ(slurp(file("sum.txt")), "55");
  EXPECT_FALSE(fs::exists(file("checkpoint.bochner")));
  EXPECT_FALSE(fs::exists(file("part.txt")));
  const std::string log = slurp(file("log.jsonl"));
  EXPECT_NE(log.find(R"("event":"start","command":"count")"), std::string::npos) << log;
  EXPECT_NE(log.find(R"("numbers":10)"), std::string::npos);
  EXPECT_NE(log.find(R"("stopped":"converged")"), std::string::npos);
  EXPECT_NE(log.find(R"("event":"end","verdict":"good")"), std::string::npos);
}

TEST_F(RunOfATask, ADryRunWritesNothing) {
  EXPECT_EQ(count({}, false, 100, true).end, RunEnd::planned);
  EXPECT_EQ(printed, "would count\n");
  EXPECT_FALSE(fs::exists(folder.file("run")));
}

TEST_F(RunOfATask, WhatIsRefusedLeavesTheEarlierRunUntouched) {
  count();
  const std::string config = slurp(file("config.toml")), log = slurp(file("log.jsonl"));
  EXPECT_THROW(count({.refuse_at = 0}), InputError);
  EXPECT_THROW(count({.bytes = 1e30}), InputError);
  EXPECT_EQ(slurp(file("sum.txt")), "55");
  EXPECT_EQ(slurp(file("config.toml")), config);
  EXPECT_EQ(slurp(file("log.jsonl")), log);
  // Once the model has accepted the data, the folder is that of the new run.
  EXPECT_THROW(count({.refuse_at = 3}), InputError);
  EXPECT_FALSE(fs::exists(file("sum.txt")));
}

TEST_F(RunOfATask, AnInterruptedRunIsResumedToTheSameEnd) {
  const RunOutcome cut = count({}, false, 4);
  EXPECT_EQ(cut.end, RunEnd::interrupted);
  EXPECT_EQ(slurp(file("sum.txt")), "10");
  EXPECT_TRUE(fs::exists(file("checkpoint.bochner")));
  EXPECT_EQ(slurp(file("part.txt")), "10");
  EXPECT_EQ(count({}, true).end, RunEnd::finished);
  EXPECT_EQ(printed, "read\nresume from step 4\nfitted\ndone\n");
  EXPECT_EQ(slurp(file("sum.txt")), "55");
  EXPECT_EQ(count({}, true).end, RunEnd::was_complete);
  EXPECT_NE(printed.find("is complete; nothing to resume"), std::string::npos) << printed;
}

TEST_F(RunOfATask, OtherTablesAreNotResumedWith) {
  count({}, false, 4);
  EXPECT_THROW(count({.data = "another table"}, true), InputError);
  EXPECT_EQ(slurp(file("sum.txt")), "10");
}

TEST_F(RunOfATask, ARunEndedBeforeItsFirstCheckpointBeginsAnew) {
  EXPECT_THROW(count({.refuse_at = 0}, true), std::exception);  // there is no folder to resume from
  count({}, false, 4);
  fs::remove(file("checkpoint.bochner"));
  fs::remove(file("metrics.json"));
  count({}, true);
  EXPECT_NE(printed.find("resume from the beginning"), std::string::npos) << printed;
  EXPECT_EQ(slurp(file("sum.txt")), "55");
}

TEST(FingerprintOfARun, TellsPiecesAndShapesApart) {
  const auto of = [](const auto&... parts) {
    Fingerprint sum;
    (sum.add(parts), ...);
    return sum.hex();
  };
  const std::string ab = "ab", c = "c", a = "a", bc = "bc";
  EXPECT_NE(of(ab, c), of(a, bc));
  EXPECT_NE(of(Matrix(Matrix::Ones(2, 3))), of(Matrix(Matrix::Ones(3, 2))));
  Matrix missing = Matrix::Ones(1, 1), other = missing;
  missing(0, 0) = std::numeric_limits<double>::quiet_NaN();
  other(0, 0) = -missing(0, 0);
  EXPECT_EQ(of(missing), of(other));
}

/// Several processes, each with a task of its own that is the same but where a test says so.
class RunOfManyProcesses : public RunOfATask {
 protected:
  struct Rank {
    RunEnd end = RunEnd::planned;
    std::string printed;
  };
  std::vector<Rank> count_together(Index ranks, const std::function<Counting(Index rank)>& task_of,
                                   bool resume = false, Index stops = -1) {
    std::vector<Rank> out(static_cast<std::size_t>(ranks));
    run_loopback(ranks, [&](const Communicator& comm) {
      Rank& own = out[static_cast<std::size_t>(comm.rank())];
      Index seen = 0;
      RunListener listener;
      listener.print = [&](const std::string& text) { own.printed += text; };
      listener.on_step = [&](const RunStep& step, RunFolder*) { seen = step.step; };
      listener.stop_asked = [&] { return comm.rank() == stops && seen >= 4; };
      const RunOptions options{.folder = folder.file("run"),
                               .command = "count",
                               .config = "to = 10\n",
                               .resume = resume,
                               .checkpoint_seconds = 0,
                               .comm = comm};
      own.end = run(options, listener, [&] { return task_of(comm.rank()); }).end;
    });
    return out;
  }
  static Counting same(Index) { return {}; }
};

TEST_F(RunOfManyProcesses, TheFirstOneWrites) {
  for (const Index ranks : {1, 2, 5}) {
    const std::vector<Rank> all = count_together(ranks, same);
    for (std::size_t r = 0; r < all.size(); ++r) {
      EXPECT_EQ(all[r].end, RunEnd::finished);
      EXPECT_EQ(all[r].printed, r == 0 ? "read\nfitted\ndone\n" : "");
    }
    EXPECT_EQ(slurp(file("sum.txt")), "55");
    EXPECT_FALSE(fs::exists(file("checkpoint.bochner")));
  }
}

TEST_F(RunOfManyProcesses, OneThatIsAskedToStopStopsAllAndAnotherNumberGoesOn) {
  for (const Rank& own : count_together(3, same, false, 2)) EXPECT_EQ(own.end, RunEnd::interrupted);
  EXPECT_EQ(slurp(file("sum.txt")), "10");
  for (const Rank& own : count_together(2, same, true)) EXPECT_EQ(own.end, RunEnd::finished);
  EXPECT_EQ(slurp(file("sum.txt")), "55");
  for (const Rank& own : count_together(4, same, true)) EXPECT_EQ(own.end, RunEnd::was_complete);
}

TEST_F(RunOfManyProcesses, OneThatFailsEndsAll) {
  for (const Index bad : {0, 1, 2})
    EXPECT_THROW(count_together(3, [&](Index r) { return r == bad ? Counting{.refuse_at = 3} : Counting{}; }),
                 InputError);
  EXPECT_THROW(count_together(3, [&](Index r) { return r == 1 ? Counting{.bytes = 1e30} : Counting{}; }),
               InputError);
}

TEST_F(RunOfManyProcesses, OtherTablesOrNumbersAreNoticed) {
  const auto other = [](Index r) { return r == 1 ? Counting{.data = "another table"} : Counting{}; };
  EXPECT_THROW(count_together(3, other), InputError);
  EXPECT_FALSE(fs::exists(folder.file("run")));
  EXPECT_THROW(count_together(3, [](Index r) { return r == 2 ? Counting{.sum = 1} : Counting{}; }),
               NumericalError);
}

}  // namespace

}  // namespace bochner::run_test
