#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bochner/core/types.hpp"

// Between NumPy's arrays and ours. The Python side hands in C-contiguous doubles (it converts what is not, and only that);
// results move out without a copy.
namespace bochner::python {

namespace nb = nanobind;

using MatrixArg = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using VectorArg = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using MatrixResult = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;
using VectorResult = nb::ndarray<nb::numpy, double, nb::ndim<1>, nb::c_contig>;

using MatrixMap = Eigen::Map<const Matrix>;
using VectorMap = Eigen::Map<const Vector>;

/// The array itself, for calls that only read it.
inline MatrixMap map(const MatrixArg& a) {
  return {a.data(), static_cast<Index>(a.shape(0)), static_cast<Index>(a.shape(1))};
}
inline VectorMap map(const VectorArg& a) { return {a.data(), static_cast<Index>(a.shape(0))}; }

MatrixResult to_numpy(Matrix m);
VectorResult to_numpy(Vector v);

}  // namespace bochner::python
