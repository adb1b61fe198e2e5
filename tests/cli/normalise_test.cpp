#include <cmath>

#include "bochner/data/row_factors.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/models/gplvm/file.hpp"
#include "bochner/tables/npy.hpp"
#include "program.hpp"
#include "run_files.hpp"

namespace bochner::testing::normalise_test {

namespace {

using Words = std::vector<std::string>;

/// 24 samples of 5 columns: profiles along a curve, in sizes from 1 to 400, with missing entries and a row of zeros. A second
/// table of the same samples has no sizes. `even` is the first with every row divided by its root mean square.
class Normalise : public ::testing::Test {
 protected:
  Normalise() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Y = Matrix::NullaryExpr(24, 5, [](Index n, Index m) {
      const double size = std::exp(0.25 * double(n * 7 % 24));
      return size *
             (1.5 + std::sin(0.4 * double(n) + double(m)) + 0.05 * std::cos(9.1 * double(n * (m + 2))));
    });
    Y(3, 1) = Y(9, 4) = Y(9, 0) = nan;
    Y.row(5).setZero();
    other = Matrix::NullaryExpr(
        24, 3, [](Index n, Index m) { return std::cos(0.4 * double(n) + double(m)) + 0.01 * double(n % 5); });
    factors = row_factors(Y);
    even = Y;
    even.array().colwise() /= factors.array();
    write_npy(folder.file("y.npy"), Y);
    write_npy(folder.file("even.npy"), even);
    write_npy(folder.file("other.npy"), other);
  }
  Outcome run(const Words& arguments) { return run_program(arguments, {.folder = folder.file("")}); }
  Matrix read(const std::string& file) { return read_csv(folder.file(file)).values; }
  std::string bytes(const std::string& file) { return slurp(folder.file(file)); }

