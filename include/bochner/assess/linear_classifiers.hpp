#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

enum class LinearClassifier {
  logistic,  // multinomial, as scikit-learn's LogisticRegression with C = 1
  svm        // one against the rest with squared hinge loss, as scikit-learn's LinearSVC with C = 1
};

/// Label of each row of `X_test` by a linear classifier with weights w_k and intercepts b_k of each class,
///
///   logistic:  min  1/2 sum_k |w_k|^2 (two classes: 1/2 |w_1 - w_2|^2) + sum_n (log sum_k exp(w_k'x_n + b_k) - w_y'x_n - b_y)
///   svm:       min  1/2 (|w_k|^2 + b_k^2) + sum_n max(0, 1 - s_nk (w_k'x_n + b_k))^2   for each k, s = +-1
///
/// after the columns are standardised by X_train. The largest w_k'x + b_k wins, of equal ones the smallest label.
IndexVector linear_predict(LinearClassifier kind, MatrixIn X_train, const IndexVector& labels,
                           MatrixIn X_test);

/// Weights (D x K) and intercepts (K) of logistic regression for classes 0 .. K - 1, in the units of X.
struct LogisticScores {
  Matrix weights;
  Vector intercept;
};
LogisticScores logistic_regression(MatrixIn X, const IndexVector& labels, Index K);

/// The share of right answers of each fold, as knn_fold_accuracy (knn.hpp) has it.
Vector linear_fold_accuracy(LinearClassifier kind, MatrixIn X, const IndexVector& labels,
                            const IndexVector& fold_of_row, const Compute& compute = Compute());

}  // namespace bochner
