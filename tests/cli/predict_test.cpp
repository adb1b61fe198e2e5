#include <sstream>

#include "bochner/models/harmonic/file.hpp"
#include "regression_tables.hpp"

namespace bochner::testing::predict_test {

namespace {

namespace fs = std::filesystem;

class Predict : public RegressionTables {
 protected:
  Predict() {
    good(regress + Words{"--symmetry", "negate:axes:2", "--out", "run", "--quiet"});
    good(Words{"classify", "--x", "flowers.csv", "--y", "flowers.csv:type", "--out", "flowers", "--quiet"} +
         few);
  }
  Outcome predict(const Words& more) { return run(Words{"predict", "run/model.bochner"} + more); }
};

TEST_F(Predict, IsWhatTheRunSaidOfItsHeldOutRows) {
  ASSERT_EQ(predict({"--x", "x.csv", "--y", "y.csv", "--out", "new", "--quiet"}).code, 0);
  ASSERT_EQ(run({"predict", "flowers/model.bochner", "--x", "flowers.csv", "--y", "flowers.csv:type", "--out",
                 "named", "--quiet"})
                .code,
            0);
  for (const auto& [before, after] : {std::pair{"run", "new"}, std::pair{"flowers", "named"}}) {
    const TextTable held_out = words(std::string(before) + "/predictions.csv"),
                    all = words(std::string(after) + "/predictions.csv");
    ASSERT_EQ(all.ids.size(), std::size_t(N));
    ASSERT_EQ(held_out.ids.size(), 24u);
    EXPECT_EQ(all.columns, held_out.columns);
    for (std::size_t i = 0; i < held_out.ids.size(); ++i)
      for (std::size_t c = 0; c < all.columns.size(); ++c)
        EXPECT_EQ(all.cells[c][std::stoul(held_out.ids[i].substr(1))], held_out.cells[c][i]);
  }
}

TEST_F(Predict, IsWhatTheLibrarySaysAndPartsAddUp) {
  const Outcome outcome = predict({"--x", "x.csv", "--parts", "--out", "new"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"used  a model of price, size from 2 inputs by 4 groups of 20 inducing points",
                           "for   240 rows", "predictions.csv, parts.csv"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
  EXPECT_EQ(files_of(folder.file("new")),
            (Words{"config.toml", "log.jsonl", "parts.csv", "predictions.csv"}));
  const HarmonicFit fit = read_harmonic(folder.file("run/model.bochner"));
  const HarmonicPrediction p = bochner::predict(fit, truth.X, Threads(1));
  const Table table = read("new/predictions.csv"), parts = read("new/parts.csv");
  EXPECT_EQ(table.columns, (Words{"price_mean", "price_f_sd", "price_y_sd", "price_lo", "price_hi",
                                  "size_mean", "size_f_sd", "size_y_sd", "size_lo", "size_hi"}));
  EXPECT_EQ(parts.columns.size(), 16u);
  EXPECT_EQ(parts.columns[3], "price_part2_sd");
  const double z90 = 1.6448536269514722;
  for (Index o = 0; o < 2; ++o) {
    EXPECT_EQ(table.values.col(5 * o), p.y.mean.col(o));
    EXPECT_EQ(table.values.col(5 * o + 1), p.f.variance.col(o).cwiseSqrt());
    EXPECT_EQ(table.values.col(5 * o + 2), p.y.variance.col(o).cwiseSqrt());
    EXPECT_LT(
        (table.values.col(5 * o) - z90 * table.values.col(5 * o + 2) - table.values.col(5 * o + 3)).norm(),
        1e-9);
    EXPECT_LT(
        (table.values.col(5 * o) + z90 * table.values.col(5 * o + 2) - table.values.col(5 * o + 4)).norm(),
        1e-9);
    Vector mean = Vector::Constant(N, fit.outputs.centre(o)), variance = Vector::Zero(N);
    for (Index h = 0; h < 4; ++h) {
      mean += parts.values.col(8 * o + 2 * h);
      variance += parts.values.col(8 * o + 2 * h + 1).cwiseAbs2();
    }
    EXPECT_LT((mean - p.f.mean.col(o)).cwiseAbs().maxCoeff(), 1e-8 * fit.outputs.scale(o));
    EXPECT_LT((variance - p.f.variance.col(o)).cwiseAbs().maxCoeff(),
              1e-6 * std::pow(fit.outputs.scale(o), 2));
  }
  // A run without them takes the old ones away.
  ASSERT_EQ(predict({"--x", "x.csv", "--out", "new", "--quiet"}).code, 0);
  EXPECT_FALSE(fs::exists(folder.file("new/parts.csv")));
}

TEST_F(Predict, LeavesTheSameBytesForAnyNumberOfThreads) {
  const auto bytes = [&](const char* threads) {
    const std::string out = std::string("threads") + threads;
    const Outcome outcome =
        predict({"--x", "x.csv", "--y", "y.csv", "--parts", "--threads", threads, "--out", out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return contents(folder.file(out));
  };
  const auto one = bytes("1");
  EXPECT_EQ(bytes("2"), one);
  EXPECT_EQ(bytes("7"), one);
  ASSERT_EQ(run({"predict", "--config", "threads1/config.toml", "--out", "again", "--quiet"}).code, 0);
  EXPECT_EQ(contents(folder.file("again")), one);
}

TEST_F(Predict, ManyRowsInPiecesAreTheSameAsAFew) {
  // 9000 rows cross the borders of blocks.
  Matrix many(9000, 2), outcomes(9000, 2);
  for (Index n = 0; n < many.rows(); ++n)
    many.row(n) = truth.X.row(n % N), outcomes.row(n) = truth.Y.row(n % N);
  write_npy(folder.file("many.npy"), many);
  ModelGroup arrays;  // a model file is HDF5
  arrays.set("X", many).set("Y", outcomes);
  write_model(folder.file("many.h5"), arrays);
  ASSERT_EQ(predict({"--x", "many.npy", "--out", "many", "--quiet"}).code, 0);
  ASSERT_EQ(predict({"--x", "many.h5:/X", "--y", "many.h5:/Y", "--out", "h5", "--quiet"}).code, 0);
  ASSERT_EQ(predict({"--x", "x.csv", "--out", "few", "--quiet"}).code, 0);
  const Table all = read("many/predictions.csv"), expected = read("few/predictions.csv"),
              h5 = read("h5/predictions.csv");
  ASSERT_EQ(all.rows(), 9000);
  EXPECT_EQ(all.ids.back(), "8999");
  // The place of a row in a block decides, on some processors, how its sums are vectorised: equal up to rounding.
  for (Index n = 0; n < all.rows(); ++n)
    ASSERT_TRUE(all.values.row(n).isApprox(expected.values.row(n % N), 1e-12)) << n;
  EXPECT_EQ(h5.values.col(1), all.values.col(0));
  EXPECT_EQ(json("h5/metrics.json")["truth"]["price"]["entries"], 9000);
}

TEST_F(Predict, ColumnsAreFoundByName) {
  const Table x = read("x.csv");
  TextTable shuffled{.ids = x.ids, .columns = {"b", "remark", "a"}, .cells = {{}, {}, {}}};
  for (Index n = 0; n < N; ++n) {
    std::ostringstream a, b;
    a.precision(17), b.precision(17);
    a << x.values(n, 0), b << x.values(n, 1);
    shuffled.cells[0].push_back(b.str());
    shuffled.cells[1].push_back("seen");
    shuffled.cells[2].push_back(a.str());
  }
  write_csv(folder.file("shuffled.csv"), shuffled);
  ASSERT_EQ(predict({"--x", "x.csv", "--out", "plain", "--quiet"}).code, 0);
  ASSERT_EQ(predict({"--x", "shuffled.csv", "--out", "shuffled", "--quiet"}).code, 0);
  ASSERT_EQ(predict({"--x", "houses.csv", "--out", "houses", "--quiet"}).code, 0);
  EXPECT_EQ(slurp(folder.file("plain/predictions.csv")), slurp(folder.file("shuffled/predictions.csv")));
  EXPECT_EQ(slurp(folder.file("plain/predictions.csv")), slurp(folder.file("houses/predictions.csv")));
  // A model of an array takes columns in their order.
  good(Words{"regress", "--x", "x.npy", "--y", "y.npy", "--test", "0", "--out", "array", "--quiet"} + few);
  for (const char* file : {"x.csv", "x.npy"})
    ASSERT_EQ(
        run({"predict", "array/model.bochner", "--x", file, "--out", std::string("of_") + file, "--quiet"})
            .code,
        0);
  EXPECT_EQ(read("of_x.csv/predictions.csv").values, read("of_x.npy/predictions.csv").values);
  EXPECT_EQ(read("of_x.npy/predictions.csv").columns.front(), "y_0_mean");
}

TEST_F(Predict, TheTruthMayHaveHoles) {
  Table y = read("y.csv");
  for (Index n = 0; n < 40; ++n) y.values(n, 0) = std::nan("");
  y.ids.back() = "stranger";
  std::swap(y.columns[0], y.columns[1]);
  y.values.col(0).swap(y.values.col(1));  // columns in another order
  write_csv(folder.file("truth.csv"), y);
  const Outcome outcome = predict({"--x", "x.csv", "--y", "truth.csv", "--out", "new"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("score price: rmse"), std::string::npos) << outcome.out;
  const Json scores = json("new/metrics.json")["truth"];
  EXPECT_EQ(scores["price"]["entries"], N - 41);
  const Table p = read("new/predictions.csv");
  double squares = 0;
  Index known = 0;
  for (Index n = 0; n < N; ++n)
    if (!std::isnan(p.values(n, 0))) squares += std::pow(p.values(n, 0) - p.values(n, 1), 2), ++known;
  EXPECT_EQ(known, N - 41);
  EXPECT_NEAR(scores["price"]["rmse"].get<double>(), std::sqrt(squares / double(known)), 1e-9);
  for (const char* key : {"rmse_se", "nll", "nll_se", "coverage90", "coverage90_se"})
    EXPECT_GT(std::abs(scores["size"][key].get<double>()), 0) << key;
  // One outcome is known by its place.
  good(Words{"regress", "--x", "houses.csv", "--y", "houses.csv:price", "--out", "one", "--quiet"} + few);
  write_csv(folder.file("other_name.csv"), Table{read("x.csv").ids, {"cost"}, truth.Y.col(0)});
  EXPECT_EQ(run({"predict", "one/model.bochner", "--x", "x.csv", "--y", "other_name.csv", "--out", "cost",
                 "--quiet"})
                .code,
            0);
  EXPECT_EQ(json("cost/metrics.json")["truth"]["price"]["entries"], N);
}

TEST_F(Predict, RowsWithHolesStayEmpty) {
  Table x = read("x.csv");
  x.values(7, 1) = std::nan("");
  write_csv(folder.file("holes.csv"), x);
  const Outcome outcome = predict({"--x", "holes.csv", "--y", "y.csv", "--parts", "--out", "holes"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "note: 1 row has missing values in the inputs: its prediction is empty\n");
  ASSERT_EQ(predict({"--x", "x.csv", "--y", "y.csv", "--parts", "--out", "whole", "--quiet"}).code, 0);
  for (const char* file : {"/predictions.csv", "/parts.csv"}) {
    const Table holes = read("holes" + std::string(file)), whole = read("whole" + std::string(file));
    EXPECT_TRUE(holes.values.row(7).tail(5).array().isNaN().all());
    EXPECT_EQ(holes.values.row(6), whole.values.row(6)) << file;
    EXPECT_EQ(holes.values.row(8), whole.values.row(8)) << file;
  }
  EXPECT_EQ(json("holes/metrics.json")["truth"]["price"]["entries"], N - 1);
  TextTable flowers = words("flowers.csv");
  flowers.cells[0][3] = "";
  write_csv(folder.file("some.csv"), flowers);
  EXPECT_EQ(run({"predict", "flowers/model.bochner", "--x", "some.csv", "--out", "classes", "--quiet"}).code,
            0);
  EXPECT_EQ(words("classes/predictions.csv").cells[0][3], "");
}

TEST_F(Predict, DryRunTellsThePlanAndWritesNothing) {
  const Outcome plan = predict({"--x", "x.npy", "--y", "y.npy", "--parts", "--dry-run"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  for (const char* part : {"bochner predict would", "a model of price, size from 2 inputs",
                           "240 rows, read in blocks", "parts.csv, metrics.json in new/"})
    EXPECT_NE(plan.out.find(part), std::string::npos) << part << "\nnot in: " << plan.out;
  EXPECT_FALSE(fs::exists(folder.file("new")));
  const std::string help = good({"predict", "--help"}).out;
  for (const char* part :
       {"MODEL, or --model MODEL", "--parts", "metrics.json", "bochner predict run/model.bochner"})
    EXPECT_NE(help.find(part), std::string::npos) << part;
}

TEST_F(Predict, WhatDoesNotBelongIsAMessage) {
  expect_refusal(run({"predict", "--x", "x.csv"}), 1, {"missing required argument MODEL"});
  expect_refusal(predict({}), 1, {"missing required argument TABLE, or --x TABLE"});
  expect_refusal(predict({"--x", "nothere.csv"}), 1, {"nothere.csv", "no such file"});
  expect_refusal(predict({"--x", "y.csv"}), 1, {"y.csv lacks 2 columns of the model: 'a' and 'b'"});
  folder.write("half.csv", "id,a,c\n1,2,3\n2,3,4\n");
  expect_refusal(predict({"--x", "half.csv"}), 1, {"half.csv lacks the column of the model: 'b'"});
  folder.write("half_words.csv", "id,a,c\n1,2,x\n2,3,y\n");
  expect_refusal(predict({"--x", "half_words.csv"}), 1,
                 {"half_words.csv lacks the column of the model: 'b'"});
  folder.write("words.csv", "id,a,b\n1,2,3\n2,x,4\n");
  expect_refusal(predict({"--x", "words.csv"}), 1, {"words.csv", "'a'", "'x' is not a number"});
  write_npy(folder.file("wide.npy"), Matrix::Ones(5, 3));
  expect_refusal(predict({"--x", "wide.npy"}), 1, {"wide.npy has 3 columns", "the model has 2 inputs"});
  expect_refusal(predict({"--x", "x.csv", "--y", "houses.csv"}), 1,
                 {"houses.csv lacks the column", "'size'"});
  expect_refusal(predict({"--x", "x.npy", "--y", "wide.npy"}), 1, {"wide.npy has 3 columns", "2 outcomes"});
  write_npy(folder.file("short.npy"), Matrix::Ones(5, 2));
  expect_refusal(predict({"--x", "x.npy", "--y", "short.npy"}), 1,
                 {"'x.npy' has 240 rows", "'short.npy' has 5"});
  folder.write("tulips.csv", "id,type\ns0,rose\ns1,tulip\n");
  expect_refusal(run({"predict", "flowers/model.bochner", "--x", "x.csv", "--y", "tulips.csv:type"}), 1,
                 {"tulips.csv:type", "class 'tulip' is unknown", "'aster', 'lily, white' and 'rose'"});
  expect_refusal(run({"predict", "flowers/model.bochner", "--x", "x.csv", "--y", "kind.npy"}), 1,
                 {"kind.npy", "is unknown to the model", "'rose'"});
  expect_refusal(predict({"--x", "x.csv", "--out", "run"}), 3, {"run", "a run of 'regress'"});
  // Models of other commands.
  good({"fit", "--view", "x.csv", "--steps", "2", "--out", "fit", "--quiet"});
  good({"kpca", "--view", "x.csv", "--out", "kpca", "--quiet"});
  expect_refusal(run({"predict", "fit/model.bochner", "--x", "x.csv"}), 1,
                 {"'bochner fit'", "use 'bochner apply'"});
  expect_refusal(run({"predict", "kpca/model.bochner", "--x", "x.csv"}), 1,
                 {"'bochner kpca'", "use 'bochner apply'"});
  expect_refusal(run({"apply", "run/model.bochner", "--view", "x.csv"}), 1,
                 {"run/model.bochner", "'bochner regress' or 'bochner classify'", "use 'bochner predict'"});
  expect_refusal(run({"predict", "x.csv", "--x", "x.csv"}), 1, {"x.csv", "not a model file"});
}

}  // namespace

}  // namespace bochner::testing::predict_test
