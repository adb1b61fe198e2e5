#include "regression_tables.hpp"

namespace bochner::testing::first_column_test {

namespace {

/// plain.csv: a,b,y as df.to_csv(index=False) writes it, whole and unique numbers in `a`, which y depends on.
class FirstColumn : public ::testing::Test {
 protected:
  FirstColumn() {
    std::string plain = "a,b,y\n", named = "id,a,b,y\n", words = "car,a,b,y\n", time = "time,b,y\n";
    for (int n = 0; n < 60; ++n) {
      const double b = std::sin(7.0 * n), y = 0.5 * n + b;
      const std::string rest = std::to_string(b) + "," + std::to_string(y) + "\n",
                        a = std::to_string(n * 3 + 1);
      plain += a + "," + rest;
      named += "s" + std::to_string(n) + "," + a + "," + rest;
      words += "volvo" + std::to_string(n) + "," + a + "," + rest;
      time += a + "," + rest;
    }
    folder.write("plain.csv", plain);
    folder.write("named.csv", named);
    folder.write("words.csv", words);
    folder.write("time.csv", time);
  }
  Outcome run(const Words& arguments) { return run_program(arguments, {.folder = folder.file("")}); }
  Words regress(const std::string& file, const std::string& out) {
    return {"regress", "--x", file, "--y", file + ":y", "--steps", "60", "--inducing", "10", "--out", out};
  }
  Json kernel(const std::string& out) { return Json::parse(slurp(folder.file(out + "/kernel.json"))); }
  TempFolder folder;
};

TEST_F(FirstColumn, OfAPlainTableIsAnInput) {
  const Outcome outcome = run(regress("plain.csv", "run"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("plain.csv has no ids and the inputs 'a' and 'b'; the outcome is 'y'\n"),
            std::string::npos)
      << outcome.out;
  EXPECT_EQ(kernel("run")["inputs"], (Words{"a", "b"}));
  const Outcome predicted =
      run({"predict", "run/model.bochner", "--x", "plain.csv", "--y", "plain.csv:y", "--out", "new"});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_NE(predicted.out.find("plain.csv has no ids; the inputs are 'a' and 'b'"), std::string::npos)
      << predicted.out;
  const Json metrics = Json::parse(slurp(folder.file("new/metrics.json")));
  EXPECT_EQ(metrics["rows"], 60);
}

TEST_F(FirstColumn, ThatIsCalledLikeIdsHoldsThem) {
  const Outcome outcome = run(regress("named.csv", "run"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("ids in the column 'id' and the inputs 'a' and 'b'"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(read_csv(folder.file("run/predictions.csv")).ids.front().front(), 's');
}

TEST_F(FirstColumn, OfTimesIsAnInput) {
  const Outcome outcome = run(regress("time.csv", "run"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(kernel("run")["inputs"], (Words{"time", "b"}));
}

TEST_F(FirstColumn, OfWordsNeedsToBeNamed) {
  expect_refusal(run(regress("words.csv", "run")), 1, {"words.csv", "'car'", "'volvo0'", "--id car"});
  const Outcome told = run(regress("words.csv", "run") + Words{"--id", "car"});
  ASSERT_EQ(told.code, 0) << told.err;
  EXPECT_EQ(kernel("run")["inputs"], (Words{"a", "b"}));
  expect_refusal(run(regress("words.csv", "other") + Words{"--id", "cart"}), 1, {"words.csv"});
}

TEST_F(FirstColumn, MayBeToldToHoldValues) {
  folder.write("index.csv", "index,b,y\n1,2,3\n2,1,4\n4,3,9\n7,1,13\n9,2,19\n11,0,21\n");
  const Outcome told = run(regress("index.csv", "run") + Words{"--id", "none", "--test", "0"});
  ASSERT_EQ(told.code, 0) << told.err;
  EXPECT_EQ(kernel("run")["inputs"], (Words{"index", "b"}));
}

// Storms have names, and several rows each: 'name' is an input, also for new rows in which no name repeats.
TEST_F(FirstColumn, ThatIsCalledLikeIdsButRepeatsIsAnInput) {
  std::string storms = "name,b,y\n";
  for (int n = 0; n < 60; ++n)
    storms +=
        "storm" + std::to_string(n % 4) + "," + std::to_string(n % 7) + "," + std::to_string(n % 4) + "\n";
  folder.write("storms.csv", storms);
  folder.write("unique.csv", "name,b,y\nstorm0,1,0\nstorm1,2,1\nstorm2,4,2\n");
  const Outcome outcome = run(regress("storms.csv", "run"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("storms.csv: the first column 'name'"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--id COLUMN"), std::string::npos) << outcome.err;
  for (const std::string file : {"storms.csv", "unique.csv"}) {
    const Outcome predicted = run({"predict", "run/model.bochner", file, "--y", file + ":y", "--out", "new"});
    ASSERT_EQ(predicted.code, 0) << predicted.err;
    EXPECT_EQ(read_csv(folder.file("new/predictions.csv")).ids.front(), "0");
    EXPECT_EQ(predicted.err.find("more than once"), std::string::npos) << predicted.err;
  }
  expect_refusal(run(regress("storms.csv", "other") + Words{"--id", "name"}), 1, {"storms.csv", "unique"});
  folder.write("twice.csv", "id,a,b\n7,1,2\n7,2,3\n");  // no input of the model
  ASSERT_EQ(run(regress("plain.csv", "plain")).code, 0);
  const Outcome numbered = run({"predict", "plain/model.bochner", "twice.csv", "--out", "new"});
  ASSERT_EQ(numbered.code, 0) << numbered.err;
  EXPECT_NE(numbered.err.find("'7' is in it more than once"), std::string::npos) << numbered.err;
}

TEST_F(FirstColumn, OfViewsIsSaid) {
  const Outcome fit = run({"fit", "--view", "plain.csv", "--dims", "1", "--steps", "5", "--out", "fit"});
  EXPECT_NE(fit.out.find("ids   plain.csv has ids in the column 'a'"), std::string::npos) << fit.err;
  const Outcome kpca = run({"kpca", "--view", "plain.csv", "--dims", "1", "--out", "kpca"});
  EXPECT_NE(kpca.out.find("ids   plain.csv has ids in the column 'a'"), std::string::npos) << kpca.err;
}

}  // namespace

}  // namespace bochner::testing::first_column_test
