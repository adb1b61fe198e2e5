#include "bochner/data/fills.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "bochner/data/view.hpp"
#include "tests/support/portable_uniform.hpp"

namespace bochner::fills_test {
namespace {

using testing::PortableUniform;
const double nan = std::numeric_limits<double>::quiet_NaN();

Matrix with_missing(Matrix Y, const Matrix& uniform, double share) {
  return (uniform.array() < share).select(nan, Y);
}

/// The fills in row order.
std::vector<double> at_missing(const Matrix& Y, const Matrix& filled) {
  std::vector<double> out;
  for (Index i = 0; i < Y.size(); ++i)
    if (std::isnan(Y.data()[i])) out.push_back(filled.data()[i]);
  return out;
}

void expect_only_missing_changed(const Matrix& Y, const Matrix& filled) {
  EXPECT_TRUE(filled.allFinite());
  EXPECT_TRUE((Y.array().isNaN() || Y.array() == filled.array()).all());
}

TEST(Fills, ColumnMeans) {
  Matrix Y(3, 3);
  Y << 1, nan, nan, 3, 4, nan, nan, 6, nan;
  Matrix expected(3, 3);
  expected << 1, 5, 0, 3, 4, 0, 2, 6, 0;
  EXPECT_EQ(fill_column_means(Y), expected);
}

// sklearn.impute.KNNImputer(n_neighbors=k).fit_transform(Y), scikit-learn 1.9.1:
//     g = Lcg(13); Y = g.matrix(12, 4); H = g.matrix(12, 4) < 0.3; Y[H] = nan
TEST(Fills, NeighboursEqualScikitLearn) {
  PortableUniform g(13);
  const Matrix full = g.matrix(12, 4), Y = with_missing(full, g.matrix(12, 4), 0.3);
  const std::vector<double> one{0.693607768366862,   0.14058683679466455, 0.7199457216635093,
                                0.15383540799554224, 0.04700403150497192, 0.9316047764996089,
                                0.6522631857787553,  0.9840567000136043,  0.6946857141771753,
                                0.49993041926060355, 0.15383540799554224, 0.40096635669514835};
  const std::vector<double> three{0.4687578899174733,  0.4121042063516119, 0.8351919921899799,
                                  0.45169365489158175, 0.5495883413666184, 0.5145080240976568,
                                  0.40151038970868586, 0.596718431262634,  0.5197741464648585,
                                  0.7005638039518289,  0.3637225539565036, 0.6610807427179134};
  const auto near = [](const std::vector<double>& a, const std::vector<double>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-14) << i;
  };
  near(at_missing(Y, fill_neighbours(Y, 1)), one);
  near(at_missing(Y, fill_neighbours(Y, 3)), three);
  expect_only_missing_changed(Y, fill_neighbours(Y, 3));
}

TEST(Fills, NeighboursFallBackToTheColumnMean) {
  Matrix Y(3, 3);
  Y << 1, nan, nan, nan, 2, 4, nan, 4, nan;  // row 0 has no column in common with any other
  const Matrix filled = fill_neighbours(Y, 1);
  EXPECT_EQ(filled(0, 1), 3);
  EXPECT_EQ(filled(0, 2), 4);
  EXPECT_EQ(filled(1, 0), 1);
  EXPECT_EQ(filled(2, 2), 4);
}

TEST(Fills, NeighboursDoNotDependOnTheThreads) {
  Rng rng(3);
  const Matrix Y = with_missing(rng.normal(90, 7), rng.normal(90, 7), 0.0);
  EXPECT_EQ(fill_neighbours(Y, 4, Threads(1)), fill_neighbours(Y, 4, Threads(3)));
}

// Fixed point of missMDA's regularised iteration, run in numpy with a full SVD until it stood still (2009
// iterations):
//     g = Lcg(14); A = g.matrix(25, 2) - 0.5; B = g.matrix(2, 6) - 0.5
//     Y = A @ B + 0.02 * (g.matrix(25, 6) - 0.5) + 1; H = g.matrix(25, 6) < 0.2; Y[H] = nan
TEST(Fills, LowRankReachesTheFixedPointOfTheRegularisedIteration) {
  PortableUniform g(14);
  const Matrix A = g.matrix(25, 2).array() - 0.5, B = g.matrix(2, 6).array() - 0.5;
  const Matrix full = (A * B).array() + 0.02 * (g.matrix(25, 6).array() - 0.5) + 1;
  const Matrix Y = with_missing(full, g.matrix(25, 6), 0.2);
  const Matrix filled = fill_low_rank(Y, {.rank = 2, .max_iterations = 10000, .tolerance = 1e-13}, Rng(1));
  const std::vector<double> fills = at_missing(Y, filled);
  const std::array<double, 6> expected{1.0649533273580403, 0.9854778888969622, 1.0462649194449005,
                                       1.0633755434601582, 0.9022794290207019, 0.9163553460460687};
  ASSERT_EQ(fills.size(), 27u);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(fills[i], expected[i], 1e-9) << i;
  double sum = 0;
  for (const double fill : fills) sum += fill;
  EXPECT_NEAR(sum, 27.034958335636997, 1e-8);
  expect_only_missing_changed(Y, filled);
}

TEST(Fills, LowRankTableIsRecovered) {
  Rng rng(5);
  const Matrix full = (rng.normal(80, 3) * rng.normal(3, 20)).rowwise() + rng.normal(1, 20).row(0);
  Matrix U(80, 20);
  for (Index i = 0; i < U.size(); ++i) U.data()[i] = rng.uniform();
  const Matrix Y = with_missing(full, U, 0.3);
  const Matrix filled = fill_low_rank(Y, {.rank = 3, .max_iterations = 5000, .tolerance = 1e-10}, rng);
  EXPECT_LT((filled - full).norm() / full.norm(), 1e-6);
}

// The point of the shrinkage: at the right rank, with noise and half of the table missing, the fills beat the
// mean.
TEST(Fills, LowRankBeatsTheMeanUnderNoise) {
  Rng rng(6);
  const Matrix signal = rng.normal(100, 2) * rng.normal(2, 15), full = signal + 0.5 * rng.normal(100, 15);
  Matrix U(100, 15);
  for (Index i = 0; i < U.size(); ++i) U.data()[i] = rng.uniform();
  const Matrix Y = with_missing(full, U, 0.5);
  const auto error = [&](const Matrix& filled) { return (filled - full).norm(); };
  EXPECT_LT(error(fill_low_rank(Y, {.rank = 2}, rng)), 0.6 * error(fill_column_means(Y)));
}

TEST(Fills, PathologicalTablesAreFilled) {
  Rng rng(7);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng r(seed);
    const Index rows = 1 + r.below(8), cols = 1 + r.below(8);
    Matrix U(rows, cols);
    for (Index i = 0; i < U.size(); ++i) U.data()[i] = r.uniform();
    Matrix Y = with_missing(r.normal(rows, cols), U, r.uniform());
    if (seed % 3 == 0) Y.col(0).setConstant(nan);
    if (seed % 5 == 0) Y.row(0).setConstant(nan);
    if (seed % 7 == 0) Y = Y.array().isNaN().select(Y, 4.0);  // constant
    SCOPED_TRACE(seed);
    expect_only_missing_changed(Y, fill_column_means(Y));
    expect_only_missing_changed(Y, fill_neighbours(Y, 1 + r.below(4)));
    expect_only_missing_changed(Y, fill_low_rank(Y, {.rank = 1 + r.below(5)}, rng));
  }
  EXPECT_THROW(fill_neighbours(Matrix::Zero(2, 2), 0), std::invalid_argument);
  EXPECT_THROW(fill_low_rank(Matrix::Zero(2, 2), {.rank = 0}, rng), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::fills_test
