// Fits: four algorithms and one answer, which is that of dense algebra.
#include "bochner/models/kpca/kpca.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "examples.hpp"

namespace bochner::kpca_test {
namespace {

using namespace testing;

/// Linear, quadratic and weighted: every view has features of its own, so that each algorithm can run.
KpcaOptions explicit_views(Index dims, KpcaSolver solver) {
  return {.dims = dims,
          .own = {{KpcaViewOptions{.kernel = "linear", .weight = 1.0}},
                  {KpcaViewOptions{.kernel = "poly2", .weight = 0.2}},
                  {KpcaViewOptions{.kernel = "affine", .scaling = ScalingKind::whole_view, .weight = 3.0}}},
          .solver = solver,
          .tolerance = 1e-12};  // of residuals: eigenvectors are off by that over the gap between eigenvalues
}

/// The centred Gram matrices of those views from the tables alone.
std::vector<Matrix> explicit_grams(const std::vector<Matrix>& Y) {
  const Matrix A = standardised(Y[0]), B = standardised(Y[1]);
  Matrix C = Y[2].rowwise() - Y[2].colwise().mean();
  C /= std::sqrt(C.squaredNorm() / double(C.size()));
  return {centred(A * A.transpose()), 0.2 * centred(((B * B.transpose()).array() + 1).square()),
          3 * centred(C * C.transpose())};
}

struct Dense {
  Vector lambda;  // all, from the largest down
  Matrix H;
};
Dense decompose(const Matrix& K) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> full{Eigen::MatrixXd(K)};
  return {full.eigenvalues().reverse(), full.eigenvectors().rowwise().reverse()};
}

class KpcaSolvers : public ::testing::TestWithParam<KpcaSolver> {};

TEST_P(KpcaSolvers, GiveTheEigenpairsOfTheSumOfCentredGramMatrices) {
  const Index n = 60, s = 5;
  const auto Y = three_tables(1, n);
  const std::vector<Matrix> K = explicit_grams(Y);
  const Matrix sum = K[0] + K[1] + K[2];
  const Dense dense = decompose(sum);
  const KpcaFit fit = fit_kpca(tables(Y), explicit_views(s, GetParam()), 1, Threads(2));
  EXPECT_EQ(fit.solver, GetParam());
  EXPECT_EQ(fit.status, Status::converged);
  ASSERT_EQ(fit.dims(), s);
  EXPECT_EQ(fit.ids, tables(Y).ids());

  EXPECT_LT(largest(fit.lambda - dense.lambda.head(s)), 1e-9 * dense.lambda(0));
  EXPECT_LT(largest(with_signs_of(dense.H.leftCols(s), fit.H) - fit.H), 1e-8);
  EXPECT_LT(largest(fit.H.transpose() * fit.H - Matrix::Identity(s, s)), 1e-10);
  EXPECT_LT(largest(fit.H.colwise().sum()), 1e-10);
  EXPECT_NEAR(fit.total_variance, sum.trace(), 1e-11 * sum.trace());
  EXPECT_LT(largest(fit.explained() - dense.lambda.head(s) / sum.trace()), 1e-9);
  EXPECT_TRUE(fit.notes.empty());
}

TEST_P(KpcaSolvers, GiveViewsThatAddUp) {
  const Index n = 60, s = 5;
  const auto Y = three_tables(1, n);
  const std::vector<Matrix> K = explicit_grams(Y);
  const KpcaFit fit = fit_kpca(tables(Y), explicit_views(s, GetParam()), 1, Threads(2));
  ASSERT_EQ(fit.views.size(), 3u);
  ASSERT_EQ(fit.second.size(), 3u);
  Matrix G = Matrix::Zero(s, s), second = G;
  for (std::size_t v = 0; v < 3; ++v) {
    const KpcaView& view = fit.views[v];
    EXPECT_EQ(view.name, std::string(1, char('a' + v)));
    ASSERT_TRUE(view.explicit_features());
    // G_v = U_v'U_v = H'K_v H: only with U = U~ Lambda^(1/2), and weights inside
    EXPECT_LT(largest(view.G - view.U.transpose() * view.U), 1e-10 * fit.lambda(0)) << v;
    EXPECT_LT(largest(view.G - fit.H.transpose() * K[v] * fit.H), 1e-8 * fit.lambda(0)) << v;
    G += view.G;
    for (std::size_t w = 0; w < 3; ++w) {
      const Matrix dense = fit.H.transpose() * K[v] * K[w] * fit.H;  // sum of e_v e_w'
      EXPECT_LT(largest(fit.second[v][w] - dense), 1e-8 * fit.lambda(0) * fit.lambda(0)) << v << w;
      second += fit.second[v][w];
    }
  }
  const Matrix Lambda = fit.lambda.asDiagonal();
  EXPECT_LT(largest(G - Lambda), 1e-9 * fit.lambda(0));
  EXPECT_LT(largest(second - Lambda * Lambda), 1e-8 * fit.lambda(0) * fit.lambda(0));
}

TEST_P(KpcaSolvers, PlaceTrainingSamplesWhereTheyWere) {
  const auto Y = three_tables(1, 60);
  const KpcaFit fit = fit_kpca(tables(Y), explicit_views(5, GetParam()), 1, Threads(1));
  EXPECT_LT(largest(embed(fit, tables(Y), Threads(1)) - fit.H), 1e-8);
}

TEST_P(KpcaSolvers, HaveTheSameBytesForAnyNumberOfThreads) {
  const auto Y = three_tables(1, 600);  // several blocks of rows
  const KpcaOptions options = explicit_views(3, GetParam());
  const KpcaFit one = fit_kpca(tables(Y), options, 1, Threads(1));
  for (const int count : {2, 7}) {
    const KpcaFit other = fit_kpca(tables(Y), options, 1, Threads(count));
    EXPECT_EQ(one.lambda, other.lambda) << count;
    EXPECT_EQ(one.H, other.H) << count;
    EXPECT_EQ(one.total_variance, other.total_variance) << count;
    for (std::size_t v = 0; v < 3; ++v) {
      EXPECT_EQ(one.views[v].U, other.views[v].U) << count;
      EXPECT_EQ(one.views[v].G, other.views[v].G) << count;
    }
    EXPECT_EQ(embed(one, tables(Y), Threads(1)), embed(other, tables(Y), Threads(count))) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, KpcaSolvers,
                         ::testing::Values(KpcaSolver::primal, KpcaSolver::dual, KpcaSolver::primal_stiefel,
                                           KpcaSolver::dual_stiefel));

// The sum of sines of [achten2023, Sec. 5]: 41 values and the next one, linear, four components.
TEST(Kpca, SumOfSinesHasTheEigenvaluesOfThePaper) {
  const Index T = 400, lags = 41, n = T - lags, s = 4;
  Vector x(T);
  for (Index i = 0; i < T; ++i) {
    const double t = 0.01 * double(i);
    x(i) = std::sin(2 * pi * t) + 0.2 * std::sin(40 * pi * t);
  }
  x = (x.array() - x.mean()).matrix().eval();
  x /= std::sqrt(x.squaredNorm() / double(T - 1));
  Matrix past(n, lags), next(n, 1);
  for (Index i = 0; i < n; ++i) {
    past.row(i) = x.segment(i, lags).transpose();
    next(i, 0) = x(i + lags);
  }
  // what the authors' program finds
  const Vector authors{{8755.0677, 5684.3943, 293.7017, 284.4540}};
  std::vector<KpcaFit> fits;
  for (const KpcaSolver solver :
       {KpcaSolver::primal, KpcaSolver::dual, KpcaSolver::primal_stiefel, KpcaSolver::dual_stiefel}) {
    fits.push_back(
        fit_kpca(tables({past, next}),
                 {.dims = s,
                  .view = {.kernel = "linear", .scaling = ScalingKind::none, .preimage = Preimage::identity},
                  .solver = solver},
                 1, Threads(2)));
    const KpcaFit& fit = fits.back();
    EXPECT_EQ(fit.status, Status::converged) << int(solver);
    EXPECT_LT(largest(fit.lambda - authors), 1e-4) << int(solver);
    EXPECT_LT(largest(fit.H.transpose() * fit.H - Matrix::Identity(s, s)), 1e-10) << int(solver);
    // up to signs, the same in components and in what they say of the next value
    EXPECT_LT(largest(fit.lambda - fits[0].lambda), 1e-8 * fits[0].lambda(0)) << int(solver);
    EXPECT_LT(largest(with_signs_of(fit.H, fits[0].H) - fits[0].H), 1e-8) << int(solver);
    EXPECT_LT(largest(predict_from_others(fit, 1, tables({past, next}), Threads(1)) -
                      predict_from_others(fits[0], 1, tables({past, next}), Threads(1))),
              1e-8)
        << int(solver);
  }
}

TEST(Kpca, KernelsWithoutFeaturesAreSummedToo) {
  const Index n = 70, s = 6;
  const auto Y = three_tables(2, n);
  const KpcaOptions options{
      .dims = s,
      .own = {{KpcaViewOptions{.kernel = "rbf", .lengthscale = 1.7, .weight = 2}},
              {KpcaViewOptions{.kernel = "matern32", .lengthscale = 0.8, .scaling = ScalingKind::none}},
              {KpcaViewOptions{.kernel = "linear", .weight = 0.1}}}};
  const AnyKernel rbf = make_kernel("rbf", 4, Rng(1), {.ell = 1.7}),
                  matern = make_kernel("matern32", 3, Rng(1), {.ell = 0.8});
  const Matrix C = standardised(Y[2]);
  const Matrix K = 2 * centred(gram(rbf, standardised(Y[0]), Threads(1))) +
                   centred(gram(matern, Y[1], Threads(1))) + 0.1 * centred(C * C.transpose());
  const Dense dense = decompose(K);
  for (const KpcaSolver solver : {KpcaSolver::automatic, KpcaSolver::dual_stiefel}) {
    KpcaOptions with = options;
    with.solver = solver;
    with.tolerance = 1e-12;
    const KpcaFit fit = fit_kpca(tables(Y), with, 1, Threads(1));
    EXPECT_NE(fit.solver, KpcaSolver::primal);
    EXPECT_LT(largest(fit.lambda - dense.lambda.head(s)), 1e-9 * dense.lambda(0));
    EXPECT_LT(largest(with_signs_of(dense.H.leftCols(s), fit.H) - fit.H), 1e-8);
    EXPECT_NEAR(fit.total_variance, K.trace(), 1e-11 * K.trace());
    EXPECT_LT(largest(embed(fit, tables(Y), Threads(1)) - fit.H), 1e-8);
  }
}

TEST(Kpca, GramMatricesMadeAnewGiveTheSame) {
  const auto Y = three_tables(2, 600);
  KpcaOptions options{.dims = 4, .view = {.kernel = "rbf", .lengthscale = 1.5}};
  const KpcaFit kept = fit_kpca(tables(Y), options, 1, Threads(2));
  options.keep_bytes = 0;
  const KpcaFit made = fit_kpca(tables(Y), options, 1, Threads(2));
  EXPECT_EQ(kept.lambda, made.lambda);
  EXPECT_EQ(kept.H, made.H);
}

TEST(Kpca, ZeroLengthscaleIsTheMedianDistance) {
  const auto Y = three_tables(3, 40);
  const KpcaFit fit = fit_kpca(tables({Y[0]}), {.view = {.kernel = "rbf"}}, 1, Threads(1));
  const Matrix A = standardised(Y[0]);
  std::vector<double> distances;
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < i; ++j) distances.push_back((A.row(i) - A.row(j)).norm());
  std::nth_element(distances.begin(), distances.begin() + Index(distances.size() / 2), distances.end());
  ASSERT_TRUE(fit.views[0].kernel);
  EXPECT_NEAR(std::get<Rbf>(*fit.views[0].kernel).ell(0), distances[distances.size() / 2], 0.02);
}

TEST(Kpca, FlowChart) {
  EXPECT_EQ(resolve(KpcaSolver::automatic, 100, 20), KpcaSolver::primal);
  EXPECT_EQ(resolve(KpcaSolver::automatic, 100, 200), KpcaSolver::dual);
  EXPECT_EQ(resolve(KpcaSolver::automatic, 100, std::nullopt), KpcaSolver::dual);
  for (const KpcaSolver asked : {KpcaSolver::dual, KpcaSolver::dual_stiefel, KpcaSolver::primal_stiefel})
    EXPECT_EQ(resolve(asked, 100, 20), asked);
}

TEST(Kpca, ApproximateFeaturesComeNearTheKernel) {
  const auto Y = three_tables(4, 80);
  const auto with = [&](FeatureSpec features) {
    return fit_kpca(tables({Y[0], Y[1]}),
                    {.dims = 3, .view = {.kernel = "rbf", .lengthscale = 2, .features = features}}, 1,
                    Threads(1));
  };
  const KpcaFit exact = with({.kind = FeatureSpec::Kind::exact});
  const KpcaFit fourier = with({.kind = FeatureSpec::Kind::random, .count = 4000});
  const KpcaFit nystrom = with({.kind = FeatureSpec::Kind::nystrom, .count = 80});
  EXPECT_TRUE(fourier.views[0].explicit_features());
  EXPECT_LT(largest((fourier.lambda - exact.lambda).cwiseQuotient(exact.lambda)), 0.1);
  // landmarks everywhere: the Gram matrix itself, up to the jitter that it needs
  EXPECT_LT(largest((nystrom.lambda - exact.lambda).cwiseQuotient(exact.lambda)), 1e-4);
  EXPECT_LT(largest(with_signs_of(nystrom.H, exact.H) - exact.H), 1e-3);
}

TEST(Kpca, FeaturesInPrimalAndDualAreTheSame) {
  const auto Y = three_tables(4, 90);
  std::vector<KpcaFit> fits;
  for (const KpcaSolver solver : {KpcaSolver::primal, KpcaSolver::dual}) {
    const KpcaViewOptions rff{
        .kernel = "rbf", .lengthscale = 2, .features = {.kind = FeatureSpec::Kind::random, .count = 30}};
    fits.push_back(fit_kpca(tables(Y), {.dims = 4, .view = rff, .solver = solver}, 7, Threads(1)));
  }
  EXPECT_LT(largest(fits[0].lambda - fits[1].lambda), 1e-9 * fits[0].lambda(0));
  EXPECT_LT(largest(with_signs_of(fits[0].H, fits[1].H) - fits[1].H), 1e-8);
  const auto test = tables(three_tables(5, 10));
  EXPECT_LT(largest(with_signs_of(embed(fits[0], test, Threads(1)), embed(fits[1], test, Threads(1))) -
                    embed(fits[1], test, Threads(1))),
            1e-8);
}

TEST(Kpca, ManySamplesMayCarryFewFeaturesAndFewManyFeatures) {
  // more features than samples, and each of the four algorithms
  const Matrix Y = Rng(5).normal(15, 40);
  const Matrix Z = standardised(Y);
  const Dense dense = decompose(Z * Z.transpose());
  for (const KpcaSolver solver : {KpcaSolver::automatic, KpcaSolver::primal, KpcaSolver::dual,
                                  KpcaSolver::primal_stiefel, KpcaSolver::dual_stiefel}) {
    const KpcaFit fit =
        fit_kpca(tables({Y}), {.dims = 3, .view = {.kernel = "linear"}, .solver = solver}, 1, Threads(1));
    EXPECT_LT(largest(fit.lambda - dense.lambda.head(3)), 1e-9 * dense.lambda(0)) << int(solver);
    EXPECT_LT(largest(fit.H.transpose() * fit.H - Matrix::Identity(3, 3)), 1e-10) << int(solver);
    EXPECT_LT(largest(with_signs_of(dense.H.leftCols(3), fit.H) - fit.H), 1e-7) << int(solver);
  }
}

TEST(Kpca, StoppedEarlyIsStillOrthonormal) {
  const auto Y = three_tables(1, 60);
  for (const KpcaSolver solver : {KpcaSolver::primal_stiefel, KpcaSolver::dual_stiefel}) {
    KpcaOptions options = explicit_views(4, solver);
    options.stiefel_steps = 3;
    const KpcaFit fit = fit_kpca(tables(Y), options, 1, Threads(1));
    EXPECT_EQ(fit.status, Status::iteration_limit);
    EXPECT_EQ(fit.steps, 3);
    EXPECT_LT(largest(fit.H.colwise().sum()), 1e-10) << int(solver);
    EXPECT_LT(largest(fit.H.transpose() * fit.H - Matrix::Identity(4, 4)), 1e-10) << int(solver);
  }
}

TEST(Kpca, SmallComponentsStayApart) {
  // variances down to 1e-8 of the largest, as long tables with one dominant direction have
  Matrix Y = Rng(6).normal(80, 5);
  for (Index m = 0; m < 5; ++m) Y.col(m) *= std::pow(10.0, -double(m));
  for (const KpcaSolver solver : {KpcaSolver::primal, KpcaSolver::dual}) {
    const KpcaFit fit =
        fit_kpca(tables({Y}),
                 {.dims = 5, .view = {.kernel = "linear", .scaling = ScalingKind::centre}, .solver = solver},
                 1, Threads(1));
    ASSERT_EQ(fit.dims(), 5);
    EXPECT_LT(largest(fit.H.transpose() * fit.H - Matrix::Identity(5, 5)), 1e-8) << int(solver);
    EXPECT_LT(largest(predict_view(fit, 0, fit.H, {}, Threads(1)) - Y), 1e-10) << int(solver);
  }
}

TEST(Kpca, MemoryGrowsWithTheGramMatrixThatIsKept) {
  const auto small = tables(three_tables(1, 50)), large = tables(three_tables(1, 2000));
  const KpcaOptions kernel{.view = {.kernel = "rbf"}};
  EXPECT_GT(kpca_memory(large, kernel), 4.0 * 2000 * 2000);
  EXPECT_LT(kpca_memory(small, kernel), 1e8);
  EXPECT_LT(kpca_memory(large, {.view = {.kernel = "rbf"}, .keep_bytes = 0}), kpca_memory(large, kernel));
}

}  // namespace
}  // namespace bochner::kpca_test
