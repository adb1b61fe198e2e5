#pragma once
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <stdexcept>
#include <string>

namespace bochner::cuda {

/// Every call of CUDA and its libraries goes through one of these; the message says which call failed.
inline void check(cudaError_t status, const char* call) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string("CUDA: ") + call + ": " + cudaGetErrorString(status));
}
inline void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuBLAS: ") + call + ": " + cublasGetStatusString(status));
}
inline void check(cusolverStatus_t status, const char* call) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuSOLVER: ") + call + ": status " + std::to_string(int(status)));
}

}  // namespace bochner::cuda

#define BOCHNER_CUDA(call) ::bochner::cuda::check((call), #call)
#define BOCHNER_LAUNCHED(kernel) ::bochner::cuda::check(cudaGetLastError(), kernel)
