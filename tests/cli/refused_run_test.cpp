// A run that is refused, whenever that is, leaves the earlier run in its folder as it was.
#include <gtest/gtest.h>

#include "program.hpp"
#include "run_files.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::testing::refused_run_test {

namespace {

class RefusedRun : public ::testing::Test {
 protected:
  RefusedRun() {
    std::string a = "id,u,v,w\n", flat = "id,u,v,w\n", xy = "id,x,y,kind\n", one = "id,x,y,kind\n",
                series = "time,s\n";
    for (int n = 0; n < 30; ++n) {
      const std::string id = "s" + std::to_string(n), x = std::to_string((n * 7) % 30),
                        y = std::to_string((n * n) % 11);
      a += id + "," + x + "," + y + "," + std::to_string(n % 5) + "\n";
      flat += id + ",1,1,1\n";
      xy += id + "," + x + "," + y + (n % 2 ? ",odd\n" : ",even\n");
      one += id + "," + x + ",,\n";
      series += std::to_string(n) + "," + y + "\n";
    }
    folder.write("a.csv", a);
    folder.write("flat.csv", flat);
    folder.write("xy.csv", xy);
    folder.write("nothing.csv", one);
    folder.write("series.csv", series);
    folder.write("short.csv", "time,s\n1,2\n2,3\n3,1\n");
  }
  /// Runs `good`, then `bad` in the same folder: refused with exit code 1 or 2, and not a byte of the first has changed.
  void expect_kept(std::vector<std::string> good, std::vector<std::string> bad) {
    good.insert(good.end(), {"--out", "run", "--quiet"});
    bad.insert(bad.end(), {"--out", "run", "--quiet"});
    const Outcome first = run_program(good, {.folder = folder.file("")});
    ASSERT_EQ(first.code, 0) << first.err;
    const auto before = contents(folder.file("run"));
    const std::string log = slurp(folder.file("run/log.jsonl"));
    const Outcome second = run_program(bad, {.folder = folder.file("")});
    EXPECT_TRUE(second.code == 1 || second.code == 2) << second.code << second.err;
    EXPECT_EQ(second.out, "");
    EXPECT_EQ(contents(folder.file("run")), before);
    EXPECT_EQ(slurp(folder.file("run/log.jsonl")), log);
  }
  TempFolder folder;
};

TEST_F(RefusedRun, Fit) {
  expect_kept({"fit", "--view", "a=a.csv", "--steps", "20"},
              {"fit", "--view", "a=flat.csv", "--steps", "20"});
}

TEST_F(RefusedRun, FitByChains) {
  expect_kept(
      {"fit", "--model", "bayes", "--view", "a=a.csv", "--warmup", "5", "--draws", "5", "--start", "pca"},
      {"fit", "--model", "bayes", "--view", "a=a.csv:bernoulli", "--warmup", "5", "--draws", "5"});
}

TEST_F(RefusedRun, Regress) {
  expect_kept({"regress", "--x", "xy.csv:x", "--y", "xy.csv:y", "--steps", "20"},
              {"regress", "--x", "nothing.csv:x", "--y", "nothing.csv:y", "--steps", "20"});
}

TEST_F(RefusedRun, Classify) {
  expect_kept({"classify", "--x", "xy.csv:x", "--y", "xy.csv:kind", "--steps", "20"},
              {"classify", "--x", "nothing.csv:x", "--y", "nothing.csv:kind", "--steps", "20"});
}

TEST_F(RefusedRun, Kpca) { expect_kept({"kpca", "--view", "a=a.csv"}, {"kpca", "--view", "a=flat.csv"}); }

TEST_F(RefusedRun, Forecast) {
  expect_kept({"forecast", "--series", "series.csv", "--lags", "4", "--steps", "2"},
              {"forecast", "--series", "short.csv", "--lags", "4", "--steps", "2"});
}

}  // namespace

}  // namespace bochner::testing::refused_run_test
