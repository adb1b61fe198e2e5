#include "bochner/models/gplvm/file.hpp"
#include "bochner/random/rng.hpp"
#include "fit_runs.hpp"

// `bochner fit --labels`, and what `bochner apply` says about the classes of new samples.

namespace bochner::testing::cli_labels_test {

namespace {

class Labelled : public Fit {};

TEST_F(Labelled, LearnsFromLabels) {
  std::string labels = "sample,type\nelsewhere,odd\n";
  for (Index n = 0; n < 32; ++n)
    labels += "s" + std::to_string(n) + (n == 3 ? "," : n % 2 == 0 ? ",even" : ",odd") + "\n";
  folder.write("samples.csv", labels);
  const Outcome outcome = run(fit + std::vector<std::string>{"--labels", "samples.csv:type", "--out", "run"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("1 label of samples.csv left out: no table has them"), std::string::npos)
      << outcome.err;
  const GplvmFit model = read_gplvm(folder.file("run/model.bochner"));
  EXPECT_EQ(model.label_view, "labels");
  EXPECT_EQ(model.latent.mean.rows(), 32);
  EXPECT_EQ(model.view("labels").columns, (std::vector<std::string>{"even", "odd"}));
  // Labels are held out whole: none of their single entries is scored.
  EXPECT_EQ(read_csv(folder.file("run/heldout.csv")).values(2, 0), 0);
  EXPECT_GT(read_csv(folder.file("run/heldout_views.csv")).values(2, 0), 0);
  folder.write("others.csv", "sample,type\nx,a\ny,b\n");
  EXPECT_EQ(run(fit + std::vector<std::string>{"--labels", "others.csv:type"}).code, 1);
}

TEST_F(Labelled, RowsSortedByThemAreNoted) {
  const auto noted = [&](bool sorted) {
    std::string labels = "sample,type\n";
    for (Index n = 0; n < 32; ++n)
      labels += "s" + std::to_string(n) + ((sorted ? n < 16 : n % 2 == 0) ? ",even\n" : ",odd\n");
    folder.write("samples.csv", labels);
    const Outcome outcome = run(fit + std::vector<std::string>{"--labels", "samples.csv:type", "--dry-run"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err.find("sorted by label") != std::string::npos;
  };
  EXPECT_TRUE(noted(true));
  EXPECT_FALSE(noted(false));
}

TEST_F(Labelled, ApplyPredictsThem) {
  // The sign of a column that the tables have.
  const Table rna = read_csv(folder.file("rna.csv"));
  std::string labels = "sample,type\n";
  for (Index n = 0; n < rna.rows(); ++n)
    if (!std::isnan(rna.values(n, 2)))
      labels += rna.ids[static_cast<std::size_t>(n)] + (rna.values(n, 2) > 10 ? ",above\n" : ",below\n");
  folder.write("samples.csv", labels);
  ASSERT_EQ(run({"fit", "rna.csv", "protein.csv", "--labels", "samples.csv:type", "--steps", "200", "--out",
                 "run", "--quiet"})
                .code,
            0);
  const Outcome outcome = run({"apply", "run/model.bochner", "rna.csv", "--out", "new"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("labels.csv"), std::string::npos) << outcome.out;
  const TextTable found = read_csv_text(folder.file("new/labels.csv"));
  EXPECT_EQ(found.ids, rna.ids);
  EXPECT_EQ(found.columns,
            (std::vector<std::string>{"label", "probability of above", "probability of below"}));
  const Table indicators = read_csv(folder.file("new/predicted/labels.csv"));
  Index right = 0, known = 0;
  for (std::size_t n = 0; n < found.ids.size(); ++n) {
    const double above = std::stod(found.cells[1][n]), below = std::stod(found.cells[2][n]);
    EXPECT_NEAR(above + below, 1, 1e-5);
    EXPECT_EQ(found.cells[0][n],
              indicators.values(Index(n), 0) >= indicators.values(Index(n), 1) ? "above" : "below");
    const double truth = rna.values(static_cast<Index>(n), 2);
    if (std::isnan(truth)) continue;
    ++known;
    right += (found.cells[0][n] == "above") == (truth > 10) ? 1 : 0;
  }
  EXPECT_GT(double(right), 0.75 * double(known));
  // Labels that are known may be given, as for the fit; a class that the model does not have is named.
  EXPECT_EQ(run({"apply", "run/model.bochner", "rna.csv", "labels=samples.csv:type", "--out", "known"}).code,
            0);
  const TextTable known_ones = read_csv_text(folder.file("known/labels.csv"));
  const TextTable given = read_csv_text(folder.file("samples.csv"));
  Index kept = 0;
  for (std::size_t n = 0; n < given.ids.size(); ++n) {
    const auto at = std::find(known_ones.ids.begin(), known_ones.ids.end(), given.ids[n]);
    kept += known_ones.cells[0][static_cast<std::size_t>(at - known_ones.ids.begin())] == given.cells[0][n]
                ? 1
                : 0;
  }
  EXPECT_GT(double(kept), 0.9 * double(given.ids.size()));
  folder.write("others.csv", "sample,type\ns1,beside\n");
  expect_refusal(run({"apply", "run/model.bochner", "rna.csv", "labels=others.csv:type", "--out", "new"}), 1,
                 {"others.csv", "'s1'", "no class 'beside'", "'above' and 'below'"});
  // A model without labels leaves no such file.
  ASSERT_EQ(run({"fit", "rna.csv", "--steps", "20", "--out", "plain", "--quiet"}).code, 0);
  ASSERT_EQ(run({"apply", "plain/model.bochner", "rna.csv", "--out", "new", "--quiet"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder.file("new/labels.csv")));
}

/// Samples of three classes in two tables of five columns, around centres that both tables can tell apart.
void write_classes(const TempFolder& folder, const std::string& name, Index samples, Index with_b,
                   std::uint64_t seed) {
  const Matrix centres = 3 * Rng(1).normal(3, 10);
  Rng rng(seed);
  std::string labels = "sample,kind\n";
  Table a{.columns = {"a1", "a2", "a3", "a4", "a5"}, .values = Matrix(samples, 5)},
      b{.columns = {"b1", "b2", "b3", "b4", "b5"}, .values = Matrix(with_b, 5)};
  for (Index n = 0; n < samples; ++n) {
    const Eigen::RowVectorXd row = centres.row(n % 3) + rng.normal(1, 10);
    const std::string id = name + std::to_string(n);
    labels += id + ",k" + std::to_string(n % 3) + "\n";
    a.ids.push_back(id);
    a.values.row(n) = row.head(5);
    if (n >= with_b) continue;
    b.ids.push_back(id);
    b.values.row(n) = row.tail(5);
  }
  write_csv(folder.file(name + "_a.csv"), a);
  write_csv(folder.file(name + "_b.csv"), b);
  folder.write(name + "_labels.csv", labels);
}

TEST_F(Labelled, ApplyPredictsThoseOfNewSamples) {
  write_classes(folder, "old", 90, 90, 2);
  write_classes(folder, "new", 60, 30, 3);  // half of them lack the second table
  ASSERT_EQ(run({"fit", "a=old_a.csv", "b=old_b.csv", "--labels", "old_labels.csv:kind", "--kernel", "rbf",
                 "--steps", "150", "--restarts", "1", "--out", "run", "--quiet"})
                .code,
            0);
  const auto labels = [&](const std::vector<std::string>& more) {
    const Outcome outcome = run(
        std::vector<std::string>{"apply", "run/model.bochner", "a=new_a.csv", "b=new_b.csv", "--out", "new"} +
        more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_csv_text(folder.file("new/labels.csv"));
  };
  const auto right = [](const TextTable& found, Index begin, Index end) {
    Index out = 0;
    for (Index n = begin; n < end; ++n)
      out += found.cells[0][static_cast<std::size_t>(n)] == "k" + std::to_string(n % 3) ? 1 : 0;
    return out;
  };
  const TextTable found = labels({});
  ASSERT_EQ(found.ids.size(), 60U);
  EXPECT_EQ(found.ids[59], "new59");
  EXPECT_GE(right(found, 0, 30), 28);   // with both tables
  EXPECT_GE(right(found, 30, 60), 27);  // with one
  // Labels that are known do not change what is said of samples whose labels are not.
  const TextTable known = read_csv_text(folder.file("new_labels.csv"));
  std::string some = "sample,kind\n";
  for (std::size_t n = 0; n < 20; ++n) some += known.ids[n] + "," + known.cells[0][n] + "\n";
  folder.write("some.csv", some);
  const TextTable with_some = labels({"labels=some.csv:kind"});
  EXPECT_EQ(right(with_some, 0, 20), 20);
  for (std::size_t n = 20; n < 60; ++n) EXPECT_EQ(with_some.cells[0][n], found.cells[0][n]) << n;
}

}  // namespace

}  // namespace bochner::testing::cli_labels_test
