#include "program.hpp"
#include "tests/support/temp_folder.hpp"

// Tables without an option before them: `bochner fit genes.csv proteins.csv`.

namespace bochner::testing::positional_test {

namespace {

class Positional : public ::testing::Test {
 protected:
  Positional() {
    folder.write("genes.csv", "sample,a,b\ns1,1,2\ns2,2,1\ns3,3,5\ns4,4,3\n");
    folder.write("proteins.csv", "sample,p,q\ns1,5,2\ns2,1,1\ns3,0,5\ns4,2,3\n");
  }
  Outcome in_folder(const std::vector<std::string>& arguments) {
    return run_program(arguments, {.folder = folder.file("")});
  }
  Outcome plan(std::vector<std::string> arguments) {
    arguments.push_back("--dry-run");
    return in_folder(arguments);
  }
  TempFolder folder;
};

/// Where each of the parts begins: in this order.
void expect_in_order(const std::string& text, const std::vector<std::string>& parts) {
  std::size_t last = 0;
  for (const std::string& part : parts) {
    const std::size_t at = text.find(part, last);
    ASSERT_NE(at, std::string::npos) << part << "\nnot in: " << text.substr(last);
    last = at;
  }
}

TEST_F(Positional, TablesAreViews) {
  const Outcome named = plan({"fit", "--view", "genes.csv", "--view", "prot=proteins.csv"});
  EXPECT_EQ(named.code, 0) << named.err;
  const auto views = [](const Outcome& outcome) {
    return outcome.out.substr(0, outcome.out.find("  need "));
  };
  EXPECT_EQ(views(plan({"fit", "genes.csv", "prot=proteins.csv"})), views(named));
  for (const char* command : {"fit", "kpca"}) {
    const Outcome both = plan({command, "proteins.csv", "--view", "x=genes.csv", "--dims", "1"});
    EXPECT_EQ(both.code, 0) << both.err;
    expect_in_order(both.out, {"proteins", "x"});
    const Outcome turned = plan({command, "--dims", "1", "--view", "x=genes.csv", "proteins.csv"});
    expect_in_order(turned.out, {"x", "proteins"});
  }
}

TEST_F(Positional, ArgumentsBehindTwoDashesHaveNoName) {
  folder.write("-genes.csv", "sample,a,b\ns1,1,2\ns2,2,1\ns3,3,5\ns4,4,3\n");
  const Outcome outcome = in_folder({"fit", "--dry-run", "--", "-genes.csv"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("-genes"), std::string::npos) << outcome.out;
}

TEST_F(Positional, TheConfigurationHasThemAsViews) {
  ASSERT_EQ(in_folder({"kpca", "genes.csv", "--dims", "1", "--out", "run", "--quiet"}).code, 0);
  EXPECT_NE(slurp(folder.file("run/config.toml")).find("view = [\"genes.csv\"]"), std::string::npos)
      << slurp(folder.file("run/config.toml"));
  const Outcome applied = in_folder({"apply", "run/model.bochner", "genes.csv", "--out", "new"});
  EXPECT_EQ(applied.code, 0) << applied.err;
  EXPECT_EQ(in_folder({"apply", "--model", "run/model.bochner", "genes.csv", "--out", "new"}).code, 0);
  EXPECT_EQ(in_folder({"apply", "genes.csv", "--model", "run/model.bochner", "--out", "new"}).code, 0);
}

TEST_F(Positional, OneTableIsOne) {
  expect_refusal(plan({"forecast", "genes.csv", "proteins.csv"}), 1, {"unexpected argument 'proteins.csv'"});
  expect_refusal(plan({"evaluate", "genes.csv", "proteins.csv"}), 1, {"unexpected argument 'proteins.csv'"});
  expect_refusal(plan({"demo", "genes.csv"}), 1, {"unexpected argument 'genes.csv'"});
  EXPECT_EQ(plan({"evaluate", "genes.csv", "--data", "proteins.csv", "--neighbours", "1"}).code, 0);
}

TEST_F(Positional, MistakesAreNamed) {
  expect_refusal(plan({"fit"}), 1, {"missing required argument TABLE"});
  expect_refusal(plan({"fit", "gene.csv"}), 1, {"gene.csv", "there is no"});
  expect_refusal(plan({"fit", "."}), 1, {".: this is a folder"});
  expect_refusal(plan({"fit", "genes.csv", "--dim", "2"}), 1, {"no option '--dim'", "'--dims'"});
  expect_refusal(plan({"fit", "genes.csv", "-d", "2"}), 1, {"no option '-d'"});
  expect_refusal(plan({"fit", "genes.csv", "genes.csv"}), 1, {"two views are named 'genes'"});
}

TEST_F(Positional, ValuesWithoutTheirOptionAreNamed) {
  expect_refusal(plan({"fit", "genes.csv", "2"}), 1, {"'2' is not a file", "name of the option before"});
  expect_refusal(plan({"fit", "genes.csv", "--quiet", "2"}), 1, {"'2' is not a file"});
  expect_refusal(plan({"fit", "genes.csv", "mcmc"}), 1, {"did you mean '--inference mcmc'?"});
  expect_refusal(plan({"fit", "genes.csv", "genes=rbf"}), 1, {"did you mean '--kernel genes=rbf'?"});
  expect_refusal(plan({"fit", "genes.csv", "dims", "2"}), 1, {"did you mean '--dims Q'?"});
  expect_refusal(plan({"fit", "genes.csv", "quiet"}), 1, {"did you mean '--quiet'?"});
  EXPECT_EQ(in_folder({"fit", "2", "--help"}).code, 0);
  folder.write("rbf", "sample,a,b\ns1,1,2\ns2,2,1\ns3,3,5\ns4,4,3\n");
  EXPECT_EQ(plan({"fit", "rbf"}).code, 0);  // a file of that name is a table
}

}  // namespace

}  // namespace bochner::testing::positional_test
