#include <Eigen/Cholesky>
#include <chrono>
#include <csignal>
#include <set>
#include <thread>

#include "bochner/io/harmonic_file.hpp"
#include "regression_tables.hpp"

namespace bochner::testing {

namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;
class Regress : public RegressionTables {};
class Classify : public RegressionTables {};

const Words left_behind{"config.toml",   "kernel.json",     "log.jsonl", "metrics.json",
                        "model.bochner", "predictions.csv", "trace.csv"};

TEST_F(Regress, LeavesTheSameBytesForAnyNumberOfThreads) {
  const auto bytes = [&](const char* threads) {
    const std::string out = std::string("run") + threads;
    const Outcome outcome =
        good(regress + Words{"--symmetry", "negate:axes:2", "--threads", threads, "--out", out});
    EXPECT_EQ(outcome.err, "");
    for (const char* part : {"read  240 rows of 2 inputs and 2 outcomes",
                             "fit   4 groups of 20 inducing points, kernel matern32", "200 steps in", "price",
                             "size", "verdict: trust this fit", "next  bochner predict run"})
      EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
    EXPECT_EQ(files_of(folder.file(out)), left_behind);
    expect_whole_files(folder.file(out));
    return contents(folder.file(out));
  };
  const auto one = bytes("1");
  EXPECT_EQ(bytes("2"), one);
  EXPECT_EQ(bytes("7"), one);
}

TEST_F(Regress, ScoresAreThoseOfThePredictionsAndOfTheBaselines) {
  good(regress + Words{"--test", "0.25", "--out", "run", "--quiet"});
  const Table p = read("run/predictions.csv");
  EXPECT_EQ(p.columns, (Words{"price_truth", "price_mean", "price_f_sd", "price_y_sd", "price_lo", "price_hi",
                              "size_truth", "size_mean", "size_f_sd", "size_y_sd", "size_lo", "size_hi"}));
  ASSERT_EQ(p.rows(), 60);
  const std::set<std::string> held_out(p.ids.begin(), p.ids.end());
  const Table x = read("x.csv"), y = read("y.csv");
  const Json metrics = json("run/metrics.json");
  EXPECT_EQ(metrics["heldout_rows"], 60);
  EXPECT_EQ(metrics["rows"], 162);  // 180 without the tenth to stop by
  EXPECT_EQ(metrics["steps"], 200);
  EXPECT_EQ(metrics["stopped"], "step limit");
  EXPECT_EQ(metrics["verdict"], "good") << metrics["sentence"];
  EXPECT_EQ(read_harmonic(folder.file("run/model.bochner")).trace.size(),
            std::size_t(read("run/trace.csv").rows()));
  for (Index o = 0; o < 2; ++o) {
    const std::string name = y.columns[std::size_t(o)];
    const Json& scores = metrics["heldout"][name];
    // What was learned from, in the order of x.csv; y.csv runs the other way.
    std::vector<Index> learned;
    for (Index n = 0; n < N; ++n)
      if (!held_out.contains(x.ids[std::size_t(n)]) && !std::isnan(y.values(N - 1 - n, o)))
        learned.push_back(n);
    const auto M = double(learned.size());
    Matrix Z = x.values(learned, Eigen::all);
    Vector v(Z.rows());
    for (std::size_t i = 0; i < learned.size(); ++i) v(Index(i)) = y.values(N - 1 - learned[i], o);
    const double mean = v.mean(), variance = (v.array() - mean).square().mean();
    const Vector centre = Z.colwise().mean();
    Z.rowwise() -= centre.transpose();
    const Vector scale = (Z.colwise().squaredNorm() / M).cwiseSqrt();
    Z = Matrix(Z * scale.cwiseInverse().asDiagonal());
    const Vector w = (Z.transpose() * Z / M + 1e-3 * Matrix::Identity(2, 2))
                         .ldlt()
                         .solve(Matrix(Z.transpose() * (v.array() - mean).matrix() / M));
    const double residual = ((v.array() - mean).matrix() - Z * w).squaredNorm() / M;
    Vector squares(60), by_mean(60), by_line(60), nll(60), nll_mean(60), nll_line(60), inside(60);
    Index count = 0;
    const auto log_normal = [](double e2, double s2) { return 0.5 * (std::log(2 * M_PI * s2) + e2 / s2); };
    for (Index i = 0; i < 60; ++i) {
      const auto row = p.values.row(i).segment(6 * o, 6);
      if (std::isnan(row(0))) continue;
      const Index n = std::stol(p.ids[std::size_t(i)].substr(1));
      EXPECT_EQ(row(0), y.values(N - 1 - n, o));
      const double line = mean + w.dot((x.values.row(n).transpose() - centre).cwiseQuotient(scale));
      squares(count) = std::pow(row(0) - row(1), 2);
      by_mean(count) = std::pow(row(0) - mean, 2);
      by_line(count) = std::pow(row(0) - line, 2);
      nll(count) = log_normal(squares(count), row(3) * row(3));
      nll_mean(count) = log_normal(by_mean(count), variance);
      nll_line(count) = log_normal(by_line(count), residual);
      inside(count) = row(4) <= row(0) && row(0) <= row(5);
      EXPECT_NEAR(row(5) - row(1), 1.6448536269514722 * row(3), 1e-9 * row(3));
      EXPECT_GT(row(3), row(2));
      ++count;
    }
    ASSERT_GT(count, 45);
    EXPECT_EQ(scores["entries"], count);
    const auto check = [&](const std::string& key, const Vector& all, bool root) {
      const Vector s = all.head(count);
      const double m = s.mean(),
                   se = std::sqrt((s.array() - m).square().sum() / double(count - 1) / double(count));
      EXPECT_NEAR(scores[key].get<double>(), root ? std::sqrt(m) : m, 1e-8 * (1 + std::abs(m))) << key;
      EXPECT_NEAR(scores[key + "_se"].get<double>(), root ? se / (2 * std::sqrt(m)) : se, 1e-8 * (1 + se))
          << key;
    };
    check("rmse", squares, true);
    check("nll", nll, false);
    check("coverage90", inside, false);
    check("rmse_mean", by_mean, true);
    check("nll_mean", nll_mean, false);
    check("rmse_linear", by_line, true);
    check("nll_linear", nll_line, false);
    EXPECT_LT(scores["rmse"].get<double>(), 0.6 * scores["rmse_linear"].get<double>());
  }
  const Json kernel = json("run/kernel.json");
  EXPECT_EQ(kernel["kernel"], "matern32");
  EXPECT_EQ(kernel["inputs"], (Words{"a", "b"}));
  EXPECT_EQ(kernel["likelihood"]["likelihood"], "gaussian");
  EXPECT_GT(kernel["noise_sd"]["price"].get<double>(), 1);  // 20 sqrt(0.02) = 2.8
  EXPECT_LT(kernel["noise_sd"]["price"].get<double>(), 8);
}

TEST_F(Regress, TheOutcomeMayBeAColumnAmongTheInputs) {
  const Outcome outcome =
      good(Words{"regress", "--x", "houses.csv", "--y", "houses.csv:price", "--out", "one"} + few);
  EXPECT_EQ(outcome.err, "note: the column 'price' of houses.csv is the outcome and not among the inputs\n");
  good(Words{"regress", "--x", "x.csv", "--y", "houses.csv:price", "--out", "two"} + few);
  for (const char* file : {"predictions.csv", "model.bochner", "kernel.json"})
    EXPECT_EQ(slurp(folder.file(std::string("one/") + file)), slurp(folder.file(std::string("two/") + file)));
  EXPECT_EQ(read("one/predictions.csv").columns.front(), "price_truth");
  expect_refusal(run({"regress", "--x", "houses.csv", "--y", "houses.csv"}), 1,
                 {"--x and --y are both houses.csv", "--y houses.csv:COLUMN"});
  expect_refusal(run({"regress", "--x", "houses.csv", "--y", "houses.csv:prize"}), 1,
                 {"prize", "did you mean 'price'?"});
}

TEST_F(Regress, RowsAreJoinedByIdOrByPosition) {
  Outcome outcome = good(Words{"regress", "--x", "x.npy", "--y", "houses.csv:price", "--out", "run"} + few);
  EXPECT_EQ(
      outcome.err,
      "note: x.npy has no sample ids; its rows are taken to be those of houses.csv:price, in that order\n");
  EXPECT_TRUE(read("run/predictions.csv").ids.front().starts_with("s"));
  Table some = read("houses.csv");
  some.ids[0] = "stranger";
  some.values(1, 1) = std::nan("");
  write_csv(folder.file("some.csv"), Table{some.ids, {"price"}, some.values.col(1)});
  outcome = good(Words{"regress", "--x", "x.csv", "--y", "some.csv", "--out", "run"} + few);
  EXPECT_EQ(outcome.err,
            "note: 1 row of x.csv is not in some.csv and is left out\n"
            "note: 1 row of some.csv is not in x.csv and is left out\n"
            "note: 1 row without an outcome is left out\n");
  EXPECT_NE(outcome.out.find("read  238 rows"), std::string::npos);
}

TEST_F(Regress, ConfigRepeatsTheRunAndAllOptionsArrive) {
  good(regress + Words{"--kernel",
                       "rbf+linear",
                       "--ard",
                       "--circle",
                       "b:8",
                       "--symmetry",
                       "negate:a",
                       "--scale",
                       "common",
                       "--likelihood",
                       "student",
                       "--degrees",
                       "5",
                       "--test",
                       "0.2",
                       "--validation",
                       "0.2",
                       "--step-size",
                       "0.02",
                       "--patience",
                       "3",
                       "--seed",
                       "5",
                       "--shared-inducing",
                       "--shared-covariance",
                       "--natural-step",
                       "0",
                       "--lengthscale",
                       "1.5",
                       "--out",
                       "first",
                       "--quiet"});
  good({"regress", "--config", "first/config.toml", "--out", "second", "--quiet"});
  EXPECT_EQ(contents(folder.file("first")), contents(folder.file("second")));
  const HarmonicFit fit = read_harmonic(folder.file("first/model.bochner"));
  const HarmonicFitOptions& o = fit.options;
  EXPECT_EQ(o.kernel, "rbf+linear");
  EXPECT_TRUE(o.ard && o.shared_inducing && o.shared_covariance);
  EXPECT_EQ(o.likelihood, "student");
  EXPECT_EQ(o.degrees, 5);
  EXPECT_EQ(o.circles.size(), 1u);
  EXPECT_EQ(o.circles[0].column, 1);
  EXPECT_EQ(o.circles[0].period, 8);
  EXPECT_EQ(fit.inputs.names(), (Words{"cos b", "sin b", "a"}));
  EXPECT_EQ(fit.symmetries, Words{"negate:a"});
  EXPECT_EQ(fit.gp.groups(), 2);
  EXPECT_EQ(o.scaling, InputScaling::common);
  EXPECT_EQ(o.validation, 0.2);
  EXPECT_EQ(o.step_size, 0.02);
  EXPECT_EQ(o.natural_step, 0);
  EXPECT_EQ(o.lengthscale, 1.5);
  EXPECT_EQ(o.patience, 3);
  EXPECT_EQ(o.inducing, 20);
  EXPECT_EQ(fit.seed, 5u);
  // No intervals where the noise is not Gaussian.
  EXPECT_EQ(read("first/predictions.csv").columns,
            (Words{"price_truth", "price_mean", "price_f_sd", "price_y_sd", "size_truth", "size_mean",
                   "size_f_sd", "size_y_sd"}));
  EXPECT_FALSE(json("first/metrics.json")["heldout"]["price"].contains("coverage90"));
}

TEST_F(Regress, DefaultsAreThoseOfTheLibrary) {
  const std::string help = good({"regress", "--help"}).out;
  const HarmonicFitOptions o;
  for (const std::string& part :
       Words{"--inducing M", "(default " + std::to_string(o.inducing) + ")", "(default matern32)",
             "(default " + std::to_string(o.steps) + ")", "--resume", "--dry-run", "--sphere LON,LAT",
             "bochner regress --x houses.csv"})
    EXPECT_NE(help.find(part), std::string::npos) << part;
  const std::string classes = good({"classify", "--help"}).out;
  for (const char* part : {"--y FILE:COLUMN", "robustmax", "bochner classify --x iris.csv", "(default auto)"})
    EXPECT_NE(classes.find(part), std::string::npos) << part;
  EXPECT_EQ(classes.find("--degrees"), std::string::npos);
  for (const std::string& text : {help, classes})
    for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
      EXPECT_LE(end - begin, 120u) << text.substr(begin, end - begin);
}

TEST_F(Regress, CountsAndComparedSymmetries) {
  Table counts = read("houses.csv");
  Rng rng(4);
  for (Index n = 0; n < N; ++n) {
    double left = rng.exponential(), y = 0;  // arrivals within unit time at this rate
    for (const double rate = std::exp(1 + truth.F(n, 0)); left < rate; left += rng.exponential()) ++y;
    counts.values(n, 1) = y;
  }
  write_csv(folder.file("counts.csv"), counts);
  const Outcome outcome = good(Words{"regress", "--x", "counts.csv", "--y", "counts.csv:price",
                                     "--likelihood", "poisson", "--symmetry", "auto", "--out", "run"} +
                               few);
  for (const char* part :
       {"symmetry", "variance missed", "  none ", "negate:pca:2", "chosen", "likelihood poisson"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
  const Json metrics = json("run/metrics.json"), &scores = metrics["heldout"]["price"];
  EXPECT_EQ(metrics["compared"].size(), 6u);
  EXPECT_LT(scores["rmse"].get<double>(), scores["rmse_mean"].get<double>());
  EXPECT_LT(scores["nll"].get<double>(), scores["nll_mean"].get<double>());
  EXPECT_FALSE(scores.contains("nll_linear"));
  EXPECT_EQ(read("run/predictions.csv").columns,
            (Words{"price_truth", "price_mean", "price_f_mean", "price_f_sd", "price_y_sd"}));
  expect_refusal(run({"regress", "--x", "x.csv", "--y", "houses.csv:price", "--likelihood", "poisson"}), 1,
                 {"x.csv, sample 's", "outcome 'price'", "is no count", "use gaussian"});
}

TEST_F(Regress, SaysWhenItIsNotWorthIt) {
  // A line, and nothing at all.
  Table line = read("houses.csv");
  Rng rng(9);
  for (Index n = 0; n < N; ++n) line.values(n, 1) = line.values(n, 0) + line.values(n, 2) + 5 * rng.normal();
  write_csv(folder.file("line.csv"), line);
  for (Index n = 0; n < N; ++n) line.values(n, 1) = rng.normal();
  write_csv(folder.file("noise.csv"), line);
  const auto verdict = [&](const std::string& file) {
    good(Words{"regress", "--x", file, "--y", file + ":price", "--test", "0.4", "--out", "run", "--quiet"} +
         few);
    return json("run/metrics.json");
  };
  const Json linear = verdict("line.csv"), none = verdict("noise.csv");
  EXPECT_EQ(linear["verdict"], "linear") << linear["sentence"];
  EXPECT_EQ(none["verdict"], "doubtful");
  EXPECT_NE(none["sentence"].get<std::string>().find("the inputs told it nothing"), std::string::npos);
}

TEST_F(Regress, NothingHeldOutIsUnjudgedAndClearsTheOldPredictions) {
  good(regress + Words{"--out", "run", "--quiet"});
  ASSERT_TRUE(fs::exists(folder.file("run/predictions.csv")));
  folder.write("run/.model.bochner.123.part", "half");
  const Outcome outcome = good(regress + Words{"--test", "0", "--out", "run"});
  EXPECT_NE(outcome.out.find("nothing was held out"), std::string::npos) << outcome.out;
  Words files = left_behind;
  std::erase(files, "predictions.csv");
  EXPECT_EQ(files_of(folder.file("run")), files);
  EXPECT_EQ(json("run/metrics.json")["verdict"], "unjudged");
  expect_refusal(run({"classify", "--x", "flowers.csv", "--y", "flowers.csv:type", "--out", "run"}), 3,
                 {"run", "a run of 'regress'"});
}

TEST_F(Regress, DryRunTellsThePlanAndWritesNothing) {
  const std::size_t before = folder.names().size();
  Outcome outcome = good(regress + Words{"--dry-run", "--symmetry", "negate:pca:2", "--test", "0.5"});
  for (const char* part : {"bochner regress would", "240 rows of 2 inputs and 2 outcomes",
                           "4 groups of 20 inducing", "at most 200 steps of 64 rows; 120 rows held out",
                           "of memory", "s a step", "predictions.csv", "regress/"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
  outcome = good({"classify", "--x", "x.npy", "--y", "kind.npy", "--symmetry", "auto", "--dry-run"});
  for (const char* part :
       {"bochner classify would", "3 classes", "at most 8 groups of 500", "likelihood softmax"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
  EXPECT_EQ(folder.names().size(), before);
}

TEST_F(Regress, WhatCannotBeLearnedIsASentence) {
  const auto refusal = [&](const Words& words, const Words& parts) {
    expect_refusal(run(words), 1, parts);
    EXPECT_FALSE(fs::exists(folder.file("regress")) || fs::exists(folder.file("classify"))) << parts[0];
  };
  const auto with = [&](const Words& more) { return regress + more; };
  refusal({"regress"}, {"'bochner regress' needs --x TABLE"});
  refusal({"regress", "--x", "x.csv"}, {"needs --y TABLE"});
  refusal({"regress", "--x", "nothere.csv", "--y", "y.csv"}, {"nothere.csv", "no such file"});
  refusal(with({"--kernel", "materm"}), {"--kernel", "materm"});
  refusal(with({"--scale", "log"}), {"--scale", "'log'"});
  refusal(with({"--likelihood", "softmax"}),
          {"--likelihood is 'softmax'", "'gaussian', 'student' and 'poisson'"});
  refusal(with({"--symmetry", "negat"}), {"'negat'", "'negate'"});
  refusal(with({"--symmetry", "auto", "--symmetry", "negate"}), {"--symmetry auto", "leave the others out"});
  refusal(with({"--symmetry", "rotate:a,b:3", "--kernel", "rbf", "--ard"}), {"rotate:a,b:3"});
  refusal(with({"--circle", "b"}), {"--circle", "'b'", "COLUMN:PERIOD"});
  refusal(with({"--circle", "bb:2"}), {"--circle", "no column 'bb'", "did you mean 'b'?"});
  refusal(with({"--circle", "b:0"}), {"--circle", "'0'", "positive"});
  refusal(with({"--sphere", "a"}), {"--sphere", "'a'", "LONGITUDE,LATITUDE"});
  refusal(with({"--sphere", "a,c"}), {"--sphere", "no column 'c'"});
  refusal(with({"--sphere", "b,a"}), {"x.csv, sample 's", "column 'a'", "no latitude", "other way round"});
  refusal(with({"--circle", "a:2", "--sphere", "1,2"}), {"'a'"});
  refusal(with({"--test", "0.6"}), {"--test is '0.6'"});
  refusal({"regress", "--x", "x.csv", "--y", "y.csv", "--inducing", "0"}, {"--inducing is '0'"});
  Table x = read("x.csv");
  x.values(17, 1) = std::nan("");
  write_csv(folder.file("holes.csv"), x);
  write_npy(folder.file("holes.npy"), x.values);
  refusal({"regress", "--x", "holes.csv", "--y", "y.csv"},
          {"holes.csv, sample 's17', column 'b'", "not measured", "leave the row out"});
  for (const char* memory : {"0", "100"})
    refusal({"regress", "--x", "holes.npy", "--y", "y.npy", "--memory", memory},
            {"holes.npy, row 18, column 'x_1'", "not measured"});
  write_npy(folder.file("short.npy"), x.values.topRows(100));
  for (const char* memory : {"0", "100"})
    refusal({"regress", "--x", "short.npy", "--y", "y.npy", "--memory", memory},
            {"'short.npy' has 100 rows and 'y.npy' has 240", "by position"});
  folder.write("strangers.csv", "id,y\nq1,1\nq2,2\nq3,4\n");
  refusal({"regress", "--x", "x.csv", "--y", "strangers.csv"}, {"x.csv", "strangers.csv", "q1"});
  folder.write("tiny.csv", "id,a,y\n1,1,2\n2,3,1\n");
  refusal({"regress", "--x", "tiny.csv", "--y", "tiny.csv:y"}, {"2 rows", "at least 3"});
  folder.write("alone.csv", "id,y\n1,1\n2,3\n3,4\n");
  refusal({"regress", "--x", "alone.csv", "--y", "alone.csv:y"}, {"'y' is the only column"});
  folder.write("never.csv", "id,a,y\n1,1,\n2,3,\n3,4,\n");
  refusal({"regress", "--x", "never.csv", "--y", "never.csv:y"}, {"no outcome is measured"});
  refusal({"regress", "--x", "flowers.csv", "--y", "flowers.csv:a"},
          {"flowers.csv", "'type'", "not a number"});
  refusal({"regress", "--x", "flowers.csv", "--y", "flowers.csv:type"}, {"flowers.csv", "not a number"});
  refusal({"classify", "--x", "x.csv", "--y", "y.csv"}, {"y.csv", "name the column", "'price' and 'size'"});
  refusal({"classify", "--x", "x.csv", "--y", "houses.csv:price"},
          {"240 different values", "hardly classes", "bochner regress"});
  refusal({"classify", "--x", "x.npy", "--y", "y.npy"}, {"labels are one column", "2"});
  write_npy(folder.file("same.npy"), Matrix::Ones(N, 1));
  refusal({"classify", "--x", "x.npy", "--y", "same.npy"},
          {"same.npy", "two or more", "all rows carry the same"});
  refusal({"classify", "--x", "x.npy", "--y", "kind.npy", "--likelihood", "bernoulli"},
          {"--likelihood bernoulli", "two classes", "there are 3"});
  refusal({"classify", "--x", "x.npy", "--y", "kind.npy", "--likelihood", "gaussian"},
          {"--likelihood is 'gaussian'", "'robustmax'"});
}

// ---- Classes

TEST_F(Classify, WordsAreFound) {
  const Outcome outcome = good(
      Words{"classify", "--x", "flowers.csv", "--y", "flowers.csv:type", "--test", "0.25", "--out", "run"} +
      few);
  for (const char* part :
       {"2 inputs and 3 classes", "likelihood softmax", "most frequent class", "verdict: trust"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
  const TextTable p = words("run/predictions.csv");
  EXPECT_EQ(p.columns, (Words{"truth", "class", "p_aster", "p_lily, white", "p_rose"}));
  ASSERT_EQ(p.ids.size(), 60u);
  const TextTable flowers = words("flowers.csv");
  double right = 0, nll = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    const Index n = std::stol(p.ids[i].substr(1));
    EXPECT_EQ(p.cells[0][i], flowers.cells[2][std::size_t(n)]);
    const Vector probabilities{
        {std::stod(p.cells[2][i]), std::stod(p.cells[3][i]), std::stod(p.cells[4][i])}};
    EXPECT_NEAR(probabilities.sum(), 1, 1e-9);
    Index best = 0;
    probabilities.maxCoeff(&best);
    const Words names{"aster", "lily, white", "rose"};
    EXPECT_EQ(p.cells[1][i], names[std::size_t(best)]);
    right += p.cells[0][i] == p.cells[1][i];
    for (std::size_t k = 0; k < 3; ++k)
      if (names[k] == p.cells[0][i]) nll -= std::log(probabilities(Index(k))) / 60;
  }
  const Json scores = json("run/metrics.json")["heldout"]["type"];
  EXPECT_EQ(scores["accuracy"].get<double>(), right / 60);
  const double a = right / 60;
  EXPECT_NEAR(scores["accuracy_se"].get<double>(), std::sqrt(a * (1 - a) / 59), 1e-12);
  EXPECT_NEAR(scores["nll"].get<double>(), nll, 1e-6);
  EXPECT_GT(a, 0.75);
  EXPECT_LT(scores["accuracy_frequent"].get<double>(), 0.6);
  EXPECT_LT(scores["nll"].get<double>(), scores["nll_frequent"].get<double>());
}

TEST_F(Classify, NumbersAreClassesInTheirOrder) {
  good(Words{"classify", "--x", "x.npy", "--y", "kind.npy", "--likelihood", "robustmax", "--out", "run",
             "--quiet"} +
       few);
  HarmonicFit fit = read_harmonic(folder.file("run/model.bochner"));
  EXPECT_EQ(fit.classes, (Words{"0", "2", "10"}));
  EXPECT_EQ(fit.outcomes, Words{"y"});
  EXPECT_EQ(fit.inputs.columns, (Words{"x_0", "x_1"}));
  EXPECT_EQ(likelihood_name(fit.gp.likelihood), "robustmax");
  // The same from a CSV, where rows without a class are left out.
  TextTable kinds{.ids = words("flowers.csv").ids, .columns = {"kind"}, .cells = {{}}};
  for (Index n = 0; n < N; ++n) kinds.cells[0].push_back(n == 5 ? "NA" : truth.F(n, 1) > 0 ? "10" : "9");
  write_csv(folder.file("kinds.csv"), kinds);
  const Outcome outcome =
      good(Words{"classify", "--x", "x.csv", "--y", "kinds.csv:kind", "--out", "two"} + few);
  EXPECT_EQ(outcome.err, "note: 1 row without an outcome is left out\n");
  fit = read_harmonic(folder.file("two/model.bochner"));
  EXPECT_EQ(fit.classes, (Words{"9", "10"}));
  EXPECT_EQ(likelihood_name(fit.gp.likelihood), "bernoulli");
  EXPECT_EQ(words("two/predictions.csv").columns, (Words{"truth", "class", "p_9", "p_10"}));
  EXPECT_GT(json("two/metrics.json")["heldout"]["kind"]["accuracy"].get<double>(), 0.8);
}

// ---- Tables larger than memory

TEST_F(Regress, InPiecesItIsTheSame) {
  ModelGroup arrays;  // a model file is HDF5
  arrays.set("X", truth.X).set("Y", truth.Y);
  write_model(folder.file("all.h5"), arrays);
  const auto bytes = [&](const Words& tables, const char* out) {
    const Outcome outcome = good(tables + few + Words{"--out", out});
    const bool in_pieces = tables.back() == "0";
    EXPECT_EQ(outcome.out.find("in pieces") != std::string::npos, in_pieces) << outcome.out;
    auto files = contents(folder.file(out));
    EXPECT_EQ(files.erase("config.toml"), 1u);  // it names the tables
    return files;
  };
  const auto whole = bytes({"regress", "--x", "x.npy", "--y", "y.npy"}, "whole");
  EXPECT_EQ(bytes({"regress", "--x", "x.npy", "--y", "y.npy", "--memory", "0"}, "pieces"), whole);
  EXPECT_EQ(bytes({"regress", "--x", "all.h5:/X", "--y", "all.h5:/Y"}, "h5"), whole);
  EXPECT_EQ(bytes({"regress", "--x", "all.h5:/X", "--y", "all.h5:/Y", "--memory", "0"}, "h5_pieces"), whole);
  const auto classes = bytes({"classify", "--x", "x.npy", "--y", "kind.npy"}, "classes");
  EXPECT_EQ(bytes({"classify", "--x", "x.npy", "--y", "kind.npy", "--memory", "0"}, "class_pieces"), classes);
  // Inputs in pieces, outcomes with ids.
  const auto ids = bytes({"regress", "--x", "x.npy", "--y", "houses.csv:price"}, "ids");
  EXPECT_EQ(bytes({"regress", "--x", "x.npy", "--y", "houses.csv:price", "--memory", "0"}, "id_pieces"), ids);
}

TEST_F(Regress, TenMillionRowsAreNeverInMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers reserve terabytes of address space";
#endif
  // Bytes on the disk, but a gigabyte of doubles.
  const auto write = [&](const std::string& name, Index rows, Index cols) {
    std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                         std::to_string(cols) + "), }";
    header.resize(118 - 1, ' ');
    header += '\n';
    std::ofstream file(folder.file(name), std::ios::binary);
    file << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header;
    std::string block(std::size_t(1) << 20, '\0');
    Rng rng(5);
    for (char& c : block) c = char(rng.below(256));
    for (Index left = rows * cols; left > 0; left -= Index(block.size()))
      file.write(block.data(), std::min(left, Index(block.size())));
  };
  write("large_x.npy", 10'000'000, 12);
  write("large_y.npy", 10'000'000, 1);
  const Outcome outcome =
      run_program({"regress", "--x", "large_x.npy", "--y", "large_y.npy", "--inducing", "5", "--steps", "3",
                   "--test", "0.0005", "--validation", "0.0005", "--threads", "1", "--out", "run"},
                  {.folder = folder.file(""), .memory_bytes = 400'000'000});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("read  10000000 rows of 12 inputs and 1 outcome, in pieces"), std::string::npos);
  EXPECT_EQ(read("run/predictions.csv").rows(), 5000);
}

// ---- Ctrl-C, kill and --resume

class RegressResumed : public RegressionTables {
 protected:
  /// Long enough to be caught in the middle.
  const Words slow =
      Words{"regress",    "--x", "x.csv",   "--y", "y.csv",   "--symmetry", "negate:axes:2",
            "--inducing", "15",  "--steps", "250", "--batch", "64",         "--checkpoint-seconds",
            "0"};
  std::map<std::string, std::string> expected() {
    good(slow + Words{"--out", "reference", "--quiet"});
    return contents(folder.file("reference"));
  }
};

TEST_F(RegressResumed, KilledItEndsWithTheSameBytes) {
  const auto reference = expected();
  EXPECT_EQ(reference.size(), left_behind.size() - 1);
  Rng rng(7);
  int kills = 0;
  for (int trial = 0; kills < 6; ++trial) {
    ASSERT_LT(trial, 12);  // else it is never caught
    const std::string out = "run" + std::to_string(trial), path = folder.file(out);
    bool killed = true;
    for (int attempt = 0; killed && attempt < 3; ++attempt) {
      Program program((attempt == 0 ? slow : Words{"regress", "--resume", "--checkpoint-seconds", "0"}) +
                          Words{"--out", out, "--quiet"},
                      {.folder = folder.file("")});
      ASSERT_TRUE(attempt > 0 || program.wait_for_file(path + "/checkpoint.bochner"));
      std::this_thread::sleep_for(std::chrono::microseconds(1 + rng.below(300'000)));
      program.send(SIGKILL);
      killed = program.wait().signal == SIGKILL;
      kills += killed;
    }
    good({"regress", "--resume", "--out", out, "--quiet"});
    EXPECT_EQ(contents(path), reference) << "trial " << trial;
    expect_whole_files(path);
  }
}

TEST_F(RegressResumed, StoppedItLeavesACompleteRunAndGoesOn) {
  const auto reference = expected();
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = signal == SIGINT ? "int" : "term", path = folder.file(out);
    Program program(slow + Words{"--out", out}, {.folder = folder.file("")});
    ASSERT_TRUE(program.wait_for_file(path + "/checkpoint.bochner"));
    program.send(signal);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.code, 128 + signal);
    EXPECT_NE(outcome.out.find("do not trust this fit: it was stopped after"), std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.out.find("bochner regress --resume --out " + out), std::string::npos) << outcome.out;
    EXPECT_EQ(files_of(path), Words{"checkpoint.bochner"} + left_behind);
    expect_whole_files(path);
    EXPECT_EQ(json(out + "/metrics.json")["stopped"], "interrupted");
    const Outcome rest = good({"regress", "--resume", "--out", out});
    EXPECT_NE(rest.out.find("resume from step"), std::string::npos) << rest.out;
    EXPECT_EQ(contents(path), reference);
  }
}

TEST_F(RegressResumed, OnlyAsWhatItWas) {
  good(regress + Words{"--out", "run", "--quiet"});
  EXPECT_NE(good({"regress", "--resume", "--out", "run"}).out.find("ended by itself"), std::string::npos);
  expect_refusal(run({"regress", "--resume", "--steps", "31", "--out", "run"}), 1,
                 {"--steps is not what", "run/config.toml"});
  expect_refusal(run({"regress", "--resume", "--out", "elsewhere"}), 1, {"elsewhere", "no run to resume"});
  expect_refusal(run({"classify", "--resume", "--out", "run"}), 1,
                 {"'bochner regress', not for 'bochner classify'"});

  Program program(slow + Words{"--out", "stopped", "--quiet"}, {.folder = folder.file("")});
  ASSERT_TRUE(program.wait_for_file(folder.file("stopped/checkpoint.bochner")));
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().code, 143);
  Table changed = read("y.csv");
  changed.values(3, 0) += 1;
  write_csv(folder.file("y.csv"), changed);
  expect_refusal(run({"regress", "--resume", "--out", "stopped"}), 1,
                 {"checkpoint.bochner", "tables have changed"});
  // Starting anew removes what was left of the old run.
  good(regress + Words{"--out", "stopped", "--quiet"});
  EXPECT_EQ(files_of(folder.file("stopped")), left_behind);
}

}  // namespace

}  // namespace bochner::testing
