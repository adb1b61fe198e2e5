#pragma once
#include "bochner/backend/slice.hpp"

namespace bochner {

/// Sizes of the arrays of a FeatureStep: they follow from those of the problem alone, and with them the order of sums.
struct FeatureSizes {
  using Size = Slice::Size;

  Size N, M, J, D, F, lanes, rows;  // rows: N and what fills up the last lane
  Size phi, table;                  // columns with their padding
  Size stride;                      // of W
  Size pieces, tiles;               // of the pullback: by rows and by frequencies

  FeatureSizes(Size n, Size m, bool complete, Size j, Size d);

  Size summed() const { return J * (2 * D + 1); }
  /// Columns of W that Phi' meets.
  Size products(bool complete) const { return phi + table + (complete ? 0 : phi); }
  Size matrices(bool complete) const { return complete ? 1 : 2; }
};

/// Columns with what fills them up, so that parts of a row begin on cache lines.
Slice::Size aligned(Slice::Size cols);

/// Of Phi'[Y Phi], rows x cols numbers from N rows, so many bands of rows are multiplied up to the diagonal of Phi'Phi and no
/// further.
Slice::Size bands_of(Slice::Size N, Slice::Size rows, Slice::Size cols);

}  // namespace bochner
