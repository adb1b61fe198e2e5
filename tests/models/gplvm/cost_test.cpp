#include "bochner/models/gplvm/cost.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "examples.hpp"

namespace bochner::cost_test {
namespace {

using Kind = FeatureSpec::Kind;

TableShape shape(Index rows, Index views, Index columns) {
  return {.rows = rows, .columns = std::vector<Index>(std::size_t(views), columns)};
}

FeatureSpec automatic(const TableShape& s, const GplvmViewOptions& view = {}) {
  return resolve({}, s, std::vector<GplvmViewOptions>(s.columns.size(), view));
}

TEST(ShapeOf, CountsRowsAndColumns) {
  const TableShape s = shape_of(testing::two_tables(1, 12, 5).data);
  EXPECT_EQ(s.rows, 12);
  EXPECT_EQ(s.columns, (std::vector<Index>{5, 8}));
}

TEST(Resolve, IsExactForSmallTables) {
  for (const TableShape& s : {shape(3, 1, 1), shape(100, 1, 50), shape(600, 1, 100), shape(1000, 1, 100),
                              shape(500, 6, 300), shape(200, 3, 5000)}) {
    EXPECT_EQ(automatic(s).kind, Kind::exact) << s.rows << " x " << s.columns[0];
    EXPECT_EQ(automatic(s, {.kernel = "rbf"}).kind, Kind::exact);
  }
}

TEST(Resolve, IsNystromWhereAStepWouldTakeLong) {
  for (const TableShape& s :
       {shape(1200, 5, 2000), shape(5000, 1, 10), shape(70000, 1, 100), shape(900, 10, 900)}) {
    const FeatureSpec f = automatic(s);
    EXPECT_EQ(f.kind, Kind::nystrom) << s.rows;
    EXPECT_GE(f.count, 100) << s.rows;
    EXPECT_LE(f.count, 500) << s.rows;
  }
  // What the header says: about 1,100 samples of one view, 600 of six.
  for (const auto& [views, limit] : {std::pair<Index, Index>{1, 1100}, {6, 600}}) {
    EXPECT_EQ(automatic(shape(limit * 7 / 10, views, 1000)).kind, Kind::exact) << views;
    EXPECT_EQ(automatic(shape(limit * 14 / 10, views, 1000)).kind, Kind::nystrom) << views;
  }
}

TEST(Resolve, NeverGoesBackToExactWithMoreOfAnything) {
  for (const char* kernel : {"rbf", "sm", "ngsm", "matern32"})
    for (const Index views : {1, 2, 5})
      for (const Index columns : {3, 200, 3000}) {
        bool exact = true;
        Index count = 501;
        for (Index rows = 50; rows < 60000; rows = rows * 5 / 4) {
          const FeatureSpec f = automatic(shape(rows, views, columns), {.kernel = kernel});
          if (f.kind == Kind::exact) {
            EXPECT_TRUE(exact) << rows;
            continue;
          }
          exact = false;
          EXPECT_LE(f.count, std::max<Index>(count, 100))
              << "fewer inducing latents for more samples, " << rows;
          EXPECT_GE(f.count, 100);
          count = f.count;
        }
        EXPECT_FALSE(exact);
      }
}

TEST(Resolve, FillsInWhatWasNotAskedForAlone) {
  const std::vector<GplvmViewOptions> views{{}};
  const TableShape s = shape(5000, 1, 30), few = shape(50, 1, 30);
  EXPECT_EQ(resolve({.kind = Kind::random, .count = 7}, s, views).count, 7);
  EXPECT_EQ(resolve({.kind = Kind::nystrom, .count = 7}, s, views).count, 7);
  EXPECT_EQ(resolve({.kind = Kind::nystrom, .count = 900}, s, views).count, 900) << "asked for";
  EXPECT_EQ(resolve({.kind = Kind::nystrom, .count = 900}, few, views).count, 50) << "one for each sample";
  EXPECT_GT(resolve({.kind = Kind::nystrom}, few, views).count, 0);
  EXPECT_LE(resolve({.kind = Kind::nystrom}, few, views).count, 50);
  EXPECT_EQ(resolve({.kind = Kind::exact}, s, views).kind, Kind::exact);
  const FeatureSpec random = resolve({.kind = Kind::random}, s, views);
  EXPECT_EQ(random.kind, Kind::random);
  EXPECT_EQ(random.count, 150) << "300 frequencies over two components";
  EXPECT_EQ(resolve({.kind = Kind::random}, s, {{.kernel = "rbf"}}).count, 300);
}

TEST(Restarts, AreTheMoreTheCheaperAStepIs) {
  EXPECT_EQ(resolve_restarts({}, {250, {12}}), 6);
  EXPECT_EQ(resolve_restarts({}, {1000, {12}}), 2);
  EXPECT_EQ(resolve_restarts({}, {1000, {784}}), 1);
  EXPECT_EQ(resolve_restarts({}, {100000, {5}}), 1);
  EXPECT_GT(resolve_restarts({}, {250, {60, 60}}), resolve_restarts({}, {500, {60, 60}}));
  EXPECT_EQ(resolve_restarts({.view = {.kernel = "rbf"}}, {250, {12}}), 3) << "one way for each first guess";
  EXPECT_EQ(resolve_restarts({.dims = 5}, {250, {12}}), 2) << "one first guess, two ways";
  EXPECT_EQ(resolve_restarts({.race = false}, {100, {12}}), 1);
  EXPECT_EQ(resolve_restarts({.restarts = 5}, {5000, {784}}), 5);
}

TEST(Sketch, IsNeverDearerThanTheFeatures) {
  for (const Index rows : {100, 400, 401, 3000})
    for (const FeatureSpec& features : {FeatureSpec{.kind = Kind::exact},
                                        {.kind = Kind::nystrom, .count = 400},
                                        {.kind = Kind::nystrom, .count = 60}}) {
      const FeatureSpec sketch = sketch_of(features, rows);
      const auto cost = [&](const FeatureSpec& f) {
        return gplvm_operations(shape(rows, 1, 50), {.features = f, .race = false, .restarts = 1});
      };
      if (rows <= 400) {
        EXPECT_EQ(to_text(sketch), to_text(features));
      }
      EXPECT_LE(cost(sketch), cost(features)) << rows << " " << to_text(features);
    }
}

/// Operations of a fit whose features and starts are fixed, so that nothing but the sizes changes.
double operations(Index rows, Index views, Index columns, Index steps, Index restarts,
                  const FeatureSpec& features, bool race = true) {
  return gplvm_operations(shape(rows, views, columns),
                          {.features = features, .steps = steps, .race = race, .restarts = restarts});
}

// [yang2025, Theorem 4] with its own letters: L features of each of Q components, weights alpha.
TEST(FeatureError, IsWhereTheTheoremLeavesOneInTwenty) {
  for (const Index count : {20, 50, 400})
    for (const Index Q : {1, 2, 5}) {
      const double N = 1000, alpha = 0.7, L = 2.0 * double(count), sum = double(Q) * alpha;
      const double C = alpha * std::sqrt(double(Q)), K = N * sum;
      const double eps = feature_error(1000, count, Q) * K;
      EXPECT_NEAR(N * std::exp(-3 * eps * eps * L /
                               (2 * N * C * (6 * K + 3 * N * C * std::sqrt(double(Q)) + 8 * eps))),
                  0.05, 1e-9);
    }
}

TEST(GplvmOperations, GrowWithEverySize) {
  for (const FeatureSpec& f :
       {FeatureSpec{.kind = Kind::nystrom, .count = 100}, {.kind = Kind::random, .count = 50}}) {
    const double base = operations(300, 2, 40, 500, 1, f);
    EXPECT_GT(base, 0);
    EXPECT_GT(operations(390, 2, 40, 500, 1, f), base) << to_text(f);
    EXPECT_GT(operations(3000, 2, 40, 500, 1, f), operations(390, 2, 40, 500, 1, f)) << to_text(f);
    EXPECT_GT(operations(300, 3, 40, 500, 1, f), base) << to_text(f);
    EXPECT_GT(operations(300, 2, 60, 500, 1, f), base) << to_text(f);
    EXPECT_GT(operations(300, 2, 40, 900, 1, f), base) << to_text(f);
    EXPECT_GT(operations(300, 2, 40, 500, 2, f), base) << to_text(f);
    EXPECT_LT(operations(300, 2, 40, 500, 1, f, false), base) << to_text(f);
  }
  const FeatureSpec exact{.kind = Kind::exact};
  for (const auto& [few, many] : {std::pair<Index, Index>{50, 100}, {300, 390}, {500, 1000}, {1000, 4000}})
    EXPECT_GT(operations(many, 1, 40, 500, 1, exact), operations(few, 1, 40, 500, 1, exact));
}

TEST(GplvmOperations, AreProportionalToStepsAndStarts) {
  const FeatureSpec f{.kind = Kind::nystrom, .count = 100};
  const double one = operations(300, 1, 40, 300, 1, f, false);  // one view: no predictors of absent ones
  EXPECT_NEAR(operations(300, 1, 40, 900, 1, f, false), 3 * one, 1e-9 * one);
  EXPECT_NEAR(operations(300, 1, 40, 300, 4, f, false), 4 * one, 1e-9 * one);
  EXPECT_EQ(operations(300, 1, 40, 2500, 1, f, false), operations(300, 1, 40, 1000, 1, f, false))
      << "fits rarely take more steps";
  // The Cholesky factor of an exact fit: eight times for twice the samples.
  const FeatureSpec exact{.kind = Kind::exact};
  const double small = operations(40000, 1, 3, 100, 1, exact, false),
               large = operations(80000, 1, 3, 100, 1, exact, false);
  EXPECT_GT(large, 7 * small);
  EXPECT_LT(large, 8.1 * small);
}

TEST(OperationsPerSecond, IsANumberThatAMachineCouldHave) {
  const double speed = operations_per_second(Threads(1));
  EXPECT_GT(speed, 1e7);
  EXPECT_LT(speed, 1e13);
}

}  // namespace
}  // namespace bochner::cost_test
