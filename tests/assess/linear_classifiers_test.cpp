#include "bochner/assess/linear_classifiers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/data/splits.hpp"

namespace bochner {
namespace {

constexpr Index N = 90, T = 12;

struct Example {
  Matrix X{N, 2}, at{T, 2};
  IndexVector labels{N};
};

/// Three classes that overlap, columns of different scale.
Example example() {
  Example out;
  for (Index n = 0; n < N; ++n) {
    const Index k = n % 3;
    const auto t = static_cast<double>(n);
    out.labels(n) = 10 * (k + 1);
    out.X.row(n) << std::sin(1.7 * t) + (k == 1 ? 1.1 : 0),
        10 * (1.5 * std::cos(0.9 * t) - (k == 2 ? 0.8 : 0) + 0.3 * static_cast<double>(k));
  }
  for (Index i = 0; i < T; ++i) {
    const auto t = static_cast<double>(i);
    out.at.row(i) << -1.5 + 4.0 * t / 11, (-16 + 28 * t / 11) * std::cos(t);
  }
  return out;
}

// scikit-learn 1.x on the standardised columns: LogisticRegression(C=1) and LinearSVC(C=1), tolerance 1e-10.
TEST(LinearClassifiers, AgreeWithScikitLearn) {
  const Example e = example();
  const IndexVector logistic{{10, 10, 10, 10, 10, 30, 20, 20, 20, 20, 20, 20}};
  const IndexVector svm{{30, 10, 10, 10, 10, 30, 20, 20, 20, 20, 20, 20}};
  EXPECT_EQ(linear_predict(LinearClassifier::logistic, e.X, e.labels, e.at), logistic);
  EXPECT_EQ(linear_predict(LinearClassifier::svm, e.X, e.labels, e.at), svm);
}

TEST(LinearClassifiers, SeparateWhatALineSeparates) {
  Matrix X(40, 2);
  IndexVector labels(40);
  for (Index n = 0; n < 40; ++n) {
    labels(n) = n % 2;
    X.row(n) << (n % 2 == 0 ? -1.0 : 1.0) + 0.3 * std::sin(double(n)), 5 * std::cos(3.0 * double(n));
  }
  Rng rng(1);
  const IndexVector fold = k_fold(40, 5, rng);
  for (const LinearClassifier kind : {LinearClassifier::logistic, LinearClassifier::svm}) {
    EXPECT_EQ(linear_fold_accuracy(kind, X, labels, fold), Vector::Ones(5));
    EXPECT_EQ(linear_fold_accuracy(kind, X, labels, fold, Threads(3)), Vector::Ones(5));
  }
}

TEST(LinearClassifiers, HaveAnAnswerForOneClassAndConstantColumns) {
  Matrix X = Matrix::Zero(6, 2);
  for (const LinearClassifier kind : {LinearClassifier::logistic, LinearClassifier::svm}) {
    EXPECT_EQ(linear_predict(kind, X, IndexVector::Constant(6, 7), X), IndexVector::Constant(6, 7));
    const IndexVector mostly{{4, 4, 4, 4, 5, 5}};  // nothing to tell them apart: the larger class
    EXPECT_EQ(linear_predict(kind, X, mostly, X.topRows(2)), IndexVector::Constant(2, 4));
  }
  EXPECT_THROW(linear_predict(LinearClassifier::svm, X, IndexVector::Zero(5), X), std::invalid_argument);
}

}  // namespace
}  // namespace bochner
