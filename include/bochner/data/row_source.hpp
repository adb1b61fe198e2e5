#pragma once
#include <functional>

#include "bochner/core/types.hpp"

namespace bochner {

/// Rows of inputs X and outcomes Y that are read a piece at a time, so that they need not fit into memory.
struct RowSource {
  Index rows = 0, inputs = 0, outcomes = 0;  // N, D, columns of Y

  /// Fills X (n x D) and Y (n x outcomes) with rows begin .. begin + n - 1. Called by one thread at a time.
  std::function<void(Index begin, MatrixOut X, MatrixOut Y)> read;
};

/// Of tables in memory.
RowSource memory_rows(Matrix X, Matrix Y);

}  // namespace bochner
