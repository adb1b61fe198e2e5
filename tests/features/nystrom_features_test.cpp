#include "bochner/features/nystrom_features.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <string>

#include "bochner/core/errors.hpp"
#include "bochner/features/feature_stream.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "map_examples.hpp"
#include "tests/support/gradient_check.hpp"
#include "tests/support/slow_evidence.hpp"

namespace bochner::nystrom_features_test {
namespace {

using namespace testing;

const Threads threads(2);

TEST(NystromFeatures, WithZEqualToXGiveTheGramMatrix) {
  const Matrix X = Rng(1).normal(80, 2);
  for (const char* name : {"rbf", "matern32", "ngsm", "bsm", "gibbs", "arccos1", "rbf*periodic+linear"}) {
    const AnyKernel k = make_kernel(name, 2, Rng(2));
    const auto map = NystromFeatures<double>::make(k, X, {}, threads);
    const Matrix Phi = feature_matrix(map, X, threads), K = gram(k, X, threads);
    EXPECT_LT((Phi * Phi.transpose() - K).cwiseAbs().maxCoeff(), 1e-8 * K.diagonal().maxCoeff()) << name;
    EXPECT_LT(map.residual(X, Phi).maxCoeff(), 1e-8 * K.diagonal().maxCoeff()) << name;
    EXPECT_GE(map.residual(X, Phi).minCoeff(), 0) << name;
  }
}

TEST(NystromFeatures, AreTheDenseProjection) {
  const AnyKernel k = make_kernel("matern52", 3, Rng(2));
  const Matrix X = Rng(3).normal(300, 3), Z = Rng(4).normal(9, 3);
  const auto map = NystromFeatures<double>::make(k, Z, {}, threads);
  const Matrix Phi = feature_matrix(map, X, threads);
  const Eigen::MatrixXd Kxz = gram(k, X, Z, threads), Kzz = gram(k, Z, threads);
  const Eigen::MatrixXd Q = Kxz * Kzz.ldlt().solve(Kxz.transpose());
  EXPECT_LT((Phi * Phi.transpose() - Q).cwiseAbs().maxCoeff(), 1e-8);
  const Vector exact = diagonal(k, X) - Q.diagonal();
  EXPECT_GT(exact.minCoeff(), 1e-3);
  EXPECT_LT((map.residual(X, Phi) - exact).cwiseAbs().maxCoeff(), 1e-8);
}

// Z of the shared example is well apart; here duplicate inducing points leave only the jitter to hold the factor, and
// its share of the mean diagonal must be differentiated too.
TEST(NystromFeatures, GradientHoldsWhereTheJitterMatters) {
  using E = Example<NystromFeatures<double>>;
  const NystromOptions options{.jitter = 1e-3};
  Matrix Z = Rng(4).normal(5, 3);
  Z.row(3) = Z.row(1);
  const Matrix X = Rng(3).normal(6, 3), W = Rng(5).normal(6, 5);
  const AnyKernel k = make_kernel("rbf", 3, Rng(2), {.sigma2 = 1.7});
  const auto map = NystromFeatures<double>::make(k, Z, options, threads);
  const auto back = feature_pullback(map, X, feature_matrix(map, X, threads), W, threads);
  const auto loss = [&](const Vector& theta) {
    Index at = 0;
    const AnyKernel moved = with_parameters(k, take(theta, at, 4, 1).col(0));
    const auto other = NystromFeatures<double>::make(moved, take(theta, at, 5, 3), options, threads);
    return feature_matrix(other, X, threads).cwiseProduct(W).sum();
  };
  expect_gradient(loss, E::made_of(map), E::flat(back.gradient), 1e-7);
}

TEST(NystromFeatures, PullBackThroughEveryKindOfKernel) {
  using E = Example<NystromFeatures<double>>;
  const Matrix X = Rng(3).normal(6, 2), Z = Rng(4).normal(4, 2), W = Rng(5).normal(6, 4);
  for (const char* name : {"matern32", "rq", "sm", "bsm", "ngsm", "gibbs", "poly2", "rbf*periodic+linear"}) {
    const auto map = NystromFeatures<double>::make(make_kernel(name, 2, Rng(2)), Z, {}, threads);
    const auto back = feature_pullback(map, X, feature_matrix(map, X, threads), W, threads);
    const auto loss = [&](const NystromFeatures<double>& m, const Matrix& x) {
      return feature_matrix(m, x, threads).cwiseProduct(W).sum();
    };
    expect_gradient([&](const Vector& theta) { return loss(E::with(map, theta), X); }, E::made_of(map),
                    E::flat(back.gradient), 1e-6, name);
    expect_gradient([&](const Vector& x) { return loss(map, unflat(x, 6, 2)); }, flat(X), flat(back.dX), 1e-6,
                    name);
  }
}

TEST(NystromFeatures, ResidualPullsBackToInputsAndToWhatItIsMadeOf) {
  using E = Example<NystromFeatures<double>>;
  const auto map =
      NystromFeatures<double>::make(make_kernel("ngsm", 2, Rng(2)), Rng(4).normal(4, 2), {}, threads);
  const Matrix X = Rng(3).normal(6, 2);
  const Vector w = Rng(5).normal(6);
  const auto loss = [&](const NystromFeatures<double>& m, const Matrix& x) {
    return m.residual(x, feature_matrix(m, x, threads)).dot(w);
  };
  const Matrix Phi = feature_matrix(map, X, threads);
  Matrix dPhi = Matrix::Zero(6, 4), dX = Matrix::Zero(6, 2);
  NystromGradient g = map.zero_gradient();
  map.pull_residual(X, Phi, w, dPhi, dX, g);
  map.pull(X, Phi, dPhi, dX, g);
  map.complete(g, threads);
  expect_gradient([&](const Vector& theta) { return loss(E::with(map, theta), X); }, E::made_of(map),
                  E::flat(g));
  expect_gradient([&](const Vector& x) { return loss(map, unflat(x, 6, 2)); }, flat(X), flat(dX));
}

// The collapsed bound of [titsias2009]: log N(Y | 0, Q + sigma2 I) - M tr(K - Q) / (2 sigma2), streamed.
TEST(NystromFeatures, StreamTheTraceCorrection) {
  using E = Example<NystromFeatures<double>>;
  const Index N = 40, M = 2;
  const double sigma2 = 0.3;
  const EvidenceOptions options{.block = 16, .cache_bytes = 0};
  const Matrix X = Rng(3).normal(N, 2), Y = Rng(6).normal(N, M);
  const Observations<double> observations(Y, threads);
  const AnyKernel kernel = make_kernel("matern52", 2, Rng(2));
  const auto map = NystromFeatures<double>::make(kernel, Rng(4).normal(5, 2), {}, threads);

  FeatureStream<NystromFeatures<double>> stream(map, X, evidence_plan(N, options));
  const Vector dL_dr = Vector::Constant(N, -0.5 * M / sigma2);
  const auto pull = [&](Index lane, Index begin, MatrixIn Phi, MatrixIn dL_dPhi) {
    stream.pull(lane, begin, Phi, dL_dPhi, dL_dr.segment(begin, Phi.rows()));
  };
  const double evidence =
      feature_evidence<double>(stream.rows(), observations, sigma2, pull, options, threads).value;
  const Matrix Phi = feature_matrix(map, X, threads);
  const double bound = evidence + dL_dr.dot(stream.residual(0, Phi));
  const auto back = stream.finish(threads);

  const auto dense = [&](const NystromFeatures<double>& m) {
    const Matrix Kxz = gram(m.kernel, X, m.Z, threads);
    Eigen::MatrixXd Kzz = m.Kzz;
    Kzz.diagonal().array() += m.jitter;
    const Matrix Q = Kxz * Kzz.ldlt().solve(Eigen::MatrixXd(Kxz.transpose()));
    return slow_evidence(Q, Y, sigma2) - 0.5 * M / sigma2 * (diagonal(m.kernel, X) - Q.diagonal()).sum();
  };
  EXPECT_NEAR(bound, dense(map), 1e-9 * std::abs(bound));
  EXPECT_LT(bound, slow_evidence(gram(kernel, X, threads), Y, sigma2));  // a lower bound
  expect_gradient([&](const Vector& theta) { return dense(E::with(map, theta)); }, E::made_of(map),
                  E::flat(back.gradient));
}

TEST(NystromFeatures, ClampedResidualHasNoGradient) {
  const Matrix X = Rng(3).normal(6, 2);
  const auto map = NystromFeatures<double>::make(make_kernel("rbf", 2, Rng(2)), X, {.jitter = 0}, threads);
  const Matrix Phi = 1.0001 * feature_matrix(map, X, threads);  // a little too long: k - |phi|^2 < 0
  EXPECT_EQ(map.residual(X, Phi).norm(), 0);
  Matrix dPhi = Matrix::Zero(6, 6), dX = Matrix::Zero(6, 2);
  NystromGradient g = map.zero_gradient();
  map.pull_residual(X, Phi, Vector::Ones(6), dPhi, dX, g);
  EXPECT_EQ(dPhi.norm() + dX.norm() + g.dtheta.norm(), 0);
}

TEST(NystromFeatures, SayWhatCannotBeFactorised) {
  Matrix Z = Rng(4).normal(3, 2);
  Z(1, 0) = std::nan("");
  try {
    NystromFeatures<double>::make(make_kernel("rbf", 2, Rng(2)), Z, {.what = "the Gram matrix of view 'rna'"},
                                  threads);
    FAIL() << "no error";
  } catch (const NumericalError& error) {
    EXPECT_NE(std::string(error.what()).find("view 'rna'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace bochner::nystrom_features_test
