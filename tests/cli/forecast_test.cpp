#include <fmt/format.h>

#include "bochner/models/forecast/file.hpp"
#include "bochner/simulate/sum_of_sines.hpp"
#include "program.hpp"
#include "run_files.hpp"

namespace bochner::testing::forecast_test {

namespace {

/// Two series: a sum of sines, and its square.
class ForecastProgram : public ::testing::Test {
 protected:
  ForecastProgram() {
    const Vector y = sum_of_sines({.N = 220, .step = 0.02, .frequency = Vector{{1, 3}}}).y;
    Table series{.columns = {"wave", "power"}, .values = Matrix(200, 2)};
    Table known{.columns = {"clock"}, .values = Matrix(220, 1)};
    for (Index t = 0; t < 220; ++t) {
      known.ids.push_back(std::to_string(10 + 2 * t));
      known.values(t, 0) = double(t % 5);
    }
    series.ids.assign(known.ids.begin(), known.ids.begin() + 200);
    series.values << y.head(200), y.head(200).cwiseAbs2();
    truth = y.tail(20);
    write_csv(folder.file("series.csv"), series, "time");
    write_csv(folder.file("known.csv"), known, "time");
    series.values(50, 0) = series.values(51, 1) = std::nan("");
    write_csv(folder.file("gaps.csv"), series, "time");
  }
  Outcome run(const std::vector<std::string>& arguments) {
    return run_program(arguments, {.folder = folder.file("")});
  }
  const std::vector<std::string> forecast{"forecast", "--series", "series.csv", "--lags",
                                          "20",       "--steps",  "20"};
  TempFolder folder;
  Vector truth;
};

TEST_F(ForecastProgram, LeavesTheSameBytesForAnyNumberOfThreads) {
  const auto bytes = [&](const char* threads) {
    const std::string out = std::string("run") + threads;
    const Outcome outcome = run(forecast + std::vector<std::string>{"--backtest", "3", "--known", "known.csv",
                                                                    "--threads", threads, "--out", out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* part : {"read  200 times of 2 series: 'wave' and 'power'", "seasonal naive", "linear AR",
                             "20 steps from 290", "verdict: ", "Wrote run"})
      EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
    EXPECT_EQ(files_of(folder.file(out)),
              (std::vector<std::string>{"backtest.csv", "config.toml", "forecast.csv", "log.jsonl",
                                        "metrics.json", "model.bochner"}));
    expect_whole_files(folder.file(out));
    return contents(folder.file(out));
  };
  const auto one = bytes("1");
  EXPECT_EQ(bytes("2"), one);
  EXPECT_EQ(bytes("7"), one);
}

TEST_F(ForecastProgram, GoesOnWithTheSeries) {
  ASSERT_EQ(run(forecast + std::vector<std::string>{"--column", "wave", "--kernel", "linear", "--dims", "4",
                                                    "--coverage", "0.5", "--out", "run", "--quiet"})
                .code,
            0);
  const Table table = read_csv(folder.file("run/forecast.csv"));
  EXPECT_EQ(table.columns, (std::vector<std::string>{"wave", "wave_lo50", "wave_hi50"}));
  EXPECT_EQ(table.ids.front(), "410");  // the times go on as they went
  EXPECT_EQ(table.ids.back(), "448");
  // The least penalty shrinks each of 20 steps by 1e-12, on every processor.
  EXPECT_LT((table.values.col(0) - truth).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_TRUE((table.values.col(1).array() <= table.values.col(0).array()).all());
  EXPECT_EQ(read_forecast(folder.file("run/model.bochner")).lags, 20);
}

TEST_F(ForecastProgram, TunesAndRepeats) {
  ASSERT_EQ(run({"forecast", "--series", "series.csv", "--column", "power", "--tune", "--backtest", "2",
                 "--lags", "6", "--steps", "10", "--out", "first", "--quiet"})
                .code,
            0);
  const Table tuning = read_csv(folder.file("first/tuning.csv"));
  EXPECT_EQ(tuning.columns, (std::vector<std::string>{"lags", "lengthscale", "dims", "rmse"}));
  const Json metrics = Json::parse(slurp(folder.file("first/metrics.json")));
  EXPECT_EQ(metrics["lags"].get<double>(), tuning.values(0, 0));
  EXPECT_NEAR(metrics["backtest"]["rmse"].get<double>(), tuning.values(0, 3), 1e-9);
  ASSERT_EQ(run({"forecast", "--config", "first/config.toml", "--out", "second", "--quiet"}).code, 0);
  EXPECT_EQ(contents(folder.file("first")), contents(folder.file("second")));
}

TEST_F(ForecastProgram, GapsAreNoted) {
  const Outcome outcome = run({"forecast", "--series", "gaps.csv", "--lags", "20", "--out", "run"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "note: 2 values are missing: windows that contain them are not used for training\n");
}

TEST_F(ForecastProgram, TimesThatAreDates) {
  const auto series = [&](const std::vector<std::string>& days) {
    std::string rows;
    for (std::size_t i = 0; i < days.size(); ++i)
      rows += days[i] + "," + std::to_string((i * i * 7) % 11) + "\n";
    folder.write("dates.csv", "day,y\n" + rows);
    return run({"forecast", "--series", "dates.csv", "--lags", "1", "--steps", "2", "--coverage", "0.5",
                "--out", "dates"});
  };
  std::vector<std::string> monthly;
  for (int m = 0; m < 36; ++m) monthly.push_back(fmt::format("{}-{:02}-01", 2001 + m / 12, 1 + m % 12));
  EXPECT_EQ(series(monthly).err, "");
  std::vector<std::string> gappy = monthly;
  gappy.erase(gappy.begin() + 5, gappy.begin() + 8);
  EXPECT_EQ(
      series(gappy).err,
      "note: times are not evenly spaced: most steps in column 'day' are 1 month, but 3 times are missing "
      "(first after '2001-05-01'), and forecasts take rows for even steps; insert the missing rows with "
      "empty cells\n");
  std::swap(gappy[9], gappy[10]);
  expect_refusal(
      series(gappy), 1,
      {"dates.csv, column 'day'", "row 11 ('2002-01-01') is earlier than row 10", "sort the rows"});
  std::vector<std::string> weekdays;  // 2024-01-01 was a Monday
  for (int d = 1; d <= 31; ++d)
    if ((d - 1) % 7 < 5) weekdays.push_back(fmt::format("2024-01-{:02}", d));
  EXPECT_EQ(series(weekdays).err, "");
  weekdays[4] = "2024-01-06";
  EXPECT_NE(series(weekdays).err.find("most steps in column 'day' are 1 day, but "), std::string::npos);
  std::vector<std::string> years;
  for (int t = 0; t < 30; ++t) years.push_back(fmt::format("{}.0", 1700 + t));
  EXPECT_EQ(series(years).code, 0);  // as pandas writes them
  years[3] = "1703.5";
  EXPECT_NE(series(years).err.find("the first column 'day' holds measurements"), std::string::npos);
}

TEST_F(ForecastProgram, ShortSeriesHaveNoWideIntervals) {
  std::string rows;
  for (int t = 0; t < 30; ++t) rows += std::to_string(t) + "," + std::to_string(t % 7) + "\n";
  folder.write("short.csv", "t,y\n" + rows);
  const Outcome outcome =
      run({"forecast", "--series", "short.csv", "--lags", "3", "--steps", "2", "--out", "run"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err,
            "note: 95 % intervals require at least 19 forecasts, but there are 5: the series is short\n");
}

TEST_F(ForecastProgram, GapsAtTheEndAreNotJudged) {
  Table table = read_csv(folder.file("series.csv"));
  table.values.bottomRows(10).setConstant(std::nan(""));
  write_csv(folder.file("end.csv"), table, "time");
  const std::vector<std::string> words{"forecast", "--series", "end.csv", "--lags", "10", "--steps", "5"};
  const Outcome some = run(words + std::vector<std::string>{"--backtest", "4", "--out", "some"});
  EXPECT_EQ(some.code, 0) << some.err;
  EXPECT_EQ(some.out.find("nan"), std::string::npos) << some.out;
  const Outcome none = run(words + std::vector<std::string>{"--backtest", "2", "--out", "none"});
  EXPECT_NE(none.out.find("all values of the backtest folds are missing"), std::string::npos) << none.out;
  expect_refusal(
      run(words + std::vector<std::string>{"--backtest", "2", "--tune", "--out", "tuned", "--quiet"}), 1,
      {"nothing was measured in the last 10 times"});
}

TEST_F(ForecastProgram, RefusesInOneMessage) {
  const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& parts) {
    expect_refusal(run(forecast + more + std::vector<std::string>{"--quiet"}), 1, parts);
  };
  refused({"--column", "wavy"}, {"series.csv", "no column 'wavy'", "did you mean 'wave'?"});
  refused({"--coverage", "90"}, {"--coverage is '90'", "between 0 and 1"});
  refused({"--features", "network"}, {"--features", "network"});
  expect_refusal(run({"forecast", "--series", "series.csv", "--lags", "195", "--quiet"}), 1,
                 {"use fewer lags"});
  refused({"--known", "series.csv"}, {"series.csv", "--known must cover both"});
  refused({"--backtest", "9"}, {"backtest", "use fewer folds"});
  refused({"--column", "wave", "--column", "wave"}, {"--column wave is given twice"});
  refused({"--coverage", "0.8", "--coverage", "0.8"}, {"--coverage 0.8 is given twice"});
  refused({"--backtest", "2", "--season", "1000"}, {"a season of 1000 times is longer than"});
  const auto series = [&](const std::string& rows) {
    folder.write("own.csv", "t,y\n" + rows);
    return run({"forecast", "--series", "own.csv", "--lags", "1", "--steps", "2", "--quiet"});
  };
  expect_refusal(series("3,1\n2,2\n1,4\n"), 1, {"own.csv", "time decreases from 3 to 2"});
  expect_refusal(series("1,1\n2,2\n4,4\n"), 1, {"own.csv", "the step from 2 to 4 differs", "missing rows"});
  expect_refusal(series("1,7\n2,7\n3,7\n"), 1, {"own.csv", "the series are constant"});
  folder.write("empty.csv", "time,a,b\n1,2,\n2,3,\n");
  expect_refusal(run({"forecast", "--series", "empty.csv", "--quiet"}), 1,
                 {"all values of column 'b' are missing"});
  ASSERT_EQ(run(forecast + std::vector<std::string>{"--out", "run", "--quiet"}).code, 0);
  expect_refusal(run({"apply", "run/model.bochner", "--view", "series.csv"}), 1,
                 {"run/model.bochner", "this is a model of 'bochner forecast'"});
}

}  // namespace

}  // namespace bochner::testing::forecast_test
