#include "bochner/assess/knn.hpp"

#include <gtest/gtest.h>

#include <map>

#include "bochner/data/splits.hpp"
#include "tests/support/portable_uniform.hpp"

namespace bochner::knn_test {
namespace {

using testing::PortableUniform;

struct Labelled {
  Matrix X;
  IndexVector labels, fold;
};

//     g = Lcg(1); X = g.matrix(120, D); labels = [int(4 * g.u()) for _ in range(120)]
//     X[:, 0] += 0.3 * labels; X[:, 1] -= 0.2 * labels; fold = arange(120) % 5; fold[:7] = 0
Labelled portable_classes(Index D) {
  PortableUniform g(1);
  Labelled out{.X = g.matrix(120, D), .labels = IndexVector(120), .fold = IndexVector(120)};
  for (Index n = 0; n < 120; ++n) {
    out.labels(n) = static_cast<Index>(4 * g.next());
    out.X(n, 0) += 0.3 * static_cast<double>(out.labels(n));
    out.X(n, 1) -= 0.2 * static_cast<double>(out.labels(n));
    out.fold(n) = n < 7 ? 0 : n % 5;
  }
  return out;
}

// Right answers per fold of sklearn.neighbors.KNeighborsClassifier(n_neighbors=k), scikit-learn 1.9.1. With k
// = 2, 4 and 10 of four classes many votes are tied.
TEST(Knn, EqualsScikitLearnOnGivenFolds) {
  const std::map<std::pair<Index, Index>, Vector> right{
      {{2, 1}, Vector{{14, 12, 11, 15, 11}}}, {{2, 2}, Vector{{16, 12, 9, 13, 11}}},
      {{2, 4}, Vector{{15, 11, 13, 13, 15}}}, {{2, 10}, Vector{{18, 10, 15, 12, 11}}},
      {{20, 1}, Vector{{12, 9, 9, 13, 8}}},   {{20, 2}, Vector{{11, 8, 10, 10, 6}}},
      {{20, 4}, Vector{{8, 9, 10, 10, 7}}},   {{20, 10}, Vector{{8, 7, 10, 13, 9}}}};
  const Vector fold_size{{29, 22, 23, 23, 23}};
  for (const auto& [key, expected] : right) {
    const auto& [D, k] = key;
    const Labelled data = portable_classes(D);
    const Vector score = knn_fold_accuracy(data.X, data.labels, k, data.fold);
    EXPECT_LT((score.cwiseProduct(fold_size) - expected).cwiseAbs().maxCoeff(), 1e-12) << D << " " << k;
  }
}

TEST(Knn, VoteTies) {
  Matrix X(4, 1);
  X << 1, 2.5, -2, -2.2;  // seen from 0: label 9 at 1 and 2.2, label 3 at 2.5 and 2
  const IndexVector labels{{9, 3, 3, 9}};
  const Matrix origin = Matrix::Zero(1, 1);
  EXPECT_EQ(knn_predict(X, labels, origin, 4)(0), 3);                     // two votes each, 3 is smaller
  EXPECT_EQ(knn_predict(X, labels, origin, 4, VoteTies::nearest)(0), 9);  // 3.2 < 4.5
  EXPECT_EQ(knn_predict(X, labels, origin, 3)(0), 9);                     // a majority needs no rule
  X << 1, -1, 2, -2;
  EXPECT_EQ(knn_predict(X, IndexVector{{9, 3, 3, 9}}, origin, 4, VoteTies::nearest)(0),
            3);  // distances tie as well
}

TEST(Knn, ShuffledFoldsAreTheOnesOfKFold) {
  const Labelled data = portable_classes(2);
  Rng a(5), b(5);
  const IndexVector fold = k_fold(120, 5, b);
  EXPECT_EQ(knn_accuracy(data.X, data.labels, 3, 5, a),
            knn_fold_accuracy(data.X, data.labels, 3, fold).mean());
}

TEST(Knn, SeparatedClassesAreTold) {
  Rng rng(6);
  IndexVector labels(90);
  Matrix X = rng.normal(90, 2);
  for (Index n = 0; n < 90; ++n) {
    labels(n) = n % 3;
    X(n, 0) += 20.0 * static_cast<double>(labels(n));
  }
  EXPECT_EQ(knn_accuracy(X, labels, 5, 5, rng), 1);
}

// Labels that have nothing to do with X: right answers are binomial with p = 1/2 up to the small dependence
// of folds.
TEST(Knn, RandomLabelsAreGuessed) {
  Rng rng(7);
  const Index N = 2000;
  IndexVector labels(N);
  for (Index& label : labels) label = rng.below(2);
  EXPECT_NEAR(knn_accuracy(rng.normal(N, 2), labels, 1, 5, rng), 0.5, 4 * std::sqrt(0.25 / double(N)));
}

TEST(Knn, Accuracy) {
  EXPECT_DOUBLE_EQ(accuracy(IndexVector{{1, 2, 3}}, IndexVector{{1, 5, 3}}), 2.0 / 3);
  EXPECT_THROW(accuracy(IndexVector{{1, 2}}, IndexVector{{1}}), std::invalid_argument);
}

TEST(Knn, BadArguments) {
  const Matrix X = Matrix::Zero(4, 2);
  const IndexVector labels = IndexVector::Zero(4);
  EXPECT_THROW(knn_fold_accuracy(X, labels, 1, IndexVector{{0, 2, 0, 2}}),
               std::invalid_argument);  // fold 1 is empty
  EXPECT_THROW(knn_fold_accuracy(X, labels, 1, IndexVector{{0, 0, 0, 0}}),
               std::invalid_argument);  // one fold
  EXPECT_THROW(knn_fold_accuracy(X, labels, 1, IndexVector{{0, -1, 1, 1}}), std::invalid_argument);
  EXPECT_THROW(knn_fold_accuracy(X, labels, 3, IndexVector{{0, 0, 1, 1}}),
               std::invalid_argument);  // 2 to learn from
  EXPECT_THROW(knn_fold_accuracy(X, IndexVector::Zero(3), 1, IndexVector{{0, 0, 1, 1}}),
               std::invalid_argument);
}

}  // namespace
}  // namespace bochner::knn_test
