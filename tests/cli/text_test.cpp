#include <gtest/gtest.h>

#include <thread>

#include "cli/frame/progress.hpp"
#include "cli/frame/text.hpp"

namespace bochner::cli::text_test {

namespace {

TEST(ProgressLine, HoldsStepObjectiveAndTimes) {
  // A quarter of the steps in 10 s: 30 s are left.
  EXPECT_EQ(progress_line("fit", "log evidence", 50, 200, -123.456789, 10, 110),
            "fit  [#######.......................]  step 50 of at most 200  log evidence -123.457  0:10, at "
            "most 0:30 left");
  EXPECT_EQ(progress_line("fit", "loss", 0, 8, 1e6, 0, 80),
            "fit  [..............................]  step 0 of at most 8  loss 1e+06  0:00");
  EXPECT_EQ(
      progress_line("fit", "loss", 8, 8, 0.5, 3600, 100),
      "fit  [##############################]  step 8 of at most 8  loss 0.5  1:00:00, at most 0:00 left");
}

TEST(ProgressLine, NeverWraps) {
  for (std::size_t width = 0; width <= 120; ++width) {
    const std::string line = progress_line("fit", "log evidence", 50, 200, -123.456789, 10, width);
    EXPECT_LT(line.size(), std::max<std::size_t>(width, 1)) << width;
    EXPECT_TRUE(std::string("fit  ").starts_with(line.substr(0, 5)));
  }
  EXPECT_EQ(progress_line("fit", "log evidence", 50, 200, -123.456789, 10, 60),
            "fit  step 50 of at most 200  log evidence -123.457");
}

TEST(Progress, IsALineNowAndThenWhereThereIsNoTerminal) {
  std::vector<ProgressEvent> logged;
  ::testing::internal::CaptureStderr();
  {
    Progress progress("fit", "bound", 200,
                      {.on_log = [&](const ProgressEvent& e) { logged.push_back(e); },
                       .between = std::chrono::milliseconds(20)});
    progress.update(1, -5);  // too early
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    progress.update(50, -3.5);
    progress.update(51, -3.4);  // too soon after that one
  }
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(said, "fit  step 50 of at most 200  bound -3.5  0:00, at most 0:00 left\n");
  ASSERT_EQ(logged.size(), 1u);
  EXPECT_EQ(logged[0].step, 50);
  EXPECT_EQ(logged[0].value, -3.5);

  ::testing::internal::CaptureStderr();
  {
    Progress quiet("fit", "bound", 200,
                   {.shown = false,
                    .on_log = [&](const ProgressEvent& e) { logged.push_back(e); },
                    .between = std::chrono::milliseconds(0)});
    quiet.update(7, -1);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(logged.size(), 2u);  // the log of a quiet run has its steps too
}

TEST(ClockTime, ReadsLikeAClock) {
  EXPECT_EQ(clock_time(0.4), "0:00");
  EXPECT_EQ(clock_time(59.6), "1:00");
  EXPECT_EQ(clock_time(754), "12:34");
  EXPECT_EQ(clock_time(3599.4), "59:59");
  EXPECT_EQ(clock_time(11105), "3:05:05");
  EXPECT_EQ(clock_time(-1), "0:00");
}

TEST(Aligned, ColumnsStandBelowEachOther) {
  EXPECT_EQ(align({{"a", "1", "remark"}, {"long", "22.5", ""}, {"b", "3", "x"}}),
            "a        1  remark\n"
            "long  22.5\n"
            "b        3  x\n");
  EXPECT_EQ(align({{"a", "1", "7"}, {"b", "22", "10"}}, false), "a   1   7\nb  22  10\n");
  EXPECT_EQ(align({}), "");
}

TEST(Wrapped, BreaksBetweenWords) {
  EXPECT_EQ(wrap("verdict: one two three four", 14, 2), "verdict: one\n  two three\n  four\n");
  EXPECT_EQ(wrap("averyveryverylongword b", 5, 1), "averyveryverylongword\n b\n");
}

}  // namespace

}  // namespace bochner::cli::text_test
