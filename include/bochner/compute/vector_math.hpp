#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

// Elementwise functions of contiguous arrays of length n, many lanes at a time, right to one unit in the last
// place for arguments of any size. The result for a value does not depend on n, on its place in the array or
// on its neighbours, and is the same on AVX2 and AVX-512 machines. An output may be the input array itself;
// otherwise arrays must not overlap. No argument checks: infinities and NaN behave as in the standard
// library.

void sincos(const double* x, double* sin_x, double* cos_x, Index n);
void sincos(const float* x, float* sin_x, float* cos_x, Index n);

void exp(const double* x, double* exp_x, Index n);
void exp(const float* x, float* exp_x, Index n);

void log(const double* x, double* log_x, Index n);  // natural logarithm
void log(const float* x, float* log_x, Index n);

}  // namespace bochner
