#pragma once

// Formulas that the host twin and the kernels share: plain arithmetic on doubles, one source for both.
#ifdef __CUDACC__
#define BOCHNER_HOST_DEVICE __host__ __device__ inline
#else
#define BOCHNER_HOST_DEVICE inline
#endif
