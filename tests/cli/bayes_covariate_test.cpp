#include "bayes_runs.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/tables/csv.hpp"

// --covariate of `bochner fit --inference mcmc`, and what `bochner apply` asks for then.
namespace bochner::testing::bayes_covariate_test {

namespace {

class BayesCovariate : public ::testing::Test {
 protected:
  BayesCovariate() {
    std::string table = "id,age,a,b,c\n", plain = "id,a,b,c\n", meta = "id,age,batch\n";
    Rng rng(1);
    for (int n = 0; n < 30; ++n) {
      const std::string id = "s" + std::to_string(n), age = std::to_string(20 + n);
      std::string row;
      for (int j = 0; j < 3; ++j) row += "," + std::to_string(std::sin(n + j) + 0.1 * n + rng.normal());
      table += id + "," + age + row + "\n";
      plain += id + row + "\n";
      meta += id + "," + age + "," + (n % 3 ? "old" : "new") + "\n";
    }
    folder.write("table.csv", table);
    folder.write("plain.csv", plain);
    folder.write("meta.csv", meta);
  }
  Outcome run(const std::vector<std::string>& arguments) {
    return run_program(arguments, {.folder = folder.file("")});
  }
  Outcome fit(const std::vector<std::string>& arguments) {
    return run(std::vector<std::string>{"fit", "--inference", "mcmc", "--warmup", "6", "--draws", "8",
                                        "--frequencies", "4", "--chains", "2", "--start", "pca", "--holdout",
                                        "0.1"} +
               arguments);
  }
  TempFolder folder;
};

TEST_F(BayesCovariate, AreReportedWithIntervals) {
  const Outcome outcome = fit(
      {"y=plain.csv", "--meta", "meta.csv", "--covariate", "age", "--covariate", "batch", "--out", "run"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("covariates: age, batch (2 levels; reference 'new')"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.out.find("of 6 coefficients of y have 90 % intervals without 0"), std::string::npos)
      << outcome.out;
  const TextTable effects = read_csv_text(folder.file("run/covariates.csv"));
  EXPECT_EQ(effects.columns, (std::vector<std::string>{"view", "column", "covariate", "mean", "sd", "low",
                                                       "high", "rhat", "ess_bulk", "ess_tail"}));
  EXPECT_EQ(effects.cells[1], (std::vector<std::string>{"a", "a", "b", "b", "c", "c"}));
  EXPECT_EQ(effects.column("covariate"),
            (std::vector<std::string>{"age", "batch=old", "age", "batch=old", "age", "batch=old"}));
  EXPECT_NE(slurp(folder.file("run/chains.csv")).find("covariate age of y/"), std::string::npos);
  const BayesFit model = read_bayes(folder.file("run/model.bochner"));
  EXPECT_EQ(model.design.cols(), 2);
  EXPECT_EQ(model.design(0, 1), 0);
  EXPECT_EQ(model.design(1, 1), 1);
}

TEST_F(BayesCovariate, MayBeAColumnOfAView) {
  ASSERT_EQ(fit({"y=table.csv", "--covariate", "age", "--out", "one", "--quiet"}).code, 0);
  ASSERT_EQ(fit({"y=plain.csv", "--meta", "meta.csv", "--covariate", "age", "--out", "two", "--quiet"}).code,
            0);
  EXPECT_EQ(read_bayes(folder.file("one/model.bochner")).design,
            read_bayes(folder.file("two/model.bochner")).design);
  EXPECT_EQ(slurp(folder.file("one/latent.csv")), slurp(folder.file("two/latent.csv")));
}

TEST_F(BayesCovariate, AreRequiredOfNewSamples) {
  ASSERT_EQ(
      fit({"y=plain.csv", "--meta", "meta.csv", "--covariate", "batch", "--out", "run", "--quiet"}).code, 0);
  const Outcome good =
      run({"apply", "run/model.bochner", "plain.csv", "--meta", "meta.csv", "--out", "new", "--quiet"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_EQ(read_csv(folder.file("new/predicted/y.csv")).rows(), 30);
  expect_refusal(run({"apply", "run/model.bochner", "plain.csv", "--out", "new"}), 1,
                 {"the model was fitted with covariate 'batch'", "use --meta"});
  folder.write("other.csv", "id,batch\ns0,old\ns1,older\n");
  folder.write("few.csv", "id,a,b,c\ns0,1,2,3\ns1,0,1,2\n");
  expect_refusal(run({"apply", "run/model.bochner", "few.csv", "--meta", "other.csv", "--out", "new"}), 1,
                 {"covariate 'batch', sample 's1': level 'older' is unknown to the model"});
  EXPECT_EQ(read_csv(folder.file("new/predicted/y.csv")).rows(), 30);  // earlier results stay
}

TEST_F(BayesCovariate, MayBeTextInAViewAndElsewhereInNewSamples) {
  std::string table = "id,batch,a,b\n";
  for (int n = 0; n < 20; ++n)
    table += "s" + std::to_string(n) + (n % 3 ? ",old," : ",new,") + std::to_string(n % 5) + "," +
             std::to_string(n * n % 7) + "\n";
  folder.write("words.csv", table);
  const Outcome outcome = fit({"y=words.csv", "--covariate", "batch", "--out", "run"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_bayes(folder.file("run/model.bochner")).views[0].columns,
            (std::vector<std::string>{"a", "b"}));
  const auto predicted = [&](const std::vector<std::string>& arguments) {
    const Outcome of =
        run(std::vector<std::string>{"apply", "run/model.bochner", "--out", "new", "--quiet"} + arguments);
    EXPECT_EQ(of.code, 0) << of.err;
    return read_csv(folder.file("new/predicted/y.csv")).values;
  };
  const Matrix own = predicted({"words.csv"});
  folder.write("ages.csv", "id,age\ns0,3\n");  // says nothing about batches: the table does
  EXPECT_EQ(predicted({"words.csv", "--meta", "ages.csv"}), own);
}

TEST_F(BayesCovariate, AreRefusedInOneMessage) {
  expect_refusal(fit({"plain.csv", "--covariate", "age"}), 1,
                 {"--covariate: no view has a column 'age'; use --meta for the table that has it"});
  expect_refusal(fit({"plain.csv", "--prior", "covariate=normal:2"}), 1,
                 {"--prior: 'covariate=normal:2' is of coefficients; use --covariate"});
  expect_refusal(run({"fit", "table.csv", "--covariate", "age"}), 1,
                 {"--covariate applies to --inference mcmc only"});
  folder.write("gap.csv", "id,age\ns0,5\ns1,\ns2,7\n");
  folder.write("three.csv", "id,a,b\ns0,1,2\ns1,0,1\ns2,3,1\n");
  expect_refusal(fit({"three.csv", "--meta", "gap.csv", "--covariate", "age"}), 1,
                 {"--covariate: sample 's1' has no value; fill it in or omit the sample"});
}

}  // namespace
}  // namespace bochner::testing::bayes_covariate_test
