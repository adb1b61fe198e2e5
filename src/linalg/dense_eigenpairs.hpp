#pragma once
#include "bochner/linalg/eigenpairs.hpp"

namespace bochner {

/// Each column with its largest entry (in size) positive.
void fix_signs(Matrix& vectors);

/// The top s of a full decomposition.
Eigenpairs dense_eigenpairs(MatrixIn A, Index s);

}  // namespace bochner
