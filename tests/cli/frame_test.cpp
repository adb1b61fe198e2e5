#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

#include "program.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::testing::frame_test {

namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::string line;
  for (std::istringstream in(text); std::getline(in, line);) out.push_back(line);
  return out;
}

TEST(Help, IsShortAndHasAnExampleForEveryCommand) {
  const Outcome help = run_program({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_LE(lines(help.out).size(), 46u);  // a terminal
  for (const std::string& line : lines(help.out)) EXPECT_LE(line.size(), 110u) << line;
  for (const char* part :
       {"bochner demo --out", "bochner fit rna.csv", "bochner apply run/model.bochner",
        "bochner kpca rna.csv", "bochner regress houses.csv", "bochner classify iris.csv",
        "bochner predict run/model.bochner", "bochner forecast laser.csv", "bochner evaluate run/latent.csv",
        "bochner serve run", "--config FILE", "--threads N", "--dry-run", "--quiet", "--seed N", "--out DIR",
        "--strict", "0 success, 1 invalid input, 2 numerical failure, 3 cannot write"})
    EXPECT_NE(help.out.find(part), std::string::npos) << part;
}

TEST(Help, TheExampleOfACommandParses) {
  // The demo's is run as it stands; evaluate's names files that are not here, which is the first complaint it earns.
  expect_refusal(run_program({"evaluate", "run/latent.csv", "--labels", "samples.csv:type"}), 1,
                 {"run/latent.csv", "there is no"});
  expect_refusal(run_program({"fit", "rna.csv", "protein.npy", "--dims", "2", "--out", "run"}), 1,
                 {"rna.csv", "there is no"});
  expect_refusal(run_program({"apply", "run/model.bochner", "rna=next_week.csv", "--out", "new"}), 1,
                 {"run/model.bochner", "there is no"});
  expect_refusal(run_program({"regress", "houses.csv", "--y", "houses.csv:price", "--symmetry",
                              "negate:pca:3", "--out", "run"}),
                 1, {"houses.csv", "there is no"});
  expect_refusal(run_program({"classify", "iris.csv", "--y", "iris.csv:species", "--out", "run"}), 1,
                 {"iris.csv", "there is no"});
  expect_refusal(run_program({"predict", "run/model.bochner", "new.csv", "--out", "new"}), 1,
                 {"run/model.bochner", "there is no"});
  EXPECT_EQ(run_program({"demo", "--out", "run", "--dry-run"}).code, 0);
}

TEST(Help, NamesWhatNeedsNoOption) {
  const Outcome help = run_program({"apply", "--help"});
  EXPECT_NE(help.out.find("MODEL, or --model MODEL"), std::string::npos) << help.out;
  for (const char* command :
       {"demo", "fit", "apply", "regress", "classify", "predict", "kpca", "forecast", "evaluate"})
    for (const std::string& line : lines(run_program({command, "--help"}).out))
      EXPECT_LE(line.size(), 112u) << line;
}

TEST(Help, OfACommandListsItsOptionsAndDefaults) {
  const Outcome help = run_program({"evaluate", "--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* part : {"TABLE, or --latent TABLE", "(required)", "--labels FILE:COLUMN", "(default 1)",
                           "(default all cores)", "--json"})
    EXPECT_NE(help.out.find(part), std::string::npos) << part;
  for (const std::string& line : lines(help.out)) EXPECT_LE(line.size(), 115u) << line;
  EXPECT_EQ(run_program({"help", "evaluate"}).out, help.out);
  EXPECT_EQ(run_program({"evaluate", "-h"}).out, help.out);
  EXPECT_EQ(run_program({"evaluate", "--nonsense", "--help"}).out, help.out);
  EXPECT_EQ(run_program({"help"}).out, run_program({"-h"}).out);
}

TEST(Help, OptionsStandUnderHeadings) {
  const std::string help = run_program({"fit", "--help"}).out;
  std::size_t last = 0;
  for (const char* part :
       {"\nInput:\n  TABLE, or --view TABLE", "\nModel:\n  --inference",
        "\nVariational inference:\n  --mixtures", "\nMCMC:\n  --likelihood", "\nEvaluation:\n  --holdout",
        "\nOutput:\n  --out", "\nGeneral:\n  --config", "\nExample:\n  bochner fit"}) {
    const std::size_t at = help.find(part);
    ASSERT_NE(at, std::string::npos) << part << "\nnot in: " << help;
    EXPECT_GT(at, last) << part;
    last = at;
  }
  for (const char* old : {"--model", "--components"}) EXPECT_EQ(help.find(old), std::string::npos) << old;
  EXPECT_EQ(run_program({"evaluate", "--help"}).out.find("MCMC"), std::string::npos);
}

TEST(Help, TextsBeginWithANounAnImperativeOrAValue) {
  for (const char* command :
       {"demo", "fit", "apply", "regress", "classify", "predict", "kpca", "forecast", "evaluate"})
    for (const std::string& line : lines(run_program({command, "--help"}).out)) {
      if (!line.starts_with("  --")) continue;
      const std::size_t space = line.find("  ", 4), text = line.find_first_not_of(' ', space);
      ASSERT_NE(text, std::string::npos) << line;
      for (const char* word : {"of ", "a ", "the ", "so ", "where "})
        EXPECT_FALSE(line.substr(text).starts_with(word)) << line;
    }
}

/// What bash offers at the end of a command line.
std::vector<std::string> bash_offers(const TempFolder& folder, const std::string& words) {
  folder.write(
      "offers.sh",
      "source <(\"$1\" completion bash)\nCOMP_WORDS=(" + words +
          ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_bochner\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
  const std::string out = folder.file("offers.txt");
  EXPECT_EQ(
      std::system(
          ("cd '" + folder.file("") + "' && bash offers.sh '" BOCHNER_PROGRAM "' > offers.txt").c_str()),
      0);
  return lines(slurp(out));
}

TEST(Completion, OffersCommandsOptionsValuesAndFiles) {
  using Offers = std::vector<std::string>;
  const TempFolder folder;
  folder.write("rna.csv", "");
  folder.write("two words.csv", "");
  EXPECT_EQ(bash_offers(folder, "bochner f"), (Offers{"fit", "forecast"}));
  EXPECT_EQ(bash_offers(folder, "bochner fit --inf"), Offers{"--inference"});
  EXPECT_EQ(bash_offers(folder, "bochner fit --inference ''"), (Offers{"variational", "mcmc"}));
  EXPECT_EQ(bash_offers(folder, "bochner fit --inference = m"), Offers{"mcmc"});
  EXPECT_EQ(bash_offers(folder, "bochner fit --likelihood rna = neg"), Offers{"negbinom"});
  EXPECT_EQ(bash_offers(folder, "bochner fit --view rna = r"), Offers{"rna.csv"});
  EXPECT_EQ(bash_offers(folder, "bochner fit --view t"), Offers{"two words.csv"});
  EXPECT_EQ(bash_offers(folder, "bochner apply rn"), Offers{"rna.csv"});
  EXPECT_EQ(bash_offers(folder, "bochner fit --dims ''"), Offers{""});
  EXPECT_EQ(bash_offers(folder, "bochner help ev"), Offers{"evaluate"});
  EXPECT_EQ(bash_offers(folder, "bochner completion ''"), (Offers{"bash", "zsh"}));
}

TEST(Completion, HasAScriptForZsh) {
  const Outcome zsh = run_program({"completion", "zsh"});
  EXPECT_EQ(zsh.code, 0);
  for (const char* part :
       {"#compdef bochner", "'fit:Embed tables",
        "'*--view=[Table of observations, or NAME=TABLE]:TABLE:_bochner_files'", "'*:TABLE:_bochner_files'",
        ":METHOD:(variational mcmc)'", "'--quiet[Print errors only]'", "'1:MODEL:_bochner_files'"})
    EXPECT_NE(zsh.out.find(part), std::string::npos) << part << "\nnot in: " << zsh.out;
  if (std::system("command -v zsh > /dev/null") != 0) return;
  const TempFolder folder;
  folder.write("script", zsh.out);
  EXPECT_EQ(std::system(("zsh -n '" + folder.file("script") + "'").c_str()), 0);
}

TEST(Completion, RequiresAKnownShell) {
  expect_refusal(run_program({"completion"}), 1, {"missing required argument SHELL"});
  expect_refusal(run_program({"completion", "fish"}), 1, {"'fish'", "must be bash or zsh"});
}

TEST(Help, WithoutACommandIsAnError) {
  const Outcome nothing = run_program({});
  EXPECT_EQ(nothing.code, 1);
  EXPECT_EQ(nothing.out, "");
  EXPECT_EQ(nothing.err, run_program({"--help"}).out);
}

TEST(Version, IsOnTheFirstLine) {
  const Outcome version = run_program({"--version"});
  EXPECT_EQ(version.code, 0);
  ASSERT_EQ(lines(version.out).size(), 3u) << version.out;
  EXPECT_EQ(lines(version.out)[0], "bochner " BOCHNER_VERSION);
  EXPECT_TRUE(lines(version.out)[1].starts_with("compiler: ")) << version.out;
  // Each library has a version.
  for (const char* name :
       {"Eigen ", "HDF5 ", "SLEEF ", "libzip ", "zlib ", "fmt ", "nlohmann-json ", "CLI11 "}) {
    const std::size_t at = version.out.find(name);
    ASSERT_NE(at, std::string::npos) << name << version.out;
    EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(version.out[at + std::string(name).size()])))
        << name << version.out;
  }
  EXPECT_EQ(version.err, "");
  EXPECT_EQ(run_program({"-V"}).out, version.out);
}

TEST(Commands, MistypedOnesGetASuggestion) {
  expect_refusal(run_program({"evalute", "--latent", "x.csv"}), 1,
                 {"unknown command 'evalute'", "did you mean 'evaluate'?"});
  expect_refusal(run_program({"Demo"}), 1, {"did you mean 'demo'?"});
  expect_refusal(run_program({"xyzzy"}), 1,
                 {"unknown command 'xyzzy'",
                  "'demo', 'fit', 'apply', 'regress', 'classify', 'predict', 'kpca', 'forecast', 'evaluate', "
                  "'report', 'compare', 'serve' "
                  "and 'completion'"});
  expect_refusal(run_program({"a\nb\x01"}), 1, {"'a\\nb\\x01'"});
  expect_refusal(run_program({"--versoin"}), 1, {"did you mean '--version'?"});
  expect_refusal(run_program({"--threads", "2", "demo"}), 1,
                 {"--threads must follow the command", "bochner demo --threads N"});
}

TEST(Options, MistypedOnesGetASuggestion) {
  expect_refusal(run_program({"demo", "--sampels", "100"}), 1, {"'--sampels'", "did you mean '--samples'?"});
  expect_refusal(run_program({"demo", "--sampels=100"}), 1, {"did you mean '--samples'?"});
  expect_refusal(run_program({"demo", "--dry_run"}), 1, {"did you mean '--dry-run'?"});
  expect_refusal(run_program({"demo", "-x"}), 1, {"no option '-x'", "bochner demo --help"});
  expect_refusal(run_program({"demo", "stray"}), 1, {"unexpected argument 'stray'"});
  expect_refusal(run_program({"demo", "evaluate"}), 1, {"unexpected argument 'evaluate'"});
}

TEST(Options, ValuesOfTheWrongKindAreNamedWithTheRule) {
  expect_refusal(run_program({"demo", "--samples", "12x"}), 1,
                 {"--samples is '12x'", "an integer from 10 to 20000"});
  expect_refusal(run_program({"demo", "--samples", "5"}), 1, {"--samples is '5'", "from 10 to 20000"});
  expect_refusal(run_program({"demo", "--samples", "10.5"}), 1, {"--samples is '10.5'"});
  expect_refusal(run_program({"demo", "--noise", "nan"}), 1, {"--noise is 'nan'", "a number from"});
  expect_refusal(run_program({"demo", "--noise", "0,2"}), 1, {"--noise is '0,2'"});
  expect_refusal(run_program({"demo", "--seed", "-1"}), 1, {"--seed is '-1'", "0 or more"});
  expect_refusal(run_program({"demo", "--threads", "0"}), 1, {"--threads is '0'"});
  expect_refusal(run_program({"demo", "--threads", "99999999999999999999"}), 1, {"--threads", "1024"});
  expect_refusal(run_program({"demo", "--quiet=perhaps"}), 1, {"--quiet is 'perhaps'", "true or false"});
  expect_refusal(run_program({"demo", "--out", ""}), 1, {"--out is empty"});
  expect_refusal(run_program({"demo", "--samples"}), 1, {"--samples requires a value", "--samples N"});
  expect_refusal(run_program({"demo", "--samples", "--quiet"}), 1, {"--samples requires a value"});
  expect_refusal(run_program({"demo", "--seed", "1", "--seed", "2"}), 1, {"--seed is given 2 times"});
  expect_refusal(run_program({"demo", "--out", "--quiet"}), 1, {"--out requires a value"});
  EXPECT_EQ(run_program({"demo", "--samples", "1e2", "--seed", "+7", "--dry-run"}).code, 0);
}

TEST(Output, ThatCannotBeWrittenIsExitCode3) {
  const Outcome full = run_program({"--help"}, {.output = "/dev/full"});
  expect_refusal(full, 3, {"cannot write to standard output"});
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
      demo_with("command = 'demo'\nsamples = 321\nnoise = 1\nholes = 0.25\nout = 'elsewhere'\nthreads = 2\n");
  EXPECT_EQ(file.code, 0) << file.err;
  for (const char* part : {"321 samples", "noise 1,", "25 % missing", "elsewhere/", "2 threads"})
    EXPECT_NE(file.out.find(part), std::string::npos) << part << "\nnot in: " << file.out;
  const Outcome both = demo_with("samples = 321\nholes = 0.25\n", {"--samples", "123"});
  EXPECT_NE(both.out.find("123 samples"), std::string::npos) << both.out;
  EXPECT_NE(both.out.find("25 % missing"), std::string::npos) << both.out;
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
                 {"job.toml, line 2", "samples is 'many'", "an integer"});
  expect_refusal(demo_with("samples = 100.5\n"), 1, {"line 1", "'100.5'"});
  expect_refusal(demo_with("samples = true\n"), 1, {"line 1", "'true'"});
  expect_refusal(demo_with("samples = ['1', '2']\n"), 1, {"line 1", "is a list"});
  expect_refusal(demo_with("quiet = 3\n"), 1, {"line 1", "true or false"});
  expect_refusal(demo_with("noise = inf\n"), 1, {"line 1", "'inf'"});
  expect_refusal(demo_with("samples = 100\nsamples = 200\n"), 1,
                 {"job.toml, line 2", "already set in line 1"});
  expect_refusal(demo_with("samples 100\n"), 1, {"job.toml, line 1", "'=' is missing"});
}

TEST_F(ConfigFile, TheOldNameOfTheKeyCommandIsUnderstood) {
  const Outcome outcome = demo_with("verb = 'demo'\nsamples = 321\n");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("321 samples"), std::string::npos) << outcome.out;
  expect_refusal(demo_with("verb = 'evaluate'\n"), 1,
                 {"job.toml, line 1", "'bochner evaluate', not for 'bochner demo'"});
}

TEST_F(ConfigFile, OfAnotherCommandOrThatIsNotThereIsRefused) {
  expect_refusal(demo_with("command = 'evaluate'\n"), 1,
                 {"job.toml, line 1", "'bochner evaluate', not for 'bochner demo'"});
  folder.write("job.toml", "");
  expect_refusal(run_program({"demo", "--config", "jop.toml"}, {.folder = folder.file("")}), 1,
                 {"jop.toml", "no such file"});
}

}  // namespace

}  // namespace bochner::testing::frame_test
