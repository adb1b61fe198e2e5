#include "bochner/models/gplvm/file.hpp"
#include "bochner/tables/npy.hpp"
#include "program.hpp"
#include "run_files.hpp"

namespace bochner::testing::apply_test {

namespace {

class Apply : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new TempFolder;
    write_example_tables(*folder);
    ASSERT_EQ(run({"fit", "--view", "rna.csv", "--view", "protein.csv", "--steps", "200", "--out", "fit",
                   "--quiet"})
                  .code,
              0);
  }
  static void TearDownTestSuite() { delete folder; }
  static Outcome run(const std::vector<std::string>& arguments) {
    return run_program(arguments, {.folder = folder->file("")});
  }
  static Outcome apply(const std::vector<std::string>& more) {
    return run(std::vector<std::string>{"apply", "fit/model.bochner"} + more);
  }
  static Table read(const std::string& file) { return read_csv(folder->file(file)); }
  static TempFolder* folder;
};
TempFolder* Apply::folder = nullptr;

TEST_F(Apply, LeavesTheSameBytesForAnyNumberOfThreads) {
  const auto bytes = [&](const char* threads) {
    const std::string out = std::string("threads") + threads;
    const Outcome outcome =
        apply({"--view", "rna.csv", "--view", "protein.csv", "--threads", threads, "--out", out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("apply 32 samples"), std::string::npos) << outcome.out;
    EXPECT_EQ(files_of(folder->file(out)),
              (std::vector<std::string>{"config.toml", "latent.csv", "latent_sd.csv", "log.jsonl",
                                        "predicted/protein.csv", "predicted/protein_hi.csv",
                                        "predicted/protein_lo.csv", "predicted/rna.csv",
                                        "predicted/rna_hi.csv", "predicted/rna_lo.csv"}));
    return contents(folder->file(out));
  };
  const auto one = bytes("1");
  EXPECT_EQ(bytes("2"), one);
  EXPECT_EQ(bytes("7"), one);
}

TEST_F(Apply, FindsTheViewOfATableByItsColumns) {
  std::filesystem::copy_file(folder->file("protein.csv"), folder->file("next_week.csv"));
  ASSERT_EQ(apply({"protein.csv", "--out", "by_name", "--quiet"}).code, 0);
  const Outcome found = apply({"next_week.csv", "--out", "by_columns"});
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_NE(found.err.find("next_week.csv has columns of view 'protein'"), std::string::npos) << found.err;
  EXPECT_EQ(read("by_columns/latent.csv").values, read("by_name/latent.csv").values);
  folder->write("other_columns.csv", "sample,one,two\ns1,1,2\n");
  expect_refusal(apply({"other_columns.csv", "--out", "new"}), 1,
                 {"view 'other_columns' is unknown", "'rna' and 'protein'", "NAME=other_columns.csv"});
}

TEST_F(Apply, IsWhatTheLibrarySays) {
  ASSERT_EQ(
      apply({"--view", "protein.csv", "--out", "library", "--interval", "0.5", "--of", "f", "--quiet"}).code,
      0);
  const GplvmFit fit = read_gplvm(folder->file("fit/model.bochner"));
  const Table protein = read("protein.csv");
  const Dataset data = join({{"protein", protein.ids, protein.columns, protein.values}});
  const LatentPosterior at = embed(fit, data, Threads(1));
  EXPECT_EQ(read("library/latent.csv").ids, protein.ids);
  EXPECT_EQ(read("library/latent.csv").values, at.mean);
  EXPECT_EQ(read("library/latent_sd.csv").values, at.sd);
  const Predictive p = predict(fit, "rna", data, at, Threads(1));  // which these samples lack
  const Table mean = read("library/predicted/rna.csv"), low = read("library/predicted/rna_lo.csv"),
              high = read("library/predicted/rna_hi.csv");
  EXPECT_EQ(mean.columns, fit.view("rna").columns);
  const double z50 = 0.6744897501960817;  // scipy.stats.norm.ppf(0.75)
  for (Index n = 0; n < mean.rows(); ++n)
    for (Index m = 0; m < 3; ++m) {
      EXPECT_EQ(mean.values(n, m), p.mean(n, m));
      EXPECT_NEAR(high.values(n, m) - p.mean(n, m), z50 * std::sqrt(p.f_variance(n, m)), 1e-9);
      EXPECT_NEAR(p.mean(n, m) - low.values(n, m), z50 * std::sqrt(p.f_variance(n, m)), 1e-9);
    }
  EXPECT_TRUE(std::isnan(mean.values(0, 4)));  // never measured, so nobody knows
}

TEST_F(Apply, ASampleHasTheSameBytesAloneAndInABatch) {
  ASSERT_EQ(apply({"--view", "rna.csv", "--view", "protein.csv", "--out", "batch", "--quiet"}).code, 0);
  Table rna = read("rna.csv"), protein = read("protein.csv");
  const Index row = 12, other = 31 - row;  // protein.csv runs from s31 down
  ASSERT_EQ(rna.ids[row], protein.ids[other]);
  write_csv(folder->file("one_rna.csv"), Table{{rna.ids[row]}, rna.columns, rna.values.row(row)});
  write_csv(folder->file("one_protein.csv"),
            Table{{protein.ids[other]}, protein.columns, protein.values.row(other)});
  ASSERT_EQ(
      apply({"--view", "rna=one_rna.csv", "--view", "protein=one_protein.csv", "--out", "alone", "--quiet"})
          .code,
      0);
  for (const char* file : {"latent.csv", "latent_sd.csv", "predicted/rna_lo.csv", "predicted/protein.csv"}) {
    const std::string alone = slurp(folder->file(std::string("alone/") + file)),
                      batch = slurp(folder->file(std::string("batch/") + file));
    const std::string line = alone.substr(alone.find('\n') + 1);
    EXPECT_TRUE(line.starts_with("s12,"));
    EXPECT_NE(batch.find("\n" + line), std::string::npos) << file << ": " << line;
  }
}

TEST_F(Apply, MoreRowsThanABlockAndNoColumnNames) {
  // 2500 rows cross the border of a block; an array has no names, its columns are those of the fitted table.
  Matrix many(2500, 4);
  const Matrix values = read("protein.csv").values;
  for (Index n = 0; n < many.rows(); ++n) many.row(n) = values.row(n % values.rows());
  write_npy(folder->file("many.npy"), many);
  const Outcome outcome = apply({"--view", "protein=many.npy", "--out", "many"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_EQ(apply({"--view", "protein.csv", "--out", "few", "--quiet"}).code, 0);
  const Matrix latent = read("many/latent.csv").values, expected = read("few/latent.csv").values;
  ASSERT_EQ(latent.rows(), 2500);
  for (Index n = 0; n < latent.rows(); ++n) ASSERT_EQ(latent.row(n), expected.row(n % 28)) << n;
  write_npy(folder->file("narrow.npy"), many.leftCols(3));
  expect_refusal(apply({"--view", "protein=narrow.npy"}), 1, {"narrow.npy", "3 columns", "'protein'", "4"});
}

TEST_F(Apply, ColumnsAreFoundByNameAndEmptySamplesGetThePrior) {
  folder->write("new.csv", "id,extra,z,y,x,w\nn1,9,-40,,5,12\nn2,9,,,,\n");
  folder->write("same.csv", "id,w,x,y,z\nn1,12,5,,-40\nn2,,,,\n");
  const Outcome outcome = apply({"--view", "protein=new.csv", "--out", "new"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err,
            "note: view 'protein' has 1 column that the model does not have, 'extra' first: ignored\n"
            "note: 1 sample is missing from every view: the latent is the prior\n");
  ASSERT_EQ(apply({"--view", "protein=same.csv", "--out", "same", "--quiet"}).code, 0);
  EXPECT_EQ(slurp(folder->file("new/latent.csv")), slurp(folder->file("same/latent.csv")));
  EXPECT_EQ(read("new/latent.csv").values.row(1), Eigen::RowVector2d(0, 0));
  EXPECT_EQ(read("new/latent_sd.csv").values.row(1), Eigen::RowVector2d(1, 1));
  // Samples of two views need not meet.
  folder->write("rna_only.csv", "id,\"a,1\",\"b \"\"q\"\"\",c,constant,never\nr1,10,10,10,2.5,\n");
  EXPECT_EQ(
      apply({"--view", "protein=same.csv", "--view", "rna=rna_only.csv", "--out", "apart", "--quiet"}).code,
      0);
  EXPECT_EQ(read("apart/latent.csv").rows(), 3);
}

TEST_F(Apply, ConfigRepeatsTheRunAndTheModelMayBeNamed) {
  ASSERT_EQ(run({"apply", "--view", "protein.csv", "--model", "fit/model.bochner", "--interval", "0.8",
                 "--out", "c1", "--quiet"})
                .code,
            0);
  ASSERT_EQ(run({"apply", "--config", "c1/config.toml", "--out", "c2", "--quiet"}).code, 0);
  EXPECT_EQ(contents(folder->file("c1")), contents(folder->file("c2")));
  const Outcome plan = apply({"--view", "protein.csv", "--dry-run", "--out", "planned"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  for (const char* part :
       {"bochner apply would", "2 dimensions from 32 samples", "rna (5 columns)", "embed  28 samples"})
    EXPECT_NE(plan.out.find(part), std::string::npos) << part << "\nnot in: " << plan.out;
  EXPECT_FALSE(std::filesystem::exists(folder->file("planned")));
}

TEST_F(Apply, ASingleTableIsTheViewOfAModelWithOne) {
  ASSERT_EQ(run({"fit", "--view", "a=b=protein.csv", "--view", "rna.csv", "--steps", "2", "--out", "sign",
                 "--quiet"})
                .code,
            1);
  std::filesystem::copy(folder->file("protein.csv"), folder->file("a=b.csv"));
  ASSERT_EQ(run({"fit", "--view", "a=b.csv", "--steps", "5", "--out", "single", "--quiet"}).code, 0);
  EXPECT_EQ(run({"apply", "single/model.bochner", "--view", "protein.csv", "--out", "s1", "--quiet"}).code,
            0);
  EXPECT_EQ(
      run({"apply", "single/model.bochner", "--view", "a=b=protein.csv", "--out", "s2", "--quiet"}).code, 0);
  EXPECT_EQ(slurp(folder->file("s1/latent.csv")), slurp(folder->file("s2/latent.csv")));
  EXPECT_TRUE(std::filesystem::exists(folder->file("s1/predicted/a=b_lo.csv")));
}

TEST_F(Apply, AbsentColumnsWereNotMeasured) {
  Table some = read("protein.csv"), holes = some;
  const std::string gone = some.columns[1];
  holes.values.col(1).setConstant(std::nan(""));
  write_csv(folder->file("holes.csv"), holes);
  some.columns.erase(some.columns.begin() + 1);
  some.values = Matrix(holes.values(Eigen::all, std::vector<Index>{0, 2, 3}));
  write_csv(folder->file("some.csv"), some);
  const Outcome outcome = apply({"--view", "protein=some.csv", "--out", "absent"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("lacks 1 of the 4 columns of the model, '" + gone + "'"), std::string::npos)
      << outcome.err;
  ASSERT_EQ(apply({"--view", "protein=holes.csv", "--out", "nan", "--quiet"}).code, 0);
  some.columns.back() = "foo";
  write_csv(folder->file("foo.csv"), some);
  const Outcome foo = apply({"--view", "protein=foo.csv", "--out", "foo"});
  EXPECT_NE(foo.err.find("view 'protein' has 1 column that the model does not have, 'foo' first: ignored"),
            std::string::npos)
      << foo.err;
  EXPECT_EQ(slurp(folder->file("absent/latent.csv")), slurp(folder->file("nan/latent.csv")));
}

TEST_F(Apply, WhatDoesNotBelongIsAMessage) {
  expect_refusal(apply({"--view", "dna=rna.csv"}), 1,
                 {"view 'dna' is unknown to the model", "'rna' and 'protein'"});
  expect_refusal(apply({"--view", "rna=protein.csv"}), 1,
                 {"view 'rna' has none of the 5 columns of the model, 'a,1' first"});
  expect_refusal(apply({}), 1, {"missing required argument TABLE, or --view TABLE"});
  expect_refusal(run({"apply", "--view", "rna.csv"}), 1, {"missing required argument MODEL"});
  expect_refusal(run({"apply", "rna.csv", "--view", "rna.csv"}), 1, {"rna.csv", "not a model file"});
  expect_refusal(run({"apply", "nothere.bochner", "--view", "rna.csv"}), 1,
                 {"nothere.bochner", "no such file"});
  expect_refusal(apply({"--view", "rna.csv", "--interval", "1"}), 1, {"--interval is '1'"});
  expect_refusal(apply({"--view", "rna.csv", "--of", "z"}), 1, {"--of is 'z'", "must be f or y"});
  expect_refusal(apply({"--view", "rna.csv", "--out", "fit"}), 3, {"fit", "a run of 'fit'"});
  std::string damaged = slurp(folder->file("fit/model.bochner"));
  damaged[damaged.size() / 2] ^= 1;
  folder->write("damaged.bochner", damaged);
  expect_refusal(run({"apply", "damaged.bochner", "--view", "rna.csv"}), 1, {"damaged.bochner"});
}

}  // namespace

}  // namespace bochner::testing::apply_test
