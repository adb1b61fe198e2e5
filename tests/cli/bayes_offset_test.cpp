#include "bayes_runs.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/tables/csv.hpp"

// --offset of `bochner fit --inference mcmc` and of `bochner apply`.
namespace bochner::testing::bayes_offset_test {

namespace {

class BayesOffset : public ::testing::Test {
 protected:
  BayesOffset() {
    std::string counts = "cell,size,a,b,c\n", plain = "cell,a,b,c\n", meta = "cell,depth\n",
                labels = "cell,kind\n";
    Rng rng(1);
    for (int n = 0; n < 24; ++n) {
      const std::string id = "c" + std::to_string(n);
      const int size = 10 * (1 + n % 5);
      std::string row;
      for (int j = 0; j < 3; ++j)
        row += "," +
               std::to_string(static_cast<int>(size * (0.3 + 0.2 * std::sin(n + j) + 0.1 * rng.uniform())));
      counts += id + "," + std::to_string(size) + row + "\n";
      plain += id + row + "\n";
      meta += id + "," + std::to_string(size) + "\n";
      labels += id + "," + (n % 2 ? "up" : "down") + "\n";
    }
    folder.write("counts.csv", counts);
    folder.write("plain.csv", plain);
    folder.write("meta.csv", meta);
    folder.write("labels.csv", labels);
  }
  Outcome run(const std::vector<std::string>& arguments) {
    return run_program(arguments, {.folder = folder.file("")});
  }
  Outcome fit(const std::vector<std::string>& arguments) {
    return run(std::vector<std::string>{"fit", "--inference", "mcmc", "--warmup", "6", "--draws", "8",
                                        "--frequencies", "4", "--chains", "2", "--start", "pca", "--holdout",
                                        "0.1", "--quiet"} +
               arguments);
  }
  TempFolder folder;
};

TEST_F(BayesOffset, IsAColumnOfAViewOrOfTheAnnotations) {
  const Outcome outcome = fit({"counts.csv:poisson", "--offset", "size", "--out", "run"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const BayesFit view = read_bayes(folder.file("run/model.bochner"));
  EXPECT_EQ(view.views[0].columns, (std::vector<std::string>{"a", "b", "c"}));  // no measurement
  ASSERT_EQ(view.views[0].exposure.size(), 24);
  EXPECT_EQ(view.views[0].exposure(3), 40);
  EXPECT_EQ(view.views[0].exposure_name, "size");
  EXPECT_NE(slurp(folder.file("run/config.toml")).find("offset = [\"size\"]"), std::string::npos)
      << slurp(folder.file("run/config.toml"));
  ASSERT_EQ(
      fit({"plain.csv:negbinom", "--meta", "meta.csv", "--offset", "plain=depth", "--out", "other"}).code, 0);
  EXPECT_EQ(read_bayes(folder.file("other/model.bochner")).views[0].exposure, view.views[0].exposure);
}

TEST_F(BayesOffset, IsRefusedInOneMessage) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& message) {
    expect_refusal(fit(arguments), 1, {message});
  };
  refused({"counts.csv", "--offset", "size"}, "--offset: no view holds counts");
  refused({"counts.csv", "--offset", "counts=size"},
          "view 'counts' is gaussian, but only poisson and negbinom");
  refused({"counts.csv:poisson", "--offset", "depth"}, "--offset: no view has a column 'depth'; use --meta");
  refused({"counts.csv:poisson", "--offset", "other=size"}, "there is no view 'other'");
  for (const auto& [cell, message] : std::vector<std::pair<std::string, std::string>>{
           {"0", "column 'depth', sample 'c1': '0' is not a positive number"},
           {"-3", "column 'depth', sample 'c1': '-3' is not a positive number"},
           {"many", "column 'depth', sample 'c1': 'many' is not a positive number"},
           {"", "column 'depth', sample 'c1' has no exposure; fill it in or omit the sample"}}) {
    folder.write("meta.csv", "cell,depth\nc0,5\nc1," + cell + "\nc2,5\n");
    folder.write("few.csv", "cell,a,b\nc0,1,2\nc1,2,3\nc2,0,1\nc3,,\n");
    refused({"few.csv:poisson", "--meta", "meta.csv", "--offset", "depth"}, message);
  }
  expect_refusal(run({"fit", "counts.csv", "--offset", "size"}), 1,
                 {"--offset applies to --inference mcmc only"});
}

TEST_F(BayesOffset, GoesWithNewSamples) {
  ASSERT_EQ(
      fit({"counts=counts.csv:poisson", "kind=labels.csv:categorical", "--offset", "size", "--out", "run"})
          .code,
      0);
  const auto predicted = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome =
        run(std::vector<std::string>{"apply", "run/model.bochner", "--out", "new"} + arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_csv(folder.file("new/predicted/counts.csv")).values;
  };
  const Matrix own = predicted({"counts=counts.csv"});  // the column of the fit is in the table
  folder.write("sizes.csv", slurp(folder.file("meta.csv")));
  EXPECT_EQ(predicted({"counts=plain.csv", "--meta", "sizes.csv", "--offset", "depth"}), own);
  EXPECT_EQ(predicted({"counts=plain.csv", "--meta", "sizes.csv", "--offset", "counts=depth"}), own);
  expect_refusal(run({"apply", "run/model.bochner", "counts=plain.csv", "--out", "new"}), 1,
                 {"view 'counts' was fitted with exposures, column 'size'", "use --meta"});
  expect_refusal(run({"apply", "run/model.bochner", "counts=plain.csv", "--offset", "0", "--out", "new"}), 1,
                 {"'0' is not a positive number"});
  // Labels alone: counts are predicted at the median exposure, 30, or at what is asked for.
  const Matrix at_median = predicted({"kind=labels.csv"});
  EXPECT_LT((predicted({"kind=labels.csv", "--offset", "30"}) - at_median).norm(), 1e-9 * at_median.norm());
  EXPECT_LT((predicted({"kind=labels.csv", "--offset", "300"}) - 10 * at_median).norm(),
            1e-9 * at_median.norm());
  ASSERT_EQ(fit({"plain.csv:poisson", "--out", "without"}).code, 0);
  expect_refusal(run({"apply", "without/model.bochner", "plain.csv", "--offset", "5", "--out", "new"}), 1,
                 {"--offset: the model was fitted without exposures"});
}

}  // namespace
}  // namespace bochner::testing::bayes_offset_test
