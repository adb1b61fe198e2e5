#include <cmath>

#include "bochner/models/bayes/file.hpp"
#include "bochner/models/gplvm/file.hpp"
#include "bochner/tables/npy.hpp"
#include "program.hpp"
#include "run_files.hpp"

namespace bochner::testing::most_variable_test {

namespace {

using Words = std::vector<std::string>;

/// 24 samples of four columns with standard deviations of about 0.1, 3, 1 and 0.01.
class MostVariable : public ::testing::Test {
 protected:
  MostVariable() {
    const Matrix waves = Matrix::NullaryExpr(24, 4, [](Index n, Index m) {
      return std::sin(0.5 * double(n) + double(m)) + 0.1 * std::cos(7.3 * double(n * (m + 1)));
    });
    Y = waves * Vector{{0.1, 3, 1, 0.01}}.asDiagonal();
    std::string all = "id,a,b,c,d\n", kept = "id,b,c\n";
    for (Index n = 0; n < 24; ++n) {
      const auto cell = [&](Index m) { return "," + std::to_string(Y(n, m)); };
      const std::string id = "s" + std::to_string(n);
      all += id + cell(0) + cell(1) + cell(2) + cell(3) + "\n";
      kept += id + cell(1) + cell(2) + "\n";
    }
    folder.write("y.csv", all);
    folder.write("kept.csv", kept);
  }
  Outcome run(const Words& arguments) { return run_program(arguments, {.folder = folder.file("")}); }
  Table read(const std::string& file) { return read_csv(folder.file(file)); }
  void expect_same_answers(const std::string& model, const std::string& all, const std::string& kept) {
    const Outcome one = run({"apply", model, "--view", "y=" + all, "--out", "one"});
    EXPECT_EQ(one.code, 0) << one.err;
    ASSERT_EQ(run({"apply", model, "--view", "y=" + kept, "--out", "other", "--quiet"}).code, 0);
    for (const char* file : {"latent.csv", "predicted/y.csv", "predicted/y_hi.csv"})
      EXPECT_EQ(slurp(folder.file(std::string("one/") + file)),
                slurp(folder.file(std::string("other/") + file)))
          << file;
  }

