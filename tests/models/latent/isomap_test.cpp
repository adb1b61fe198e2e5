#include "bochner/models/latent/isomap.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bochner/assess/procrustes.hpp"
#include "tests/support/portable_uniform.hpp"

namespace bochner::isomap_test {
namespace {

/// Ranks 0 .. n-1.
Vector ranks(const Vector& x) {
  std::vector<Index> order(static_cast<std::size_t>(x.size()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return x(a) < x(b); });
  Vector out(x.size());
  for (std::size_t i = 0; i < order.size(); ++i) out(order[i]) = double(i);
  return out;
}

double correlation(Vector a, Vector b) {
  a.array() -= a.mean();
  b.array() -= b.mean();
  return a.dot(b) / (a.norm() * b.norm());
}

double rank_correlation(const Vector& a, const Vector& b) { return correlation(ranks(a), ranks(b)); }

/// A strip 4 wide and 14 long, rolled up once with a gap of 2.5 between its ends: (arc length, height), and in space.
struct Roll {
  Matrix flat, space;
  explicit Roll(Index N) : flat(N, 2), space(N, 3) {
    Rng rng(1);
    // radius 1 + gap a / (2 pi) at angle a; the arc length is summed along the way
    const double growth = 2.5 / (2 * pi);
    Vector angle = 2 * pi * rng.uniform(N).array();
    std::sort(angle.begin(), angle.end());
    for (Index n = 0; n < N; ++n) {
      const auto speed = [&](double a) { return std::hypot(1 + growth * a, growth); };
      double length = 0;  // Simpson
      const double h = angle(n) / 200;
      for (int i = 0; i < 100; ++i)
        length += h / 3 * (speed(2 * i * h) + 4 * speed((2 * i + 1) * h) + speed((2 * i + 2) * h));
      const double height = 4 * rng.uniform(), radius = 1 + growth * angle(n);
      flat.row(n) << length, height;
      space.row(n) << radius * std::cos(angle(n)), height, radius * std::sin(angle(n));
    }
  }
};

double relative_misfit(const Matrix& X, const Matrix& truth) {
  const Matrix fitted = procrustes(X, truth).apply(X);
  return (fitted - truth).norm() / (truth.rowwise() - truth.colwise().mean()).norm();
}

TEST(Isomap, UnrollsASheet) {
  const Roll roll(600);
  const Matrix X = isomap(roll.space, {.dims = 2, .neighbours = 0.02, .landmarks = 600}, Rng(2), Threads(1));
  ASSERT_EQ(X.rows(), 600);
  ASSERT_EQ(X.cols(), 2);
  EXPECT_GT(std::abs(rank_correlation(X.col(0), roll.flat.col(0))), 0.999);
  EXPECT_GT(std::abs(rank_correlation(X.col(1), roll.flat.col(1))), 0.95);
  EXPECT_LT(relative_misfit(X, roll.flat), 0.1);  // in the units of the sheet: lengths are kept
  // straight lines through space see a spiral
  const Matrix straight =
      isomap(roll.space, {.dims = 2, .neighbours = 1, .landmarks = 600}, Rng(2), Threads(1));
  EXPECT_GT(relative_misfit(straight, roll.flat), 0.4);
}

TEST(Isomap, AgreesWithScikitLearn) {
  // Y = Lcg(7).matrix(40, 3) of portable_uniform.hpp;
  // Isomap(n_neighbors=6, n_components=2, eigen_solver="dense").fit(Y) of scikit-learn 1.9.1, the entry of each column
  // that is largest in size made positive
  const Matrix Y = testing::PortableUniform(7).matrix(40, 3);
  const Matrix X = isomap(Y, {.neighbours = 6.0 / 40}, Rng(1), Threads(1));
  const Matrix expected{{-0.421889485051115, -0.227245797063292},
                        {-0.297859659468249, -0.271063482713364},
                        {0.492231307494321, -0.358091580401142},
                        {0.415575326551572, -0.546677433634529}};
  EXPECT_LT((X.topRows(4) - expected).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(X.col(0).squaredNorm(), 6.267513583775473, 1e-6);
  EXPECT_NEAR(X.col(1).squaredNorm(), 4.712438825593229, 1e-6);
}

TEST(Isomap, FewLandmarksAgreeWithMany) {
  const Roll roll(600);
  const Matrix all = isomap(roll.space, {.neighbours = 0.04, .landmarks = 600}, Rng(2), Threads(1));
  const Matrix some = isomap(roll.space, {.neighbours = 0.04, .landmarks = 250}, Rng(2), Threads(1));
  EXPECT_LT(relative_misfit(some, all), 0.1);
  EXPECT_GT(std::abs(rank_correlation(some.col(0), roll.flat.col(0))), 0.998);
}

TEST(Isomap, WithAllNeighboursIsClassicalScaling) {
  // a plane in five dimensions, away from the origin
  const Matrix plane = Rng(3).normal(60, 2) * Vector{{3.0, 1.0}}.asDiagonal();
  const Matrix turn =
      Eigen::HouseholderQR<Eigen::MatrixXd>(Eigen::MatrixXd(Rng(4).normal(5, 5))).householderQ() *
      Eigen::MatrixXd::Identity(5, 2);
  const Matrix Y = (plane * turn.transpose()).rowwise() + Eigen::RowVectorXd::LinSpaced(5, -10, 20);
  for (const Index landmarks : {60, 25}) {  // exact for the other rows too: distances are straight
    const Matrix X = isomap(Y, {.neighbours = 1, .landmarks = landmarks}, Rng(5), Threads(1));
    EXPECT_LT(relative_misfit(X, plane), 1e-6) << landmarks;
  }
}

TEST(Isomap, WithAllNeighboursGivesPrincipalComponents) {
  Matrix Y = Rng(6).normal(40, 4) * Vector{{4.0, 2.5, 1.0, 0.5}}.asDiagonal();
  const Matrix X = isomap(Y, {.neighbours = 1}, Rng(5), Threads(1));
  Y.rowwise() -= Y.colwise().mean().eval();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Eigen::MatrixXd(Y), Eigen::ComputeThinU);
  for (Index q = 0; q < 2; ++q) {
    const Vector scores = svd.matrixU().col(q) * svd.singularValues()(q);
    const double sign = scores.dot(X.col(q)) > 0 ? 1 : -1;
    EXPECT_LT((X.col(q) - sign * scores).norm(), 1e-6 * scores.norm());
  }
}

TEST(Isomap, JoinsPartsAtTheirClosestRows) {
  // three clusters on a line, far more apart than they are wide
  Matrix Y = 0.3 * Rng(7).normal(90, 3);
  Y.middleRows(30, 30).col(0).array() += 20;
  Y.bottomRows(30).col(0).array() += 50;
  for (const Index landmarks : {90, 60}) {
    const Matrix X = isomap(Y, {.neighbours = 0.05, .landmarks = landmarks}, Rng(8), Threads(1));
    ASSERT_TRUE(X.allFinite());
    const double a = X.topRows(30).col(0).mean(), b = X.middleRows(30, 30).col(0).mean(),
                 c = X.bottomRows(30).col(0).mean();
    EXPECT_NEAR(std::abs(b - a), 20, 2) << landmarks;
    EXPECT_NEAR(std::abs(c - b), 30, 2) << landmarks;
    EXPECT_NEAR(std::abs(c - a), 50, 3) << landmarks;
  }
}

TEST(Isomap, DuplicateRowsLandTogether) {
  Matrix Y = Rng(9).normal(40, 3);
  Y.bottomRows(20) = Y.topRows(20);
  const Matrix X = isomap(Y, {.neighbours = 0.3}, Rng(8), Threads(1));
  ASSERT_TRUE(X.allFinite());
  EXPECT_LT((X.topRows(20) - X.bottomRows(20)).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Isomap, FewerDimensionsInTheDataThanAskedFor) {
  Matrix line(50, 3);
  for (Index n = 0; n < 50; ++n) line.row(n) << double(n), 2.0 * double(n), -double(n);
  for (const Index landmarks : {50, 20}) {
    const Matrix X = isomap(line, {.dims = 2, .landmarks = landmarks}, Rng(8), Threads(1));
    ASSERT_TRUE(X.allFinite());
    EXPECT_NEAR(std::abs(X(49, 0) - X(0, 0)), 49 * std::sqrt(6.0), 0.1) << landmarks;
    EXPECT_LT(X.col(1).cwiseAbs().maxCoeff(), 0.01) << landmarks;
  }
  EXPECT_TRUE(isomap(Matrix::Constant(10, 2, 3.0), {}, Rng(8), Threads(1)).isZero(1e-6));
}

TEST(Isomap, SameBytesWhateverTheThreads) {
  const Roll roll(300);
  for (const Index landmarks : {300, 130}) {
    const Matrix one = isomap(roll.space, {.landmarks = landmarks}, Rng(2), Threads(1));
    for (const int threads : {2, 7})
      EXPECT_EQ(one, isomap(roll.space, {.landmarks = landmarks}, Rng(2), Threads(threads)));
  }
  EXPECT_NE(isomap(roll.space, {.landmarks = 130}, Rng(2), Threads(1)),
            isomap(roll.space, {.landmarks = 130}, Rng(3), Threads(1)));
}

TEST(Isomap, Refusals) {
  Matrix Y = Rng(9).normal(10, 3);
  const Threads threads(1);
  EXPECT_THROW(isomap(Y, {.dims = 0}, Rng(1), threads), std::logic_error);
  EXPECT_THROW(isomap(Y, {.neighbours = 1.5}, Rng(1), threads), std::logic_error);
  EXPECT_THROW(isomap(Y, {.neighbours = -0.1}, Rng(1), threads), std::logic_error);
  EXPECT_THROW(isomap(Y, {.dims = 3, .landmarks = 3}, Rng(1), threads), std::logic_error);
  EXPECT_THROW(isomap(Y.topRows(2), {.dims = 2}, Rng(1), threads), std::logic_error);
  Y(4, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(isomap(Y, {}, Rng(1), threads), std::logic_error);
  Y(4, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(isomap(Y, {}, Rng(1), threads), std::logic_error);
}

}  // namespace
}  // namespace bochner::isomap_test
