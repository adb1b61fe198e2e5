#include "bochner/random/wishart.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <stdexcept>

#include "bochner/core/errors.hpp"
#include "tests/support/goodness_of_fit.hpp"

namespace bochner::wishart_test {
namespace {

constexpr Index D = 3, N = 40'000;

Matrix example_scale() {
  Matrix S(D, D);
  S << 2.0, 0.6, -0.3,  //
      0.6, 1.0, 0.4,    //
      -0.3, 0.4, 0.5;
  return S;
}

double chi_squared_cdf(double degrees, double x) { return boost::math::gamma_p(degrees / 2, x / 2); }

/// Every entry of N matrices in a row each.
template <class Draw>
Matrix draws(Draw&& draw) {
  Matrix all(N, D * D);
  for (Index n = 0; n < N; ++n) {
    const Matrix W = draw();
    all.row(n) = Eigen::Map<const Vector>(W.data(), D * D);
  }
  return all;
}

TEST(Wishart, MomentsOfEveryEntry) {
  const Matrix S = example_scale();
  Rng rng(1);
  for (const double nu :
       {2.4, 7.3, 60.0}) {  // the first one barely above D - 1, none an integer multiple of another
    const Matrix W = draws([&] { return wishart(nu, S, rng); });
    for (Index i = 0; i < D; ++i)
      for (Index j = 0; j < D; ++j) {
        SCOPED_TRACE(::testing::Message() << "degrees " << nu << ", entry " << i << ", " << j);
        testing::expect_moments(W.col(i * D + j), nu * S(i, j), nu * (S(i, j) * S(i, j) + S(i, i) * S(j, j)));
      }
  }
}

TEST(Wishart, InverseMomentsOfEveryEntry) {
  const Matrix S = example_scale();
  Rng rng(2);
  const double nu = 14.5, d = double(D);  // fourth moments exist for nu > D + 7
  const Matrix W = draws([&] { return inverse_wishart(nu, S, rng); });
  for (Index i = 0; i < D; ++i)
    for (Index j = 0; j < D; ++j) {
      SCOPED_TRACE(::testing::Message() << "entry " << i << ", " << j);
      const double variance = ((nu - d + 1) * S(i, j) * S(i, j) + (nu - d - 1) * S(i, i) * S(j, j)) /
                              ((nu - d) * (nu - d - 1) * (nu - d - 1) * (nu - d - 3));
      testing::expect_moments(W.col(i * D + j), S(i, j) / (nu - d - 1), variance);
    }
}

// a'W a / a'S a ~ chi^2(nu) for any fixed a, and |W| / |S| is a product of independent chi^2(nu - i).
TEST(Wishart, QuadraticFormsAndDeterminantsFollowTheirLaws) {
  const Matrix S = example_scale();
  const Vector a{{1, -2, 0.5}};
  Rng rng(3);
  for (const double nu : {2.4, 9.0}) {
    SCOPED_TRACE(nu);
    Vector form(N), inverse_form(N), volume(N), inverse_volume(N), product(N);
    for (Index n = 0; n < N; ++n) {
      const Matrix W = wishart(nu, S, rng), V = inverse_wishart(nu, S, rng);
      form(n) = a.dot(W * a) / a.dot(S * a);
      inverse_form(n) = a.dot(V.llt().solve(a)) / a.dot(S.llt().solve(a));
      volume(n) = W.determinant() / S.determinant();
      inverse_volume(n) = S.determinant() / V.determinant();
      product(n) = rng.chi_squared(nu) * rng.chi_squared(nu - 1) * rng.chi_squared(nu - 2);
    }
    testing::expect_distribution(form, [&](double x) { return chi_squared_cdf(nu, x); });
    testing::expect_distribution(inverse_form, [&](double x) { return chi_squared_cdf(nu, x); });
    testing::expect_same_distribution(volume, product);
    testing::expect_same_distribution(inverse_volume, product);
  }
}

TEST(Wishart, OneDimensionIsChiSquared) {
  Rng rng(4);
  const Matrix S = Matrix::Constant(1, 1, 2.5);
  testing::expect_distribution(testing::sample(N, [&] { return wishart(0.7, S, rng)(0, 0) / 2.5; }),
                               [](double x) { return chi_squared_cdf(0.7, x); });
  testing::expect_distribution(testing::sample(N, [&] { return 2.5 / inverse_wishart(0.7, S, rng)(0, 0); }),
                               [](double x) { return chi_squared_cdf(0.7, x); });
}

TEST(Wishart, FactorsAreTheCholeskyFactorsOfTheDraws) {
  const Matrix S = example_scale();
  Matrix L = S.llt().matrixL();
  const Rng start(5);
  for (const bool inverse : {false, true}) {
    Rng a = start, b = start, c = start;
    const Matrix W = inverse ? inverse_wishart(6.5, S, a) : wishart(6.5, S, a);
    const Matrix C = inverse ? inverse_wishart_factor(6.5, L, b) : wishart_factor(6.5, L, b);
    EXPECT_EQ(W, Matrix(W.transpose()));
    EXPECT_TRUE(C.isLowerTriangular(0));
    EXPECT_TRUE((C.diagonal().array() > 0).all());
    EXPECT_LT((C - Matrix(W.llt().matrixL())).norm(), 1e-12 * C.norm());
    Matrix dirty = L;
    dirty(0, 2) = 99;  // the upper triangle is not read
    EXPECT_EQ(C, inverse ? inverse_wishart_factor(6.5, dirty, c) : wishart_factor(6.5, dirty, c));
  }
}

TEST(Wishart, MultivariateNormalHasItsMeanAndCovariance) {
  const Matrix S = example_scale();
  Matrix L = S.llt().matrixL();
  L(0, 1) = 7;  // not read
  const Vector mean{{1, -2, 3}};
  Rng rng(6);
  Matrix X(N, D);
  for (Index n = 0; n < N; ++n) X.row(n) = multivariate_normal(mean, L, rng);
  for (Index i = 0; i < D; ++i)
    for (Index j = 0; j < D; ++j) {
      testing::expect_moments(X.col(i), mean(i), S(i, i));
      const Eigen::ArrayXd cross = (X.col(i).array() - mean(i)) * (X.col(j).array() - mean(j));
      EXPECT_NEAR(cross.mean(), S(i, j), 4 * std::sqrt((S(i, i) * S(j, j) + S(i, j) * S(i, j)) / N));
    }
}

TEST(Wishart, WrongArgumentsThrow) {
  Rng rng(7);
  const Matrix S = example_scale();
  Matrix hole = S, indefinite = S;
  hole(1, 1) = std::nan("");
  indefinite(2, 2) = -1;
  EXPECT_THROW(wishart(2.0, S, rng), std::domain_error);  // degrees must exceed D - 1
  EXPECT_THROW(inverse_wishart(std::nan(""), S, rng), std::domain_error);
  EXPECT_THROW(wishart(5, hole, rng), std::domain_error);
  EXPECT_THROW(wishart(5, indefinite, rng), std::domain_error);
  EXPECT_THROW(inverse_wishart(5, indefinite, rng), std::domain_error);
  EXPECT_THROW(wishart(5, S.topRows(2), rng), std::invalid_argument);
  EXPECT_THROW(wishart(5, Matrix(), rng), std::invalid_argument);
  EXPECT_THROW(wishart_factor(5, Matrix::Zero(2, 2), rng), std::domain_error);
  EXPECT_THROW(inverse_wishart_factor(5, Matrix::Zero(2, 2), rng), std::domain_error);
  EXPECT_THROW(multivariate_normal(Vector::Zero(2), S, rng), std::invalid_argument);
  EXPECT_THROW(multivariate_normal(Vector::Zero(3), S.leftCols(2), rng), std::invalid_argument);
}

// chi^2 of 1e-5 degrees is below the smallest double in nearly all draws: no covariance can be built from it.
TEST(Wishart, OverflowIsANumericalError) {
  Rng rng(8);
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) inverse_wishart(1 + 1e-5, Matrix::Identity(2, 2), rng);
      },
      NumericalError);
}

}  // namespace
}  // namespace bochner::wishart_test
