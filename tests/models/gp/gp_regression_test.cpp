#include "bochner/models/gp/gp_regression.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/kernels/matern.hpp"
#include "bochner/kernels/rbf.hpp"
#include "tests/support/gradient_check.hpp"
#include "tests/support/slow_evidence.hpp"

namespace bochner::gp_regression_test {
namespace {

const Threads one(1);

// Seven rows, two inputs, two outputs; the numbers of scikit-learn 1.9.1 below are for these.
const Matrix X7{{0.1, -1.2}, {0.7, 0.4}, {-0.9, 0.3}, {1.5, -0.6}, {-0.4, 1.1}, {0.0, 0.0}, {-1.3, -0.8}};
const Matrix Y7{{0.31, -1.0},  {1.20, 0.45}, {-0.72, 0.11}, {0.95, -0.62},
                {-0.10, 1.25}, {0.22, 0.05}, {-1.41, -0.33}};
const Matrix X_new{{0.2, 0.2}, {-1.0, 1.0}, {3.0, -2.0}};

Rbf rbf7() { return {.ell = Vector{{0.8, 1.9}}, .sigma2 = 1.7}; }

GpFit as_given(const AnyKernel& kernel, double noise_variance, MatrixIn X, MatrixIn Y) {
  return GpRegression{kernel, noise_variance}.fit(X, Y, {.learn = false}, Rng(1), one);
}

/// Draws from the model itself: N rows uniform in a box, P outputs.
struct Draw {
  Matrix X, Y;
};
Draw draw(const AnyKernel& kernel, double noise_variance, Index N, Index P, double half_width,
          std::uint64_t seed) {
  Rng rng(seed);
  Matrix X(N, 2);
  for (Index n = 0; n < N; ++n)
    for (Index d = 0; d < 2; ++d) X(n, d) = half_width * (2 * rng.uniform() - 1);
  Matrix S = gram(kernel, X, one);
  S.diagonal().array() += noise_variance;
  const Matrix Y = Eigen::MatrixXd(S).llt().matrixL() * Eigen::MatrixXd(rng.normal(N, P));
  return {X, Y};
}

// GaussianProcessRegressor(ConstantKernel(1.7) * RBF([0.8, 1.9]), alpha=0.15, optimizer=None).fit(X7, Y7):
// log_marginal_likelihood, its gradient, predict(X_new, return_std=True); the noise's share of the gradient
// from the same model with a WhiteKernel.
TEST(GpRegression, AgreesWithScikitLearnRbf) {
  const GpLikelihood at = gp_log_likelihood(rbf7(), 0.15, X7, Y7, true, one);
  EXPECT_NEAR(at.value, -15.992728263602624, 1e-11);
  const Vector gradient{{3.682763534185775, 1.0672385187073155, -3.108254909788866, -1.226126705606517}};
  EXPECT_LT((at.gradient - gradient).cwiseAbs().maxCoeff(), 1e-10);

  const GpFit fit = as_given(rbf7(), 0.15, X7, Y7);
  EXPECT_NEAR(fit.log_likelihood(), -15.992728263602624, 1e-11);
  const Predictive p = fit.predict(X_new, one);
  const Matrix mean{{0.579178767160996, 0.3137474731691887},
                    {-0.5687087877517059, 0.5123099833373995},
                    {0.051541594707217975, -0.11273500338513558}};
  const Vector variance{{0.09580471808578261, 0.27249448602061516, 1.6648731326236215}};
  EXPECT_LT((p.mean - mean).cwiseAbs().maxCoeff(), 1e-12);
  for (Index output = 0; output < 2; ++output) {
    EXPECT_LT((p.f_variance.col(output) - variance).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((p.y_variance.col(output).array() - variance.array() - 0.15).abs().maxCoeff(), 1e-12);
  }
}

// The same with ConstantKernel(0.9) * Matern([0.8, 1.9], nu=1.5).
TEST(GpRegression, AgreesWithScikitLearnMatern) {
  const Matern kernel{.ell = Vector{{0.8, 1.9}}, .sigma2 = 0.9, .smoothness = Smoothness::three_halves};
  const GpLikelihood at = gp_log_likelihood(kernel, 0.15, X7, Y7, true, one);
  EXPECT_NEAR(at.value, -15.469157233865737, 1e-11);
  const Vector gradient{{1.6814272594562585, 0.29696186066152175, -1.9840723065559076}};
  EXPECT_LT((at.gradient.head(3) - gradient).cwiseAbs().maxCoeff(), 1e-10);
  const Predictive p = as_given(kernel, 0.15, X7, Y7).predict(X_new, one);
  const Matrix mean{{0.5140684191822477, 0.20186862803986358},
                    {-0.5440875873677247, 0.3696857610178752},
                    {0.09324657291641944, -0.08324317900225135}};
  EXPECT_LT((p.mean - mean).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((p.f_variance.col(0) - Vector{{0.16554233621790237, 0.3013359876552538, 0.8851195359844749}})
                .cwiseAbs()
                .maxCoeff(),
            1e-12);
}

// The best of 20 restarts of the same model with a WhiteKernel for the noise.
TEST(GpRegression, LearnsWhatScikitLearnLearns) {
  const GpFit fit = GpRegression{rbf7(), 0.15}.fit(X7, Y7, {}, Rng(1), one);
  EXPECT_EQ(fit.status(), Status::converged);
  EXPECT_NEAR(fit.log_likelihood(), -11.621648830615715, 1e-7);
  const Vector theta = parameters(fit.kernel());
  EXPECT_NEAR(std::exp(theta(0)), 1.501350433334066, 2e-4);
  EXPECT_NEAR(std::exp(theta(1)), 2.1034885775006544, 2e-4);
  EXPECT_NEAR(std::exp(theta(2)), 1.0809837862177734, 2e-4);
  EXPECT_NEAR(fit.noise_variance(), 0.02319097784993623, 1e-5);
}

// The floor enters as noise_variance = floor + exp(u): below the optimum it must not move it, above it it must hold.
TEST(GpRegression, NoiseFloorHoldsAndDoesNotMoveAnOptimumAboveIt) {
  const double mean_square = Y7.squaredNorm() / 14;
  const GpFit low = GpRegression{rbf7(), 0.15}.fit(X7, Y7, {.noise_floor = 0.02 / mean_square}, Rng(1), one);
  EXPECT_NEAR(low.noise_variance(), 0.02319097784993623, 1e-5);
  EXPECT_NEAR(low.log_likelihood(), -11.621648830615715, 1e-7);
  const GpFit high = GpRegression{rbf7(), 0.15}.fit(X7, Y7, {.noise_floor = 0.1 / mean_square}, Rng(1), one);
  EXPECT_GE(high.noise_variance(), 0.1);
  EXPECT_LT(high.noise_variance(), 0.1001);
}

TEST(GpRegression, LogLikelihoodIsASumOverOutputs) {
  const Matrix Y = Rng(3).normal(6, 2), X = Rng(4).normal(6, 2);
  const Rbf k{.ell = Vector::Constant(2, 0.8), .sigma2 = 1.5};
  const GpLikelihood both = gp_log_likelihood(k, 0.1, X, Y, true, one);
  const GpLikelihood left = gp_log_likelihood(k, 0.1, X, Y.leftCols(1), true, one);
  const GpLikelihood right = gp_log_likelihood(k, 0.1, X, Y.rightCols(1), true, one);
  EXPECT_NEAR(both.value, left.value + right.value, 1e-10);
  EXPECT_LT((both.gradient - left.gradient - right.gradient).norm(), 1e-10);
  EXPECT_NEAR(both.value, testing::slow_evidence(gram(k, X, one), Y, 0.1), 1e-10);
}

TEST(GpRegression, GradientReachesKernelParametersAndNoise) {
  Matrix Y = Rng(3).normal(9, 3);
  const Matrix X = Rng(4).normal(9, 2);
  for (const bool holes : {false, true}) {
    if (holes) Y(2, 0) = Y(5, 0) = Y(2, 1) = std::nan("");
    const Vector at{{-0.3, 0.2, 0.4, -1.1}};
    const auto value = [&](const Vector& theta) {
      return gp_log_likelihood(rbf7().with_parameters(theta.head(3)), std::exp(theta(3)), X, Y, false, one)
          .value;
    };
    const GpLikelihood analytic =
        gp_log_likelihood(rbf7().with_parameters(at.head(3)), std::exp(-1.1), X, Y, true, one);
    testing::expect_gradient(value, at, analytic.gradient, 1e-7, holes ? "holes" : "complete");
  }
}

// Dense formulas with explicit inverses, a column at a time on its measured rows.
TEST(GpRegression, PredictionsAndHolesAgreeWithDenseFormulas) {
  const Index N = 11;
  Matrix Y = Rng(5).normal(N, 4);
  const Matrix X = Rng(6).normal(N, 2), X_star = Rng(7).normal(300, 2);  // several blocks
  Y(3, 1) = Y(7, 1) = Y(0, 2) = std::nan("");                            // columns 0 and 3 share a pattern
  const Rbf kernel = rbf7();
  const GpFit fit = as_given(kernel, 0.2, X, Y);
  const Predictive p = fit.predict(X_star, one), loo = fit.leave_one_out(one);
  EXPECT_NEAR(fit.log_likelihood(), testing::slow_evidence(gram(kernel, X, one), Y, 0.2), 1e-10);
  for (Index c = 0; c < 4; ++c) {
    std::vector<Index> rows;
    for (Index n = 0; n < N; ++n)
      if (!std::isnan(Y(n, c))) rows.push_back(n);
    const Matrix Xc = X(rows, Eigen::all);
    const Vector y = Y.col(c)(rows);
    Eigen::MatrixXd S = gram(kernel, Xc, one);
    S.diagonal().array() += 0.2;
    const Eigen::MatrixXd S_inverse = S.inverse(), K = gram(kernel, X_star, Xc, one);
    EXPECT_LT((p.mean.col(c) - K * S_inverse * y).cwiseAbs().maxCoeff(), 1e-11) << c;
    const Vector variance = 1.7 - (K * S_inverse).cwiseProduct(K).rowwise().sum().array();
    EXPECT_LT((p.f_variance.col(c) - variance).cwiseAbs().maxCoeff(), 1e-11) << c;
    // Leave one out by leaving one out.
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::vector<Index> others = rows;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const Predictive without =
          as_given(kernel, 0.2, X(others, Eigen::all), Y.col(c)(others)).predict(X.row(rows[i]), one);
      EXPECT_NEAR(loo.mean(rows[i], c), without.mean(0, 0), 1e-10);
      EXPECT_NEAR(loo.y_variance(rows[i], c), without.y_variance(0, 0), 1e-10);
      EXPECT_NEAR(loo.f_variance(rows[i], c), without.f_variance(0, 0), 1e-10);
    }
  }
  EXPECT_TRUE(std::isnan(loo.mean(3, 1)) && std::isnan(loo.y_variance(0, 2)));
}

TEST(GpRegression, AColumnWithoutDataGetsThePrior) {
  Matrix Y = Y7;
  Y.col(1).setConstant(std::nan(""));
  const GpFit fit = as_given(rbf7(), 0.15, X7, Y);
  const Predictive p = fit.predict(X_new, one);
  EXPECT_EQ(p.mean.col(1).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ((p.f_variance.col(1).array() - 1.7).abs().maxCoeff(), 0);
  EXPECT_NEAR(fit.log_likelihood(), as_given(rbf7(), 0.15, X7, Y7.leftCols(1)).log_likelihood(), 1e-12);
}

// The truth must lie within four standard errors of the estimate; the errors from the inverse of the observed
// information, by differences of the gradient.
TEST(GpRegression, RecoversTheParametersThatMadeTheData) {
  const Rbf truth{.ell = Vector{{0.7, 1.6}}, .sigma2 = 2.0};
  const Draw d = draw(truth, 0.1, 150, 4, 3, 21);
  const GpFit fit = GpRegression{Rbf{.ell = Vector::Ones(2), .sigma2 = 1}, 1}.fit(d.X, d.Y, {}, Rng(1), one);
  EXPECT_EQ(fit.status(), Status::converged);
  EXPECT_GT(fit.log_likelihood(), gp_log_likelihood(truth, 0.1, d.X, d.Y, false, one).value);
  Vector estimate(4), expected(4);
  estimate << parameters(fit.kernel()), std::log(fit.noise_variance());
  expected << truth.parameters(), std::log(0.1);
  Eigen::Matrix4d information;
  for (Index i = 0; i < 4; ++i) {
    const auto gradient = [&](double h) {
      Vector theta = estimate;
      theta(i) += h;
      return gp_log_likelihood(truth.with_parameters(theta.head(3)), std::exp(theta(3)), d.X, d.Y, true, one)
          .gradient;
    };
    information.col(i) = -(gradient(1e-4) - gradient(-1e-4)) / 2e-4;
  }
  const Vector se = information.inverse().diagonal().cwiseSqrt();
  for (Index i = 0; i < 4; ++i) EXPECT_LT(std::abs(estimate(i) - expected(i)), 4 * se(i)) << i;
  EXPECT_LT(se.maxCoeff(), 0.3);  // and that says something
}

TEST(GpRegression, PredictionsOfItsOwnDrawsAreCalibrated) {
  const Rbf kernel{.ell = Vector{{0.7, 1.6}}, .sigma2 = 2.0};
  const Draw d = draw(kernel, 0.1, 400, 40, 3, 22);
  const Predictive p =
      as_given(kernel, 0.1, d.X.topRows(200), d.Y.topRows(200)).predict(d.X.bottomRows(200), one);
  const Matrix z = (d.Y.bottomRows(200) - p.mean).cwiseQuotient(p.y_variance.cwiseSqrt());
  // Columns are independent, rows of a column are not: errors from the spread over columns.
  const Vector m2 = z.colwise().squaredNorm().transpose() / 200;
  const double se = std::sqrt((m2.array() - m2.mean()).square().sum() / 39 / 40);
  EXPECT_NEAR(m2.mean(), 1, 4 * se);
  EXPECT_LT(se, 0.05);
}

// Seven points whose likelihood has several maxima: mostly noise, or mostly signal, as in [rasmussen2006, Fig. 5.5].
TEST(GpRegression, RestartsKeepTheBestAndReportAll) {
  const Matrix X{{-3.33}, {-2.32}, {-1.81}, {-1.37}, {-0.0846}, {4.06}, {4.59}};
  const Matrix Y{{-0.0251}, {0.131}, {-0.697}, {-0.8}, {0.0627}, {1.37}, {1.42}};
  const GpRegression model{Rbf{.ell = Vector::Constant(1, 20)}, 1};
  const GpFit single = model.fit(X, Y, {}, Rng(1), one);
  const GpFit several = model.fit(X, Y, {.restarts = 8, .restart_sd = 3}, Rng(1), one);
  ASSERT_EQ(several.starts().size(), 9u);
  EXPECT_EQ(several.starts()[0].log_likelihood, single.starts()[0].log_likelihood);
  double best = several.starts()[0].log_likelihood, worst = best;
  for (const GpStart& s : several.starts()) {
    best = std::max(best, s.log_likelihood);
    worst = std::min(worst, s.log_likelihood);
  }
  EXPECT_LT(worst, best - 1);  // the starts do end in different places
  EXPECT_NEAR(several.log_likelihood(), best, 1e-9);
  EXPECT_GT(several.log_likelihood(), single.log_likelihood() + 0.1);
}

TEST(GpRegression, NoiselessDataEndsOnTheFloorAndDoesNotBreak) {
  const Matrix X = Rng(8).normal(40, 2);
  Matrix Y(40, 2);
  for (Index n = 0; n < 40; ++n) Y.row(n) << std::sin(X(n, 0)), X(n, 0) * X(n, 1);
  const GpFit fit = GpRegression{Rbf{.ell = Vector::Ones(2), .sigma2 = 1}, 0.1}.fit(X, Y, {}, Rng(1), one);
  const double mean_square = Y.squaredNorm() / 80;
  EXPECT_GE(fit.noise_variance(), 1e-8 * mean_square);
  EXPECT_LT(fit.noise_variance(), 1e-4 * mean_square);
  const Matrix X_star = Rng(9).normal(20, 2) * 0.5;
  const Predictive p = fit.predict(X_star, one);
  for (Index n = 0; n < 20; ++n) EXPECT_NEAR(p.mean(n, 0), std::sin(X_star(n, 0)), 1e-2);
}

TEST(GpRegression, ACallbackCanStopTheLearning) {
  Index calls = 0;
  const GpFitOptions options{.restarts = 3, .on_iteration = [&](const Iteration&) { return ++calls < 3; }};
  const GpFit fit = GpRegression{rbf7(), 0.15}.fit(X7, Y7, options, Rng(1), one);
  EXPECT_EQ(fit.status(), Status::stopped_by_callback);
  EXPECT_EQ(fit.starts().size(), 1u);
  EXPECT_EQ(calls, 3);
}

TEST(GpRegression, SameBytesForAnyNumberOfThreads) {
  const Draw d = draw(rbf7(), 0.05, 300, 3, 2, 24);
  const auto run = [&](int threads) {
    const Threads pool(threads);
    const GpFit fit =
        GpRegression{rbf7(), 0.15}.fit(d.X, d.Y, {.lbfgs = {.max_iterations = 5}}, Rng(1), pool);
    return std::make_tuple(parameters(fit.kernel()), fit.predict(d.X.topRows(200), pool).f_variance,
                           fit.leave_one_out(pool).mean);
  };
  const auto expected = run(1);
  EXPECT_EQ(run(2), expected);
  EXPECT_EQ(run(7), expected);
}

TEST(GpRegression, BadInputIsRefusedAtTheDoor) {
  const GpRegression model{rbf7(), 0.15};
  Matrix X = X7, Y = Y7;
  EXPECT_THROW(model.fit(X.topRows(6), Y, {}, Rng(1), one), std::invalid_argument);
  EXPECT_THROW(model.fit(X.leftCols(1), Y, {}, Rng(1), one), std::invalid_argument);
  EXPECT_THROW((GpRegression{rbf7(), 0}.fit(X, Y, {}, Rng(1), one)), std::domain_error);
  X(2, 1) = std::nan("");
  EXPECT_THROW(model.fit(X, Y, {}, Rng(1), one), std::domain_error);
  Y.setConstant(std::nan(""));
  EXPECT_THROW(model.fit(X7, Y, {}, Rng(1), one), InputError);
  const GpFit fit = as_given(rbf7(), 0.15, X7, Y7);
  EXPECT_THROW(fit.predict(Matrix::Ones(2, 3), one), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::gp_regression_test
