#include <gtest/gtest.h>

#include <stdexcept>

#include "likelihood_examples.hpp"
#include "src/likelihoods/likelihood_rows.hpp"

namespace bochner::weighted_rows_test {
namespace {

using bochner::testing::example;

/// A row of weight 3 is three rows; one of weight 0 is none.
template <class L>
void expect_weights_repeat() {
  const auto e = example<L>();
  const AnyLikelihood l = e.likelihood;
  const Index B = e.Y.rows(), P = e.Y.cols();
  Matrix Y(B, P + 1);
  Y << e.Y, Matrix::Ones(B, 1);
  Y(0, P) = 3;
  Y(1, P) = 0;
  const ExpectedLog weighted = expected_log(l, Y, e.mean, e.var, Threads(2));
  std::vector<Index> rows{0, 0, 0};
  for (Index n = 2; n < B; ++n) rows.push_back(n);
  const ExpectedLog repeated =
      expected_log(l, Matrix(e.Y(rows, Eigen::all)), Matrix(e.mean(rows, Eigen::all)),
                   Matrix(e.var(rows, Eigen::all)), Threads(1));
  EXPECT_NEAR(weighted.rows.sum(), repeated.rows.sum(), 1e-11 * std::abs(repeated.rows.sum()));
  EXPECT_LT((weighted.dmean.row(0) - 3 * repeated.dmean.row(0)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((weighted.dvar.row(0) - 3 * repeated.dvar.row(0)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(weighted.dmean.row(1).cwiseAbs().maxCoeff(), 0);
  if (weighted.dtheta.size() > 0) {
    EXPECT_LT((weighted.dtheta - repeated.dtheta).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(WeightedRows, AreRepeatedRows) {
  expect_weights_repeat<GaussianNoise>();
  expect_weights_repeat<StudentT>();
  expect_weights_repeat<Bernoulli>();
  expect_weights_repeat<Poisson>();
  expect_weights_repeat<Softmax>();
  expect_weights_repeat<RobustMax>();
}

}  // namespace
}  // namespace bochner::weighted_rows_test
