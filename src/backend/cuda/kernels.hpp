#pragma once
#include <cuda_runtime.h>

#include <cstdint>

#include "bochner/backend/latents.hpp"
#include "bochner/backend/slice.hpp"

namespace bochner::cuda {

// The kernels, by what they do; each call puts its launches into a stream. Sizes of grids follow from shapes alone, and with
// them the order of sums.

inline constexpr int reduction_blocks = 256;                    // and strands of 256 threads each
inline constexpr int reduction_scratch = 2 * reduction_blocks;  // numbers that reductions need

// reductions.cu
void tree_sum(const Slice& parts, const Slice& sum, cudaStream_t stream);
void sum_of_squares(const Slice& A, double* scratch, double* sum, cudaStream_t stream);
void squares_at(const std::int64_t* offsets, Slice::Size count, const double* table, double* scratch,
                double* sum, cudaStream_t stream);
void add_diagonal(const double* values, const Slice& C, double* traces, cudaStream_t stream);
void log_determinant(const Slice& L, double* sum, cudaStream_t stream);

// elementwise.cu
void fill(const Slice& A, double value, cudaStream_t stream);
void fill_identity(const Slice& A, cudaStream_t stream);
void scale(const double* factor, const Slice& A, const Slice& scaled, cudaStream_t stream);
void to_double(const int* from, double* to, cudaStream_t stream);
void subtract_at(const std::int64_t* offsets, Slice::Size count, const double* residual, double* table,
                 cudaStream_t stream);
void gather_rows(const std::int64_t* rows, const Slice& from, const Slice& to, cudaStream_t stream);
void add_to_rows(const std::int64_t* rows, const Slice& from, const Slice& to, cudaStream_t stream);

// latents.cu
void latent_draw(const LatentDraw* with, Slice::Size count, const double* theta, double* X, double* offset,
                 cudaStream_t stream);
void latent_gradient(double observed, Slice::Size count, const double* theta, const double* offset,
                     const double* dX, double* grad, double* scratch, double* sums, cudaStream_t stream);
void latent_move(const LatentMove& with, Slice::Size count, const double* grad, double* theta, double* m,
                 double* v, cudaStream_t stream);

// cholesky.cu
inline constexpr Slice::Size small_factor = 1024;  // rows; larger ones are cut into halves
Slice::Size cholesky_work(const Slice& C);         // numbers of `work`
/// C = L L' and L^-1 of a batch. Without columns `before`, `trouble` becomes 0 or the number of a column where there was no
/// pivot; with some it is changed only if it was 0.
void cholesky(const Slice& C, const Slice& L_inverse, double* work, double* trouble, Slice::Size before,
              cudaStream_t stream);

// fourier.cu
void fourier_fill(const FeatureWaves& waves, const Slice& X, const Slice& Phi, const double* weight,
                  const Slice& weighted, cudaStream_t stream);
void fourier_pull(const FeatureWaves& waves, const Slice& X, const Slice& Phi, const Slice& dPhi,
                  const Slice& dX, const Slice& sums, cudaStream_t stream);

}  // namespace bochner::cuda
