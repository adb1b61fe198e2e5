#include "regression_tables.hpp"

namespace bochner::testing::regress_refusal_test {

namespace {

namespace fs = std::filesystem;

class RegressRefusal : public RegressionTables {};

TEST_F(RegressRefusal, WhatCannotBeLearnedIsAMessage) {
  const auto refusal = [&](const Words& words, const Words& parts) {
    expect_refusal(run(words), 1, parts);
    EXPECT_FALSE(fs::exists(folder.file("regress")) || fs::exists(folder.file("classify"))) << parts[0];
  };
  const auto with = [&](const Words& more) { return regress + more; };
  refusal({"regress"}, {"missing required argument TABLE, or --x TABLE", "bochner regress --help"});
  refusal({"regress", "--x", "x.csv"}, {"missing required option --y TABLE"});
  refusal({"regress", "--x", "nothere.csv", "--y", "y.csv"}, {"nothere.csv", "no such file"});
  refusal(with({"--kernel", "materm"}), {"--kernel", "materm"});
  refusal(with({"--layers", "deep"}), {"--layers", "'deep'"});
  refusal(with({"--layers", "2,"}), {"--layers"});
  refusal(with({"--layers", "patches:3"}), {"--layers", "shape of the images", "28x28"});
  refusal(with({"--layers", "patches:3", "--image", "5x5"}), {"--layers", "5x5", "2 input columns"});
  refusal(with({"--image", "5by5"}), {"--image", "5by5"});
  refusal(with({"--image", "1x2"}), {"--layers", "no layer looks at images"});
  refusal(with({"--image", "1x2", "--layers", "2"}), {"--layers", "no layer looks at images"});
  refusal(with({"--ard", "--isotropic"}), {"--ard", "--isotropic"});
  refusal(with({"--hidden-inducing", "many"}), {"--hidden-inducing", "'many'"});
  refusal(with({"--hidden-inducing", "10"}), {"--layers", "hidden layer"});
  refusal(with({"--scale", "log"}), {"--scale", "'log'"});
  refusal(with({"--likelihood", "softmax"}),
          {"--likelihood is 'softmax'", "gaussian, student, poisson or negbinom"});
  refusal(with({"--symmetry", "negat"}), {"'negat'", "'negate'"});
  refusal(with({"--symmetry", "auto", "--symmetry", "negate"}), {"--symmetry auto", "omit the others"});
  refusal(with({"--symmetry", "rotate:a,b:3", "--kernel", "rbf", "--ard"}), {"rotate:a,b:3"});
  refusal(with({"--circle", "b"}), {"--circle", "'b'", "COLUMN:PERIOD"});
  refusal(with({"--circle", "bb:2"}), {"--circle", "no column 'bb'", "did you mean 'b'?"});
  refusal(with({"--circle", "b:0"}), {"--circle", "'0'", "positive"});
  refusal(with({"--sphere", "a"}), {"--sphere", "'a'", "LONGITUDE,LATITUDE"});
  refusal(with({"--sphere", "a,c"}), {"--sphere", "no column 'c'"});
  refusal(with({"--sphere", "b,a"}),
          {"x.csv, sample 's", "column 'a'", "not a latitude", "--sphere LON,LAT"});
  refusal(with({"--circle", "a:2", "--sphere", "1,2"}), {"'a'"});
  refusal(with({"--test", "0.6"}), {"--test is '0.6'"});
  refusal({"regress", "--x", "x.csv", "--y", "y.csv", "--inducing", "0"}, {"--inducing is '0'"});
  Table x = read("x.csv");
  Matrix holes = x.values;
  holes.col(1).setConstant(std::nan(""));
  write_npy(folder.file("holes.npy"), holes);
  for (const char* memory : {"0", "100"})
    refusal({"regress", "--x", "holes.npy", "--y", "y.npy", "--memory", memory},
            {"holes.npy, column 'x_1'", "no row has a value"});
  refusal({"regress", "--x", "x.npy", "--y", "y.npy", "--memory", "0", "--categorical", "x_0"},
          {"x.npy", "--memory"});
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
  refusal({"regress", "--x", "never.csv", "--y", "never.csv:y"}, {"all outcomes are missing"});
  refusal({"regress", "--x", "flowers.csv", "--y", "flowers.csv:type"}, {"flowers.csv", "not a number"});
  refusal({"classify", "--x", "x.csv", "--y", "y.csv"},
          {"y.csv", "specify the column", "'price' and 'size'"});
  refusal({"classify", "--x", "x.csv", "--y", "houses.csv:price"},
          {"240 distinct values", "too many for classes", "bochner regress"});
  refusal({"classify", "--x", "x.npy", "--y", "y.npy"}, {"labels must be a single column", "2"});
  write_npy(folder.file("same.npy"), Matrix::Ones(N, 1));
  refusal({"classify", "--x", "x.npy", "--y", "same.npy"},
          {"same.npy", "at least two classes are required, found one"});
  refusal({"classify", "--x", "x.npy", "--y", "kind.npy", "--likelihood", "bernoulli"},
          {"--likelihood bernoulli", "two classes", "there are 3"});
  refusal({"classify", "--x", "x.npy", "--y", "kind.npy", "--likelihood", "gaussian"},
          {"--likelihood is 'gaussian'", "robustmax"});
}

}  // namespace

}  // namespace bochner::testing::regress_refusal_test
