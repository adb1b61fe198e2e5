// How a run ends when the world around it does: signals, pipes, limits, other processes, other folders.
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <thread>

#include "program.hpp"
#include "run_files.hpp"

namespace bochner::testing::endings_test {

namespace {

using Words = std::vector<std::string>;

/// A command of the shell in the folder; $bochner is the program.
Outcome shell(const TempFolder& folder, const std::string& command) {
  folder.write("command.sh",
               "cd '" + folder.file("") + "'\nbochner='" BOCHNER_PROGRAM "'\n" + command + "\n");
  FILE* pipe = ::popen(
      ("bash '" + folder.file("command.sh") + "' 2> '" + folder.file("stderr.txt") + "'").c_str(), "r");
  Outcome out;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.out.append(buffer, n);
  const int status = ::pclose(pipe);
  out.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  out.err = slurp(folder.file("stderr.txt"));
  return out;
}

class Endings : public ::testing::Test {
 protected:
  Endings() { write_example_tables(folder); }
  Outcome run(const Words& arguments) { return run_program(arguments, {.folder = folder.file("")}); }
  bool there(const std::string& file) { return std::filesystem::exists(folder.file(file)); }

  const Words fit{"fit",      "--view", "rna=rna.csv", "--view", "protein=protein.csv", "--steps", "60",
                  "--kernel", "rbf",    "--restarts",  "1"};
  const std::string fit_command =
      "fit --view rna=rna.csv --view protein=protein.csv --steps 60 --kernel rbf --restarts 1";
  TempFolder folder;
};

TEST_F(Endings, AReaderThatGoesAwayDoesNotEndTheRun) {
  const Outcome outcome =
      shell(folder, "$bochner " + fit_command + " --out run | true; echo ${PIPESTATUS[0]}");
  EXPECT_EQ(outcome.out, "0\n") << outcome.err;
  EXPECT_TRUE(there("run/model.bochner"));
  EXPECT_TRUE(there("run/metrics.json"));
  EXPECT_EQ(outcome.err.find("cannot write"), std::string::npos) << outcome.err;
}

TEST_F(Endings, AClosedTerminalStopsItAndItGoesOn) {
  const Outcome whole = run(fit + Words{"--out", "whole"});
  ASSERT_EQ(whole.code, 0) << whole.err;
  Program program(fit + Words{"--checkpoint-seconds", "0", "--out", "run"}, {.folder = folder.file("")});
  ASSERT_TRUE(program.wait_for_file(folder.file("run/checkpoint.bochner")));
  program.send(SIGHUP);
  EXPECT_EQ(program.wait().code, 128 + SIGHUP);
  EXPECT_TRUE(there("run/model.bochner"));
  EXPECT_EQ(run({"fit", "--resume", "--out", "run"}).code, 0);
  EXPECT_EQ(contents(folder.file("run")), contents(folder.file("whole")));
}

TEST_F(Endings, ALimitOnTheSizeOfFilesIsAMessage) {
  const Outcome outcome = shell(folder, "ulimit -f 2; $bochner " + fit_command + " --out run; echo $?");
  EXPECT_TRUE(outcome.out.ends_with("3\n")) << outcome.out;
  EXPECT_NE(outcome.err.find("the file would exceed the size limit"), std::string::npos) << outcome.err;
  for (const std::string& file : files_of(folder.file("run")))
    EXPECT_FALSE(file.ends_with(".part") || file.ends_with(".lock")) << file;
}

TEST_F(Endings, OneRunPerFolder) {
  Program first(
      Words{"fit", "--view", "rna=rna.csv", "--steps", "100000", "--restarts", "1000", "--out", "run"},
      {.folder = folder.file("")});
  ASSERT_TRUE(first.wait_for_file(folder.file("run/log.jsonl")));
  const std::string config = slurp(folder.file("run/config.toml"));
  const Outcome second = run(fit + Words{"--seed", "9", "--out", "run", "--quiet"});
  expect_refusal(second, 3, {"run: process ", "another folder"});
  EXPECT_EQ(slurp(folder.file("run/config.toml")), config);
  first.send(SIGKILL);
  first.wait();
  EXPECT_EQ(run(fit + Words{"--out", "run"}).code, 0);  // a dead process holds no lock
  EXPECT_FALSE(there("run/.lock"));
}

TEST_F(Endings, SeveralProcessesOfALauncherAreRefusedWithoutMpi) {
  for (const char* by : {"OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=", "PMI_SIZE=4 PMI_RANK="}) {
    const std::string none = "BOCHNER_MPI=/nowhere/libbochner_mpi.so ";
    const Outcome zero = shell(folder, none + by + "0 $bochner " + fit_command + " --out run");
    EXPECT_EQ(zero.code, 1);
    EXPECT_NE(zero.err.find("4 processes were started, but /nowhere/libbochner_mpi.so cannot be loaded"),
              std::string::npos)
        << zero.err;
    EXPECT_NE(zero.err.find("start a single process"), std::string::npos) << zero.err;
    const Outcome three = shell(folder, none + by + "3 $bochner " + fit_command + " --out run");
    EXPECT_EQ(three.code, 1);
    EXPECT_EQ(three.err, "");  // one message is enough
  }
  EXPECT_FALSE(there("run"));
  EXPECT_EQ(shell(folder, "OMPI_COMM_WORLD_SIZE=1 $bochner fit --view rna.csv --steps 5 --out run").code, 0);
}

TEST_F(Endings, InputsInTheFolderOfResultsAreRefused) {
  ASSERT_EQ(run(fit + Words{"--out", "run"}).code, 0);
  const std::string before = slurp(folder.file("run/imputed/rna.csv"));
  const Outcome outcome = run({"fit", "--view", "rna=run/imputed/rna.csv", "--out", "run"});
  expect_refusal(outcome, 1, {"run/imputed/rna.csv is in run, the output of --out", "use another --out"});
  expect_refusal(run({"fit", "--view", "rna.csv", "--meta", "run/latent.csv", "--out", "./run/../run"}), 1,
                 {"run/latent.csv is in"});
  EXPECT_EQ(slurp(folder.file("run/imputed/rna.csv")), before);
  EXPECT_EQ(run({"fit", "--view", "rna=run/imputed/rna.csv", "--steps", "5", "--out", "run2"}).code, 0);
  std::filesystem::copy(folder.file("run/latent.csv"), folder.file("t.csv"));
  expect_refusal(run({"evaluate", "--latent", "t.csv", "--data", "rna.csv", "--out", "t.csv"}), 1,
                 {"t.csv is in t.csv"});
}

TEST_F(Endings, ARepeatedRunKeepsTheFilesOfTheUser) {
  ASSERT_EQ(run(fit + Words{"--out", "run"}).code, 0);
  folder.write("run/imputed/mine.csv", "id,a\ns,1\n");
  folder.write("run/imputed/.hidden.part", "x");
  ASSERT_EQ(run({"fit", "--view", "rna=rna.csv", "--steps", "5", "--out", "run"}).code, 0);
  EXPECT_TRUE(there("run/imputed/mine.csv"));
  EXPECT_TRUE(there("run/imputed/.hidden.part"));
  EXPECT_TRUE(there("run/imputed/rna_lo.csv"));
  EXPECT_FALSE(there("run/imputed/protein.csv"));
  EXPECT_FALSE(there("run/imputed/protein_hi.csv"));
}

TEST_F(Endings, ARunIsResumedFromAnyFolder) {
  ASSERT_EQ(run(fit + Words{"--out", "whole"}).code, 0);
  const auto stopped = [&](const std::string& out) {
    Program program(fit + Words{"--checkpoint-seconds", "0", "--out", out}, {.folder = folder.file("")});
    ASSERT_TRUE(program.wait_for_file(folder.file(out + "/checkpoint.bochner")));
    program.send(SIGTERM);
    program.wait();
  };
  std::filesystem::create_directories(folder.file("elsewhere"));
  stopped("run");
  const Outcome from_there =
      run_program({"fit", "--resume", "--out", "../run"}, {.folder = folder.file("elsewhere")});
  EXPECT_EQ(from_there.code, 0) << from_there.err;
  EXPECT_EQ(contents(folder.file("run")), contents(folder.file("whole")));

  // Another table of that name where it is resumed is not the one that it was started with.
  stopped("again");
  std::filesystem::create_directory(folder.file("other"));
  folder.write("other/rna.csv", "id,a\ns1,1\ns2,2\ns3,3\n");
  folder.write("other/protein.csv", "id,a\ns1,1\ns2,2\ns3,3\n");
  EXPECT_EQ(run_program({"fit", "--resume", "--out", "../again"}, {.folder = folder.file("other")}).code, 0);
  EXPECT_EQ(contents(folder.file("again")), contents(folder.file("whole")));

  stopped("moved");
  std::filesystem::rename(folder.file("moved"), folder.file("elsewhere/moved"));
  const Outcome moved =
      run_program({"fit", "--resume", "--out", "moved"}, {.folder = folder.file("elsewhere")});
  EXPECT_EQ(moved.code, 0) << moved.err;
  EXPECT_EQ(contents(folder.file("elsewhere/moved")), contents(folder.file("whole")));
}

TEST_F(Endings, StrictTurnsTheVerdictIntoAnExitCode) {
  const Words few{"fit", "--view", "rna=rna.csv", "--steps", "2", "--out", "run"};  // far from settled
  const Outcome lenient = run(few);
  EXPECT_EQ(lenient.code, 0) << lenient.err;
  EXPECT_NE(lenient.out.find("do not trust"), std::string::npos) << lenient.out;
  EXPECT_EQ(run(few + Words{"--strict"}).code, 4);
  const Json metrics = Json::parse(slurp(folder.file("run/metrics.json")));
  EXPECT_EQ(metrics["verdict"], "doubtful");  // all is written all the same
  EXPECT_NE(run_program({"--help"}).out.find("4 verdict \"do not trust\" with --strict"), std::string::npos);
}

TEST_F(Endings, ANextCommandCanBeCopied) {
  std::filesystem::rename(folder.file("rna.csv"), folder.file("my rna.csv"));
  const Outcome outcome =
      run({"fit", "--view", "it's rna=my rna.csv", "--steps", "5", "--holdout", "0", "--out", "my run"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("Next: bochner apply 'my run/model.bochner' 'it'\\''s rna=NEW_TABLE' --out new"),
            std::string::npos)
      << outcome.out;
}

}  // namespace

}  // namespace bochner::testing::endings_test