  Matrix Y;
  TempFolder folder;
  const Words fit{"fit", "--view", "y.csv", "--steps", "5", "--restarts", "1", "--most-variable"};
};

TEST_F(MostVariable, KeepsColumnsAndSaysSo) {
  const Outcome outcome = run(fit + Words{"2"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\nkeep  y: the 2 most variable of 4 columns\n"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(read("run/imputed/y.csv").columns, (Words{"b", "c"}));
  EXPECT_EQ(read_gplvm(folder.file("run/model.bochner")).views[0].columns, (Words{"b", "c"}));
  expect_same_answers("run/model.bochner", "y.csv", "kept.csv");

  ASSERT_EQ(run({"fit", "--config", "run/config.toml", "--out", "again", "--quiet"}).code, 0);
  auto first = contents(folder.file("run")), again = contents(folder.file("again"));
  first.erase("config.toml");
  again.erase("config.toml");
  EXPECT_EQ(first, again);

  const Outcome plan = run(fit + Words{"y=1", "--dry-run"});
  EXPECT_NE(plan.out.find("\n  keep   y: the 1 most variable of 4 columns\n"), std::string::npos) << plan.out;
}

TEST_F(MostVariable, KeepsAllOfFewerColumns) {
  const Outcome outcome = run(fit + Words{"4", "--out", "four"});
  EXPECT_NE(outcome.out.find("\nkeep  y: all 4 columns\n"), std::string::npos) << outcome.out;
  ASSERT_EQ(run(fit + Words{"9", "--out", "nine", "--quiet"}).code, 0);
  ASSERT_EQ(
      run({"fit", "--view", "y.csv", "--steps", "5", "--restarts", "1", "--out", "none", "--quiet"}).code, 0);
  for (const char* other : {"nine/", "none/"})
    EXPECT_EQ(slurp(folder.file("four/model.bochner")),
              slurp(folder.file(std::string(other) + "model.bochner")));
}

TEST_F(MostVariable, FindsColumnsOfArraysByTheirPlace) {
  write_npy(folder.file("y.npy"), Y);
  write_npy(folder.file("kept.npy"), Matrix(Y.middleCols(1, 2)));
  write_npy(folder.file("narrow.npy"), Matrix(Y.leftCols(2).rowwise().sum()));
  ASSERT_EQ(
      run({"fit", "--view", "y.npy", "--steps", "5", "--restarts", "1", "--most-variable", "2", "--quiet"})
          .code,
      0);
  EXPECT_EQ(read_gplvm(folder.file("run/model.bochner")).views[0].columns, (Words{"y_1", "y_2"}));
  expect_same_answers("run/model.bochner", "y.npy", "kept.npy");
  expect_refusal(
      run({"apply", "run/model.bochner", "--view", "y=narrow.npy"}), 1,
      {"narrow.npy has 1 column without names", "view 'y' of the model has 2", "name the columns"});
}

TEST_F(MostVariable, AWiderArrayIsAnotherTable) {
  write_npy(folder.file("wide.npy"), Y);
  write_npy(folder.file("y.npy"), Matrix(Y.leftCols(2)));
  ASSERT_EQ(run({"fit", "--view", "y.npy", "--steps", "5", "--restarts", "1", "--quiet"}).code, 0);
  expect_refusal(run({"apply", "run/model.bochner", "--view", "y=wide.npy"}), 1,
                 {"wide.npy has 4 columns without names", "view 'y' of the model has 2", "name the columns"});
}

TEST_F(MostVariable, RefusesWhatIsNoNumberOfColumns) {
  for (const char* wrong : {"0", "-3", "2.5", "many", "y=0", ""})
    expect_refusal(run(fit + Words{wrong}), 1, {"--most-variable", "integer of at least 1"});
  expect_refusal(run(fit + Words{"z=2"}), 1, {"--most-variable", "there is no view 'z'"});
}

TEST_F(MostVariable, TrialsGoWithTheirColumnsAndLabelsStay) {
  std::string counts = "id,p,q,r\n", trials = counts, kinds = "id,kind,side\n";
  for (int n = 0; n < 24; ++n) {
    const std::string id = "s" + std::to_string(n);
    counts += id + ",1," + std::to_string(n % 9) + "," + std::to_string(n % 3) + "\n";
    trials += id + ",1,8," + std::to_string(2 + n % 2) + "\n";
    kinds += id + (n % 2 ? ",even,left\n" : ",odd,right\n");
  }
  folder.write("counts.csv", counts);
  folder.write("trials.csv", trials);
  folder.write("kinds.csv", kinds);
  const Words bayes{"fit",
                    "--inference",
                    "mcmc",
                    "--view",
                    "counts.csv:binomial",
                    "--view",
                    "kinds.csv:categorical",
                    "--trials",
                    "counts=trials.csv",
                    "--warmup",
                    "2",
                    "--draws",
                    "2",
                    "--start",
                    "pca",
                    "--holdout",
                    "0"};
  const Outcome outcome = run(bayes + Words{"--most-variable", "1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\nkeep  counts: the 1 most variable of 3 columns\n"), std::string::npos)
      << outcome.out;
  const BayesFit model = read_bayes(folder.file("run/model.bochner"));
  EXPECT_EQ(model.views[0].columns, (Words{"q"}));
  EXPECT_EQ(model.views[0].trials, 8);  // the mean of its own column
  EXPECT_EQ(model.views[1].columns, (Words{"kind", "side"}));
  expect_refusal(run(bayes + Words{"--most-variable", "kinds=1"}), 1,
                 {"--most-variable", "view 'kinds' holds labels"});
}

}  // namespace

}  // namespace bochner::testing::most_variable_test
