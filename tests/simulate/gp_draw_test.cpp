#include "bochner/simulate/gp_draw.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/kernels/rbf.hpp"

namespace bochner::gp_draw_test {
namespace {

const Threads one(1);

TEST(GpDraw, ColumnsHaveTheKernelAsCovariance) {
  const Rbf kernel{.ell = Vector{{0.7, 1.9}}, .sigma2 = 1.4};
  const Matrix X{{0, 0}, {0.5, -0.4}, {1.5, 1}, {-0.3, 2}};
  const Index M = 60'000;
  const Matrix F = draw_functions(kernel, X, M, Rng(1), one), K = gram(kernel, X, one);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j <= i; ++j) {  // var(f_i f_j) = k_ii k_jj + k_ij^2
      const double se = std::sqrt((K(i, i) * K(j, j) + K(i, j) * K(i, j)) / double(M));
      EXPECT_NEAR(F.row(i).dot(F.row(j)) / double(M), K(i, j), 4 * se) << i << j;
    }
  for (Index i = 0; i < 4; ++i) EXPECT_NEAR(F.row(i).mean(), 0, 4 * std::sqrt(K(i, i) / double(M)));
}

TEST(GpDraw, MoreColumnsChangeNoneAndThreadsChangeNothing) {
  const Rbf kernel{.ell = Vector{{0.7, 1.9}}, .sigma2 = 1.4};
  const Matrix X = Rng(2).normal(300, 2);
  const Matrix F = draw_functions(kernel, X, 5, Rng(1), one);
  EXPECT_LT((draw_functions(kernel, X, 9, Rng(1), one).leftCols(5) - F).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(draw_functions(kernel, X, 5, Rng(1), Threads(2)), F);
  EXPECT_EQ(draw_functions(kernel, X, 5, Rng(1), Threads(7)), F);
}

TEST(GpDraw, SmoothFunctionsOfRepeatedInputsAgree) {
  const Rbf kernel{.ell = Vector{{1, 1}}, .sigma2 = 1};
  Matrix X = Rng(2).normal(200, 2);
  X.bottomRows(100) = X.topRows(100);  // an exactly singular Gram matrix
  const Matrix F = draw_functions(kernel, X, 3, Rng(1), one);
  EXPECT_LT((F.topRows(100) - F.bottomRows(100)).cwiseAbs().maxCoeff(), 1e-3);  // the ripple of the jitter
}

TEST(GpDraw, AnIndefiniteMatrixIsAnError) {
  const Matrix K{{1, 2}, {2, 1}};
  EXPECT_THROW(draw_gaussian_columns(K, 2, Rng(1), one), NumericalError);
  EXPECT_THROW(draw_gaussian_columns(Matrix::Ones(2, 3), 2, Rng(1), one), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::gp_draw_test
