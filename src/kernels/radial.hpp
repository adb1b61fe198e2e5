#pragma once
#include "bochner/kernels/matern.hpp"
#include "bochner/kernels/rbf.hpp"

namespace bochner {

// Kernels as functions of the scaled squared distance r2, a row of m numbers at a time; `r2` and `k` may be the same row.

void radial_row(const Rbf& kernel, const double* r2, double* k, Index m);
void radial_row(const Matern& kernel, const double* r2, double* k, Index m);

/// w(j) = dL/dr2(j) from k(j) and dL/dk(j), and the sum of k(j) dL/dk(j), which is dL/dlog sigma2.
double radial_pull_row(const Rbf& kernel, const double* r2, const double* k, const double* dL_dk, double* w,
                       Index m);
double radial_pull_row(const Matern& kernel, const double* r2, const double* k, const double* dL_dk,
                       double* w, Index m);

}  // namespace bochner
