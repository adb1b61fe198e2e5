#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

/// Windows of a series (T x S, one column per series, NaN in gaps) and what follows them. Lag p means p + 1 inputs, as in
/// [achten2023, Sec. 5]: the window at t holds rows t - p .. t, oldest first, all series of a time side by side.
struct LagTable {
  Matrix past;     // n x (p + 1) S
  Matrix next;     // n x S
  IndexVector at;  // n, times of `next`
};

/// Every window that has no gap, with a next row that has none: n = T - p - 1 for a series without gaps.
LagTable lag_table(MatrixIn series, Index lags);

/// One row: the window that ends at time t, (p + 1) S numbers.
Matrix window_at(MatrixIn series, Index lags, Index t);

/// Forgets the oldest time of each window (N x (p + 1) S) and appends `next` (N x S).
void push(Matrix& windows, MatrixIn next);

}  // namespace bochner
