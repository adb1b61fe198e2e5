#pragma once
#include "bochner/data/row_source.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

struct BatchOptions {
  Index batch = 256;
  Index validation = 0;  // rows set apart
  double memory = 1e9;   // bytes up to which all rows are kept in memory
  // Rows that are read together otherwise: neighbours in a file are often neighbours in space, and a buffer of few long
  // windows leaves the rest of the space without data for as long as it lasts.
  Index window = 16;
  Index buffer = 0;  // rows in memory at a time then; 0: as many as `memory` holds, up to 100 MB
};

/// Mini-batches of rows in random order: a permutation of all rows for each epoch where they fit into memory. Where they do
/// not, an epoch is a buffer of random windows of neighbouring rows, shuffled. The batch of a step depends on the seed and
/// the number of the step alone, so that a run can be resumed anywhere.
class Batches {
 public:
  Batches(RowSource source, const BatchOptions& options, Rng rng);

  Index rows() const { return rows_; }  // to learn from
  Index batch() const { return batch_; }
  bool in_memory() const { return window_ == 1; }
  const Matrix& validation_X() const { return validation_X_; }
  const Matrix& validation_Y() const { return validation_Y_; }

  /// The batch of a step, batch() rows.
  void take(Index step, Matrix& X, Matrix& Y);

  /// All rows to learn from; they must be in memory.
  void learned_from(Matrix& X, Matrix& Y) const;

  /// Up to `most` rows to learn from, spread over all of them.
  Matrix some_inputs(Index most);

 private:
  void load_epoch(Index epoch);
  void read_units(const IndexVector& units, Matrix& X, Matrix& Y) const;
  Index unit_rows(Index unit) const;
  Index epoch_rows() const;

  RowSource source_;
  Rng rng_;
  Index batch_, window_;
  Index rows_ = 0, units_per_epoch_ = 0;
  IndexVector units_;     // first rows / window_ of what is learned from: rows, or windows
  Matrix all_X_, all_Y_;  // in memory
  Matrix X_, Y_;          // the epoch, when windows are read
  IndexVector order_;     // of the epoch
  Index epoch_ = -1;
  Matrix validation_X_, validation_Y_;
};

}  // namespace bochner
