#include <gtest/gtest.h>

#include "bochner/kernels/any_kernel.hpp"

// Kernels on the plane against numbers that came from elsewhere, at the pairs (0, 1), (0, 2) and (1, 2) of
//   X = [[0.3, -1.2], [1.1, 0.4], [-0.7, 2.0]].

namespace bochner::pinned_values_test {
namespace {

const Matrix X{{0.3, -1.2}, {1.1, 0.4}, {-0.7, 2.0}};
const Vector ell{{0.8, 1.7}};

void expect_pairs(const AnyKernel& k, double k01, double k02, double k12) {
  const Matrix G = gram(k, X, Threads(1));
  EXPECT_NEAR(G(0, 1) / k01, 1, 2e-14);
  EXPECT_NEAR(G(0, 2) / k02, 1, 2e-14);
  EXPECT_NEAR(G(1, 2) / k12, 1, 2e-14);
}

// scikit-learn 1.9: (1.3 * RBF(length_scale=[0.8, 1.7]))(X), and Matern with nu = 0.5, 1.5, 2.5 likewise.
TEST(PinnedValues, Rbf) {
  expect_pairs(Rbf{.ell = ell, .sigma2 = 1.3}, 0.50634232342603469, 0.10121462334509392,
               0.066417658942595714);
}
TEST(PinnedValues, Matern) {
  expect_pairs(Matern{.ell = ell, .sigma2 = 1.3, .smoothness = Smoothness::half}, 0.32926747759981145,
               0.13571109141229692, 0.11343195653081271);
  expect_pairs(Matern{.ell = ell, .sigma2 = 1.3, .smoothness = Smoothness::three_halves}, 0.4070862760668244,
               0.12753940646272854, 0.099396653734666565);
  expect_pairs(Matern{.ell = ell, .sigma2 = 1.3, .smoothness = Smoothness::five_halves}, 0.43503356795424264,
               0.1210190746581008, 0.091088411185670015);
}

// scikit-learn 1.9: (0.6 * RationalQuadratic(length_scale=1, alpha=0.7))(X / [0.8, 1.7])
TEST(PinnedValues, RationalQuadratic) {
  expect_pairs(RationalQuadratic{.ell = ell, .alpha = 0.7, .sigma2 = 0.6}, 0.33021049416606302,
               0.20470695338433434, 0.1879790785874205);
}

// scikit-learn 1.9: 1.4 * ExpSineSquared(0.9, 1.5)(X[:, :1]) * ExpSineSquared(1.3, 2.5)(X[:, 1:]); on more than one
// column at once that class takes the sine of the Euclidean distance, which is not positive semidefinite.
TEST(PinnedValues, Periodic) {
  expect_pairs(Periodic{.ell = Vector{{0.9, 1.3}}, .period = Vector{{1.5, 2.5}}, .sigma2 = 1.4},
               0.046209252521796397, 0.10882957972175092, 0.22639293540429484);
}

// scikit-learn 1.9: DotProduct(sigma_0=sqrt(0.7))(X * sqrt([0.5, 2])), and its third power.
TEST(PinnedValues, LinearAndPolynomial) {
  const Linear linear{.weight = Vector{{0.5, 2.0}}, .offset = 0.7};
  expect_pairs(linear, -0.095, -4.205, 1.915);
  EXPECT_NEAR(linear(X.row(0), X.row(0)), 3.625, 1e-15);
  expect_pairs(Linear{.weight = Vector{{0.5, 2.0}}}, -0.795, -4.905, 1.215);
  expect_pairs(Polynomial{.weight = Vector{{0.5, 2.0}}, .offset = 0.7, .degree = 3}, -0.000857375,
               -74.352915125, 7.022735875);
}

// scipy quadrature of the definition 2 E[relu(u'w)^n relu(v'w)^n], w ~ N(0, I) [cho2009, Eq. 1]; the formulas of
// GPflow's ArcCosine, with weight_variances [0.5, 2], bias_variance 0.7 and variance 1.2, agree to 1e-15.
TEST(PinnedValues, ArcCosine) {
  const auto k = [](int order) {
    return ArcCosine{.weight = Vector{{0.5, 2.0}}, .bias = 0.7, .sigma2 = 1.2, .order = order};
  };
  expect_pairs(k(0), 0.58504504021041359, 0.28266899133391549, 0.80100947507757037);
  expect_pairs(k(1), 0.87077927495037122, 0.27804937176319855, 2.793189583831801);
  expect_pairs(k(2), 3.192828815140714, 0.65996571583796626, 24.752565538046767);
}

// mpmath, 30 digits, of the formula with power D / 2 = 1.
TEST(PinnedValues, Gibbs) {
  expect_pairs(Gibbs{}, 0.0048465291121365402, 1.16281680339351662e-12, 1.25921709318314121e-6);
  expect_pairs(Gibbs{.a = 0.3, .b = 0.2, .sigma2 = 1.3}, 0.755613527471108398, 0.271087006316675775,
               0.568220436670366316);
}

}  // namespace
}  // namespace bochner::pinned_values_test
