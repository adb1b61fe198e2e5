#pragma once
#include <cstdint>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Rows for training and rows for testing, both ascending, together every row once.
struct Split {
  IndexVector train, test;
};

/// round(test_fraction * rows) rows at random for testing, but at least one on each side. rows >= 2.
Split train_test_split(Index rows, double test_fraction, Rng& rng);

/// `count` rows of 0 .. rows - 1 at random, ascending; each set equally likely [knuth1997, Algorithm 3.4.2 S].
std::vector<Index> some_rows(Index rows, Index count, Rng rng);

/// The rows that every interface holds out of a regression or classification with this seed to judge it by: a share of them,
/// rounded down, at most 100,000; ascending.
std::vector<Index> held_out_rows(Index rows, double share, std::uint64_t seed);

/// The fold of each row, 0 .. folds-1, shuffled; fold sizes differ by at most one. 2 <= folds <= rows.
IndexVector k_fold(Index rows, Index folds, Rng& rng);

/// The same, with each label spread over the folds as evenly as possible: its counts differ by at most one
/// between folds, and so do the fold sizes. Labels are any integers.
IndexVector stratified_k_fold(const IndexVector& labels, Index folds, Rng& rng);

/// Tests on the rows of one fold, trains on the others.
Split fold_split(const IndexVector& fold_of_row, Index fold);

}  // namespace bochner
