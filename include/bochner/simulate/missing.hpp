#pragma once
#include <vector>

#include "bochner/data/dataset.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// What is missing from simulated tables, completely at random.
struct MissingOptions {
  double samples = 0;  // in each view, this fraction of the samples is absent altogether; in [0, 1)
  double entries = 0;  // of the entries that are left in a view, this fraction is not measured; in [0, 1)
};

/// Joins complete views that share their ids, in that order, and makes the missing entries. Every sample keeps at least
/// one view, every row and column of a table at least one entry; where that rule leaves no choice, fewer are
/// missing.
Dataset with_missing(std::vector<View> views, const MissingOptions& missing, const Rng& rng);

}  // namespace bochner
