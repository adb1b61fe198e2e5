#pragma once
#include <Eigen/Core>

namespace bochner {

using Index = Eigen::Index;

/// Row-major, so that a sample (a row) is contiguous and a block of samples is one piece of memory.
template <class T>
using MatrixT = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using VectorT = Eigen::Matrix<T, Eigen::Dynamic, 1>;

using Matrix = MatrixT<double>;
using Vector = VectorT<double>;
using BoolMatrix = MatrixT<bool>;
using IndexVector = VectorT<Index>;

/// Arguments that are read: accept a matrix, a block of rows or a mapped array without a copy.
template <class T>
using MatrixInT = const Eigen::Ref<const MatrixT<T>>&;
template <class T>
using VectorInT = const Eigen::Ref<const VectorT<T>>&;
using MatrixIn = MatrixInT<double>;
using VectorIn = VectorInT<double>;  // also takes a row of a Matrix

/// Arguments that are written in place.
template <class T>
using MatrixOutT = Eigen::Ref<MatrixT<T>>;
template <class T>
using VectorOutT = Eigen::Ref<VectorT<T>>;
using MatrixOut = MatrixOutT<double>;
using VectorOut = VectorOutT<double>;

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double log_2pi = 1.83787706640934548356;

}  // namespace bochner
