#include <Eigen/Cholesky>
#include <set>

#include "bochner/models/harmonic/file.hpp"
#include "regression_tables.hpp"

namespace bochner::testing::regress_test {

namespace {

namespace fs = std::filesystem;

class Regress : public RegressionTables {};

TEST_F(Regress, LeavesTheSameBytesForAnyNumberOfThreads) {
  const auto bytes = [&](const char* threads) {
    const std::string out = std::string("run") + threads;
    const Outcome outcome =
        good(regress + Words{"--symmetry", "negate:axes:2", "--threads", threads, "--out", out});
    EXPECT_EQ(outcome.err, "");
    for (const char* part : {"read  240 rows of 2 inputs and 2 outcomes",
                             "fit   4 groups of 20 inducing points, kernel matern32", "200 steps (", "price",
                             "size", "verdict: trust this fit", "Next: bochner predict run"})
      EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
    EXPECT_EQ(files_of(folder.file(out)), left_behind);
    expect_whole_files(folder.file(out));
    EXPECT_EQ(slurp(folder.file(out + "/report.html")).find("cannot be read"), std::string::npos);
    return contents(folder.file(out));
  };
  const auto one = bytes("1");
  EXPECT_EQ(bytes("2"), one);
  EXPECT_EQ(bytes("7"), one);
}

TEST_F(Regress, ScoresAreThoseOfThePredictionsAndOfTheBaselines) {
  good(regress + Words{"--noise-model", "constant", "--test", "0.25", "--out", "run", "--quiet"});
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
  EXPECT_EQ(metrics["verdict"], "good") << metrics["message"];
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
  EXPECT_NE(
      outcome.out.find("houses.csv has ids in the column 'id' and the inputs 'a' and 'b'; the outcome is "
                       "'price'\n"),
      std::string::npos)
      << outcome.out;
  EXPECT_EQ(outcome.err, "");
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
  EXPECT_EQ(outcome.err,
            "note: x.npy has no sample ids; its rows are matched to those of houses.csv:price by position\n");
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
  EXPECT_TRUE(o.ard == true && o.shared_inducing && o.shared_covariance);
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
  EXPECT_EQ(read("first/predictions.csv").columns,
            (Words{"price_truth", "price_mean", "price_f_sd", "price_y_sd", "price_lo", "price_hi",
                   "size_truth", "size_mean", "size_f_sd", "size_y_sd", "size_lo", "size_hi"}));
  EXPECT_TRUE(json("first/metrics.json")["heldout"]["price"].contains("coverage90"));
}

TEST_F(Regress, LayersArriveAndPredict) {
  good(regress + Words{"--layers", "dense:3,dense", "--hidden-inducing", "9,8", "--draws", "4", "--out",
                       "deep", "--quiet"});
  const HarmonicFit fit = read_harmonic(folder.file("deep/model.bochner"));
  ASSERT_EQ(fit.gp.hidden.size(), 2u);
  EXPECT_EQ(fit.gp.hidden[0].functions(), 3);
  EXPECT_EQ(fit.gp.hidden[0].inducing(), 9);
  EXPECT_EQ(fit.gp.hidden[1].inducing(), 8);
  EXPECT_EQ(fit.options.draws, 4);
  good({"predict", "deep/model.bochner", "x.csv", "--out", "again", "--quiet"});
  EXPECT_EQ(read("again/predictions.csv").values.rows(), read("x.csv").values.rows());
}

TEST_F(Regress, DefaultsAreThoseOfTheLibrary) {
  const std::string help = good({"regress", "--help"}).out;
  const HarmonicFitOptions o;
  for (const std::string& part :
       Words{"--inducing M", "(default " + std::to_string(o.inducing) + ")", "(default matern32)",
             "(default " + std::to_string(o.steps) + ")", "--resume", "--dry-run", "--sphere LON,LAT",
             "bochner regress houses.csv"})
    EXPECT_NE(help.find(part), std::string::npos) << part;
  const std::string classes = good({"classify", "--help"}).out;
  for (const char* part : {"--y FILE:COLUMN", "robustmax", "bochner classify iris.csv", "(default auto)"})
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
  EXPECT_EQ(metrics["compared"].size(), 4u);
  EXPECT_LT(scores["rmse"].get<double>(), scores["rmse_mean"].get<double>());
  EXPECT_LT(scores["nll"].get<double>(), scores["nll_mean"].get<double>());
  EXPECT_FALSE(scores.contains("nll_linear"));
  EXPECT_EQ(read("run/predictions.csv").columns, (Words{"price_truth", "price_mean", "price_f_mean",
                                                        "price_f_sd", "price_y_sd", "price_lo", "price_hi"}));
  for (const char* likelihood : {"poisson", "negbinom"})
    expect_refusal(run({"regress", "--x", "x.csv", "--y", "houses.csv:price", "--likelihood", likelihood}), 1,
                   {"x.csv, sample 's", "outcome 'price'", "is not a count", likelihood, "use gaussian"});
}

TEST_F(Regress, NoiseModelsAndTheirCalibration) {
  const auto kernel = [&](const Words& options) {
    good(Words{"regress", "houses.csv", "--y", "houses.csv:price", "--out", "run", "--quiet"} + few +
         options);
    EXPECT_EQ(read("run/predictions.csv").columns,
              (Words{"price_truth", "price_mean", "price_f_sd", "price_y_sd", "price_lo", "price_hi"}));
    return json("run/kernel.json");
  };
  const Json joint = kernel({"--noise-model", "joint"}),
             raw = kernel({"--noise-model", "constant", "--uncalibrated"});
  EXPECT_EQ(joint["likelihood"]["likelihood"], "heteroscedastic");
  EXPECT_GT(joint["calibration"]["price"]["noise_variance_factor"].get<double>(), 0);
  EXPECT_GE(joint["calibration"]["price"]["log_noise_variance_spread"].get<double>(), 0);
  EXPECT_EQ(raw["likelihood"]["likelihood"], "gaussian");
  EXPECT_TRUE(raw["calibration"].is_null());
  good({"predict", "run/model.bochner", "houses.csv", "--quantiles", "0.1,0.9", "--parts", "--out", "new"});
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
  EXPECT_EQ(linear["verdict"], "linear") << linear["message"];
  EXPECT_EQ(none["verdict"], "doubtful");
  EXPECT_NE(none["message"].get<std::string>().find("the inputs told it nothing"), std::string::npos);
}

TEST_F(Regress, AConstantIsPredicted) {
  Table same = read("houses.csv");
  same.values.col(1).setConstant(7);
  write_csv(folder.file("same.csv"), same);
  good(Words{"regress", "--x", "same.csv", "--y", "same.csv:price", "--out", "run", "--quiet"} + few);
  EXPECT_LT((read("run/predictions.csv").values.col(1).array() - 7).abs().maxCoeff(), 1e-6);
  const Json metrics = json("run/metrics.json");
  EXPECT_EQ(metrics["verdict"], "doubtful");
  EXPECT_NE(metrics["message"].get<std::string>().find("does not vary"), std::string::npos);
}

TEST_F(Regress, NothingHeldOutIsUnjudgedAndClearsTheOldPredictions) {
  good(regress + Words{"--out", "run", "--quiet"});
  ASSERT_TRUE(fs::exists(folder.file("run/predictions.csv")));
  folder.write("run/.model.bochner.123-0.part", "half");
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
                           "of memory", "s per step", "predictions.csv", "regress/"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
  outcome = good({"classify", "--x", "x.npy", "--y", "kind.npy", "--symmetry", "auto", "--dry-run"});
  for (const char* part :
       {"bochner classify would", "3 classes", "at most 8 groups of 195", "likelihood softmax"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
  EXPECT_EQ(folder.names().size(), before);
}

}  // namespace

}  // namespace bochner::testing::regress_test
