#include <nlohmann/json.hpp>

#include "bochner/tables/npy.hpp"
#include "program.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::testing::evaluate_test {

namespace {

using Json = nlohmann::json;

class Evaluate : public ::testing::Test {
 protected:
  Outcome evaluate(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "evaluate");
    return run_program(arguments, {.folder = folder.file("")});
  }
  Json scores(std::vector<std::string> arguments) {
    arguments.push_back("--json");
    const Outcome outcome = evaluate(std::move(arguments));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
  TempFolder folder;
};

// Two groups of five, 100 apart. One sample of the first, at its rim, carries the label of the second: it is always
// told wrong, and nobody has it for a nearest neighbour, as every other one has at least two closer ones of its own
// label, of which at most one shares its fold of two. Five folds of two: (4 * 1 + 1 / 2) / 5 = 0.9.
const std::string ten_points =
    "id,z1,z2\n"
    "a0,0,0\na1,1,0\na2,0,1\na3,1,1\na4,6,6\n"
    "b0,100,0\nb1,101,0\nb2,100,1\nb3,101,1\nb4,100.5,0.5\n";
const std::string ten_labels =
    "sample,batch,type\n"
    "b4,x,second\nb3,y,second\nb2,x,second\nb1,y,second\nb0,x,second\n"
    "a4,x,second\na3,y,first\na2,x,first\na1,y,first\na0,x,first\n";

TEST_F(Evaluate, KnnAccuracyAgainstAHandCount) {
  folder.write("latent.csv", ten_points);
  folder.write("samples.csv", ten_labels);
  for (const char* seed : {"1", "2", "77"}) {
    const Json knn =
        scores({"--latent", "latent.csv", "--labels", "samples.csv:type", "--seed", seed})["knn"];
    EXPECT_NEAR(knn["accuracy"].get<double>(), 0.9, 1e-12);
    EXPECT_EQ(knn["fold_accuracy"].size(), 5u);
    EXPECT_EQ(knn["samples"], 10);
    EXPECT_EQ(knn["classes"], 2);
    EXPECT_NEAR(knn["largest_class"].get<double>(), 0.6, 1e-12);
  }
  // Leave one out, three voters: the same sample alone is wrong.
  const Json knn =
      scores({"--latent", "latent.csv", "--labels", "samples.csv:type", "--k", "3", "--folds", "10"})["knn"];
  EXPECT_NEAR(knn["accuracy"].get<double>(), 0.9, 1e-12);
}

TEST_F(Evaluate, PrintsAnAlignedTable) {
  folder.write("latent.csv", ten_points);
  folder.write("samples.csv", ten_labels);
  const Outcome outcome = evaluate({"--latent", "latent.csv", "--labels", "samples.csv:type"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            "KNN-1 accuracy                0.9000  10 samples, 2 labels, mean of 5 folds\n"
            "logistic regression accuracy  0.9000\n"
            "linear SVM accuracy           0.9000\n"
            "  largest class alone         0.6000  baseline\n");
}

TEST_F(Evaluate, JoinsByIdAndSaysWhatItLeavesOut) {
  folder.write("latent.csv", ten_points + "c0,50,50\nc1,50,51\nc2,51,50\n");
  folder.write("samples.csv", ten_labels + "c0,x,\nc1,x,NA\nother,x,first\n");
  const Outcome outcome = evaluate({"--latent", "latent.csv", "--labels", "samples.csv:type"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("0.9000  10 samples"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.err,
            "note: 1 sample of latent.csv left out: not in samples.csv\n"
            "note: 2 samples left out: no label in samples.csv\n");
  EXPECT_EQ(evaluate({"--latent", "latent.csv", "--labels", "samples.csv:type", "--quiet"}).err, "");
}

// By hand: centred, z1 = (-1.5, -.5, .5, 1.5), z2 = (1, -1, -1, 1), t1 = (-1.5, .5, -.5, 1.5) are orthogonal but for
// z1't1 = 4, |z1|^2 = |t1|^2 = 5: R^2 of t1 is 4^2 / 25 = 0.64. t2 = 2 z1 + 3 z2 + 1 is explained wholly.
TEST_F(Evaluate, AffineR2AgainstAHandCount) {
  folder.write("latent.csv", "id,z1,z2\np,1,1\nq,2,-1\nr,3,-1\ns,4,1\n");
  folder.write("truth.csv", "id,t1,t2\ns,4,12\nr,2,4\nq,3,2\np,1,6\n");
  const Json r2 = scores({"--latent", "latent.csv", "--truth", "truth.csv"})["affine_r2"];
  EXPECT_NEAR(r2["columns"]["t1"].get<double>(), 0.64, 1e-12);
  EXPECT_NEAR(r2["columns"]["t2"].get<double>(), 1.0, 1e-12);
  EXPECT_NEAR(r2["mean"].get<double>(), 0.82, 1e-12);
  // One column by name.
  const Json one = scores({"--latent", "latent.csv", "--truth", "truth.csv:t1"})["affine_r2"];
  EXPECT_NEAR(one["mean"].get<double>(), 0.64, 1e-12);
}

// sklearn.manifold.trustworthiness(data, latent, n_neighbors=k), and with the two exchanged; scikit-learn 1.x.
TEST_F(Evaluate, TrustworthinessAgainstScikitLearn) {
  folder.write(
      "latent.csv",
      "id,z1,z2\ns0,-2.41,-3.97\ns1,-0.75,1.26\ns2,3.41,0.33\ns3,-1.66,-2.35\ns4,2.25,4.9\ns5,0.82,-3.7\n"
      "s6,-2.87,4.8\ns7,0.61,-5.2\ns8,-0.25,-3.49\ns9,-1.89,-1.46\ns10,-2.14,1.66\ns11,-0.19,-1.77\n");
  folder.write(
      "data.csv",
      "id,a,b,c\ns0,-1.59,-7.94,-3.27\ns1,0.91,2.52,-4.07\ns2,0.12,0.66,0.67\ns3,-2.17,-4.7,-3.33\n"
      "s4,0.29,9.8,3.51\ns5,0.47,-7.4,2.15\ns6,-5.45,9.6,-5.99\ns7,0.65,-10.4,0.82\ns8,-0.33,-6.98,-3.31\n"
      "s9,-2.5,-2.92,0.1\ns10,-4.24,3.32,0.13\ns11,-0.98,-3.54,-5.97\n");
  const auto at = [&](const char* k) {
    return scores({"--latent", "latent.csv", "--data", "data.csv", "--neighbours", k})["neighbourhood"];
  };
  EXPECT_NEAR(at("2")["trustworthiness"].get<double>(), 0.9019607843137255, 1e-12);
  EXPECT_NEAR(at("2")["continuity"].get<double>(), 0.8186274509803921, 1e-12);
  EXPECT_NEAR(at("5")["trustworthiness"].get<double>(), 0.9, 1e-12);
  EXPECT_NEAR(at("5")["continuity"].get<double>(), 0.8958333333333334, 1e-12);
  expect_refusal(evaluate({"--latent", "latent.csv", "--data", "data.csv", "--neighbours", "6"}), 1,
                 {"--neighbours is 6", "half of the 12 samples"});
}

TEST_F(Evaluate, TablesWithoutIdsAreMatchedByPosition) {
  folder.write("truth.csv", "id,t1\np,1\nq,3\nr,2\ns,4\n");
  folder.write("numbered.csv", "id,t1\n3,4\n2,2\n1,3\n0,1\n");
  folder.write("short.csv", "id,t1\np,1\nq,3\nr,2\n");
  write_npy(folder.file("latent.npy"), Matrix{{1, 1}, {2, -1}, {3, -1}, {4, 1}});
  const Outcome by_position = evaluate({"--latent", "latent.npy", "--truth", "truth.csv"});
  EXPECT_NE(by_position.out.find("0.6400"), std::string::npos) << by_position.out;
  EXPECT_EQ(by_position.err, "note: rows of latent.npy and truth.csv are matched by position\n");
  // Ids that are row numbers mean the rows, in whatever order they come.
  const Outcome by_number = evaluate({"--latent", "latent.npy", "--truth", "numbered.csv"});
  EXPECT_NE(by_number.out.find("0.6400"), std::string::npos) << by_number.out;
  EXPECT_EQ(by_number.err, "");
  expect_refusal(evaluate({"--latent", "latent.npy", "--truth", "short.csv"}), 1,
                 {"'latent.npy' has 4 rows", "'short.csv' has 3 rows", "no sample ids"});
}

TEST_F(Evaluate, LabelsMayBeAnArrayOfNumbers) {
  folder.write("latent.csv", ten_points);
  Matrix codes(10, 1);
  codes << 0, 0, 0, 0, 1, 1, 1, 1, 1, 1;
  write_npy(folder.file("labels.npy"), codes);
  const Json knn = scores({"--latent", "latent.csv", "--labels", "labels.npy"})["knn"];
  EXPECT_NEAR(knn["accuracy"].get<double>(), 0.9, 1e-12);
}

TEST_F(Evaluate, IdsThatNeverMeetGiveOneMessage) {
  folder.write("latent.csv", ten_points);
  folder.write("samples.csv", "id,type\nA-0,first\nA-1,second\n");
  expect_refusal(evaluate({"--latent", "latent.csv", "--labels", "samples.csv:type"}), 1,
                 {"'latent.csv'", "'samples.csv'", "no sample in common", "'a0'", "'A-0'"});
  folder.write("truth.csv", "id,t\nx,1\ny,2\n");
  expect_refusal(evaluate({"--latent", "latent.csv", "--truth", "truth.csv"}), 1,
                 {"no sample in common", "'a0'", "'x'"});
}

TEST_F(Evaluate, RefusesWhatCannotBeScored) {
  folder.write("latent.csv", ten_points);
  folder.write("samples.csv", ten_labels);
  folder.write("holes.csv", "id,z1,z2\na0,1,\na1,2,3\n");
  folder.write("words.csv", "id,z1\na0,one\na1,two\n");
  folder.write("empty.csv", "id,type\na0,\na1,\n");
  folder.write("constant.csv", "id,t\na0,1\na1,1\na2,1\na3,1\na4,1\n");
  expect_refusal(evaluate({}), 1, {"missing required argument TABLE, or --latent TABLE"});
  expect_refusal(evaluate({"--latent", "latent.csv"}), 1, {"--labels", "--truth", "--data"});
  expect_refusal(evaluate({"--latent", "latent.cvs", "--truth", "samples.csv"}), 1,
                 {"latent.cvs", "did you mean 'latent.csv'?"});
  expect_refusal(evaluate({"--latent", "holes.csv", "--truth", "latent.csv"}), 1,
                 {"holes.csv", "1 cell is empty"});
  expect_refusal(evaluate({"--latent", "words.csv", "--truth", "latent.csv"}), 1,
                 {"words.csv", "line 2", "'one'"});
  expect_refusal(evaluate({"--latent", "latent.csv", "--labels", "samples.csv"}), 1,
                 {"specify the column", "'samples.csv:batch'", "'batch' and 'type'"});
  expect_refusal(evaluate({"--latent", "latent.csv", "--labels", "samples.csv:typ"}), 1,
                 {"'typ'", "did you mean 'type'?"});
  expect_refusal(evaluate({"--latent", "latent.csv", "--labels", "empty.csv"}), 1, {"empty.csv", "no label"});
  expect_refusal(evaluate({"--latent", "latent.csv", "--labels", "samples.csv:type", "--k", "9"}), 1,
                 {"--k is 9", "only 8 samples"});
  expect_refusal(evaluate({"--latent", "latent.csv", "--labels", "samples.csv:type", "--folds", "11"}), 1,
                 {"10 samples with a label", "11 folds"});
  expect_refusal(evaluate({"--latent", "latent.csv", "--truth", "constant.csv"}), 1, {"var"});
}

TEST_F(Evaluate, WritesItsScoresWhereTold) {
  folder.write("latent.csv", ten_points);
  folder.write("samples.csv", ten_labels);
  folder.write("metrics.json", "of the run");
  const std::vector<std::string> arguments{"--latent", "latent.csv", "--labels", "samples.csv:type"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), arguments.begin(), arguments.end());
    return more;
  };
  EXPECT_EQ(evaluate(with({"--out", "new/scores.json", "--quiet"})).out, "");
  const Outcome printed = evaluate(with({"--json", "--quiet"}));
  EXPECT_EQ(slurp(folder.file("new/scores.json")), printed.out);
  EXPECT_EQ(evaluate(with({"--out", "."})).code, 0);
  EXPECT_EQ(slurp(folder.file("evaluation.json")), printed.out);
  EXPECT_EQ(slurp(folder.file("metrics.json")), "of the run");
  EXPECT_EQ(Json::parse(printed.out)["latent"], "latent.csv");

  const Outcome refused = evaluate(with({"--out", "/dev/null/scores.json", "--quiet"}));
  expect_refusal(refused, 3, {"/dev/null"});
}

TEST_F(Evaluate, DryRunChecksTheTablesAndComputesNothing) {
  folder.write("latent.csv", ten_points);
  folder.write("samples.csv", ten_labels);
  const Outcome plan = evaluate({"--latent", "latent.csv", "--labels", "samples.csv:type", "--data",
                                 "latent.csv", "--neighbours", "2", "--out", "new", "--dry-run"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  for (const char* part :
       {"KNN-1 accuracy", "trustworthiness", "10 samples", "less than a second", "new/evaluation.json"})
    EXPECT_NE(plan.out.find(part), std::string::npos) << part;
  EXPECT_EQ(plan.out.find("0.9"), std::string::npos);
  EXPECT_EQ(folder.names().size(), 2u);
  expect_refusal(evaluate({"--latent", "latent.csv", "--labels", "samples.csv:typo", "--dry-run"}), 1,
                 {"'typo'"});
}

TEST_F(Evaluate, LabelsThatAreNoClassesAreRemarked) {
  folder.write("latent.csv", ten_points);
  folder.write("same.csv", "id,type\na0,x\na1,x\na2,x\na3,x\na4,x\nb0,x\n");
  folder.write("ages.csv", "id,age\na0,31\na1,32\na2,33\na3,34\na4,35\nb0,36\n");
  EXPECT_NE(evaluate({"--latent", "latent.csv", "--labels", "same.csv"}).err.find("nothing to classify"),
            std::string::npos);
  EXPECT_NE(evaluate({"--latent", "latent.csv", "--labels", "ages.csv"}).err.find("are these classes?"),
            std::string::npos);
}

}  // namespace

}  // namespace bochner::testing::evaluate_test
