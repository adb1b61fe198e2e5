#include "regression_tables.hpp"

namespace bochner::testing::inputs_test {

namespace {

/// rides.csv: dates, weekdays, a number with missing cells, an outcome that depends on all of them.
class RawInputs : public RegressionTables {
 protected:
  RawInputs() {
    std::string text = "date,day,temp,month,rides\n";
    const char* days[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    for (int n = 0; n < 200; ++n) {
      const int d = n % 28 + 1, month = n / 28 + 1;
      const double temp = std::sin(7.0 * n);
      const bool lacks = n % 11 == 3;
      text += "2015-0" + std::to_string(month) + "-" + (d < 10 ? "0" : "") + std::to_string(d) + "," +
              days[n % 7] + "," + (lacks ? "NA" : std::to_string(temp)) + "," + std::to_string(month) + "," +
              std::to_string(20 + 0.1 * n + (n % 7 == 2 ? 9 : 0) + (lacks ? 4 : 3 * temp)) + "\n";
    }
    folder.write("rides.csv", text);
  }
  Words learn(const std::string& out, const Words& more = {}) {
    return Words{"regress", "rides.csv", "--y", "rides.csv:rides", "--out", out} + few + more;
  }
};

TEST_F(RawInputs, AreEncodedAndSaid) {
  const Outcome outcome = good(learn("run", {"--categorical", "month"}));
  EXPECT_NE(
      outcome.err.find("categories: 'day' (7 levels), 'month' (8 levels); dates, as days since 1970-01-01: "
                       "'date'; missing values, which have an indicator column of their own: 'temp'"),
      std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.out.find("the inputs 'date', 'day', 'temp' and 'month'"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("relevance of inputs: "), std::string::npos) << outcome.out;
  const Json inputs = json("run/kernel.json")["inputs"];
  EXPECT_EQ(inputs[0], "date");
  EXPECT_EQ(inputs[1], "day=Fri");
  EXPECT_EQ(inputs.size(), 1u + 7 + 2 + 8);
  EXPECT_EQ(read("run/input_relevance.csv").ids, (Words{"date", "day", "temp", "month"}));
  const TextTable dependence = words("run/partial_dependence.csv");
  EXPECT_EQ(dependence.columns, (Words{"input", "value", "rides_mean"}));
  EXPECT_EQ(std::count(dependence.column("value").begin(), dependence.column("value").end(), "Sat"), 1);
}

TEST_F(RawInputs, AreEncodedAlikeByPredict) {
  good(learn("run"));
  folder.write("new.csv",
               "temp,rides,day,note,month,date\n0.5,31,Sat,sunny,3,2015-03-14\n,30,Holiday,?,3,2015-03-15\n");
  const Outcome outcome = good({"predict", "run/model.bochner", "new.csv", "--out", "new"});
  EXPECT_NE(outcome.err.find("'day': 1 row is of no level that the model knows ('Holiday')"),
            std::string::npos)
      << outcome.err;
  EXPECT_TRUE(read("new/predictions.csv").values.allFinite());
  folder.write("short.csv", "temp,day,month\n0.5,Sat,3\n");
  expect_refusal(run({"predict", "run/model.bochner", "short.csv", "--out", "x"}), 1,
                 {"short.csv", "'date'"});
  folder.write("bad.csv", "temp,day,month,date\n0.5,Sat,3,14.3.2015\n");
  expect_refusal(run({"predict", "run/model.bochner", "bad.csv", "--out", "x"}), 1,
                 {"bad.csv", "row 1", "'date'", "2020-12-31"});
}

// A held-out row gets from `predict` the bytes that the run wrote for it.
TEST_F(RawInputs, OfTheRunPredictTheSame) {
  good(learn("run"));
  good({"predict", "run/model.bochner", "rides.csv", "--out", "again"});
  const Table held = read("run/predictions.csv"), all = read("again/predictions.csv");
  for (Index n = 0; n < held.rows(); ++n)
    EXPECT_EQ(held.values(n, 1), all.values(std::stol(held.ids[static_cast<std::size_t>(n)]), 0));
}

TEST_F(RawInputs, MayBeDropped) {
  good(learn("run", {"--drop", "date,month"}));
  EXPECT_EQ(read("run/input_relevance.csv").ids, (Words{"day", "temp"}));
  expect_refusal(run(learn("x", {"--drop", "moth"})), 1, {"--drop", "'moth'", "'month'"});
  expect_refusal(run(learn("x", {"--categorical", "moth"})), 1, {"--categorical", "'moth'", "'month'"});
}

TEST_F(RawInputs, ThatAreNeitherAreRefused) {
  folder.write("rides.csv", "a,b,rides\n1,x,3\n2,y,4\n<3,x,5\n4,y,6\n5,x,7\n");
  expect_refusal(run(learn("x")), 1, {"rides.csv", "row 3", "'a'", "'<3'", "--categorical a"});
}

TEST_F(RawInputs, OfArraysMayHaveMissingValues) {
  Matrix X = truth.X;
  for (Index n = 0; n < N; n += 7) X(n, 1) = std::numeric_limits<double>::quiet_NaN();
  write_npy(folder.file("holes.npy"), X);
  const Words start{"regress", "holes.npy", "--y", "y.npy", "--out"};
  good(start + Words{"whole"} + few);
  good(start + Words{"blocks", "--memory", "0"} + few);
  EXPECT_EQ(json("whole/kernel.json")["inputs"], (Words{"x_0", "x_1", "x_1 missing"}));
  EXPECT_EQ(json("blocks/kernel.json")["inputs"], (Words{"x_0", "x_1", "x_1 missing"}));
  good({"predict", "blocks/model.bochner", "holes.npy", "--out", "new"});
  EXPECT_TRUE(read("new/predictions.csv").values.allFinite());
}

TEST_F(RawInputs, PredictQuantilesAndIntervals) {
  folder.write("counts.csv", "a,n\n1,3\n2,4\n3,9\n4,7\n5,12\n6,14\n7,13\n8,20\n");
  good(Words{"regress", "counts.csv", "--y", "counts.csv:n", "--likelihood", "poisson", "--test", "0",
             "--out", "counts"} +
       few);
  good({"predict", "counts/model.bochner", "counts.csv", "--interval", "0.5", "--quantiles", "0.9,0.25,0.75",
        "--out", "new"});
  const Table p = read("new/predictions.csv");
  EXPECT_EQ(p.columns, (Words{"n_mean", "n_f_mean", "n_f_sd", "n_y_sd", "n_lo", "n_hi", "n_q0.25", "n_q0.75",
                              "n_q0.9"}));
  EXPECT_EQ(p.values.col(4), p.values.col(6));
  EXPECT_EQ(p.values.col(5), p.values.col(7));
  EXPECT_TRUE((p.values.col(8).array() >= p.values.col(7).array()).all());
  expect_refusal(run({"predict", "counts/model.bochner", "counts.csv", "--quantiles", "0.5,1", "--out", "x"}),
                 1, {"--quantiles", "between 0 and 1"});
}

TEST_F(RawInputs, ProbabilitiesHaveIntervalsWhereAsked) {
  good(Words{"classify", "x.npy", "--y", "kind.npy", "--out", "run"} + few);
  good({"predict", "run/model.bochner", "x.npy", "--interval", "0.8", "--out", "new"});
  const TextTable p = words("new/predictions.csv");
  EXPECT_EQ(p.columns, (Words{"class", "p_0", "p_2", "p_10", "p_0_lo", "p_0_hi", "p_2_lo", "p_2_hi",
                              "p_10_lo", "p_10_hi"}));
  const Vector low = p.numbers("p_2_lo"), high = p.numbers("p_2_hi");
  EXPECT_TRUE((low.array() < high.array()).all());
}

}  // namespace

}  // namespace bochner::testing::inputs_test
