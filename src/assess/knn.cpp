#include "bochner/assess/knn.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bochner/assess/neighbours.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/data/splits.hpp"

namespace bochner {
namespace {

struct Candidate {
  Index label;
  Index votes;
  double distance;  // summed over its votes
};

Index majority(const Neighbours& near, Index query, const IndexVector& labels, VoteTies ties,
               std::vector<std::pair<Index, double>>& votes) {
  votes.clear();
  for (Index j = 0; j < near.index.cols(); ++j)
    votes.emplace_back(labels(near.index(query, j)), near.distance(query, j));
  std::sort(votes.begin(), votes.end());  // by label, so the first of equals is the smallest
  Candidate best{.label = 0, .votes = 0, .distance = 0};
  for (std::size_t i = 0; i < votes.size();) {
    Candidate next{.label = votes[i].first, .votes = 0, .distance = 0};
    for (; i < votes.size() && votes[i].first == next.label; ++i) {
      ++next.votes;
      next.distance += votes[i].second;
    }
    const bool closer = ties == VoteTies::nearest && next.distance < best.distance;
    if (next.votes > best.votes || (next.votes == best.votes && closer)) best = next;
  }
  return best.label;
}

}  // namespace

IndexVector knn_predict(MatrixIn X_train, const IndexVector& labels, MatrixIn X_test, Index k, VoteTies ties,
                        const Compute& compute) {
  check_size("knn_predict", "number of labels", labels.size(), "rows of X_train", X_train.rows());
  const Neighbours near = nearest_neighbours(X_train, X_test, k, compute);
  std::vector<std::pair<Index, double>> votes;
  IndexVector predicted(X_test.rows());
  for (Index n = 0; n < X_test.rows(); ++n) predicted(n) = majority(near, n, labels, ties, votes);
  return predicted;
}

Vector knn_fold_accuracy(MatrixIn X, const IndexVector& labels, Index k, const IndexVector& fold_of_row,
                         VoteTies ties, const Compute& compute) {
  check_size("knn_fold_accuracy", "number of labels", labels.size(), "rows of X", X.rows());
  check_size("knn_fold_accuracy", "size of fold_of_row", fold_of_row.size(), "rows of X", X.rows());
  check_at_least("knn_fold_accuracy", "rows of X", X.rows(), 2);
  check_at_least("knn_fold_accuracy", "smallest entry of fold_of_row", fold_of_row.minCoeff(), 0);
  const Index folds = fold_of_row.maxCoeff() + 1;
  check_at_least("knn_fold_accuracy", "number of folds", folds, 2);
  Vector score(folds);
  for (Index fold = 0; fold < folds; ++fold) {
    const Split split = fold_split(fold_of_row, fold);
    if (split.test.size() == 0)
      throw std::invalid_argument("knn_fold_accuracy: fold " + std::to_string(fold) +
                                  " of fold_of_row has no rows");
    const Matrix X_train = X(split.train, Eigen::all), X_test = X(split.test, Eigen::all);
    const IndexVector predicted = knn_predict(X_train, labels(split.train), X_test, k, ties, compute);
    score(fold) = accuracy(labels(split.test), predicted);
  }
  return score;
}

double knn_accuracy(MatrixIn X, const IndexVector& labels, Index k, Index folds, Rng& rng, VoteTies ties,
                    const Compute& compute) {
  return knn_fold_accuracy(X, labels, k, k_fold(X.rows(), folds, rng), ties, compute).mean();
}

double accuracy(const IndexVector& truth, const IndexVector& predicted) {
  check_size("accuracy", "size of predicted", predicted.size(), "size of truth", truth.size());
  check_at_least("accuracy", "size of truth", truth.size(), 1);
  return static_cast<double>((truth.array() == predicted.array()).count()) /
         static_cast<double>(truth.size());
}

}  // namespace bochner
