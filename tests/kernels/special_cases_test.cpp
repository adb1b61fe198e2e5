#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "kernel_examples.hpp"
#include "tests/support/gradient_check.hpp"

// Exact limits, and the places where a formula breaks down.

namespace bochner::special_cases_test {
namespace {

using namespace testing;

const Threads one(1);

/// x'diag(w)x on rows as a whole, to compare Gram matrices.
double largest(const Matrix& A) { return A.cwiseAbs().maxCoeff(); }

TEST(Gibbs, WithThePrintedPowerIsNotPositiveSemidefiniteInThePlane) {
  const Matrix X = Rng(1).normal(60, 2);
  const Matrix G = gram(Gibbs{}, X, one);
  Matrix printed = G;  // [yang2025, App. C.1.1]: the factor to the power 1/2 whatever D
  for (Index i = 0; i < 60; ++i)
    for (Index j = 0; j < 60; ++j) {
      const double a = std::exp(-0.5 * X.row(i).norm()), b = std::exp(-0.5 * X.row(j).norm());
      printed(i, j) /= std::sqrt(2 * a * b / (a * a + b * b));
    }
  const auto smallest = [](const Matrix& A) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues()(0);
  };
  EXPECT_LT(smallest(printed), -1e-2);
  EXPECT_GT(smallest(G), -1e-12);
}

TEST(Gibbs, WithoutSlopeIsTheRbf) {
  const Matrix X = Rng(2).normal(20, 3);
  const Matrix G = gram(Gibbs{.a = std::log(0.7), .b = 0, .sigma2 = 1.3}, X, one);
  EXPECT_LT(largest(G - gram(Rbf{.ell = Vector::Constant(3, 0.7), .sigma2 = 1.3}, X, one)), 1e-14);
}

TEST(Gibbs, HasFiniteGradientsAtTheOrigin) {
  const Gibbs k;
  const Vector zero = Vector::Zero(2), y{{0.3, -0.2}};
  EXPECT_TRUE(k.input_gradient(zero, y).allFinite());
  EXPECT_EQ(k.input_gradient(zero, zero).norm(), 0);
  // the mean of the slopes on both sides, along each axis
  for (Index d = 0; d < 2; ++d) {
    const Vector step = 1e-6 * Vector::Unit(2, d);
    EXPECT_NEAR(k.input_gradient(zero, y)(d), (k(step, y) - k(-step, y)) / 2e-6, 1e-6);
  }
}

TEST(Gibbs, FarFromTheOriginIsStillAKernel) {
  for (const double b : {-0.5, 0.5}) {
    const Matrix X{{1e4, 0}, {0, 1e5}, {1e4, 1}};
    const Matrix G = gram(Gibbs{.b = b}, X, one);
    EXPECT_TRUE(G.allFinite());
    EXPECT_NEAR(G(0, 0), 1, 1e-12);
    EXPECT_TRUE(gram_pullback(Gibbs{.b = b}, X, G, Matrix::Ones(3, 3), one).dX.allFinite());
  }
}

TEST(RationalQuadratic, TendsToTheRbf) {
  const Matrix X = Rng(3).normal(20, 3);
  const Matrix G = gram(RationalQuadratic{.ell = ladder(3), .alpha = 1e9, .sigma2 = 1.3}, X, one);
  EXPECT_LT(largest(G - gram(Rbf{.ell = ladder(3), .sigma2 = 1.3}, X, one)), 1e-8);
  // log(1 + t) without the rounding of 1 + t: at alpha = 1e9 a plain logarithm errs by alpha eps = 2e-7
  const RationalQuadratic k{.ell = Vector::Constant(1, 1.0), .alpha = 1e9};
  const Matrix Y{{0.0}, {1.0}, {2.0}};
  const Matrix K = gram(k, Y, one);
  EXPECT_NEAR(K(0, 1), std::exp(-1e9 * std::log1p(0.5e-9)), 1e-15);
  EXPECT_NEAR(K(0, 2), std::exp(-1e9 * std::log1p(2e-9)), 1e-15);
}

TEST(Periodic, RepeatsAndIsProductOverDimensions) {
  const Periodic k = examples<Periodic>(3)[0];
  const Vector x = Rng(4).normal(3), y = Rng(5).normal(3);
  EXPECT_NEAR(k(x, y), k(x + 3 * k.period, y), 1e-13);
  EXPECT_NEAR(k(x + 2 * k.period.cwiseProduct(Vector{{1, -4, 0}}), y), k(x, y), 1e-13);
}

TEST(Periodic, KeepsAmplitudesFiniteWhateverTheHarmonic) {
  const SpectralNoise noise{.extra = Matrix{{0, 1}, {-3, 2}, {4e5, -7}, {1e12, 1e15}}};
  for (const double ell : {0.02, 1.0, 50.0}) {
    const Periodic k{.ell = Vector::Constant(2, ell), .period = Vector{{1.0, 2.0}}};
    const Frequencies f = k.frequencies(noise);
    EXPECT_TRUE(f.amplitude.allFinite());
    EXPECT_GT(f.amplitude(0), 0);
    EXPECT_EQ(f.amplitude(3), 0);
    const Frequencies dL{.Omega1 = Matrix::Ones(4, 2), .amplitude = Vector::Ones(4)};
    EXPECT_TRUE(k.frequencies_pullback(noise, dL).allFinite());
  }
}

TEST(ArcCosine, IsExactWhereAnglesAreTinyOrNearlyPi) {
  const Vector w = Vector::Ones(2);
  for (const int order : {0, 1, 2}) {
    const ArcCosine k{.weight = w, .bias = 1e-40, .order = order};
    const double a = 1e-9;  // the angle between x and y; acos(1 - a^2 / 2) would give 0
    const Vector x{{1, 0}}, y{{std::cos(a), std::sin(a)}};
    const double J = order == 0 ? pi - a : order == 1 ? pi : 3 * pi;
    EXPECT_NEAR(k(x, y), J / pi, 1e-11);
    if (order == 0) {
      EXPECT_NEAR((1 - k(x, y)) * pi / a, 1, 1e-6);
      EXPECT_NEAR(k(x, -y) * pi / a, 1, 1e-6);
    }
  }
}

TEST(ArcCosine, HasTheRightGradientNextToTheDiagonal) {
  const Vector x{{0.8, -0.4}};
  for (const int order : {0, 1, 2}) {
    const ArcCosine k{.weight = Vector{{0.7, 1.4}}, .bias = 0.3, .order = order};
    for (const double distance : {1e-3, 1e-5}) {
      const Vector y = x + distance * Vector{{0.6, 0.8}};
      const Vector g = k.input_gradient(x, y), t = k.gradient(x, y);
      const auto numeric = [&](Index d) {
        const Vector step = 1e-3 * distance * Vector::Unit(2, d);
        return (k(x + step, y) - k(x - step, y)) / (2e-3 * distance);
      };
      for (Index d = 0; d < 2; ++d) EXPECT_NEAR(g(d), numeric(d), 3e-5) << order << " " << distance;
      EXPECT_TRUE(t.allFinite());
    }
    // on it: k(x, x) = sigma2 J(0) / pi |u|^2n, and by symmetry dk/dx (first) is half of the derivative of that
    Vector dtheta = Vector::Zero(4);
    Matrix dX = Matrix::Zero(1, 2);
    k.pull_diagonal(x.transpose(), Vector::Ones(1), dtheta, dX);
    EXPECT_LT((k.input_gradient(x, x) - 0.5 * dX.row(0).transpose()).norm(), 1e-14);
    EXPECT_LT((k.gradient(x, x) - dtheta).norm(), 1e-14);
  }
}

TEST(Matern, HalfIsFlatOnTheDiagonal) {
  const Matern k = examples<Matern>(3)[0];
  const Vector x = Rng(6).normal(3);
  EXPECT_EQ(k.input_gradient(x, x).norm(), 0);
  EXPECT_EQ(k.gradient(x, x).head(3).norm(), 0);
  const Matrix X{{1, 2, 3}, {1, 2, 3}};  // twin rows
  const GramPullback p = gram_pullback(k, X, gram(k, X, one), Matrix::Ones(2, 2), one);
  EXPECT_TRUE(p.dX.allFinite() && p.dtheta.allFinite());
}

/// [rasmussen2006, Eq. 4.15] with one chi-squared per entry is a different kernel: the unbiasedness test must see it.
TEST(Matern, OneChiSquaredPerEntryWouldBeCaught) {
  const Matern k = examples<Matern>(3)[1];
  const Vector tau{{0.5, -0.3, 0.8}};
  Rng rng(7);
  const Index L = 200000;
  const auto z_score = [&](bool per_row) {
    const SpectralNoise noise = k.draw_noise(L, Directions::independent, rng);
    Matrix Omega = k.frequencies(noise).Omega1;
    if (!per_row)
      for (Index l = 0; l < L; ++l)
        for (Index d = 1; d < 3; ++d) Omega(l, d) *= std::sqrt(noise.extra(l, 0) / rng.chi_squared(3));
    const Eigen::ArrayXd c = k.sigma2 * (Omega * tau).array().cos();
    const double se = std::sqrt((c - c.mean()).square().mean() / double(L));
    return std::abs(c.mean() - k(tau, Vector::Zero(3))) / se;
  };
  EXPECT_LT(z_score(true), 4);
  EXPECT_GT(z_score(false), 20);
}

TEST(Composites, AreWhatTheyAreMadeOf) {
  const Matrix X = Rng(8).normal(30, 3);
  const Rbf rbf = examples<Rbf>(3)[0];
  const Gibbs gibbs = examples<Gibbs>(3)[1];
  const Matrix A = gram(rbf, X, one), B = gram(gibbs, X, one);
  EXPECT_LT(largest(gram(Sum{{rbf, gibbs}}, X, one) - (A + B)), 1e-14);
  EXPECT_LT(largest(gram(Product{{rbf, gibbs}}, X, one) - A.cwiseProduct(B)), 1e-14);
  EXPECT_LT(largest(gram(Scaled{.inner = {rbf}, .scale = 0.3}, X, one) - 0.3 * A), 1e-14);
  const Rbf narrow{.ell = rbf.ell.tail(2), .sigma2 = rbf.sigma2};
  const Matrix narrow_X = X.rightCols(2);
  EXPECT_LT(largest(gram(Select{.inner = {narrow}, .columns = {1, 2}, .dims = 3}, X, one) -
                    gram(narrow, narrow_X, one)),
            1e-15);
  EXPECT_EQ(input_dims(Sum{{gibbs, rbf}}), 3);
  EXPECT_EQ(input_dims(Sum{{gibbs, gibbs}}), 0);
  EXPECT_THROW(gram(Sum{{rbf, narrow}}, X, one), std::invalid_argument);
  EXPECT_THROW(gram(Scaled{}, X, one), std::invalid_argument);
  EXPECT_THROW(gram(Select{.inner = {narrow}, .columns = {1, 3}, .dims = 3}, X, one), std::domain_error);
}

/// Adjoints whose shape is not that of the frequencies are refused, by every kind of kernel that has them here.
TEST(Frequencies, AdjointsOfTheWrongShapeAreRefused) {
  const Rbf rbf = examples<Rbf>(3)[0], narrow = examples<Rbf>(2)[0];
  const Matern matern = examples<Matern>(3)[1];
  const std::vector<AnyKernel> kernels = {rbf,
                                          matern,
                                          examples<RationalQuadratic>(3)[0],
                                          examples<Periodic>(3)[0],
                                          Sum{{rbf, matern}},
                                          Product{{rbf, matern}},
                                          Scaled{.inner = {matern}, .scale = 2.3},
                                          Select{.inner = {narrow}, .columns = {2, 0}, .dims = 3}};
  for (const AnyKernel& k : kernels) {
    SCOPED_TRACE(kernel_name(k));
    Rng rng(8);
    const SpectralNoise noise = draw_noise(k, 6, Directions::independent, rng);
    Frequencies wrong = frequencies(k, noise);
    wrong.amplitude.conservativeResize(wrong.count() - 1);
    EXPECT_THROW(frequencies_pullback(k, noise, wrong), std::invalid_argument);
    EXPECT_THROW(frequencies_pullback(k, noise, Frequencies{}), std::invalid_argument);
  }
}

/// k = 1/2 (x'y)^2 has a zero factor on orthogonal points: pullbacks must not divide by it.
TEST(Product, DoesNotDivideByAFactor) {
  const Linear linear{.weight = Vector::Ones(2)};
  const Product k{{linear, linear}};
  const Matrix X{{1, 0}, {0, 1}};
  const GramPullback p = gram_pullback(k, X, gram(k, X, one), Matrix::Ones(2, 2), one);
  EXPECT_LT(largest(p.dX - Matrix{{4, 0}, {0, 4}}), 1e-15);  // d/dx sum_ij (x_i'x_j)^2 = 4 X'X X here
}

}  // namespace
}  // namespace bochner::special_cases_test
