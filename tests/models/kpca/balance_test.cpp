#include <gtest/gtest.h>

#include "examples.hpp"

namespace bochner::balance_test {
namespace {

using namespace testing;

double variance_alone(const Matrix& Y, const KpcaViewOptions& view) {
  const KpcaFit fit = fit_kpca(tables({Y}), {.dims = 1, .view = view}, 1, Threads(1));
  return fit.total_variance / double(Y.rows());
}

TEST(KpcaBalance, EveryViewHasUnitVarianceInFeatureSpace) {
  const std::vector<Matrix> Y = three_tables(1, 60);
  const KpcaOptions plain{.view = {.kernel = "linear", .scaling = ScalingKind::centre}};
  const KpcaOptions options = balanced(tables(Y), plain, 1, Threads(1));
  ASSERT_EQ(options.own.size(), 3u);
  for (std::size_t v = 0; v < 3; ++v) {
    EXPECT_NEAR(variance_alone(Y[v], *options.own[v]), 1, 1e-9) << v;
    EXPECT_GT(std::abs(variance_alone(Y[v], plain.view) - 1), 0.1) << v;  // there was something to do
  }
}

TEST(KpcaBalance, LooksAtCompleteRowsAndKeepsWeightsWhereThereAreTooFew) {
  std::vector<Matrix> Y = three_tables(2, 50);
  Matrix whole = Y[0].bottomRows(30);
  Y[0].topRows(20).col(1).setConstant(not_measured);
  Y[1].bottomRows(48).col(0).setConstant(not_measured);
  KpcaOptions plain{.view = {.kernel = "rbf", .lengthscale = 2, .weight = 3}};
  plain.own = {std::nullopt, std::nullopt,
               KpcaViewOptions{.features = {FeatureSpec::Kind::network}, .weight = 5}};
  const KpcaOptions options = balanced(tables(Y), plain, 1, Threads(1));
  EXPECT_NEAR(variance_alone(whole, *options.own[0]), 1, 1e-9);
  EXPECT_EQ(options.own[1]->weight, 3);
  EXPECT_EQ(options.own[2]->weight, 5);
}

}  // namespace
}  // namespace bochner::balance_test
