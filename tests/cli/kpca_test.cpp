#include "bochner/models/kpca/file.hpp"
#include "bochner/tables/npy.hpp"
#include "program.hpp"
#include "run_files.hpp"

namespace bochner::testing::kpca_test {

namespace {

/// 40 samples in two views that share two dimensions, and a class that the first of them decides.
class Kpca : public ::testing::Test {
 protected:
  Kpca() {
    const Matrix x = Rng(1).normal(40, 2);
    const Matrix rna = x * Rng(2).normal(2, 5) + 0.1 * Rng(3).normal(40, 5);
    const Matrix protein = (x * Rng(4).normal(2, 3)).array().tanh().matrix() + 0.1 * Rng(5).normal(40, 3);
    TextTable classes{.columns = {"type", "batch"}, .cells = {{}, {}}};
    Table first{.values = rna}, second{.values = protein.topRows(36)};  // four lack the second view
    for (Index n = 0; n < 40; ++n) {
      first.ids.push_back("s" + std::to_string(n));
      classes.cells[0].push_back(n == 7 ? "" : x(n, 0) > 0 ? "up" : "down");
      classes.cells[1].push_back("b");
    }
    first.values(3, 2) = std::nan("");
    classes.ids = first.ids;
    second.ids.assign(first.ids.begin(), first.ids.begin() + 36);
    for (Index m = 0; m < 5; ++m) first.columns.push_back("g" + std::to_string(m));
    for (Index m = 0; m < 3; ++m) second.columns.push_back("p" + std::to_string(m));
    write_csv(folder.file("rna.csv"), first);
    write_csv(folder.file("protein.csv"), second);
    write_csv(folder.file("types.csv"), classes);
  }
  Outcome run(const std::vector<std::string>& arguments) {
    return run_program(arguments, {.folder = folder.file("")});
  }
  const std::vector<std::string> kpca{"kpca", "--view", "rna.csv", "--view", "protein.csv", "--dims", "3"};
  TempFolder folder;
};

TEST_F(Kpca, LeavesTheSameBytesForAnyNumberOfThreads) {
  const auto bytes = [&](const char* threads) {
    const std::string out = std::string("run") + threads;
    const Outcome outcome =
        run(kpca + std::vector<std::string>{"--labels", "types.csv:type", "--samples", "4", "--traverse", "2",
                                            "--threads", threads, "--out", out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* part : {"read  40 samples in 3 views", "found 3 components", "view from the others",
                             "accuracy", "Next: bochner apply run"})
      EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
    EXPECT_NE(outcome.err.find("note: 34 of 40 samples have every entry"), std::string::npos) << outcome.err;
    EXPECT_EQ(files_of(folder.file(out)), (std::vector<std::string>{"columns/labels.csv",
                                                                    "columns/protein.csv",
                                                                    "columns/rna.csv",
                                                                    "components.csv",
                                                                    "config.toml",
                                                                    "crossview.csv",
                                                                    "generated/labels.csv",
                                                                    "generated/protein.csv",
                                                                    "generated/rna.csv",
                                                                    "generated_latent.csv",
                                                                    "latent.csv",
                                                                    "log.jsonl",
                                                                    "metrics.json",
                                                                    "model.bochner",
                                                                    "predicted/labels.csv",
                                                                    "predicted/labels_class.csv",
                                                                    "predicted/protein.csv",
                                                                    "predicted/rna.csv",
                                                                    "traverse/labels.csv",
                                                                    "traverse/protein.csv",
                                                                    "traverse/rna.csv",
                                                                    "traverse_latent.csv"}));
    expect_whole_files(folder.file(out));
    return contents(folder.file(out));
  };
  const auto one = bytes("1");
  EXPECT_EQ(bytes("2"), one);
  EXPECT_EQ(bytes("7"), one);
}

TEST_F(Kpca, ConfigRepeatsTheRun) {
  ASSERT_EQ(run(kpca + std::vector<std::string>{"--kernel", "linear", "--kernel", "protein=matern32",
                                                "--lengthscale", "protein=2", "--weight", "rna=0.5",
                                                "--preimage", "protein=gradient", "--solver", "dual",
                                                "--no-scale", "--out", "first", "--quiet"})
                .code,
            0);
  ASSERT_EQ(run({"kpca", "--config", "first/config.toml", "--out", "second", "--quiet"}).code, 0);
  EXPECT_EQ(contents(folder.file("first")), contents(folder.file("second")));
}

TEST_F(Kpca, IsWhatTheLibrarySays) {
  ASSERT_EQ(run(kpca + std::vector<std::string>{"--out", "run", "--quiet"}).code, 0);
  const KpcaFit fit = read_kpca(folder.file("run/model.bochner"));
  EXPECT_EQ(fit.ids.size(), 35u);  // 40 - 4 without a view - 1 with a hole
  const Table latent = read_csv(folder.file("run/latent.csv")), rna = read_csv(folder.file("rna.csv"));
  ASSERT_EQ(latent.rows(), 40);
  const Dataset data = join({{"rna", rna.ids, rna.columns, rna.values}, [&] {
                               const Table p = read_csv(folder.file("protein.csv"));
                               return View{"protein", p.ids, p.columns, p.values};
                             }()});
  EXPECT_EQ(latent.values, scores(fit, embed(fit, data, Threads(1))));
  const Table components = read_csv(folder.file("run/components.csv"));
  EXPECT_EQ(components.values.col(0), fit.lambda);
  EXPECT_LE(components.values(2, 2), 1);
  const Json metrics = Json::parse(slurp(folder.file("run/metrics.json")));
  EXPECT_EQ(metrics["solver"], "dual");
  EXPECT_GT(metrics["crossview"]["rna"]["r2"].get<double>(), 0.3);
}

TEST_F(Kpca, ApplyPlacesNewSamplesAndFindsTheirClass) {
  ASSERT_EQ(
      run(kpca + std::vector<std::string>{"--labels", "types.csv:type", "--out", "run", "--quiet"}).code, 0);
  const Outcome outcome = run({"apply", "run/model.bochner", "--view", "rna.csv", "--out", "new"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("used  a model of 3 components from 34 samples"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(
      files_of(folder.file("new")),
      (std::vector<std::string>{"config.toml", "latent.csv", "log.jsonl", "predicted/labels.csv",
                                "predicted/labels_class.csv", "predicted/protein.csv", "predicted/rna.csv"}));
  const TextTable truth = read_csv_text(folder.file("types.csv"));
  const TextTable found = read_csv_text(folder.file("new/predicted/labels_class.csv"));
  ASSERT_EQ(found.ids, truth.ids);
  int right = 0;
  for (std::size_t n = 0; n < 40; ++n) right += found.cells[0][n] == truth.cells[0][n];
  EXPECT_GE(right, 34);
  EXPECT_EQ(found.cells[0][3], "");  // its only view has a hole
  // From itself alone there is nothing to predict the view from.
  EXPECT_FALSE(read_csv(folder.file("new/predicted/rna.csv")).values.array().isFinite().any());
  const Outcome plan = run({"apply", "run/model.bochner", "--view", "rna.csv", "--dry-run"});
  EXPECT_NE(plan.out.find("latent.csv and predicted/"), std::string::npos) << plan.out;
}

TEST_F(Kpca, LabelsBelongToRowsWithoutIds) {
  const Table rna = read_csv(folder.file("rna.csv"));
  write_npy(folder.file("rna.npy"), rna.values);
  const Outcome outcome = run({"kpca", "--view", "rna.npy", "--labels", "types.csv:type", "--out", "run"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(
      outcome.err.find("rna.npy has no sample ids; its rows are matched to those of types.csv by position"),
      std::string::npos)
      << outcome.err;
}

TEST_F(Kpca, KeepsAnnotationsAndMeasuredColumnsForTheReport) {
  ASSERT_EQ(run(kpca +
                std::vector<std::string>{"--labels", "types.csv:type", "--meta", "types.csv", "--out", "run"})
                .code,
            0);
  EXPECT_EQ(read_csv_text(folder.file("run/meta.csv")).column("batch").front(), "b");
  const Table measured = read_csv(folder.file("rna.csv")),
              kept = read_csv(folder.file("run/columns/rna.csv"));
  EXPECT_EQ(kept.columns, measured.columns);
  EXPECT_EQ(kept.ids, measured.ids);
  EXPECT_TRUE((kept.values.array() == measured.values.array() ||
               (kept.values.array().isNaN() && measured.values.array().isNaN()))
                  .all());
  expect_refusal(run(kpca + std::vector<std::string>{"--shape", "rna=2x3"}), 1,
                 {"--shape", "6 pixels", "'rna' has 5 columns"});
}

TEST_F(Kpca, FewCompleteSamplesAreNotJudgedButFitted) {
  folder.write("a.csv", "id,x,y\n1,1,2\n2,2,1\n3,4,4\n4,,1\n");
  folder.write("b.csv", "id,z\n1,1\n2,3\n3,2\n4,5\n");
  const Outcome outcome = run({"kpca", "--view", "a.csv", "--view", "b.csv", "--out", "run"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder.file("run/crossview.csv")));
}

TEST_F(Kpca, OneViewIsRebuiltFromItsComponents) {
  ASSERT_EQ(
      run({"kpca", "--view", "protein.csv", "--kernel", "linear", "--dims", "3", "--out", "run", "--quiet"})
          .code,
      0);
  const Table original = read_csv(folder.file("protein.csv")),
              rebuilt = read_csv(folder.file("run/predicted/protein.csv"));
  EXPECT_LT((original.values - rebuilt.values).cwiseAbs().maxCoeff(), 1e-10);
}

TEST_F(Kpca, DryRunSaysWhatItWouldDo) {
  const Outcome dual = run(kpca + std::vector<std::string>{"--dry-run"});
  EXPECT_NE(dual.out.find("solver dual"), std::string::npos) << dual.out;
  EXPECT_NE(dual.out.find("crossview.csv"), std::string::npos) << dual.out;
  const Outcome primal =
      run({"kpca", "--view", "rna.csv", "--kernel", "linear", "--samples", "3", "--dry-run"});
  EXPECT_NE(primal.out.find("solver primal"), std::string::npos) << primal.out;
  EXPECT_NE(primal.out.find("generated/"), std::string::npos) << primal.out;
  EXPECT_EQ(primal.out.find("crossview.csv"), std::string::npos) << primal.out;
  EXPECT_FALSE(std::filesystem::exists(folder.file("kpca")));
}

TEST_F(Kpca, BalancedViewsCountAlike) {
  ASSERT_EQ(
      run(kpca + std::vector<std::string>{"--kernel", "linear", "--balance", "--out", "run", "--quiet"}).code,
      0);
  const KpcaFit fit = read_kpca(folder.file("run/model.bochner"));
  EXPECT_NEAR(fit.views[0].weight / fit.views[1].weight, 3.0 / 5.0, 1e-9);  // standardised columns
}

TEST_F(Kpca, RefusesInOneMessage) {
  const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& parts) {
    expect_refusal(run(kpca + more + std::vector<std::string>{"--quiet"}), 1, parts);
  };
  refused({"--kernel", "xyz"}, {"--kernel", "xyz"});
  refused({"--kernel", "dna=rbf"}, {"--kernel dna=rbf", "there is no view 'dna'"});
  refused({"--features", "many"}, {"--features", "'many'"});
  refused({"--solver", "fast"}, {"--solver", "'fast'", "'primal'"});
  refused({"--weight", "rna=-1"}, {"--weight", "'-1' is not a positive number"});
  refused({"--features", "finite"}, {"view 'rna'", "no finite feature map"});
  refused({"--solver", "primal"}, {"view 'rna' has no explicit features"});
  refused({"--preimage", "identity"}, {"view 'rna'", "`identity` is for the linear kernel"});
  refused({"--labels", "types.csv"}, {"types.csv", "specify the column"});
  refused({"--labels", "types.csv:batch"}, {"types.csv", "at least two classes are required, found one"});
  folder.write("apart.csv", "id,a\nx1,1\nx2,2\nx3,5\n");
  expect_refusal(run({"kpca", "--view", "rna.csv", "--view", "apart.csv", "--quiet"}), 1, {"rna", "apart"});
  EXPECT_FALSE(std::filesystem::exists(folder.file("kpca")));
}

}  // namespace

}  // namespace bochner::testing::kpca_test
