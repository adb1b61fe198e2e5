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

TEST(ReportCommand, RefusesWhatIsNoRun) {
  TempFolder folder;
  const Launch here{.folder = folder.file("")};
  expect_refusal(run_program({"report", "nowhere"}, here), 1, {"nowhere", "name the run folder of a fit"});
  expect_refusal(run_program({"report", ".", "--shape", "faces"}, here), 1, {"'faces' is not a shape"});
  expect_refusal(run_program({"compare", "one"}, here), 1, {"at least two run folders"});
}

}  // namespace

}  // namespace bochner::testing::report_test
