#include <sstream>

#include "bochner/store/sha256.hpp"
#include "program.hpp"
#include "run_files.hpp"

namespace bochner::testing::report_test {

namespace {

TEST(ReportCommand, RunsLeaveAReportThatCanBeWrittenAgain) {
  TempFolder folder;
  const Launch here{.folder = folder.file("")};
  for (const char* out : {"a", "b"}) {
    const Outcome made =
        run_program({"demo", "--samples", "40", "--columns", "6", "--steps", "20", "--out", out}, here);
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_NE(made.out.find(std::string("Report: ") + out + "/report.html"), std::string::npos) << made.out;
  }
  const std::string first = slurp(folder.file("a/report.html"));
  EXPECT_NE(first.find("Variational latent variable model"), std::string::npos);
  for (const char* panel : {"\"latent\"", "\"decoder\"", "\"heldout\"", "\"objective\"", "\"map\""})
    EXPECT_NE(first.find(panel), std::string::npos) << panel;
  const Outcome again = run_program({"report", "a", "--out", "again.html"}, here);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(slurp(folder.file("again.html")), first);
  const Outcome both = run_program({"compare", "a", "b", "--out", "both.html"}, here);
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_NE(slurp(folder.file("both.html")).find("Comparison of 2 runs"), std::string::npos);
}

/// The events of a kind in the log of a run.
std::vector<Json> events(const std::string& run, const std::string& kind) {
  std::vector<Json> out;
  std::istringstream lines(slurp(run + "/log.jsonl"));
  for (std::string line; std::getline(lines, line);)
    if (Json event = Json::parse(line); event["event"] == kind) out.push_back(event);
  return out;
}

TEST(ReportCommand, TheLogSaysWhatWasReadAndHowItWasStarted) {
  TempFolder folder;
  write_example_tables(folder);
  const Launch here{.folder = folder.file("")};
  const std::vector<char> large(400'000'000, 'x');
  ASSERT_EQ(large.back(), 'x');
  ASSERT_EQ(run_program({"fit", "rna=rna.csv", "protein.csv", "--steps", "5", "--out", "it's"}, here).code,
            0);
  const std::string run = folder.file("it's");
  const Json start = events(run, "start").at(0), end = events(run, "end").at(0);
  EXPECT_EQ(start["line"], "bochner fit rna=rna.csv protein.csv --steps 5 --out 'it'\\''s'");
  EXPECT_GT(end["peak_memory"].get<double>(), 1e6);
  EXPECT_LT(end["peak_memory"].get<double>(), 3e8);  // its own, not that of this test
  const std::vector<Json> inputs = events(run, "input");
  ASSERT_EQ(inputs.size(), 2u);
  for (const Json& input : inputs) {
    const std::string bytes = slurp(folder.file(input["file"].get<std::string>()));
    EXPECT_EQ(input["bytes"], bytes.size());
    EXPECT_EQ(input["sha256"], sha256_hex(bytes));
  }
  EXPECT_GT(events(run, "report").at(0)["seconds"].get<double>(), 0);
  const std::string page = slurp(run + "/report.html");
  EXPECT_NE(page.find(sha256_hex(slurp(folder.file("rna.csv")))), std::string::npos);
  EXPECT_NE(page.find("memory at most"), std::string::npos);
}

TEST(ReportCommand, HeldOutEntriesAreThoseOfTheScores) {
  TempFolder folder;
  write_example_tables(folder);
  const Launch here{.folder = folder.file("")};
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--steps", "60"},
        {"--steps", "60", "--normalise", "protein=rows"},
        {"--inference", "mcmc", "--warmup", "20", "--draws", "20", "--chains", "1"}}) {
    ASSERT_EQ(run_program(std::vector<std::string>{"fit", "rna.csv", "protein.csv", "--holdout", "0.3",
                                                   "--out", "run"} +
                              how,
                          here)
                  .code,
              0);
    const Table scores = read_csv(folder.file("run/heldout.csv"));
    const TextTable entries = read_csv_text(folder.file("run/heldout_entries.csv"), {.id_column = "n"});
    const Vector observed = entries.numbers("observed"), mean = entries.numbers("mean"),
                 pit = entries.numbers("pit"), sd = entries.numbers("sd");
    EXPECT_GT(sd.minCoeff(), 0);
    const auto column = [&](const char* name) {
      return std::find(scores.columns.begin(), scores.columns.end(), name) - scores.columns.begin();
    };
    for (Index v = 0; v < scores.rows(); ++v) {
      const std::string& view = scores.ids[static_cast<std::size_t>(v)];
      const Table table = read_csv(folder.file(view + ".csv"));
      double count = 0, within = 0, squares = 0;
      for (Index i = 0; i < observed.size(); ++i) {
        if (entries.column("view")[static_cast<std::size_t>(i)] != view) continue;
        const auto row = std::find(table.ids.begin(), table.ids.end(),
                                   entries.column("sample")[static_cast<std::size_t>(i)]);
        const auto at = std::find(table.columns.begin(), table.columns.end(),
                                  entries.column("column")[static_cast<std::size_t>(i)]);
        EXPECT_EQ(observed(i), table.values(row - table.ids.begin(), at - table.columns.begin()));
        ++count;
        within += std::abs(2 * pit(i) - 1) <= 0.9 ? 1 : 0;
        squares += std::pow(observed(i) - mean(i), 2);
      }
      EXPECT_EQ(count, scores.values(v, column("entries")));
      EXPECT_NEAR(within / count, scores.values(v, column("coverage90")), 1e-12);
      if (how.back() == "protein=rows" && view == "protein") continue;  // scores are in units of divided rows
      EXPECT_NEAR(std::sqrt(squares / count), scores.values(v, column("rmse")),
                  1e-9 * scores.values(v, column("rmse")));
    }
  }
}

TEST(ReportCommand, NewSamplesHaveAReportToo) {
  TempFolder folder;
  write_example_tables(folder);
  const Launch here{.folder = folder.file("")};
  ASSERT_EQ(
      run_program({"fit", "rna.csv", "protein.csv", "--steps", "5", "--shape", "protein=2x2"}, here).code, 0);
  EXPECT_NE(slurp(folder.file("run/report.html")).find("\"pictures\""), std::string::npos);
  const Outcome applied = run_program({"apply", "run/model.bochner", "rna.csv", "--out", "new"}, here);
  EXPECT_NE(applied.out.find("Report: new/report.html"), std::string::npos) << applied.out << applied.err;
  const std::string page = slurp(folder.file("new/report.html"));
  EXPECT_NE(page.find("New samples, placed by a fitted model"), std::string::npos);
  for (const char* panel : {"\"latent\"", "\"inputs-read\"", "model.bochner"})
    EXPECT_NE(page.find(panel), std::string::npos) << panel;
}

TEST(ReportCommand, RefusesWhatIsNoRun) {
  TempFolder folder;
  const Launch here{.folder = folder.file("")};
  expect_refusal(run_program({"report", "nowhere"}, here), 1, {"nowhere", "name the run folder of a fit"});
  expect_refusal(run_program({"report", ".", "--shape", "faces"}, here), 1, {"'faces' is not a shape"});
  expect_refusal(run_program({"compare", "one"}, here), 1, {"at least two run folders"});
}

}  // namespace

}  // namespace bochner::testing::report_test
