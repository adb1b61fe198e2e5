#pragma once
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <vector>

#include "bochner/backend/slice.hpp"

namespace bochner::cuda {

/// A stream with handles and workspaces of its own: cuBLAS gives the same bytes run after run only where streams do not share
/// a workspace, and recorded graphs go on using it.
class Branch {
 public:
  Branch();
  ~Branch();
  Branch(const Branch&) = delete;
  Branch& operator=(const Branch&) = delete;

  cudaStream_t stream() const { return stream_; }
  /// Goes on where the other one has done all that it was given so far.
  void wait_for(Branch& other);

  void product(double alpha, const Factor& A, const Factor& B, double beta, const Slice& C, const Slice& D);
  /// L and L^-1 of a batch. `trouble` becomes 0, or the number of a column where there was no pivot.
  void cholesky(const Slice& C, const Slice& L_inverse, double* trouble) { halve(C, L_inverse, trouble, 0); }
  /// By cuSOLVER, of one matrix.
  void large_cholesky(const Slice& C, const Slice& L_inverse, double* trouble);
  double* scratch() const { return scratch_; }

 private:
  void product_and_another(double alpha, const Factor& A, const Factor& B, double beta, const Slice& C,
                           const Slice& D);
  void halve(const Slice& C, const Slice& L_inverse, double* trouble, Slice::Size before);
  double* solver_workspace(std::size_t doubles);

  cudaStream_t stream_ = nullptr;
  cudaEvent_t reached_ = nullptr;
  cublasHandle_t blas_ = nullptr;
  cublasLtHandle_t light_ = nullptr;
  cusolverDnHandle_t solver_ = nullptr;
  void* workspace_ = nullptr;
  double* scratch_ = nullptr;
  int* info_ = nullptr;
  std::vector<std::pair<std::size_t, double*>> solver_workspaces_;  // all of them: graphs remember addresses
};

}  // namespace bochner::cuda
