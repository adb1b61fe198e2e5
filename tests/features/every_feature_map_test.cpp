// Tests that every member of AnyFeatureMap passes; joining the variant is joining them.
#include <gtest/gtest.h>

#include "bochner/features/any_feature_map.hpp"
#include "map_examples.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::every_feature_map_test {
namespace {

using namespace testing;

template <class V>
struct TypesOf;
template <class... M>
struct TypesOf<std::variant<M...>> {
  using type = ::testing::Types<M...>;
};

template <class M>
struct EveryFeatureMap : ::testing::Test {};
TYPED_TEST_SUITE(EveryFeatureMap, TypesOf<AnyFeatureMap::Variant>::type);

template <class M>
struct InFloat;
template <template <class> class M>
struct InFloat<M<double>> {
  using type = M<float>;
};

TYPED_TEST(EveryFeatureMap, PullsBackToInputsAndToWhatItIsMadeOf) {
  using E = Example<TypeParam>;
  const TypeParam map = E::make();
  const Threads threads(1);
  const Index N = 7;
  const Matrix X = Rng(1).normal(N, example_dims), W = Rng(2).normal(N, map.count());
  const Matrix Phi = feature_matrix(map, X, threads);
  const FeaturePullback<TypeParam> back = feature_pullback(map, X, Phi, W, threads);

  const auto of_inputs = [&](const Vector& x) {
    return feature_matrix(map, unflat(x, N, example_dims), threads).cwiseProduct(W).sum();
  };
  expect_gradient(of_inputs, flat(X), flat(back.dX), 1e-7, "inputs");
  const auto of_map = [&](const Vector& theta) {
    return feature_matrix(E::with(map, theta), X, threads).cwiseProduct(W).sum();
  };
  expect_gradient(of_map, E::made_of(map), E::flat(back.gradient), 1e-7, "map");
}

TYPED_TEST(EveryFeatureMap, AddsToWhatIsThere) {
  using E = Example<TypeParam>;
  const TypeParam map = E::make();
  const Matrix X = Rng(1).normal(5, example_dims), W = Rng(2).normal(5, map.count());
  Matrix Phi = Matrix::Constant(5, map.count(), 9);  // fill overwrites
  map.fill(X, Phi);
  EXPECT_EQ(Phi, feature_matrix(map, X, Threads(1)));
  Matrix once = Matrix::Zero(5, example_dims), thrice = Matrix::Constant(5, example_dims, 2);
  auto g1 = map.zero_gradient(), g3 = map.zero_gradient();
  map.pull(X, Phi, W, once, g1);
  for (int k = 0; k < 3; ++k) map.pull(X, Phi, W, thrice, g3);
  g1 += g1;
  map.complete(g1, Threads(1));
  map.complete(g3, Threads(1));
  EXPECT_LT(relative_difference(flat(thrice), flat(Matrix(3 * once.array() + 2))), 1e-14);
  EXPECT_LT(relative_difference(2 * E::flat(g3), 3 * E::flat(g1)), 1e-12);
  const Vector before = E::flat(g3);
  map.complete(g3, Threads(1));  // a second time: nothing is left to complete
  EXPECT_EQ(E::flat(g3), before);
}

TYPED_TEST(EveryFeatureMap, HasTheSameBytesForAnyNumberOfThreads) {
  using E = Example<TypeParam>;
  const TypeParam map = E::make();
  const Index N = 1100;
  const Matrix X = Rng(1).normal(N, example_dims), W = Rng(2).normal(N, map.count());
  const Matrix Phi = feature_matrix(map, X, Threads(1), 64);
  const FeaturePullback<TypeParam> back = feature_pullback(map, X, Phi, W, Threads(1), 64);
  for (const int count : {2, 7}) {
    const Threads threads(count);
    EXPECT_EQ(feature_matrix(map, X, threads, 64), Phi) << count;
    const FeaturePullback<TypeParam> again = feature_pullback(map, X, Phi, W, threads, 64);
    EXPECT_EQ(again.dX, back.dX) << count;
    EXPECT_EQ(E::flat(again.gradient), E::flat(back.gradient)) << count;
  }
}

TYPED_TEST(EveryFeatureMap, SizeOfBlocksChangesRoundingOnly) {
  using E = Example<TypeParam>;
  const TypeParam map = E::make();
  const Threads threads(1);
  const Index N = 530;
  const Matrix X = Rng(1).normal(N, example_dims), W = Rng(2).normal(N, map.count());
  const Matrix Phi = feature_matrix(map, X, threads);
  const FeaturePullback<TypeParam> back = feature_pullback(map, X, Phi, W, threads);
  for (const Index block : {1, 37, 530}) {
    EXPECT_LT((feature_matrix(map, X, threads, block) - Phi).cwiseAbs().maxCoeff(), 1e-12) << block;
    const FeaturePullback<TypeParam> other = feature_pullback(map, X, Phi, W, threads, block);
    EXPECT_LT(relative_difference(flat(other.dX), flat(back.dX)), 1e-12) << block;
    EXPECT_LT(relative_difference(E::flat(other.gradient), E::flat(back.gradient)), 1e-12) << block;
  }
}

TYPED_TEST(EveryFeatureMap, FloatFollowsDouble) {
  using Float = typename InFloat<TypeParam>::type;
  const TypeParam map = Example<TypeParam>::make();
  const Float map_float = Example<Float>::make();
  const Threads threads(1);
  const Matrix X = Rng(1).normal(300, example_dims), W = Rng(2).normal(300, map.count());
  const MatrixT<float> x = X.cast<float>(), w = W.cast<float>();
  const Matrix Phi = feature_matrix(map, X, threads);
  const MatrixT<float> phi = feature_matrix(map_float, x, threads);
  EXPECT_LT((phi.cast<double>() - Phi).norm() / Phi.norm(), 2e-6);
  const auto back = feature_pullback(map, X, Phi, W, threads);
  const auto back_float = feature_pullback(map_float, x, phi, w, threads);
  EXPECT_LT(relative_difference(flat(back_float.dX.template cast<double>()), flat(back.dX)), 1e-5);
  EXPECT_LT(
      relative_difference(Example<Float>::flat(back_float.gradient), Example<TypeParam>::flat(back.gradient)),
      1e-4);
}

TYPED_TEST(EveryFeatureMap, IsTheSameInsideTheVariant) {
  using E = Example<TypeParam>;
  const TypeParam map = E::make();
  const AnyFeatureMap any{map};
  const Threads threads(2);
  EXPECT_EQ(any.count(), map.count());
  EXPECT_EQ(any.input_dims(), example_dims);
  const Matrix X = Rng(1).normal(600, example_dims), W = Rng(2).normal(600, map.count());
  const Matrix Phi = feature_matrix(any, X, threads);
  EXPECT_EQ(Phi, feature_matrix(map, X, threads));
  const FeaturePullback<TypeParam> back = feature_pullback(map, X, Phi, W, threads);
  const FeaturePullback<AnyFeatureMap> any_back = feature_pullback(any, X, Phi, W, threads);
  EXPECT_EQ(any_back.dX, back.dX);
  EXPECT_EQ(E::flat(std::get<typename TypeParam::Gradient>(any_back.gradient.value)), E::flat(back.gradient));
}

TYPED_TEST(EveryFeatureMap, StreamsIntoTheEvidence) {
  using E = Example<TypeParam>;
  const TypeParam map = E::make();
  const Threads threads(2);
  const EvidenceOptions options{.block = 16, .cache_bytes = 0};
  const Index N = 60;
  const double sigma2 = 0.3;
  const Matrix X = Rng(1).normal(N, example_dims);
  const Observations<double> observations(Rng(2).normal(N, 2), threads);
  FeatureStream<TypeParam> stream(map, X, evidence_plan(N, options));
  feature_evidence<double>(stream.rows(), observations, sigma2, stream.pull(), options, threads);
  const FeaturePullback<TypeParam> back = stream.finish(threads);

  const auto value = [&](const TypeParam& m, const Matrix& x) {
    const FeatureStream<TypeParam> one(m, x, evidence_plan(N, options));
    return feature_evidence<double>(one.rows(), observations, sigma2, {}, options, threads).value;
  };
  expect_gradient([&](const Vector& theta) { return value(E::with(map, theta), X); }, E::made_of(map),
                  E::flat(back.gradient), 1e-6, "map");
  const Matrix few = X.topRows(2);
  const auto of_inputs = [&](const Vector& x) {
    Matrix moved = X;
    moved.topRows(2) = unflat(x, 2, example_dims);
    return value(map, moved);
  };
  expect_gradient(of_inputs, flat(few), flat(back.dX.topRows(2)), 1e-6, "inputs");
}

TYPED_TEST(EveryFeatureMap, ChecksShapesAtTheDoor) {
  const TypeParam map = Example<TypeParam>::make();
  Matrix X = Matrix::Zero(4, example_dims + 1), Phi(4, map.count()), dX = X;
  EXPECT_THROW(map.fill(X, Phi), std::invalid_argument);
  EXPECT_THROW(feature_matrix(map, X, Threads(1)), std::invalid_argument);
  X = Matrix::Zero(4, example_dims);
  Matrix narrow(4, map.count() - 1);
  EXPECT_THROW(map.fill(X, narrow), std::invalid_argument);
  auto g = map.zero_gradient();
  dX = Matrix::Zero(3, example_dims);
  EXPECT_THROW(map.pull(X, Phi, Phi, dX, g), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::every_feature_map_test
