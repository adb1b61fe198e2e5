#include "bochner/io/run_folder.hpp"

#include <algorithm>

#include "temp_folder.hpp"

namespace bochner {

namespace {

using testing::expect_sentence;
using testing::slurp;

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

TEST(RunFolder, MarksItselfAndKeepsALog) {
  const testing::TempFolder folder;
  const std::string path = folder.file("deep/run");
  RunFolder run(path, "demo", {"result.csv"}, "seed = 1\n");
  EXPECT_EQ(slurp(run.path("config.toml")),
            "# bochner demo --config THIS_FILE --out DIR    repeats this run to the same bytes\nseed = 1\n");
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
  EXPECT_EQ(sorted(folder.names()), (std::vector<std::string>{"config.toml", "notes.txt"}));
  EXPECT_NE(slurp(again.path("config.toml")).find("seed = 2"), std::string::npos);
}

TEST(RunFolder, RefusesWhatBelongsToOthersAndTouchesNothing) {
  const testing::TempFolder folder;
  const auto refusal = [&](const std::string& path, const std::vector<std::string>& parts) {
    expect_sentence<WriteError>([&] { check_run_folder(path, "demo"); }, parts);
    expect_sentence<WriteError>([&] { RunFolder(path, "demo", {"thesis.tex"}, ""); }, parts);
  };
  folder.write("thesis.tex", "precious");
  refusal(folder.file(""), {"not empty", "no run", "new folder"});
  refusal(folder.file("thesis.tex"), {"thesis.tex", "is a file"});
  folder.write("config.toml", "# some other program\n");
  refusal(folder.file(""), {"no run"});
  folder.write("config.toml", "# bochner demonstration\n");
  refusal(folder.file(""), {"a run of 'demonstration'"});
  EXPECT_EQ(slurp(folder.file("thesis.tex")), "precious");
  expect_sentence<WriteError>([] { RunFolder("/dev/null/run", "demo", {}, ""); }, {"/dev/null/run"});
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

}  // namespace bochner
