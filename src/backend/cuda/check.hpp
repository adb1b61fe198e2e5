#pragma once
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <stdexcept>
#include <string>

#include "bochner/core/errors.hpp"

namespace bochner::cuda {

/// The last error is forgotten, or the next kernel would be blamed for it.
[[noreturn]] inline void fail(const std::string& what, bool out_of_memory) {
  cudaGetLastError();
  if (out_of_memory)
    throw InputError("the card has too little free memory (" + what +
                     "); use fewer features or the device cpu");
  throw std::runtime_error(what);
}

/// Every call of CUDA and its libraries goes through one of these; the message says which call failed.
inline void check(cudaError_t status, const char* call) {
  if (status != cudaSuccess)
    fail(std::string("CUDA: ") + call + ": " + cudaGetErrorString(status),
         status == cudaErrorMemoryAllocation);
}
inline void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    fail(std::string("cuBLAS: ") + call + ": " + cublasGetStatusString(status),
         status == CUBLAS_STATUS_ALLOC_FAILED);
}
inline void check(cusolverStatus_t status, const char* call) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    fail(std::string("cuSOLVER: ") + call + ": status " + std::to_string(int(status)),
         status == CUSOLVER_STATUS_ALLOC_FAILED);
}

}  // namespace bochner::cuda

#define BOCHNER_CUDA(call) ::bochner::cuda::check((call), #call)
#define BOCHNER_LAUNCHED(kernel) ::bochner::cuda::check(cudaGetLastError(), kernel)
