#include "bochner/models/gplvm/calibrate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/data/held_out.hpp"
#include "bochner/data/held_out_views.hpp"
#include "bochner/kernels/linear.hpp"
#include "examples.hpp"
#include "src/models/gplvm/weights.hpp"

namespace bochner::calibrate_test {
namespace {

using testing::same_bytes;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double z90 = 1.6448536269514722;

/// Squared errors of normals with this standard deviation, in units of a stated variance of 1.
std::vector<double> errors(Index n, double sd, Rng rng) {
  std::vector<double> out;
  for (Index i = 0; i < n; ++i) out.push_back(std::pow(sd * rng.normal(), 2));
  return out;
}

/// Of the log of a 90 % quantile of squared normals: sqrt(0.9 0.1 / n) over its density, over its value.
double log_quantile_se(double n) {
  const double density = std::exp(-0.5 * z90 * z90) / std::sqrt(2 * pi) / z90;
  return 0.3 / std::sqrt(n) / density / (z90 * z90);
}

TEST(CalibrationFactor, IsOneForWellCalibratedNormals) {
  const Index n = 40000;
  const double log_factor = std::log(calibration_factor(errors(n, 1, Rng(1))));
  EXPECT_NEAR(log_factor, 0, 4 * log_quantile_se(double(n)));
  EXPECT_NE(log_factor, 0) << "it was learned";
}

TEST(CalibrationFactor, IsTheRatioOfVariances) {
  const Index n = 40000;
  for (const double sd : {0.5, 2.0, 3.0}) {
    const double factor = calibration_factor(errors(n, sd, Rng(2)));
    // 13 entries' worth of a prior at 1 draw it in by 0.03 % of its log
    EXPECT_NEAR(std::log(factor), std::log(sd * sd),
                4 * log_quantile_se(double(n)) + 5e-4 * std::abs(std::log(sd * sd)))
        << sd;
  }
}

TEST(CalibrationFactor, HoldsNinetyPercentOfNewEntriesOnAverage) {
  const Index tables = 400, n = 100;
  double inside = 0;
  for (Index i = 0; i < tables; ++i) {
    const double factor = calibration_factor(errors(n, 1, Rng(3).split(std::uint64_t(i))));
    inside += std::erf(z90 * std::sqrt(factor) / std::sqrt(2.0)) / double(tables);  // P(z^2 < factor z90^2)
  }
  EXPECT_NEAR(inside, 0.9, 0.01);
}

// A view of few columns, whose latents are known from the others and whose own functions fit more than they should.
TEST(CalibrationFactor, FewEntriesMendMostOfIntervalsThatAreTooNarrow) {
  const Index tables = 400, n = 36;
  const double true_factor = std::exp(0.6);
  double before = std::erf(z90 / std::sqrt(2 * true_factor)), inside = 0;
  for (Index i = 0; i < tables; ++i) {
    const double factor =
        calibration_factor(errors(n, std::sqrt(true_factor), Rng(4).split(std::uint64_t(i))));
    inside += std::erf(z90 * std::sqrt(factor / true_factor) / std::sqrt(2.0)) / double(tables);
  }
  EXPECT_LT(before, 0.78) << "or there is nothing to mend";
  EXPECT_GT(inside, 0.86);
}

TEST(CalibrationFactor, IsDrawnTowardsOneWhereThereAreFew) {
  for (const double true_factor : {4.0, 0.25}) {
    double before = 0;
    for (const std::size_t n : {20u, 50u, 200u, 2000u, 100000u}) {
      const double log_factor = std::log(calibration_factor(std::vector<double>(n, true_factor * z90 * z90)));
      EXPECT_EQ(log_factor > 0, true_factor > 1) << n;
      EXPECT_GT(std::abs(log_factor), before) << n;
      EXPECT_LT(std::abs(log_factor), std::abs(std::log(true_factor))) << n;
      before = std::abs(log_factor);
    }
    EXPECT_NEAR(before, std::log(4.0), 1e-2);
    EXPECT_LT(std::abs(std::log(calibration_factor(std::vector<double>(20, true_factor * z90 * z90)))),
              0.65 * std::log(4.0));
  }
}

TEST(CalibrationFactor, IsOneForLessThanTwentyAndNeverWild) {
  EXPECT_EQ(calibration_factor({}), 1);
  EXPECT_EQ(calibration_factor(std::vector<double>(19, 100)), 1);
  EXPECT_GT(calibration_factor(std::vector<double>(20, 100)), 1);
  EXPECT_NEAR(calibration_factor(std::vector<double>(1000, 1e12)), 20, 1e-9);
  EXPECT_NEAR(calibration_factor(std::vector<double>(1000, 0)), 1.0 / 20, 1e-9);
}

/// Errors of standard deviation 2 against a stated 1, a third of the entries hidden.
struct Misstated {
  Matrix truth, mean, variance;
  explicit Misstated(Index N, Index M, Rng rng) : mean(rng.normal(N, M)), variance(Matrix::Ones(N, M)) {
    truth = mean + 2 * rng.normal(N, M);
    for (double& y : truth.reshaped())
      if (rng.uniform() < 2.0 / 3) y = nan;
  }
};

double coverage(const Matrix& truth, const Matrix& mean, const Matrix& variance) {
  double inside = 0, all = 0;
  for (Index i = 0; i < truth.size(); ++i) {
    if (std::isnan(truth.data()[i])) continue;
    inside += std::abs(truth.data()[i] - mean.data()[i]) <= z90 * std::sqrt(variance.data()[i]);
    ++all;
  }
  return inside / all;
}

TEST(CrossCalibrated, ARowDoesNotSeeItself) {
  const Misstated m(40, 6, Rng(4));
  const Matrix before = cross_calibrated(m.truth, m.mean, m.variance, 1);
  for (const Index n : {0, 1, 7, 23, 39})
    for (Index c = 0; c < 6; ++c) {
      Misstated changed = m;
      if (std::isnan(m.truth(n, c))) continue;
      // To the other side of the quantile, whichever side it was on.
      const bool large = std::abs(m.truth(n, c) - m.mean(n, c)) > 3;
      changed.truth(n, c) = large ? m.mean(n, c) : 1e3;
      const Matrix after = cross_calibrated(changed.truth, m.mean, m.variance, 1);
      EXPECT_TRUE(same_bytes(after.row(n), before.row(n))) << n;
      EXPECT_FALSE(same_bytes(after, before)) << n << ": the others do";
    }
}

TEST(CrossCalibrated, HoldsNinetyPercentOfTheEntriesThatItWasLearnedFrom) {
  const Misstated m(400, 30, Rng(5));  // about 4000 hidden entries
  EXPECT_LT(coverage(m.truth, m.mean, m.variance), 0.65);
  const Matrix variance = cross_calibrated(m.truth, m.mean, m.variance, 1);
  EXPECT_NEAR(coverage(m.truth, m.mean, variance), 0.9, 3 * std::sqrt(0.09 / 4000) + 0.003);
  EXPECT_NEAR(variance.mean(), 4, 0.5);
  // What the view was calibrated with before is taken out first.
  const Matrix again = cross_calibrated(m.truth, m.mean, 2.5 * m.variance, 2.5);
  EXPECT_LT((again - variance).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(CrossCalibrated, WithoutEnoughEntriesTheVarianceIsPlain) {
  Misstated m(40, 6, Rng(6));
  m.truth.setConstant(nan);
  m.truth.topLeftCorner(3, 5).setConstant(100);
  EXPECT_TRUE(same_bytes(cross_calibrated(m.truth, m.mean, 3 * m.variance, 3), m.variance));
}

/// Two views y = x'A + noise of one standard deviation, at known latents: what is wrong about the fit is its noise alone.
struct Known {
  Dataset data;
  GplvmFit fit;
};

GplvmView linear_view(const std::string& name, const Matrix& A, double stated_variance) {
  GplvmView view{.name = name,
                 .scaling = {.centre = Vector::Zero(A.cols()), .scale = Vector::Ones(A.cols())},
                 .kernel = Linear{.weight = Vector::Ones(2)},
                 .noise_variance = stated_variance};
  for (Index m = 0; m < A.cols(); ++m) view.columns.push_back(name + "_" + std::to_string(m));
  view.Z = Matrix::Identity(2, 2);
  set_functions(view, A, Matrix::Identity(2, 2));
  return view;
}

Known known(double stated_a, double stated_b, Rng rng) {
  const Index N = 600;
  const Matrix X = rng.normal(N, 2), A = Rng(20).normal(2, 12), B = Rng(21).normal(2, 8);
  Known out{join({make_view("a", X * A + rng.normal(N, 12)), make_view("b", X * B + rng.normal(N, 8))}),
            {.latent = {X, Matrix::Constant(N, 2, 1e-9)}}};
  out.fit.ids = out.data.ids();
  out.fit.views = {linear_view("a", A, stated_a), linear_view("b", B, stated_b)};
  return out;
}

TEST(Calibrated, MakesTheCoverageOfHiddenEntriesNinetyPercent) {
  for (const auto& [a, b] : {std::pair{0.25, 5.0}, {9.0, 0.1}, {1.0, 1.0}}) {
    const Known k = known(a, b, Rng(7));
    const std::vector<BoolMatrix> masks = held_out_masks(k.data, 0.3, 5);
    const GplvmFit fit = calibrated(k.fit, k.data, masks, Threads(1));
    const Known fresh = known(a, b, Rng(8));  // other samples of the same functions
    for (std::size_t v = 0; v < 2; ++v) {
      const double stated = v == 0 ? a : b, entries = double(masks[v].count());
      EXPECT_NEAR(std::log(fit.views[v].calibration * stated), 0, 0.05 * std::abs(std::log(stated)) + 0.15);
      const Matrix truth = held_out_values(k.data.view(Index(v)).Y, masks[v]);
      const Predictive before = predict(k.fit.views[v], k.fit.latent, Threads(1)),
                       at = predict(fit.views[v], k.fit.latent, Threads(1));
      EXPECT_NEAR(coverage(truth, at.mean, at.y_variance), 0.9, 0.03) << stated;
      if (stated != 1) {
        EXPECT_GT(std::abs(coverage(truth, before.mean, before.y_variance) - 0.9), 0.08);
      }
      const Predictive there = predict(fit.views[v], fresh.fit.latent, Threads(1));
      EXPECT_NEAR(coverage(fresh.data.view(Index(v)).Y, there.mean, there.y_variance), 0.9,
                  0.03 + 3 * std::sqrt(0.09 / entries));
      EXPECT_TRUE(same_bytes(at.mean, before.mean)) << "means stay";
      EXPECT_LT((at.y_variance - fit.views[v].calibration * before.y_variance).cwiseAbs().maxCoeff(), 1e-12);
    }
  }
}

TEST(Calibrated, IsDoneOnce) {
  const Known k = known(0.25, 4, Rng(7));
  const std::vector<BoolMatrix> masks = held_out_masks(k.data, 0.3, 5);
  const GplvmFit once = calibrated(k.fit, k.data, masks, Threads(1)),
                 twice = calibrated(once, k.data, masks, Threads(2));
  for (std::size_t v = 0; v < 2; ++v)
    EXPECT_NEAR(std::log(twice.views[v].calibration / once.views[v].calibration), 0, 0.15);
}

TEST(Calibrated, LooksAtSingleEntriesAlone) {
  const Known k = known(0.25, 0.25, Rng(9));
  const std::vector<BoolMatrix> masks = held_out_entries_and_views(k.data, 0.2, 5);
  const HeldOutParts parts = split_held_out(k.data, masks);
  const GplvmFit fit = calibrated(k.fit, k.data, masks, Threads(1));
  std::vector<Matrix> values{k.data.view(0).Y, k.data.view(1).Y};
  for (std::size_t v = 0; v < 2; ++v) values[v] = parts.views[v].select(1e6, values[v]);
  const GplvmFit same = calibrated(k.fit, k.data.with_values(values), masks, Threads(1));
  for (std::size_t v = 0; v < 2; ++v) {
    EXPECT_GT(count_held_out({parts.views[v]}), 0);
    EXPECT_GT(fit.views[v].calibration, 2);
    EXPECT_EQ(fit.views[v].calibration, same.views[v].calibration);
  }
}

TEST(Calibrated, AViewWithFewHiddenEntriesStaysAsItIs) {
  const Known k = known(0.01, 0.01, Rng(9));
  std::vector<BoolMatrix> masks = held_out_masks(k.data, 0.2, 5);
  masks[1].setConstant(false);
  masks[1].block(0, 0, 19, 1).setConstant(true);
  const GplvmFit fit = calibrated(k.fit, k.data, masks, Threads(1));
  EXPECT_GT(fit.views[0].calibration, 1);
  EXPECT_EQ(fit.views[1].calibration, 1);
  EXPECT_THROW(calibrated(k.fit, k.data.take_rows(IndexVector::LinSpaced(10, 0, 9)), {}, Threads(1)),
               std::invalid_argument);
}

}  // namespace
}  // namespace bochner::calibrate_test
