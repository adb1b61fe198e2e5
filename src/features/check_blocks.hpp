#pragma once
#include "bochner/core/checks.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

// The shapes that every feature map asks for at its doors.

template <class T, class Map>
void check_fill(const char* function, const Map& map, MatrixInT<T> X, MatrixInT<T> Phi) {
  check_size(function, "columns of X", X.cols(), "the input dimensions of the map", map.input_dims());
  check_size(function, "rows of Phi", Phi.rows(), "rows of X", X.rows());
  check_size(function, "columns of Phi", Phi.cols(), "the number of features", map.count());
}

template <class T, class Map>
void check_pull(const char* function, const Map& map, MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi,
                MatrixInT<T> dL_dX) {
  check_fill<T>(function, map, X, Phi);
  check_size(function, "rows of dL_dPhi", dL_dPhi.rows(), "rows of X", X.rows());
  check_size(function, "columns of dL_dPhi", dL_dPhi.cols(), "the number of features", map.count());
  check_size(function, "rows of dL_dX", dL_dX.rows(), "rows of X", X.rows());
  check_size(function, "columns of dL_dX", dL_dX.cols(), "columns of X", X.cols());
}

}  // namespace bochner
