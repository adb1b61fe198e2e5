#include "bochner/random/polya_gamma_density.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "bochner/core/types.hpp"

namespace bochner::detail::polya_gamma_density_test {
namespace {

// The factor S of the Polya-gamma density and its slope, from the series in mpmath with 200 digits.
TEST(PolyaGammaDensity, SeriesGivesTheFactorAndItsSlope) {
  struct {
    double b, x, value, slope;
  } const cases[] = {
      {0.01, 0.02, 1.0, -1.3891359902150223e-40},
      {0.01, 1.5, 0.48669483499868348, -0.43544939513072724},
      {0.3, 0.1, 0.9999999999882491, -3.0552352387818729e-9},
      {0.3, 1, 0.82945316733148344, -0.44155802703574988},
      {0.3, 4, 0.05790166344764633, -0.060176514725596092},
      {1, 0.5, 0.99899361230504919, -0.016102197078997663},
      {1, 1, 0.94508380413130472, -0.21941902026583498},
      {1, 5, 0.050946876617091473, -0.048588064257439704},
      {7.5, 2, 0.99806732432728119, -0.0082124340101325549},
      {7.5, 7.5, 0.28497635744506727, -0.1312091494567785},
      {7.5, 12, 0.020453621318124641, -0.014040223580985661},
      {30, 6, 0.99895931122132723, -0.0017917725137321591},
      {30, 30, 0.0037198895020065106, -0.0018228411593159315},
      {30, 42, 3.6675110975088527e-6, -2.3894983841012711e-6},
  };
  for (const auto& c : cases) {
    const PgFactor S = pg_factor_and_slope(c.b, c.x);
    double value_sum = 0, slope_sum = 0;  // of the sizes of the terms: what rounding errors are relative to
    for (double n = 0; n < 60; ++n) {
      const double weight = 2 * n * (n + c.b);
      const double binomial =
          std::exp(boost::math::lgamma(n + c.b) - boost::math::lgamma(c.b) - boost::math::lgamma(n + 1));
      const double term = binomial * (1 + 2 * n / c.b) * std::exp(-weight / c.x);
      value_sum += term;
      slope_sum += term * weight / (c.x * c.x);
    }
    EXPECT_NEAR(S.value, c.value, 4e-15 * value_sum) << c.b << " " << c.x;
    EXPECT_NEAR(S.slope, c.slope, 4e-15 * slope_sum) << c.b << " " << c.x;
    EXPECT_EQ(S.value, pg_factor(c.b, c.x));
  }
}

// log S(b y), same source. Without the correction the error at (30, 1) would be 2.4e-3.
TEST(PolyaGammaDensity, SaddlePointIsWithinItsStatedError) {
  struct {
    double b, y, log_value;
  } const cases[] = {
      {30, 0.05, -3.5835328748692324e-17}, {30, 0.2, -0.001041230671233423}, {30, 0.4, -0.18708719972984806},
      {30, 0.8, -2.9814034653121336},      {30, 0.994, -5.5061293152661948}, {30, 1, -5.594061314899938},
      {30, 1.006, -5.6825372511432278},    {30, 1.3, -10.611342890252564},   {30, 2, -25.680567393150383},
      {300, 0.1, -5.8232355120269567e-7},  {300, 0.3, -0.37878099760287697}, {300, 0.9, -43.553186952710753},
      {300, 1, -57.741659685294685},       {300, 1.2, -90.459816518524979},
  };
  for (const auto& c : cases) {
    const PgSaddle at = PgSaddle::with_mean(c.y);
    EXPECT_NEAR(at.y, c.y, 1e-12);
    EXPECT_NEAR(at.log_factor(c.b) + at.correction() / c.b, c.log_value, 0.015 / (c.b * c.b))
        << c.b << " " << c.y;
    EXPECT_GE(at.log_factor(c.b), c.log_value - 1e-12) << c.b << " " << c.y;
    EXPECT_LE(at.correction(), 1e-12) << c.y;
  }
}

TEST(PolyaGammaDensity, SaddlePointIsSmoothWhereItChangesFormula) {
  for (const double v : {-0.02, 0.02}) {  // Taylor polynomial on one side, closed form on the other
    const PgSaddle inside(v * (1 - 1e-9)), outside(v * (1 + 1e-9));
    EXPECT_NEAR(inside.V, outside.V, 1e-9);
    EXPECT_NEAR(inside.correction(), outside.correction(), 1e-9);
    EXPECT_NEAR(inside.log_factor_slope(100), outside.log_factor_slope(100), 1e-7);
  }
  const double h = 1e-5;
  for (const double y : {0.02, 0.3, 0.7, 0.999, 1.0, 1.001, 1.5, 4.0, 30.0}) {
    const PgSaddle at = PgSaddle::with_mean(y);
    EXPECT_NEAR(at.y / y, 1, 1e-11);
    const double slope =
        (PgSaddle::with_mean(y * (1 + h)).log_factor(50) - PgSaddle::with_mean(y * (1 - h)).log_factor(50)) /
        (2 * h * y);
    EXPECT_NEAR(at.log_factor_slope(50), slope, 1e-6 * (1 + std::abs(slope))) << y;
  }
}

// The sampler's envelope is a tangent of log S and so needs log S to be concave: the slope of log S must fall. Up to
// three standard deviations above the mean, where the series still has its digits.
TEST(PolyaGammaDensity, LogarithmOfTheFactorIsConcave) {
  for (const double b : {1e-3, 0.01, 0.1, 0.3, 0.7, 1.0, 1.3, 2.0, 5.0, 12.0, 30.0}) {
    const double top = b + 3 * std::sqrt(2 * b / 3) + 2;
    double before = 0;
    for (int k = 1; k <= 400; ++k) {
      const PgFactor S = pg_factor_and_slope(b, top * k / 400);
      const double slope = S.slope / S.value;
      EXPECT_LE(slope, before + 1e-9) << "shape " << b << " at " << top * k / 400;
      EXPECT_GT(slope, -pi * pi / 8);
      before = slope;
    }
  }
  for (const double b : {30.0, 100.0, 1e4}) {
    double before = 0;
    for (int k = 1; k <= 400; ++k) {
      const double slope = PgSaddle::with_mean(k / 100.0).log_factor_slope(b) / b;
      EXPECT_LE(slope, before + 1e-9) << "shape " << b << " at mean " << k / 100.0;
      before = slope;
    }
  }
}

}  // namespace
}  // namespace bochner::detail::polya_gamma_density_test
