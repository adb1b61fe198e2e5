#pragma once
#include <fstream>

#include "bochner/simulate/regression.hpp"
#include "bochner/tables/npy.hpp"
#include "program.hpp"
#include "run_files.hpp"

namespace bochner::testing {

using Words = std::vector<std::string>;

/// What 'regress' and 'classify' leave.
inline const Words left_behind{
    "config.toml",   "input_relevance.csv",    "kernel.json",     "log.jsonl", "metrics.json",
    "model.bochner", "partial_dependence.csv", "predictions.csv", "trace.csv"};

/// 240 rows of two inputs and two smooth outcomes with little noise, as tables of every kind:
///   x.csv (id, a, b), y.csv (id, price, size; the other way round, some holes), houses.csv (id, a, price, b),
///   flowers.csv (id, a, b, type: words), x.npy, y.npy, kind.npy (0, 2 or 10)
class RegressionTables : public ::testing::Test {
 protected:
  RegressionTables() {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const Matern kernel{.ell = Vector::Constant(2, 1.5)};
    truth = simulate_regression(kernel, {.N = N, .D = 2, .P = 2, .sorted = false, .noise_variance = 0.02},
                                Rng(3), Threads(1));
    truth.X.col(0).array() = 100 + 10 * truth.X.col(0).array();
    truth.Y.col(0).array() = 50 + 20 * truth.Y.col(0).array();
    Table x{.columns = {"a", "b"}, .values = truth.X};
    Table y{.columns = {"price", "size"}, .values = truth.Y.colwise().reverse()};
    Table houses{.columns = {"a", "price", "b"}, .values = Matrix(N, 3)};
    TextTable flowers{.columns = {"a", "b", "type"}, .cells = {{}, {}, {}}};
    Matrix kind(N, 1);
    for (Index n = 0; n < N; ++n) {
      x.ids.push_back("s" + std::to_string(n));
      y.ids.push_back("s" + std::to_string(N - 1 - n));
      if (n % 9 == 0) y.values(n, 1) = nan;
      houses.values.row(n) << truth.X(n, 0), truth.Y(n, 0), truth.X(n, 1);
      const double f = truth.F(n, 1);
      flowers.cells[0].push_back(std::to_string(truth.X(n, 0)));
      flowers.cells[1].push_back(std::to_string(truth.X(n, 1)));
      flowers.cells[2].push_back(f > 0.4 ? "rose" : f < -0.4 ? "aster" : "lily, white");
      kind(n, 0) = f > 0.4 ? 10 : f < -0.4 ? 2 : 0;
    }
    houses.ids = flowers.ids = x.ids;
    write_csv(folder.file("x.csv"), x);
    write_csv(folder.file("y.csv"), y);
    write_csv(folder.file("houses.csv"), houses);
    write_csv(folder.file("flowers.csv"), flowers);
    write_npy(folder.file("x.npy"), truth.X);
    write_npy(folder.file("y.npy"), truth.Y);
    write_npy(folder.file("kind.npy"), kind);
  }

  Outcome run(const std::vector<std::string>& arguments) {
    return run_program(arguments, {.folder = folder.file("")});
  }
  /// Must end well; what it says.
  Outcome good(const std::vector<std::string>& arguments) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }
  Json json(const std::string& file) { return Json::parse(slurp(folder.file(file))); }
  Table read(const std::string& file) { return read_csv(folder.file(file)); }
  TextTable words(const std::string& file) { return read_csv_text(folder.file(file)); }

  static constexpr Index N = 240;
  const std::vector<std::string> few{"--inducing", "20", "--steps", "200", "--batch", "64"};
  const std::vector<std::string> regress =
      std::vector<std::string>{"regress", "--x", "x.csv", "--y", "y.csv"} + few;
  TempFolder folder;
  SimulatedRegression truth;
};

}  // namespace bochner::testing
