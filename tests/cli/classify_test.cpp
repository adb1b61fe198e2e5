#include "bochner/models/harmonic/file.hpp"
#include "regression_tables.hpp"

namespace bochner::testing::classify_test {

namespace {

class Classify : public RegressionTables {};

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

TEST_F(Classify, WindowsOfImagesHaveTheirOwnSymmetries) {
  write_npy(folder.file("images.npy"), Rng(1).normal(N, 9));
  const Words images{"classify", "--x", "images.npy", "--y",      "kind.npy",
                     "--image",  "3x3", "--layers",   "patches:2"};
  good(images + Words{"--symmetry", "negate:checker", "--out", "run", "--quiet"} + few);
  EXPECT_EQ(read_harmonic(folder.file("run/model.bochner")).gp.groups(), 4);
  const Outcome plan =
      good(images + Words{"--symmetry", "negate:checker", "--out", "none", "--dry-run"} + few);
  EXPECT_NE(plan.out.find("4 groups"), std::string::npos) << plan.out;
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

}  // namespace

}  // namespace bochner::testing::classify_test
