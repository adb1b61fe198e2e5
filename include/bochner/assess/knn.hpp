#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Who wins when several labels have the most votes among the k neighbours.
enum class VoteTies {
  smallest_label,  // as scikit-learn's KNeighborsClassifier, whose numbers papers print
  nearest          // the label with the smaller sum of distances, then the smaller label
};

/// Label of each row of `X_test` by majority among its k nearest rows of `X_train` (neighbours.hpp). Labels
/// are any integers, one per row of X_train.
IndexVector knn_predict(MatrixIn X_train, const IndexVector& labels, MatrixIn X_test, Index k,
                        VoteTies ties = VoteTies::smallest_label, const Compute& compute = Compute());

/// How well the rows of X (N x Q) tell their labels: every fold is predicted from the others. Returns the
/// share of right answers of each fold 0 .. folds-1, where `fold_of_row` has N entries and every fold at
/// least one row.
Vector knn_fold_accuracy(MatrixIn X, const IndexVector& labels, Index k, const IndexVector& fold_of_row,
                         VoteTies ties = VoteTies::smallest_label, const Compute& compute = Compute());

/// The mean over folds of knn_fold_accuracy, as scikit-learn's cross_val_score averages, with shuffled folds
/// (splits.hpp: k_fold).
double knn_accuracy(MatrixIn X, const IndexVector& labels, Index k, Index folds, Rng& rng,
                    VoteTies ties = VoteTies::smallest_label, const Compute& compute = Compute());

/// Share of entries that are equal.
double accuracy(const IndexVector& truth, const IndexVector& predicted);

}  // namespace bochner
