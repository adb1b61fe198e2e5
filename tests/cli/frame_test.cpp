#include <algorithm>
#include <sstream>

#include "program.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::testing {

namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::string line;
  for (std::istringstream in(text); std::getline(in, line);) out.push_back(line);
  return out;
}

TEST(Help, IsShortAndHasAnExampleForEveryVerb) {
  const Outcome help = run_program({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_LE(lines(help.out).size(), 40u);  // a terminal
  for (const std::string& line : lines(help.out)) EXPECT_LE(line.size(), 110u) << line;
  for (const char* part :
       {"bochner demo --out", "bochner fit --view", "bochner apply run/model.bochner", "bochner kpca --view",
        "bochner regress --x", "bochner classify --x", "bochner predict run/model.bochner",
        "bochner forecast --series", "bochner evaluate --latent", "--config FILE", "--threads N", "--dry-run",
        "--quiet", "--seed N", "--out DIR", "--strict",
        "0 success, 1 invalid input, 2 numerical failure, 3 could not write"})
    EXPECT_NE(help.out.find(part), std::string::npos) << part;
}

TEST(Help, TheExampleOfAVerbParses) {
  // The demo's is run as it stands; evaluate's names files that are not here, which is the first complaint it earns.
  expect_refusal(run_program({"evaluate", "--latent", "run/latent.csv", "--labels", "samples.csv:type"}), 1,
                 {"run/latent.csv", "there is no"});
  expect_refusal(run_program({"fit", "--view", "rna=rna.csv", "--view", "protein=protein.npy", "--dims", "2",
                              "--out", "run"}),
                 1, {"rna.csv", "there is no"});
  expect_refusal(run_program({"apply", "run/model.bochner", "--view", "rna=next_week.csv", "--out", "new"}),
                 1, {"run/model.bochner", "there is no"});
  expect_refusal(run_program({"regress", "--x", "houses.csv", "--y", "houses.csv:price", "--symmetry",
                              "negate:pca:3", "--out", "run"}),
                 1, {"houses.csv", "there is no"});
  expect_refusal(run_program({"classify", "--x", "iris.csv", "--y", "iris.csv:species", "--out", "run"}), 1,
                 {"iris.csv", "there is no"});
  expect_refusal(run_program({"predict", "run/model.bochner", "--x", "new.csv", "--out", "new"}), 1,
                 {"run/model.bochner", "there is no"});
  EXPECT_EQ(run_program({"demo", "--out", "run", "--dry-run"}).code, 0);
}

TEST(Help, NamesWhatNeedsNoOption) {
  const Outcome help = run_program({"apply", "--help"});
  EXPECT_NE(help.out.find("MODEL, or --model MODEL"), std::string::npos) << help.out;
  for (const char* verb : {"demo", "fit", "apply", "kpca", "forecast"})
    for (const std::string& line : lines(run_program({verb, "--help"}).out))
      EXPECT_LE(line.size(), 115u) << line;
}

TEST(Help, OfAVerbListsItsOptionsAndDefaults) {
  const Outcome help = run_program({"evaluate", "--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* part :
       {"--latent TABLE", "(needed)", "--labels FILE:COLUMN", "(default 1)", "(default all cores)", "--json"})
    EXPECT_NE(help.out.find(part), std::string::npos) << part;
  for (const std::string& line : lines(help.out)) EXPECT_LE(line.size(), 115u) << line;
  EXPECT_EQ(run_program({"help", "evaluate"}).out, help.out);
  EXPECT_EQ(run_program({"evaluate", "-h"}).out, help.out);
  EXPECT_EQ(run_program({"evaluate", "--nonsense", "--help"}).out, help.out);
  EXPECT_EQ(run_program({"help"}).out, run_program({"-h"}).out);
}

TEST(Help, WithoutAVerbIsAnError) {
  const Outcome nothing = run_program({});
  EXPECT_EQ(nothing.code, 1);
  EXPECT_EQ(nothing.out, "");
  EXPECT_EQ(nothing.err, run_program({"--help"}).out);
}

TEST(Version, IsOneLine) {
  const Outcome version = run_program({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out, "bochner " BOCHNER_VERSION "\n");
  EXPECT_EQ(version.err, "");
  EXPECT_EQ(run_program({"-V"}).out, version.out);
}

TEST(Verbs, MistypedOnesGetASuggestion) {
  expect_refusal(run_program({"evalute", "--latent", "x.csv"}), 1,
                 {"no verb 'evalute'", "did you mean 'evaluate'?"});
  expect_refusal(run_program({"Demo"}), 1, {"did you mean 'demo'?"});
  expect_refusal(
      run_program({"xyzzy"}), 1,
      {"no verb 'xyzzy'",
       "'demo', 'fit', 'apply', 'regress', 'classify', 'predict', 'kpca', 'forecast' and 'evaluate'"});
  expect_refusal(run_program({"a\nb\x01"}), 1, {"'a\\nb\\x01'"});
  expect_refusal(run_program({"--versoin"}), 1, {"did you mean '--version'?"});
  expect_refusal(run_program({"--threads", "2", "demo"}), 1,
                 {"--threads comes after the verb", "bochner demo --threads N"});
}

TEST(Options, MistypedOnesGetASuggestion) {
  expect_refusal(run_program({"demo", "--sampels", "100"}), 1, {"'--sampels'", "did you mean '--samples'?"});
  expect_refusal(run_program({"demo", "--sampels=100"}), 1, {"did you mean '--samples'?"});
  expect_refusal(run_program({"demo", "--dry_run"}), 1, {"did you mean '--dry-run'?"});
  expect_refusal(run_program({"demo", "-x"}), 1, {"no option '-x'", "bochner demo --help"});
  expect_refusal(run_program({"demo", "stray"}), 1, {"no use for 'stray'"});
  expect_refusal(run_program({"demo", "evaluate"}), 1, {"no use for 'evaluate'"});
}

TEST(Options, ValuesOfTheWrongKindAreNamedWithTheRule) {
  expect_refusal(run_program({"demo", "--samples", "12x"}), 1,
                 {"--samples is '12x'", "whole number from 10 to 20000"});
  expect_refusal(run_program({"demo", "--samples", "5"}), 1, {"--samples is '5'", "from 10 to 20000"});
  expect_refusal(run_program({"demo", "--samples", "10.5"}), 1, {"--samples is '10.5'"});
  expect_refusal(run_program({"demo", "--noise", "nan"}), 1, {"--noise is 'nan'", "a number from"});
  expect_refusal(run_program({"demo", "--noise", "0,2"}), 1, {"--noise is '0,2'"});
  expect_refusal(run_program({"demo", "--seed", "-1"}), 1, {"--seed is '-1'", "0 or more"});
  expect_refusal(run_program({"demo", "--threads", "0"}), 1, {"--threads is '0'"});
  expect_refusal(run_program({"demo", "--threads", "99999999999999999999"}), 1, {"--threads", "1024"});
  expect_refusal(run_program({"demo", "--quiet=perhaps"}), 1, {"--quiet is 'perhaps'", "true or false"});
  expect_refusal(run_program({"demo", "--out", ""}), 1, {"--out is empty"});
  expect_refusal(run_program({"demo", "--samples"}), 1, {"--samples needs a value", "--samples N"});
  expect_refusal(run_program({"demo", "--samples", "--quiet"}), 1, {"--samples needs a value"});
  expect_refusal(run_program({"demo", "--seed", "1", "--seed", "2"}), 1, {"--seed is given 2 times"});
  expect_refusal(run_program({"demo", "--out", "--quiet"}), 1, {"--out needs a value"});
  EXPECT_EQ(run_program({"demo", "--samples", "1e2", "--seed", "+7", "--dry-run"}).code, 0);
}

TEST(Output, ThatCannotBeWrittenIsExitCode3) {
  const Outcome full = run_program({"--help"}, {.output = "/dev/full"});
  expect_refusal(full, 3, {"standard output could not be written"});
}

class ConfigFile : public ::testing::Test {
 protected:
  Outcome demo_with(const std::string& toml, std::vector<std::string> more = {}) {
    folder.write("job.toml", toml);
    std::vector<std::string> arguments{"demo", "--config", "job.toml", "--dry-run"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, {.folder = folder.file("")});
  }
  TempFolder folder;
};

TEST_F(ConfigFile, SetsOptionsAndTheCommandLineWins) {
  const Outcome file =
      demo_with("verb = 'demo'\nsamples = 321\nnoise = 1\nholes = 0.25\nout = 'elsewhere'\nthreads = 2\n");
  EXPECT_EQ(file.code, 0) << file.err;
  for (const char* part : {"321 samples", "noise 1,", "25 % not measured", "elsewhere/", "2 threads"})
    EXPECT_NE(file.out.find(part), std::string::npos) << part << "\nnot in: " << file.out;
  const Outcome both = demo_with("samples = 321\nholes = 0.25\n", {"--samples", "123"});
  EXPECT_NE(both.out.find("123 samples"), std::string::npos) << both.out;
  EXPECT_NE(both.out.find("25 % not measured"), std::string::npos) << both.out;
}

TEST_F(ConfigFile, UnknownKeysNameFileLineAndTheNearestKey) {
  expect_refusal(demo_with("# a comment\nsamples = 100\n\nnoice = 0.1\n"), 1,
                 {"job.toml, line 4", "'noice'", "did you mean 'noise'?"});
  expect_refusal(demo_with("zzz = 1\n"), 1, {"job.toml, line 1", "'zzz'", "'samples'"});
  expect_refusal(demo_with("config = 'other.toml'\n"), 1, {"line 1", "'config'"});
  expect_refusal(demo_with("[demo]\nsamples = 100\n"), 1, {"job.toml, line 1", "section"});
}

TEST_F(ConfigFile, ValuesOfTheWrongKindNameFileAndLine) {
  expect_refusal(demo_with("seed = 1\nsamples = 'many'\n"), 1,
                 {"job.toml, line 2", "samples is 'many'", "whole number"});
  expect_refusal(demo_with("samples = 100.5\n"), 1, {"line 1", "'100.5'"});
  expect_refusal(demo_with("samples = true\n"), 1, {"line 1", "'true'"});
  expect_refusal(demo_with("samples = ['1', '2']\n"), 1, {"line 1", "is a list"});
  expect_refusal(demo_with("quiet = 3\n"), 1, {"line 1", "true or false"});
  expect_refusal(demo_with("noise = inf\n"), 1, {"line 1", "'inf'"});
  expect_refusal(demo_with("samples = 100\nsamples = 200\n"), 1,
                 {"job.toml, line 2", "already set in line 1"});
  expect_refusal(demo_with("samples 100\n"), 1, {"job.toml, line 1", "'=' is missing"});
}

TEST_F(ConfigFile, OfAnotherVerbOrThatIsNotThereIsRefused) {
  expect_refusal(demo_with("verb = 'evaluate'\n"), 1,
                 {"job.toml, line 1", "'bochner evaluate', not for 'bochner demo'"});
  folder.write("job.toml", "");
  expect_refusal(run_program({"demo", "--config", "jop.toml"}, {.folder = folder.file("")}), 1,
                 {"jop.toml", "no such file"});
}

}  // namespace

}  // namespace bochner::testing
