#include "bochner/run/live_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "bochner/run/json_file.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::live_file_test {

namespace {

namespace fs = std::filesystem;
using testing::slurp, testing::TempFolder;

class Live : public ::testing::Test {
 protected:
  Json read() { return Json::parse(slurp(path)); }

  TempFolder folder;
  RunFolder run{folder.file("run"), "test", {}, "a = 1\n"};
  std::string path = folder.file("run/live.json");
};

TEST_F(Live, SaysWhereTheFitStands) {
  {
    LiveFile live(0);
    Matrix X(2, 2);
    X << 1, 2, 3, std::nan("");
    for (Index step = 1; step <= 4; ++step)
      live.step({.step = step,
                 .of = 10,
                 .value = -100000.25 * double(step),
                 .latents =
                     [&] {
                       return LiveLatents{{"a\"<", "b"}, X};
                     }},
                &run);
    const Json json = read();
    EXPECT_EQ(json["what"], "fit");
    EXPECT_EQ(json["objective"], "bound");
    EXPECT_EQ(json["step"], 4);
    EXPECT_EQ(json["of"], 10);
    EXPECT_EQ(json["value"], -400001.0);
    EXPECT_GE(json["left"].get<double>(), 0);
    EXPECT_EQ(json["trace"]["steps"], Json({1, 2, 3, 4}));
    EXPECT_EQ(json["trace"]["values"][0], -100000.25);
    EXPECT_EQ(json["latents"]["ids"], Json({"a\"<", "b"}));
    EXPECT_EQ(json["latents"]["mean"], Json::parse("[[1,3],[2,null]]"));
    EXPECT_EQ(json["latents"]["samples"], 2);
  }
  EXPECT_FALSE(fs::exists(path));  // gone with the work
}

TEST_F(Live, ANewPartOfTheWorkBeginsANewTraceAndKeepsTheLatents) {
  LiveFile live(0);
  live.step({.what = "start",
             .step = 7,
             .of = 10,
             .latents =
                 [] {
                   return LiveLatents{{"a"}, Matrix::Ones(1, 1)};
                 }},
            &run);
  live.step({.what = "fit", .objective = "log density", .step = 1, .of = 5, .value = 2}, &run);
  const Json json = read();
  EXPECT_EQ(json["trace"]["steps"], Json({1}));
  EXPECT_EQ(json["latents"]["mean"], Json::parse("[[1]]"));
  EXPECT_TRUE(json["left"].is_null());  // of one step nobody knows
}

TEST_F(Live, WritesOnlyNowAndThenAndNothingBeforeThereIsAFolder) {
  LiveFile live(1e6);
  int asked = 0;
  const auto latents = [&] {
    ++asked;
    return LiveLatents{{"a"}, Matrix::Ones(1, 1)};
  };
  live.step({.step = 1, .of = 9, .latents = latents}, nullptr);
  EXPECT_EQ(asked, 0);
  for (Index step = 2; step <= 9; ++step) live.step({.step = step, .of = 9, .latents = latents}, &run);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(read()["step"], 2);
  EXPECT_EQ(read()["trace"]["steps"], Json({1, 2}));
}

TEST_F(Live, ShowsSomeOfManySamples) {
  LiveFile live(0);
  const Index N = 12'001;
  LiveLatents latents{{}, Matrix::Zero(N, 1)};
  for (Index n = 0; n < N; ++n) {
    latents.ids.push_back(std::to_string(n));
    latents.mean(n, 0) = double(n);
  }
  live.step({.step = 1, .of = 9, .latents = [&] { return latents; }}, &run);
  const Json json = read()["latents"];
  EXPECT_EQ(json["samples"], N);
  ASSERT_EQ(json["ids"].size(), 4001u);  // every third
  ASSERT_EQ(json["mean"][0].size(), 4001u);
  EXPECT_EQ(json["ids"][2], "6");
  EXPECT_EQ(json["mean"][0][2], 6);
}

TEST_F(Live, AFolderThatCannotBeWrittenToStopsNothing) {
  LiveFile live(0);
  fs::create_directory(path);  // where the file would be
  EXPECT_NO_THROW(live.step({.step = 1, .of = 9}, &run));
}

TEST(ThinTrace, KeepsEvenlySpacedStepsHoweverManyThereAre) {
  ThinTrace trace;
  for (Index step = 1; step <= 100'000; ++step) {
    trace.add(step, 2.0 * double(step));
    ASSERT_LT(trace.steps().size(), ThinTrace::most);
  }
  ASSERT_GE(trace.steps().size(), ThinTrace::most / 4);
  EXPECT_EQ(trace.steps().front(), 1);
  const Index gap = trace.steps()[1] - trace.steps()[0];
  for (std::size_t i = 1; i < trace.steps().size(); ++i) {
    EXPECT_EQ(trace.steps()[i] - trace.steps()[i - 1], gap);
    EXPECT_EQ(trace.values()[i], 2.0 * double(trace.steps()[i]));
  }
  EXPECT_GT(trace.steps().back() + gap, 100'000 - gap);
}

}  // namespace

}  // namespace bochner::live_file_test
