// What happens before and after the optimiser: first guesses, the race between them, the weights of the functions.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/gplvm/cost.hpp"
#include "examples.hpp"
#include "src/features/inducing.hpp"
#include "src/models/gplvm/race.hpp"
#include "src/models/gplvm/weights.hpp"
#include "src/models/latent/sigma_points.hpp"

namespace bochner::start_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Kind = FeatureSpec::Kind;

TEST(SigmaPoints, HaveTheMomentsOfANormal) {
  for (const Index Q : {1, 2, 5}) {
    const Matrix xi = sigma_points(Q);
    EXPECT_LT(xi.colwise().mean().norm(), 1e-14);
    EXPECT_LT((xi.transpose() * xi / double(xi.rows()) - Matrix::Identity(Q, Q)).norm(), 1e-13);
  }
}

TEST(GplvmScaling, AutomaticIsOneNumberUnlessUnitsDiffer) {
  const Matrix Y = Rng(1).normal(30, 4);
  const auto kind = [](const Matrix& table) {
    return scale_views(join({make_view("y", table)}), {{}}).scalings[0].kind;
  };
  EXPECT_EQ(kind(Y), ScalingKind::whole_view);
  EXPECT_EQ(kind(Y * Vector{{1, 1, 1, 100}}.asDiagonal()), ScalingKind::standardise);
  EXPECT_EQ(kind(Y * Vector{{1, 1, 1, 8}}.asDiagonal()), ScalingKind::standardise);  // answers, and age
  EXPECT_EQ(kind(Y * Vector{{1, 1, 1, 3}}.asDiagonal()), ScalingKind::whole_view);
  EXPECT_EQ(kind(Y.leftCols(2) * Vector{{1, 1e6}}.asDiagonal()), ScalingKind::standardise);
  EXPECT_EQ(kind(Y * Vector{{1, 0.01, 1, 1}}.asDiagonal()), ScalingKind::standardise);
  EXPECT_EQ(kind(Rng(2).normal(30, 12) * Vector{{1, 0.01, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}.asDiagonal()),
            ScalingKind::whole_view);    // a single small column may be what it is
  Matrix border = Matrix::Zero(300, 4);  // pixels that are seldom on
  for (Index m = 0; m < 4; ++m) border(m, m) = m == 3 ? 0.1 : 1;
  Matrix picture(300, 8);
  picture << Rng(3).normal(300, 4), border;
  EXPECT_EQ(kind(picture), ScalingKind::whole_view);
  const ScaledData scaled = scale_views(join({make_view("y", 3 * Y)}), {{}});
  EXPECT_NEAR(scaled.data.view(0).Y.squaredNorm() / 120, 1, 1e-12);
  EXPECT_LT(scaled.data.view(0).Y.colwise().mean().norm(), 1e-12);
}

TEST(GplvmFirstGuess, BeginsWithPrincipalComponents) {
  Matrix Y = Rng(1).normal(40, 2) * Rng(2).normal(2, 6) + 0.1 * Rng(3).normal(40, 6);
  Y.rowwise() -= Y.colwise().mean().eval();
  const Dataset data = join({make_view("y", Y)});
  const FirstGuess guess = first_guess(data, {.dims = 2}, Rng(4), Threads(1));
  ASSERT_EQ(guess.X.size(), 3u);
  for (const Matrix& X : guess.X) {
    ASSERT_EQ(X.rows(), 40);
    EXPECT_LT(X.colwise().mean().norm(), 1e-10);
    for (Index q = 0; q < 2; ++q) EXPECT_NEAR(X.col(q).squaredNorm() / 40, 1, 1e-10);
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Eigen::MatrixXd(Y), Eigen::ComputeThinU);
  for (Index q = 0; q < 2; ++q)
    EXPECT_NEAR(std::abs(svd.matrixU().col(q).dot(guess.X[0].col(q))), std::sqrt(40.0), 1e-6);
  EXPECT_EQ(guess.filled[0], Y);
  EXPECT_EQ(first_guess(data, {.dims = 2, .race = false}, Rng(4), Threads(1)).X.size(), 1u);
}

TEST(GplvmFirstGuess, EveryViewCountsTheSame) {
  // the same signal in 2 columns and, another one, in 60: both are found
  const Matrix s = Rng(1).normal(100, 2);
  const Matrix narrow = s.col(0) * Matrix::Ones(1, 2), wide = 0.5 * s.col(1) * Matrix::Ones(1, 60);
  const Dataset data = join({make_view("narrow", narrow), make_view("wide", wide)});
  const Matrix X = first_guess(data, {.dims = 1, .race = false}, Rng(4), Threads(1)).X[0];
  const auto r2 = [&](Index q) { return affine_r2(X, s.col(q)).mean; };
  EXPECT_GT(r2(0), 0.9);  // four times the variance of the other, in a thirtieth of the columns
  EXPECT_LT(r2(1), 0.1);
}

TEST(GplvmFirstGuess, FillsHolesAndLeavesEmptySamplesAtZero) {
  Matrix Y = Rng(1).normal(60, 2) * Rng(2).normal(2, 30) + 0.3 * Rng(3).normal(60, 30);
  const Matrix truth = Y;
  Rng rng(5);
  for (Index i = 0; i < Y.size(); ++i)
    if (rng.uniform() < 0.2) Y.data()[i] = nan;
  Y.row(9).setConstant(nan);
  const FirstGuess guess = first_guess(join({make_view("y", Y)}), {.dims = 2}, Rng(4), Threads(1));
  for (const Matrix& X : guess.X) EXPECT_EQ(X.row(9), Eigen::RowVectorXd::Zero(2));
  const Matrix& filled = guess.filled[0];
  double error = 0, size = 0;
  for (Index n = 0; n < 60; ++n)
    for (Index m = 0; m < 30; ++m) {
      ASSERT_TRUE(std::isfinite(filled(n, m)));
      if (!std::isnan(Y(n, m))) {
        EXPECT_NEAR(filled(n, m), Y(n, m), 1e-12);
      } else if (n != 9) {
        error += std::pow(filled(n, m) - truth(n, m), 2);
        size += std::pow(truth(n, m), 2);
      }
    }
  EXPECT_LT(error, 0.1 * size);
}

TEST(GplvmFirstGuess, MoreDimensionsThanColumnsAreNotLeftEmpty) {
  const Matrix X = first_guess(join({make_view("y", Rng(1).normal(30, 2))}), {.dims = 5, .race = false},
                               Rng(4), Threads(1))
                       .X[0];
  for (Index q = 0; q < 5; ++q) EXPECT_NEAR(X.col(q).squaredNorm() / 30, 1, 1e-10);
  const Eigen::VectorXd singular = Eigen::JacobiSVD<Eigen::MatrixXd>(Eigen::MatrixXd(X)).singularValues();
  EXPECT_GT(singular(4), 0.1 * singular(0));
}

TEST(GplvmRace, PutsTheBestFirst) {
  // the true latents against noise and against the folded curve
  const Simulated truth = testing::s_curve_table(1, 120, 40);
  const ScaledData scaled = scale_views(truth.data, {{.kernel = "rbf"}});
  Matrix right = truth.X, folded = truth.X;
  folded.col(0) = folded.col(0).cwiseAbs();
  folded.col(1) = folded.col(1).cwiseAbs();
  for (Matrix* X : {&right, &folded}) whiten_columns(*X);
  const GplvmOptions options;
  const std::vector<GplvmViewOptions> views{{.kernel = "rbf"}};
  const Matrix noise = Rng(3).normal(120, 2);
  FirstGuess guess{.X = {noise, folded, right}, .filled = {scaled.data.view(0).Y}};
  EXPECT_EQ(race(scaled.data, guess, views, options, {}, Rng(1), Threads(1)), (std::vector<Index>{2, 1, 0}));
  guess.X = {right, noise, folded};
  EXPECT_EQ(race(scaled.data, guess, views, options, {}, Rng(1), Threads(2)), (std::vector<Index>{0, 2, 1}));
  guess.X = {noise};
  EXPECT_EQ(race(scaled.data, guess, views, options, {}, Rng(1), Threads(1)), std::vector<Index>{0});
}

TEST(GplvmStart, InducingLatentsAreSamples) {
  const Matrix X = Rng(1).normal(50, 2);
  const AnyKernel k = make_kernel("rbf", 2, Rng(2));
  for (const Index count : {1, 10, 50}) {
    const Matrix Z = choose_inducing(k, X, count, 0, Rng(3), Threads(1));
    ASSERT_EQ(Z.rows(), count);
    for (Index i = 0; i < count; ++i) {
      EXPECT_EQ((X.rowwise() - Z.row(i)).rowwise().norm().minCoeff(), 0);
      for (Index j = 0; j < i; ++j) EXPECT_GT((Z.row(i) - Z.row(j)).norm(), 0);
    }
  }
  // to a tolerance: what they leave out is below it, and few of them do
  const Matrix Z = choose_inducing(k, X, 50, 1e-3, Rng(3), Threads(1));
  EXPECT_LT(Z.rows(), 40);
  const Eigen::MatrixXd Kzz = gram(k, Z, Threads(1)), Kxz = gram(k, X, Z, Threads(1));
  const Eigen::VectorXd left =
      1 - (Kxz * (Kzz + 1e-12 * Eigen::MatrixXd::Identity(Z.rows(), Z.rows())).llt().solve(Kxz.transpose()))
              .diagonal()
              .array();
  EXPECT_LT(left.maxCoeff(), 2e-3);
}

/// Weights learned at latents that are known all but exactly are Gaussian-process regression.
struct Regression {
  Index N = 40, M = 3;
  double sigma2 = 0.1;
  Matrix X = Rng(1).normal(N, 2),
         Y = (X * Rng(2).normal(2, M)).array().sin().matrix() + 0.3 * Rng(7).normal(N, M);
  AnyKernel kernel = make_kernel("rbf", 2, Rng(3));
  LatentPosterior latent{X, Matrix::Constant(N, 2, 1e-7)};

  GplvmView learn(bool by_column = false) const {
    const ViewTerm term("y", Y, Matrix::Zero(N, M), kernel, {.kind = Kind::exact},
                        FloatingPoint::double_precision, Threads(1));
    GplvmView view{.name = "y",
                   .columns = {"a", "b", "c"},
                   .scaling = {.centre = Vector::Zero(M), .scale = Vector::Ones(M)},
                   .kernel = kernel};
    learn_weights(term, {.kernel = kernel, .noise_variance = sigma2}, latent, Y, by_column, Rng(4),
                  Threads(1), view);
    return view;
  }
  /// Mean and variance of f for column m at new latents, from its measured rows alone.
  std::pair<Eigen::VectorXd, Eigen::VectorXd> dense(Index m, const Matrix& at) const {
    std::vector<Index> rows;
    for (Index n = 0; n < N; ++n)
      if (!std::isnan(Y(n, m))) rows.push_back(n);
    const Matrix x = X(rows, Eigen::all);
    Eigen::MatrixXd K = gram(kernel, x, Threads(1));
    K.diagonal().array() += sigma2;
    const Eigen::MatrixXd k = gram(kernel, at, x, Threads(1)), w = K.llt().solve(k.transpose());
    const Eigen::VectorXd y = Y.col(m)(rows);
    return {w.transpose() * y, diagonal(kernel, at) - (k.cwiseProduct(w.transpose())).rowwise().sum()};
  }
};

TEST(GplvmWeights, AreGaussianProcessRegressionAtKnownLatents) {
  const Regression r;
  const GplvmView view = r.learn();
  const Matrix at = Rng(5).normal(25, 2);
  const Predictive p = predict(view, {at, Matrix::Constant(25, 2, 1e-7)}, Threads(1));
  for (Index m = 0; m < r.M; ++m) {
    const auto [mean, variance] = r.dense(m, at);
    EXPECT_LT((p.mean.col(m) - mean).cwiseAbs().maxCoeff(), 0.02) << m;
    EXPECT_LT((p.f_variance.col(m) - variance).cwiseAbs().maxCoeff(), 0.01) << m;
    EXPECT_LT((p.y_variance.col(m) - p.f_variance.col(m)).array().abs().maxCoeff() - r.sigma2, 1e-12);
  }
}

TEST(GplvmWeights, HolesLeaveTheMeanExact) {
  Regression r;
  Rng rng(6);
  for (Index n = 0; n < r.N; ++n)
    if (n % 4 != 0) r.Y(n, rng.below(r.M)) = nan;  // a quarter of the entries
  const GplvmView view = r.learn();
  const Predictive p = predict(view, {r.X, Matrix::Constant(r.N, 2, 1e-7)}, Threads(1));
  for (Index m = 0; m < r.M; ++m) {
    EXPECT_LT((p.mean.col(m) - r.dense(m, r.X).first).cwiseAbs().maxCoeff(), 0.01) << m;
  }
  // The columns share one covariance, in which a row counts by the share of its entries that were measured, scaled to the
  // number of entries of the column: the noise of row n is sigma2 / (c_m weight_n), c_m = n_m / sum_n weight_n.
  const Eigen::MatrixXd K = gram(r.kernel, r.X, Threads(1));
  const auto measured = (!r.Y.array().isNaN()).cast<double>();
  const Vector weight = measured.rowwise().mean();
  for (Index m = 0; m < r.M; ++m) {
    const double c = measured.col(m).sum() / weight.sum();
    Eigen::MatrixXd S = K;
    for (Index n = 0; n < r.N; ++n) S(n, n) += r.sigma2 / (c * weight(n));
    const Eigen::VectorXd variance = (K - K * S.llt().solve(K)).diagonal();
    EXPECT_LT((p.f_variance.col(m) - variance).cwiseAbs().maxCoeff(), 0.002) << m;
  }
}

TEST(GplvmWeights, EveryColumnHasItsNoise) {
  Regression r;
  r.N = 300;
  r.X = Rng(1).normal(r.N, 2);
  r.latent = {r.X, Matrix::Constant(r.N, 2, 1e-7)};
  const Vector sd{{0.2, 0.6, 1}};
  r.Y = (r.X * Rng(2).normal(2, r.M)).array().sin().matrix();
  r.Y.col(2).setZero();  // depends on nothing
  r.Y += Rng(7).normal(r.N, r.M) * sd.asDiagonal();
  const Matrix complete = r.Y;
  for (const bool missing : {false, true}) {
    Rng rng(8);
    if (missing)
      for (Index i = 0; i < r.Y.size(); ++i)
        if (rng.uniform() < 0.3) r.Y.data()[i] = nan;
    const GplvmView view = r.learn(true);
    EXPECT_EQ(view.noise_variance, r.sigma2);
    for (Index m = 0; m < r.M; ++m)  // sd of an estimate: 8 %, 10 % with missing entries
      EXPECT_NEAR(view.noise(m), sd(m) * sd(m), 0.3 * sd(m) * sd(m)) << m << missing;
    EXPECT_LT(view.amplitude(2), 0.1);
    // the rest is regression with this noise and amplitude, and the ratio counts measured entries
    const Predictive p = predict(view, {r.X, Matrix::Constant(r.N, 2, 1e-7)}, Threads(1));
    EXPECT_LT(p.mean.col(2).squaredNorm(), 0.03 * double(r.N));
    double inside = 0, hidden = 0;
    for (Index i = 0; i < r.Y.size(); ++i) {
      if (!std::isnan(r.Y.data()[i])) continue;
      const double error = complete.data()[i] - p.mean.data()[i];
      inside += error * error < 1.6449 * 1.6449 * p.y_variance.data()[i];
      ++hidden;
    }
    if (missing) {
      EXPECT_NEAR(inside / hidden, 0.9, 0.06);  // 270 entries
    }
  }
}

TEST(GplvmMemory, GrowsWithTheSquareOfExactSamples) {
  const Dataset small = join({make_view("y", Rng(1).normal(200, 5))}),
                large = join({make_view("y", Rng(1).normal(2000, 5))});
  const GplvmOptions exact{.features = {.kind = Kind::exact}},
      random{.features = {.kind = Kind::random, .count = 50}};
  EXPECT_GT(gplvm_memory(large, exact), 8.0 * 2000 * 2000);
  EXPECT_GT(gplvm_memory(large, exact), gplvm_memory(small, exact));
  EXPECT_LT(gplvm_memory(large, random), gplvm_memory(large, exact));
}

TEST(GplvmMemory, CountsComponentsOfMixturesAlone) {
  const Dataset data = join({make_view("y", Rng(1).normal(200, 5))});
  const auto memory = [&](const std::string& kernel, Index components) {
    return gplvm_memory(data, {.view = {.kernel = kernel, .components = components},
                               .features = {.kind = Kind::random, .count = 300}});
  };
  EXPECT_EQ(memory("rbf", 50), memory("rbf", 1));
  EXPECT_GT(memory("ngsm", 50), memory("ngsm", 1));
  EXPECT_EQ(mixture_components({.kernel = "matern32", .components = 7}), 1);
  EXPECT_EQ(mixture_components({.kernel = "sm", .components = 7}), 7);
}

TEST(GplvmMemory, CountsMissingEntriesAndPredictorsOfViews) {
  const Matrix Y = Rng(1).normal(900, 40);
  Matrix incomplete = Y;
  incomplete(3, 4) = nan;
  const GplvmOptions exact{.features = {.kind = Kind::exact}};
  const auto memory = [&](std::vector<View> views) { return gplvm_memory(join(std::move(views)), exact); };
  EXPECT_GT(memory({make_view("y", incomplete)}), memory({make_view("y", Y)}) + 8.0 * 2 * 900 * 900);
  const Matrix wide = Rng(2).normal(100, 4000);
  const double one = memory({make_view("y", wide)});
  EXPECT_GT(
      memory({make_view("a", Matrix(wide.leftCols(2000))), make_view("b", Matrix(wide.rightCols(2000)))}),
      one + 8.0 * 10 * 100 * 4000);
}

}  // namespace
}  // namespace bochner::start_test
