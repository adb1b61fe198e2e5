#pragma once
#include <cuda_runtime.h>

namespace bochner::cuda {

inline constexpr int sum_threads = 256;

/// The sum over a block of sum_threads threads. Wait for all threads before the next one.
__device__ inline double block_sum(double own) {
  __shared__ double held[sum_threads];
  held[threadIdx.x] = own;
  for (int half = sum_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) held[threadIdx.x] += held[threadIdx.x + half];
  }
  __syncthreads();
  return held[0];
}

}  // namespace bochner::cuda
