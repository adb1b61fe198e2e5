#include "bochner/data/scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/random/rng.hpp"

namespace bochner::scaling_test {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
const double eps = std::numeric_limits<double>::epsilon();

Matrix column(std::initializer_list<double> values) {
  Matrix Y(static_cast<Index>(values.size()), 1);
  std::copy(values.begin(), values.end(), Y.data());
  return Y;
}

/// Mean and standard deviation (divisor n) of the observed entries of a column in extended precision.
std::pair<double, double> slow_moments(const Matrix& Y, Index m) {
  long double sum = 0, squares = 0;
  int count = 0;
  for (Index n = 0; n < Y.rows(); ++n)
    if (!std::isnan(Y(n, m))) sum += Y(n, m), ++count;
  const long double mean = sum / count;
  for (Index n = 0; n < Y.rows(); ++n)
    if (!std::isnan(Y(n, m))) squares += (Y(n, m) - mean) * (Y(n, m) - mean);
  return {double(mean), double(std::sqrt(squares / count))};
}

TEST(Scaling, StandardiseByHand) {
  const Scaling s = fit_scaling(column({1, nan, 3, 8}), ScalingKind::standardise);  // mean 4, variance 26 / 3
  EXPECT_DOUBLE_EQ(s.centre(0), 4);
  EXPECT_DOUBLE_EQ(s.scale(0), std::sqrt(26.0 / 3));
  EXPECT_NEAR(s.apply(column({8}))(0, 0), 4 / std::sqrt(26.0 / 3), 1e-15);
  EXPECT_TRUE(std::isnan(s.apply(column({nan}))(0, 0)));
}

TEST(Scaling, NoneAndCentre) {
  Matrix Y(3, 2);
  Y << 1, 10, 2, nan, 6, 30;
  const Scaling none = fit_scaling(Y, ScalingKind::none);
  EXPECT_EQ(none.centre, Vector::Zero(2));
  EXPECT_EQ(none.scale, Vector::Ones(2));
  const Scaling centre = fit_scaling(Y, ScalingKind::centre);
  EXPECT_EQ(centre.centre, (Vector{{3, 20}}));
  EXPECT_EQ(centre.scale, Vector::Ones(2));
}

TEST(Scaling, WholeViewGivesUnitMeanSquareAndKeepsProportions) {
  Matrix Y(4, 2);
  Y << 1, 100, 3, 300, 1, nan, 3, 200;
  const Scaling s = fit_scaling(Y, ScalingKind::whole_view);
  EXPECT_DOUBLE_EQ(s.scale(0), std::sqrt((4 * 1.0 + 2 * 100.0 * 100.0) / 7));
  EXPECT_EQ(s.scale(0), s.scale(1));
  EXPECT_EQ(s.centre, (Vector{{2, 200}}));
  const Matrix Z = s.apply(Y);
  EXPECT_NEAR(Z.array().isNaN().select(0, Z).squaredNorm() / 7, 1, 1e-14);
}

TEST(Scaling, WholeViewDoesNotCountColumnsThatDoNotVary) {
  Matrix Y(4, 5);
  Y << 1, 7, 7, 7, 100, 3, 7, 7, 7, 300, 1, 7, 7, 7, 200, 3, 7, 7, 7, 200;
  const Scaling with = fit_scaling(Y, ScalingKind::whole_view);
  EXPECT_EQ(with.scale(0),
            fit_scaling(Y(Eigen::all, std::vector<Index>{0, 4}), ScalingKind::whole_view).scale(0));
}

TEST(Scaling, ConstantColumnBecomesZeroAndComesBack) {
  for (const double value : {0.0, 0.1, -7.3e12, 1e-12, 1e-310}) {
    const Matrix Y = column({value, value, nan, value, value, value, value});
    const Scaling s = fit_scaling(Y, ScalingKind::standardise);
    EXPECT_EQ(s.centre(0), value);
    EXPECT_EQ(s.scale(0), 1);
    EXPECT_EQ(s.constant, std::vector<Index>{0});
    const Matrix Z = s.apply(Y);
    EXPECT_EQ(Z(0, 0), 0);
    EXPECT_EQ(s.undo(Z)(0, 0), value);
    EXPECT_EQ(fit_scaling(Y, ScalingKind::whole_view).scale(0), 1);
  }
}

TEST(Scaling, RoundingNoiseIsConstantAndASmallSpreadIsNot) {
  const double ulp = eps * 1.0;
  EXPECT_EQ(fit_scaling(column({1, 1 + ulp, 1}), ScalingKind::standardise).scale(0), 1);
  const Scaling s = fit_scaling(column({1, 1 + 16 * ulp, 1 + 32 * ulp}), ScalingKind::standardise);
  EXPECT_TRUE(s.constant.empty());
  EXPECT_NEAR(s.scale(0) / (16 * ulp), std::sqrt(2.0 / 3), 1e-12);
}

TEST(Scaling, SingleEntryAndUnmeasuredColumn) {
  Matrix Y(2, 3);
  Y << 5, nan, 1, nan, nan, 2;
  for (const ScalingKind kind : {ScalingKind::centre, ScalingKind::standardise, ScalingKind::whole_view}) {
    const Scaling s = fit_scaling(Y, kind);
    EXPECT_EQ(s.centre(0), 5);
    EXPECT_EQ(s.centre(1), 0);
    EXPECT_EQ(s.constant, std::vector<Index>{0});
    EXPECT_EQ(s.unmeasured, std::vector<Index>{1});
    EXPECT_TRUE((s.scale.array() > 0).all());
  }
}

TEST(Scaling, UnmeasuredViewIsLeftAlone) {
  const Scaling s = fit_scaling(Matrix::Constant(3, 2, nan), ScalingKind::whole_view);
  EXPECT_EQ(s.centre, Vector::Zero(2));
  EXPECT_EQ(s.scale, Vector::Ones(2));
}

// Any size of the values, offsets up to a million million times the spread.
TEST(Scaling, AgreesWithExtendedPrecisionAtEveryScale) {
  const Matrix unit = Rng(1).normal(200, 3);
  for (const double size : {1e-300, 1e-150, 1e-12, 1.0, 1e12, 1e150, 1e300})
    for (const double offset : {0.0, -3.0, 1e6, 1e12}) {
      if (offset * size > 1e307) continue;
      Matrix Y = (unit.array() + offset) * size;
      Y(0, 0) = Y(5, 2) = nan;
      const Scaling s = fit_scaling(Y, ScalingKind::standardise);
      for (Index m = 0; m < 3; ++m) {
        const auto [mean, sd] = slow_moments(Y, m);
        EXPECT_NEAR(s.centre(m) / size, mean / size, 4 * eps * std::max(1.0, std::abs(offset)))
            << size << " " << offset;
        EXPECT_NEAR(s.scale(m) / sd, 1, 1e-13) << size << " " << offset;
      }
      const Matrix Z = s.apply(Y);
      EXPECT_NEAR(Z.col(1).squaredNorm() / 200, 1, 1e-12 + std::pow(4 * eps * offset, 2))
          << size << " " << offset;
      const double error = ((s.undo(Z) - Y).col(1) / size).cwiseAbs().maxCoeff();
      EXPECT_LE(error, 4 * eps * std::max(4.0, std::abs(offset))) << size << " " << offset;
    }
}

TEST(Scaling, MixedExtremesInOneView) {
  Matrix Y(3, 3);
  Y << -1.7e308, 1e-12, 1e12, 1.7e308, 2e-12, 2e12, 0, 3e-12, 3e12;
  const Scaling s = fit_scaling(Y, ScalingKind::standardise);
  EXPECT_NEAR(s.scale(0) / (1.7e308 * std::sqrt(2.0 / 3)), 1, 1e-15);
  EXPECT_NEAR(s.scale(1) / 1e-12, std::sqrt(2.0 / 3), 1e-14);
  EXPECT_TRUE(s.apply(Y).allFinite());
  EXPECT_TRUE(std::isfinite(fit_scaling(Y, ScalingKind::whole_view).scale(0)));
}

TEST(Scaling, UndoesMeansDeviationsAndVariances) {
  Matrix Y(4, 2);
  Y << 1, 100, 3, 300, 2, 250, 3, 200;
  const Scaling s = fit_scaling(Y, ScalingKind::standardise);
  const Matrix sd = Matrix::Constant(1, 2, 0.5);
  EXPECT_NEAR(s.undo_sd(sd)(0, 1), 0.5 * s.scale(1), 1e-13);
  EXPECT_NEAR(s.undo_variance(sd.cwiseAbs2())(0, 1), std::pow(s.undo_sd(sd)(0, 1), 2), 1e-10);
  EXPECT_NEAR(s.undo(Matrix::Zero(1, 2))(0, 1), 212.5, 1e-12);
  // mean +- sd maps to mean +- sd
  EXPECT_NEAR(s.undo(Matrix::Constant(1, 2, 0.2 + 0.5))(0, 0) - s.undo(Matrix::Constant(1, 2, 0.2))(0, 0),
              s.undo_sd(sd)(0, 0), 1e-14);
}

TEST(Scaling, VarianceSurvivesAScaleWhoseSquareDoesNot) {
  const Scaling s{.kind = ScalingKind::standardise,
                  .centre = Vector::Zero(1),
                  .scale = Vector::Constant(1, 1e-180),
                  .constant = {},
                  .unmeasured = {}};
  EXPECT_NEAR(s.undo_variance(Matrix::Constant(1, 1, 1e80))(0, 0) / 1e-280, 1, 1e-14);
}

TEST(Scaling, AppliesToNewRowsAndChecksTheirShape) {
  const Scaling s = fit_scaling(Rng(2).normal(10, 3), ScalingKind::standardise);
  EXPECT_EQ(s.apply(Matrix::Zero(1, 3)).rows(), 1);
  EXPECT_THROW(s.apply(Matrix::Zero(1, 2)), std::invalid_argument);
  EXPECT_THROW(s.undo(Matrix::Zero(1, 2)), std::invalid_argument);
  EXPECT_THROW(s.undo_sd(Matrix::Zero(1, 4)), std::invalid_argument);
  EXPECT_THROW(s.undo_variance(Matrix::Zero(1, 4)), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::scaling_test