  Matrix Y, other, even;
  Vector factors;
  TempFolder folder;
};

/// Relative to the size of the entries.
double difference(const Matrix& a, const Matrix& b) {
  return ((a - b).cwiseAbs().array() / (1e-3 + b.cwiseAbs().array())).maxCoeff();
}

const Words quick{"--steps", "20", "--restarts", "1", "--kernel", "rbf", "--holdout", "0"};

TEST_F(Normalise, IsAFitToDividedRowsInUnitsOfTheTable) {
  const Outcome outcome = run(Words{"fit", "--view", "y.npy", "--normalise", "rows", "--out", "run"} + quick);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\nrows  divided by their root mean squares in y (median "), std::string::npos)
      << outcome.out;
  ASSERT_EQ(run(Words{"fit", "--view", "y=even.npy", "--out", "even", "--quiet"} + quick).code, 0);
  EXPECT_EQ(bytes("run/latent.csv"), bytes("even/latent.csv"));
  EXPECT_EQ(bytes("run/relevance.csv"), bytes("even/relevance.csv"));
  for (const char* file : {"imputed/y.csv", "imputed/y_lo.csv", "imputed/y_hi.csv"}) {
    const Matrix in_units = factors.asDiagonal() * read(std::string("even/") + file);
    const Matrix imputed = read(std::string("run/") + file);
    EXPECT_LT(difference(imputed, in_units), 1e-12) << file;
    EXPECT_EQ(imputed(0, 0), Y(0, 0));  // what was measured stays, to the last digit
    EXPECT_EQ(imputed(23, 4), Y(23, 4));
  }
  EXPECT_GT(read("run/imputed/y_hi.csv")(9, 4), read("run/imputed/y.csv")(9, 4));

  ASSERT_EQ(run({"fit", "--config", "run/config.toml", "--out", "again", "--quiet"}).code, 0);
  EXPECT_EQ(bytes("run/model.bochner"), bytes("again/model.bochner"));
  EXPECT_EQ(bytes("run/imputed/y_lo.csv"), bytes("again/imputed/y_lo.csv"));
  EXPECT_EQ(read_gplvm(folder.file("run/model.bochner")).views[0].row_median, median_factor(factors));
  EXPECT_EQ(read_gplvm(folder.file("even/model.bochner")).views[0].row_median, 0);
}

TEST_F(Normalise, NewSamplesHaveSizesOfTheirOwn) {
  ASSERT_EQ(
      run(Words{"fit", "--view", "y.npy", "--view", "other.npy", "--normalise", "y=rows", "--quiet"} + quick)
          .code,
      0);
  write_npy(folder.file("large.npy"), Matrix(8 * Y));  // exact
  for (const char* name : {"y", "large"})
    ASSERT_EQ(run({"apply", "run/model.bochner", "--view", std::string("y=") + name + ".npy", "--view",
                   "other.npy", "--out", std::string("of_") + name, "--quiet"})
                  .code,
              0);
  // Row 5 is zeros, in both sizes; its factor is 1.
  EXPECT_EQ(bytes("of_y/latent.csv"), bytes("of_large/latent.csv"));
  EXPECT_EQ(bytes("of_y/predicted/other.csv"), bytes("of_large/predicted/other.csv"));
  for (const char* file : {"/predicted/y.csv", "/predicted/y_lo.csv", "/predicted/y_hi.csv"}) {
    Matrix eight = 8 * read(std::string("of_y") + file);
    eight.row(5) /= 8;
    EXPECT_EQ(read(std::string("of_large") + file), eight) << file;
  }

  // A sample that lacks the view has the median size: twice that of a model that says half of it.
  ASSERT_EQ(run({"apply", "run/model.bochner", "--view", "other.npy", "--out", "lacking", "--quiet"}).code,
            0);
  GplvmFit half = read_gplvm(folder.file("run/model.bochner"));
  EXPECT_EQ(half.views[0].row_median, median_factor(factors));
  half.views[0].row_median /= 2;
  write_gplvm(folder.file("half.bochner"), half);
  ASSERT_EQ(run({"apply", "half.bochner", "--view", "other.npy", "--out", "half", "--quiet"}).code, 0);
  for (const char* file : {"/predicted/y.csv", "/predicted/y_lo.csv", "/predicted/y_hi.csv"})
    EXPECT_EQ(read(std::string("lacking") + file), 2 * read(std::string("half") + file)) << file;
  EXPECT_EQ(bytes("lacking/predicted/other.csv"), bytes("half/predicted/other.csv"));
}

TEST_F(Normalise, HiddenEntriesDoNotTellTheSizeOfTheirRow) {
  // A huge entry of a row is either seen, and then the row is small beside it, or hidden, and then it is far off. Were the
  // row divided by a factor that has seen it, no entry would be larger than sqrt 5.
  Matrix spiky = Y;
  for (Index n = 0; n < 24; ++n) spiky(n, n % 5) = 1e4 * factors(n);
  write_npy(folder.file("spiky.npy"), spiky);
  ASSERT_EQ(run({"fit", "--view", "spiky.npy", "--normalise", "rows", "--holdout", "0.3", "--steps", "3",
                 "--restarts", "1", "--kernel", "rbf", "--quiet"})
                .code,
            0);
  const Json metrics = Json::parse(bytes("run/metrics.json"));
  EXPECT_GT(metrics["heldout"]["spiky"]["rmse"].get<double>(), 100);
}

TEST_F(Normalise, BayesianModelsDoTheSame) {
  const Words chains{"--inference", "mcmc",    "--warmup", "4",         "--draws", "5",      "--frequencies",
                     "5",           "--start", "pca",      "--holdout", "0",       "--quiet"};
  ASSERT_EQ(
      run(Words{"fit", "--view", "y.npy", "--view", "other.npy", "--normalise", "y=rows", "--out", "run"} +
          chains)
          .code,
      0);
  ASSERT_EQ(run(Words{"fit", "--view", "y=even.npy", "--view", "other.npy", "--out", "even"} + chains).code,
            0);
  EXPECT_EQ(bytes("run/latent.csv"), bytes("even/latent.csv"));
  for (const char* file : {"imputed/y.csv", "imputed/y_lo.csv", "imputed/y_hi.csv"})
    EXPECT_LT(difference(read(std::string("run/") + file),
                         factors.asDiagonal() * read(std::string("even/") + file)),
              1e-12)
        << file;
  const double median = read_bayes(folder.file("run/model.bochner")).views[0].row_median;
  EXPECT_EQ(median, median_factor(factors));
  for (const char* model : {"run", "even"})
    ASSERT_EQ(run({"apply", std::string(model) + "/model.bochner", "--view", "other.npy", "--out",
                   std::string(model) + "_new", "--quiet"})
                  .code,
              0);
  for (const char* file : {"/predicted/y.csv", "/predicted/y_lo.csv", "/predicted/y_hi.csv"})
    EXPECT_LT(difference(read(std::string("run_new") + file), median * read(std::string("even_new") + file)),
              1e-12)
        << file;
}

TEST_F(Normalise, ComesAfterTheChoiceOfColumns) {
  write_npy(folder.file("chosen.npy"), Matrix(Y.leftCols(2)));
  Matrix wide = Y;
  wide.rightCols(3) *= 1e-6;  // never chosen, and no part of the size of a row
  write_npy(folder.file("wide.npy"), wide);
  ASSERT_EQ(
      run(Words{"fit", "--view", "y=wide.npy", "--normalise", "rows", "--most-variable", "2", "--quiet"} +
          quick)
          .code,
      0);
  ASSERT_EQ(
      run(Words{"fit", "--view", "y=chosen.npy", "--normalise", "rows", "--out", "chosen", "--quiet"} + quick)
          .code,
      0);
  EXPECT_EQ(bytes("run/model.bochner"), bytes("chosen/model.bochner"));
}

TEST_F(Normalise, RefusesOtherWordsAndCounts) {
  expect_refusal(run({"fit", "--view", "y.npy", "--normalise", "columns"}), 1,
                 {"--normalise: 'columns' is unknown", "use rows"});
  expect_refusal(run({"fit", "--view", "y.npy", "--normalise", "z=rows"}), 1, {"--normalise", "no view 'z'"});
  write_npy(folder.file("counts.npy"), Matrix(Matrix::Ones(24, 2)));
  expect_refusal(run({"fit", "--inference", "mcmc", "--view", "counts.npy", "--likelihood", "poisson",
                      "--normalise", "rows"}),
                 1, {"--normalise: view 'counts' is poisson", "gaussian", "multinomial"});
}

}  // namespace

}  // namespace bochner::testing::normalise_test
