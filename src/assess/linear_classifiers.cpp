#include "bochner/assess/linear_classifiers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bochner/assess/knn.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/data/scaling.hpp"
#include "bochner/data/splits.hpp"
#include "bochner/infer/lbfgs.hpp"

namespace bochner {
namespace {

constexpr LbfgsOptions optimiser{.max_iterations = 500, .gradient_tolerance = 1e-5, .keep_trace = false};

using Classes = std::vector<Index>;

Classes classes_of(const IndexVector& labels) {
  Classes out(labels.begin(), labels.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// X with a column of ones.
Matrix with_ones(const Matrix& X) {
  Matrix out(X.rows(), X.cols() + 1);
  out << X, Vector::Ones(X.rows());
  return out;
}

/// Weights of all classes, classes x (Q + 1), the intercept last and not penalised.
Matrix logistic_weights(const Matrix& X, const IndexVector& code, Index K) {
  const Matrix A = with_ones(X);
  const Index P = A.cols();
  // Two classes have one vector of weights, w_1 - w_2, which both halves would penalise half as much.
  const double penalty = K == 2 ? 2.0 : 1.0;
  const Objective f = [&](const Vector& theta, Vector& grad) {
    const Eigen::Map<const Matrix> W(theta.data(), K, P);
    Matrix scores = A * W.transpose();
    double value = 0.5 * penalty * W.leftCols(P - 1).squaredNorm();
    for (Index n = 0; n < A.rows(); ++n) {
      const double largest = scores.row(n).maxCoeff(), own = scores(n, code(n));
      scores.row(n) = (scores.row(n).array() - largest).exp();
      const double sum = scores.row(n).sum();
      value += std::log(sum) + largest - own;
      scores.row(n) /= sum;
      scores(n, code(n)) -= 1;
    }
    Eigen::Map<Matrix> G(grad.data(), K, P);
    G.noalias() = scores.transpose() * A;
    G.leftCols(P - 1) += penalty * W.leftCols(P - 1);
    return value;
  };
  const Vector theta = minimize(f, Vector::Zero(K * P), optimiser).theta;
  return Eigen::Map<const Matrix>(theta.data(), K, P);
}

/// Weights of one class against the rest, Q + 1, the intercept last and penalised as by liblinear.
Vector svm_weights(const Matrix& A, const IndexVector& code, Index k) {
  const Vector sign = (code.array() == k).select(Vector::Ones(A.rows()), -Vector::Ones(A.rows()));
  const Objective f = [&](const Vector& w, Vector& grad) {
    const Vector slack = (1 - sign.array() * (A * w).array()).max(0.0);
    grad = w - 2 * A.transpose() * sign.cwiseProduct(slack);
    return 0.5 * w.squaredNorm() + slack.squaredNorm();
  };
  return minimize(f, Vector::Zero(A.cols()), optimiser).theta;
}

}  // namespace

IndexVector linear_predict(LinearClassifier kind, MatrixIn X_train, const IndexVector& labels,
                           MatrixIn X_test) {
  check_size("linear_predict", "number of labels", labels.size(), "rows of X_train", X_train.rows());
  check_size("linear_predict", "columns of X_test", X_test.cols(), "columns of X_train", X_train.cols());
  check_at_least("linear_predict", "rows of X_train", X_train.rows(), 1);
  const Classes classes = classes_of(labels);
  const auto K = static_cast<Index>(classes.size());
  IndexVector code(labels.size());
  for (Index n = 0; n < labels.size(); ++n)
    code(n) = std::lower_bound(classes.begin(), classes.end(), labels(n)) - classes.begin();
  const Scaling scaling = fit_scaling(X_train, ScalingKind::standardise);
  const Matrix X = scaling.apply(X_train);
  Matrix W = Matrix::Zero(K, X.cols() + 1);
  if (K > 1 && kind == LinearClassifier::logistic) W = logistic_weights(X, code, K);
  if (K > 1 && kind == LinearClassifier::svm) {
    const Matrix A = with_ones(X);
    for (Index k = 0; k < K; ++k) W.row(k) = svm_weights(A, code, k).transpose();
  }
  const Matrix scores = with_ones(scaling.apply(X_test)) * W.transpose();
  IndexVector out(X_test.rows());
  for (Index n = 0; n < out.size(); ++n) {
    Index best = 0;
    scores.row(n).maxCoeff(&best);
    out(n) = classes[static_cast<std::size_t>(best)];
  }
  return out;
}

LogisticScores logistic_regression(MatrixIn X, const IndexVector& labels, Index K) {
  const char* const door = "logistic_regression";
  check_size(door, "number of labels", labels.size(), "rows of X", X.rows());
  check_at_least(door, "rows of X", X.rows(), 1);
  check_between(door, "smallest label", double(labels.minCoeff()), 0, double(K - 1));
  check_between(door, "largest label", double(labels.maxCoeff()), 0, double(K - 1));
  const Scaling scaling = fit_scaling(X, ScalingKind::standardise);
  const Matrix W = logistic_weights(scaling.apply(X), labels, K);
  LogisticScores out{.weights = W.leftCols(X.cols()).transpose(), .intercept = W.col(X.cols())};
  out.weights.array().colwise() /= scaling.scale.array();
  out.intercept -= out.weights.transpose() * scaling.centre;
  return out;
}

Vector linear_fold_accuracy(LinearClassifier kind, MatrixIn X, const IndexVector& labels,
                            const IndexVector& fold_of_row, const Compute& compute) {
  check_size("linear_fold_accuracy", "number of labels", labels.size(), "rows of X", X.rows());
  check_size("linear_fold_accuracy", "size of fold_of_row", fold_of_row.size(), "rows of X", X.rows());
  check_at_least("linear_fold_accuracy", "rows of X", X.rows(), 2);
  Vector score(fold_of_row.maxCoeff() + 1);
  for_each_block(compute, score.size(), 1, [&](Index fold, Index) {
    const Split split = fold_split(fold_of_row, fold);
    const Matrix X_train = X(split.train, Eigen::all), X_test = X(split.test, Eigen::all);
    score(fold) = accuracy(labels(split.test), linear_predict(kind, X_train, labels(split.train), X_test));
  });
  return score;
}

}  // namespace bochner
