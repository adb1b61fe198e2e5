#include "bochner/run/run_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "bochner/tables/atomic_file.hpp"

#include "tests/support/temp_folder.hpp"

namespace bochner::run_folder_test {

namespace {

using testing::expect_message;
using testing::slurp;

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

TEST(RunFolder, MarksItselfAndKeepsALog) {
  const testing::TempFolder folder;
  const std::string path = folder.file("deep/run");
  RunFolder run(path, "demo", {"result.csv"}, "seed = 1\n");
  EXPECT_EQ(
      slurp(run.path("config.toml")),
      "# bochner demo --config THIS_FILE --out DIR    repeats this run to the same bytes\n# started in " +
          std::filesystem::current_path().string() + "\nseed = 1\n");
  EXPECT_EQ(run_started_in(path), std::filesystem::current_path().string());
  run.log("{\"event\":1}");
  run.log("{\"event\":2}");
  EXPECT_EQ(slurp(run.path("log.jsonl")), "{\"event\":1}\n{\"event\":2}\n");
  EXPECT_EQ(run.folder(), path);
}

TEST(RunFolder, ClearsTheFilesOfAnEarlierRunAndNoOthers) {
  const testing::TempFolder folder;
  RunFolder(folder.file(""), "demo", {"result.csv", "log.jsonl"}, "seed = 1\n").log("{}");
  folder.write("result.csv", "old");
  folder.write("notes.txt", "mine");
  const RunFolder again(folder.file(""), "demo", {"result.csv", "log.jsonl"}, "seed = 2\n");
  EXPECT_EQ(sorted(folder.names()), (std::vector<std::string>{".lock", "config.toml", "notes.txt"}));
  EXPECT_NE(slurp(again.path("config.toml")).find("seed = 2"), std::string::npos);
}

TEST(RunFolder, RemovesWhatTheEarlierRunHasNotedAndNothingElse) {
  const testing::TempFolder folder;
  const std::string path = folder.file("run");
  {
    RunFolder run(path, "demo", {"log.jsonl"}, "");
    write_file(run.output("imputed/rna.csv"), "ours");
    write_file(run.output("imputed/old.csv"), "ours");
    write_file(run.path("imputed/mine.csv"), "the user's");
    write_file(run.path("imputed/.mine.part"), "the user's");
    write_file(run.path("imputed/.rna.csv.77-0.part"), "half a table");
    run.log(R"({"event":"write","file":"../precious"})");
    run.log(R"({"event":"write","file":"/etc/hostname"})");
    run.log(R"({"event":"write","file":"imputed"})");
    run.log("no json");
  }
  folder.write("precious", "outside");
  RunFolder run(path, "demo", {"log.jsonl"}, "");
  EXPECT_FALSE(std::filesystem::exists(run.path("imputed/rna.csv")));
  EXPECT_FALSE(std::filesystem::exists(run.path("imputed/old.csv")));
  EXPECT_FALSE(std::filesystem::exists(run.path("imputed/.rna.csv.77-0.part")));
  EXPECT_EQ(slurp(run.path("imputed/mine.csv")), "the user's");
  EXPECT_EQ(slurp(run.path("imputed/.mine.part")), "the user's");
  EXPECT_EQ(slurp(folder.file("precious")), "outside");
}

TEST(RunFolder, FollowsNoLinkOutOfTheFolder) {
  const testing::TempFolder folder;
  const std::string path = folder.file("run");
  RunFolder(path, "demo", {"log.jsonl"}, "").log(R"({"event":"write","file":"sub/key"})");
  std::filesystem::create_directory(folder.file("elsewhere"));
  folder.write("elsewhere/key", "precious");
  folder.write("elsewhere/.key.1-0.part", "precious");
  std::filesystem::create_directory_symlink(folder.file("elsewhere"), path + "/sub");
  RunFolder(path, "demo", {"log.jsonl"}, "");
  EXPECT_EQ(slurp(folder.file("elsewhere/key")), "precious");
  EXPECT_EQ(slurp(folder.file("elsewhere/.key.1-0.part")), "precious");
}

TEST(RunFolder, IsForOneRunAtATime) {
  const testing::TempFolder folder;
  const std::string path = folder.file("run");
  {
    const RunFolder first(path, "demo", {"result.csv"}, "seed = 1\n");
    write_file(first.path("result.csv"), "first");
    expect_message<WriteError>([&] { RunFolder(path, "demo", {"result.csv"}, "seed = 2\n"); },
                               {"run", "process " + std::to_string(::getpid()), "another folder"});
    EXPECT_EQ(slurp(first.path("result.csv")), "first");
    EXPECT_NE(slurp(first.path("config.toml")).find("seed = 1"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(path + "/.lock"));
  EXPECT_NO_THROW(RunFolder(path, "demo", {"result.csv"}, "seed = 2\n"));
}

TEST(RunFolder, TheLockOfAProcessThatDiedIsNone) {
  const testing::TempFolder folder;
  std::filesystem::create_directory(folder.file("run"));
  folder.write("run/.lock", "1\n");  // the file is there, but nobody holds it
  EXPECT_NO_THROW(RunFolder(folder.file("run"), "demo", {}, ""));
}

TEST(RunFolder, SaysBeforehandWhatCannotBeMade) {
  const testing::TempFolder folder;
  const std::string longest(300, 'x');
  std::filesystem::create_symlink(folder.file("loop"), folder.file("loop"));
  for (const std::string& path : {folder.file(longest), folder.file("loop"), folder.file("loop/run")}) {
    expect_message<WriteError>([&] { check_run_folder(path, "demo"); }, {"no folder can be made"});
    expect_message<WriteError>([&] { make_folder(path); }, {"cannot be made"});
  }
}

TEST(RunFolder, RefusesWhatBelongsToOthersAndTouchesNothing) {
  const testing::TempFolder folder;
  const auto refusal = [&](const std::string& path, const std::vector<std::string>& parts) {
    expect_message<WriteError>([&] { check_run_folder(path, "demo"); }, parts);
    expect_message<WriteError>([&] { RunFolder(path, "demo", {"thesis.tex"}, ""); }, parts);
  };
  folder.write("thesis.tex", "precious");
  refusal(folder.file(""), {"not empty", "no run", "new folder"});
  refusal(folder.file("thesis.tex"), {"thesis.tex", "is a file"});
  folder.write("config.toml", "# some other program\n");
  refusal(folder.file(""), {"no run"});
  folder.write("config.toml", "# bochner demonstration\n");
  refusal(folder.file(""), {"a run of 'demonstration'"});
  EXPECT_EQ(slurp(folder.file("thesis.tex")), "precious");
  expect_message<WriteError>([] { RunFolder("/dev/null/run", "demo", {}, ""); }, {"/dev/null/run"});
}

TEST(RunFolder, HiddenFilesAreNoObstacle) {
  const testing::TempFolder folder;
  folder.write(".gitkeep", "");
  folder.write(".config.toml.123-0.part", "half a li");
  EXPECT_NO_THROW(check_run_folder(folder.file(""), "demo"));
  EXPECT_NO_THROW(check_run_folder(folder.file("not/yet/there"), "demo"));
  EXPECT_EQ(folder.names().size(), 2u);
}

}  // namespace

}  // namespace bochner::run_folder_test
