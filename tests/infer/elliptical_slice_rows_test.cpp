#include "bochner/infer/elliptical_slice_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/core/errors.hpp"
#include "bochner/infer/elliptical_bracket.hpp"
#include "bochner/infer/elliptical_slice.hpp"

namespace bochner::elliptical_slice_rows_test {
namespace {

TEST(EllipticalBracket, ShrinksTowardsTheCurrentState) {
  Rng rng(1);
  for (int start = 0; start < 200; ++start) {
    EllipticalBracket bracket(-3.5, rng);
    EXPECT_LE(bracket.level(), -3.5);
    EXPECT_TRUE(bracket.accepts(-3.5));
    EXPECT_FALSE(bracket.accepts(std::nan("")));
    double low = bracket.angle() - 2 * pi, high = bracket.angle();
    for (int i = 0; i < 60; ++i) {
      (bracket.angle() < 0 ? low : high) = bracket.angle();
      bracket.shrink(rng);
      EXPECT_GE(bracket.angle(), low);
      EXPECT_LE(bracket.angle(), high);
    }
    EXPECT_LT(std::abs(bracket.angle()), 1e-3);  // halved, on average, 60 times
  }
}

/// log N(x | y_row, 0.3^2) of each row.
Vector log_likelihoods(const std::vector<Index>& rows, MatrixIn X) {
  Vector out(X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    const double y = std::sin(double(rows[std::size_t(i)]));
    out(i) = -0.5 * (X.row(i).array() - y).square().sum() / 0.09;
  }
  return out;
}

TEST(EllipticalSliceRows, MovesAsOnePieceAfterTheOther) {
  // The twin: elliptical_slice of each piece alone, with the same random numbers.
  const std::vector<SlicePiece> pieces{{0, 1}, {1, 3}, {4, 2}, {6, 1}};
  const std::vector<Index> rows{11, 3, 4, 5, 9, 8, 2};
  const Matrix X = Rng(2).normal(7, 2), mean = Rng(3).normal(7, 2), draw = Rng(4).normal(7, 2);
  std::vector<Rng> rngs, copies;
  for (std::uint64_t p = 0; p < pieces.size(); ++p) rngs.push_back(Rng(5).split(p));
  copies = rngs;
  const Vector angle = elliptical_slice_angles(log_likelihoods, rows, pieces, X, mean, draw, rngs);
  Index rejected = 0;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const Index begin = pieces[p].begin, size = pieces[p].size;
    const std::vector<Index> own(rows.begin() + begin, rows.begin() + begin + size);
    const auto flat = [&](const Matrix& all) {
      const Matrix part = all.middleRows(begin, size);
      return Vector(Eigen::Map<const Vector>(part.data(), part.size()));
    };
    const auto log_likelihood = [&](const Vector& f) {
      return log_likelihoods(own, Eigen::Map<const Matrix>(f.data(), size, 2)).sum();
    };
    const EllipticalSliceMove alone =
        elliptical_slice(log_likelihood, flat(X), log_likelihood(flat(X)), flat(draw), flat(mean), copies[p]);
    const double a = angle(Index(p));
    const Vector together = flat(mean) + std::cos(a) * (flat(X) - flat(mean)) + std::sin(a) * flat(draw);
    EXPECT_LT((together - alone.f).cwiseAbs().maxCoeff(), 1e-14) << "piece " << p;
    EXPECT_EQ(rngs[p].uniform(), copies[p].uniform()) << "piece " << p;  // as many numbers were drawn
    rejected += alone.shrinks;
  }
  EXPECT_GT(rejected, 0);
}

TEST(EllipticalSliceRows, StaysWhereNothingElseIsPossible) {
  const Matrix X = Rng(2).normal(1, 2), draw = Rng(4).normal(1, 2);
  std::vector<Rng> rngs{Rng(5)};
  const auto only_here = [&](const std::vector<Index>&, MatrixIn Z) {
    return Vector{{Z == X ? 0.0 : -std::numeric_limits<double>::infinity()}};
  };
  EXPECT_NEAR(elliptical_slice_angles(only_here, {0}, {{0, 1}}, X, Matrix::Zero(1, 2), draw, rngs)(0), 0,
              1e-15);  // it need not be zero: X does not notice
  const auto nowhere = [](const std::vector<Index>&, MatrixIn) { return Vector{{std::nan("")}}; };
  EXPECT_THROW(elliptical_slice_angles(nowhere, {0}, {{0, 1}}, X, Matrix::Zero(1, 2), draw, rngs),
               NumericalError);
}

}  // namespace
}  // namespace bochner::elliptical_slice_rows_test
