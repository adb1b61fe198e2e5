#include <cmath>

#include "bayes_runs.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/tables/csv.hpp"

// Dates as --time, and times of new samples of `bochner apply`.
namespace bochner::testing::bayes_times_test {

namespace {

class BayesTimes : public ::testing::Test {
 protected:
  BayesTimes() {
    std::string monthly = "row,when,a,b\n", numbers = "row,t,site,a,b\n", meta = "row,day,where\n";
    Rng rng(1);
    for (int n = 0; n < 24; ++n) {
      const std::string cells = "," + std::to_string(std::sin(0.5 * n) + 0.1 * rng.normal()) + "," +
                                std::to_string(std::cos(0.5 * n) + 0.1 * rng.normal());
      const int month = n % 12 + 1;
      monthly += "r" + std::to_string(n) + "," + std::to_string(2018 + n / 12) + (month < 10 ? "-0" : "-") +
                 std::to_string(month) + "-01" + cells + "\n";
      numbers += "r" + std::to_string(n) + "," + std::to_string(n % 12) + "," + (n < 12 ? "north" : "south") +
                 cells + "\n";
    }
    folder.write("monthly.csv", monthly);
    folder.write("numbers.csv", numbers);
    folder.write("meta.csv", meta);
  }
  Outcome run(const std::vector<std::string>& arguments) {
    return run_program(arguments, {.folder = folder.file("")});
  }
  Outcome fit(const std::vector<std::string>& arguments) {
    return run(std::vector<std::string>{"fit", "--inference", "mcmc", "--warmup", "10", "--draws", "20",
                                        "--frequencies", "4", "--chains", "2", "--start", "pca", "--dims",
                                        "1", "--holdout", "0", "--quiet"} +
               arguments);
  }
  double sd_of(const char* folder_name) {
    return read_csv(folder.file(std::string(folder_name) + "/latent_sd.csv")).values(0, 0);
  }
  TempFolder folder;
};

TEST_F(BayesTimes, DatesGoOnWithTheCalendar) {
  const Outcome outcome = fit({"monthly.csv", "--time", "when", "--forecast", "3", "--out", "run"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Table ahead = read_csv(folder.file("run/forecast/monthly.csv"));
  EXPECT_EQ(ahead.ids, (std::vector<std::string>{"2020-01-01", "2020-02-01", "2020-03-01"}));
  const BayesFit read = read_bayes(folder.file("run/model.bochner"));
  EXPECT_TRUE(read.axis.dates);
  EXPECT_EQ(read.axis.column, "when");
  EXPECT_EQ(read.axis.time(1) - read.axis.time(0), 31);
  EXPECT_EQ(read_csv(folder.file("run/forecast_latent.csv")).values(0, 0), 18262);  // days to 2020-01-01
}

TEST_F(BayesTimes, MayBeTheIdsOfTheSamples) {
  std::string dated = "date,a,b\n";
  for (int n = 1; n <= 20; ++n)
    dated += "2020-01-" + std::string(n < 10 ? "0" : "") + std::to_string(n) + "," +
             std::to_string(std::sin(0.4 * n)) + "," + std::to_string(std::cos(0.4 * n)) + "\n";
  folder.write("dated.csv", dated);
  const Outcome outcome = fit({"dated.csv", "--time", "date", "--forecast", "2", "--out", "run"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_csv(folder.file("run/forecast/dated.csv")).ids,
            (std::vector<std::string>{"2020-01-21", "2020-01-22"}));
  folder.write("new.csv", "date,a,b\n2020-01-05T12:00,,\n");
  const Outcome applied = run({"apply", "run/model.bochner", "dated=new.csv", "--out", "new"});
  ASSERT_EQ(applied.code, 0) << applied.err;
  EXPECT_EQ(applied.err.find("without their times"), std::string::npos) << applied.err;
}

TEST_F(BayesTimes, AreRefusedInOneMessage) {
  folder.write("mixed.csv", "row,when,a,b\nr0,2020-01-01,1,2\nr1,5,2,1\nr2,2020-03-01,1,1\n");
  expect_refusal(fit({"mixed.csv", "--time", "when", "--out", "run"}), 1,
                 {"--time: sample 'r1': '5' is not a date, as that of sample 'r0' is"});
  folder.write("words.csv", "row,when,a,b\nr0,early,1,2\nr1,late,2,1\nr2,later,1,1\n");
  expect_refusal(fit({"words.csv", "--time", "when", "--out", "run"}), 1,
                 {"--time: sample 'r0': 'early' is not a number; write dates like 2020-12-31"});
}

TEST_F(BayesTimes, NewSamplesAreOnThePathOfTheirGroup) {
  const Outcome outcome = fit({"numbers.csv", "--time", "t", "--group", "site", "--out", "run"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  folder.write("new.csv", "row,t,site,a,b\nn1,3.5,north,,\n");
  const auto apply = [&](const std::vector<std::string>& more) {
    return run(std::vector<std::string>{"apply", "run/model.bochner", "numbers=new.csv"} + more);
  };
  const Outcome timed = apply({"--out", "timed"});
  ASSERT_EQ(timed.code, 0) << timed.err;
  EXPECT_EQ(timed.err.find("without their times"), std::string::npos) << timed.err;
  folder.write("new.csv", "row,a,b\nn1,,\n");
  const Outcome untimed = apply({"--out", "untimed"});
  ASSERT_EQ(untimed.code, 0) << untimed.err;
  EXPECT_NE(untimed.err.find("no column of times or groups, 't': they are embedded without their times"),
            std::string::npos)
      << untimed.err;
  EXPECT_LT(sd_of("timed"), 0.6 * sd_of("untimed"));
  // Other names, from annotations.
  folder.write("meta.csv", "row,day,where\nn1,3.5,north\n");
  const Outcome other = apply({"--meta", "meta.csv", "--time", "day", "--group", "where", "--out", "other"});
  ASSERT_EQ(other.code, 0) << other.err;
  EXPECT_EQ(slurp(folder.file("other/latent.csv")), slurp(folder.file("timed/latent.csv")));
  expect_refusal(apply({"--time", "hour", "--out", "none"}), 1, {"--time", "'hour'"});
  folder.write("meta.csv", "row,day,where\nn1,2020-01-01,north\n");
  expect_refusal(apply({"--meta", "meta.csv", "--time", "day", "--group", "where", "--out", "none"}), 1,
                 {"time of sample 'n1': '2020-01-01' is not a number, as the times of the fit are"});
}

TEST_F(BayesTimes, AreRefusedWhereTheModelHasNone) {
  ASSERT_EQ(fit({"numbers.csv", "--most-variable", "2", "--out", "run"}).code, 0);
  folder.write("new.csv", "row,t,a,b\nn1,3.5,1,0\n");
  expect_refusal(run({"apply", "run/model.bochner", "numbers=new.csv", "--time", "t", "--out", "new"}), 1,
                 {"--time: the model was fitted without times; omit the option"});
}

}  // namespace
}  // namespace bochner::testing::bayes_times_test
