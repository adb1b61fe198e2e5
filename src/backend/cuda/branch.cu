#include "branch.hpp"

#include <cstdint>

#include "check.hpp"
#include "kernels.hpp"

namespace bochner::cuda {
namespace {

constexpr std::size_t workspace_bytes = std::size_t{32} << 20;  // what cuBLAS asks for on Hopper

// cuBLAS is column-major: a row-major matrix is its transpose there, and D = A B is D' = B' A'.
cublasOperation_t operation(const Factor& f) { return f.transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

struct Layout {
  cublasLtMatrixLayout_t handle = nullptr;
  explicit Layout(const Slice& A) {
    BOCHNER_CUDA(cublasLtMatrixLayoutCreate(&handle, CUDA_R_64F, std::uint64_t(A.cols), std::uint64_t(A.rows),
                                            A.stride));
  }
  ~Layout() { cublasLtMatrixLayoutDestroy(handle); }
};

struct Description {
  cublasLtMatmulDesc_t handle = nullptr;
  Description(cublasOperation_t first, cublasOperation_t second) {
    BOCHNER_CUDA(cublasLtMatmulDescCreate(&handle, CUBLAS_COMPUTE_64F, CUDA_R_64F));
    BOCHNER_CUDA(cublasLtMatmulDescSetAttribute(handle, CUBLASLT_MATMUL_DESC_TRANSA, &first, sizeof first));
    BOCHNER_CUDA(cublasLtMatmulDescSetAttribute(handle, CUBLASLT_MATMUL_DESC_TRANSB, &second, sizeof second));
  }
  ~Description() { cublasLtMatmulDescDestroy(handle); }
};

/// Of an address, as far as it matters; cuBLAS takes the largest one for granted.
std::uint32_t alignment(const double* at) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  std::uint32_t out = 256;
  while (address % out != 0) out /= 2;
  return out;
}

struct Preference {
  cublasLtMatmulPreference_t handle = nullptr;
  Preference(const double* first, const double* second, const double* added, const double* result) {
    BOCHNER_CUDA(cublasLtMatmulPreferenceCreate(&handle));
    const std::size_t most = workspace_bytes;
    BOCHNER_CUDA(cublasLtMatmulPreferenceSetAttribute(handle, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most,
                                                      sizeof most));
    const auto aligned = [&](cublasLtMatmulPreferenceAttributes_t attribute, const double* at) {
      const std::uint32_t bytes = alignment(at);
      BOCHNER_CUDA(cublasLtMatmulPreferenceSetAttribute(handle, attribute, &bytes, sizeof bytes));
    };
    aligned(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, first);
    aligned(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, second);
    aligned(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, added);
    aligned(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, result);
  }
  ~Preference() { cublasLtMatmulPreferenceDestroy(handle); }
};

}  // namespace

Branch::Branch() {
  BOCHNER_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  BOCHNER_CUDA(cudaEventCreateWithFlags(&reached_, cudaEventDisableTiming));
  BOCHNER_CUDA(cudaMalloc(&workspace_, workspace_bytes));
  BOCHNER_CUDA(cudaMalloc(&scratch_, reduction_scratch * sizeof(double)));
  BOCHNER_CUDA(cudaMalloc(&info_, sizeof(int)));
  BOCHNER_CUDA(cublasCreate(&blas_));
  BOCHNER_CUDA(cublasSetStream(blas_, stream_));
  BOCHNER_CUDA(cublasSetWorkspace(blas_, workspace_, workspace_bytes));
  BOCHNER_CUDA(cublasSetAtomicsMode(blas_, CUBLAS_ATOMICS_NOT_ALLOWED));
  BOCHNER_CUDA(cublasLtCreate(&light_));
  BOCHNER_CUDA(cusolverDnCreate(&solver_));
  BOCHNER_CUDA(cusolverDnSetStream(solver_, stream_));
}

Branch::~Branch() {
  cudaStreamSynchronize(stream_);
  for (const auto& [size, memory] : solver_workspaces_) cudaFree(memory);
  cusolverDnDestroy(solver_);
  cublasLtDestroy(light_);
  cublasDestroy(blas_);
  cudaFree(info_);
  cudaFree(scratch_);
  cudaFree(workspace_);
  cudaEventDestroy(reached_);
  cudaStreamDestroy(stream_);
}

void Branch::wait_for(Branch& other) {
  BOCHNER_CUDA(cudaEventRecord(other.reached_, other.stream_));
  BOCHNER_CUDA(cudaStreamWaitEvent(stream_, other.reached_));
}

void Branch::product(double alpha, const Factor& A, const Factor& B, double beta, const Slice& C,
                     const Slice& D) {
  if (D.size() == 0) return;
  if (beta != 0 && C.at != D.at) return product_and_another(alpha, A, B, beta, C, D);
  BOCHNER_CUDA(cublasDgemmStridedBatched_64(
      blas_, operation(B), operation(A), D.cols, D.rows, A.cols(), &alpha, B.matrix.at, B.matrix.stride,
      B.matrix.step, A.matrix.at, A.matrix.stride, A.matrix.step, &beta, D.at, D.stride, D.step, D.batch));
}

/// Writes elsewhere than where it adds to: cuBLAS would need a copy first.
void Branch::product_and_another(double alpha, const Factor& A, const Factor& B, double beta, const Slice& C,
                                 const Slice& D) {
  if (D.batch != 1) throw std::invalid_argument("product: a batch is added to in its own place only");
  const Description what(operation(B), operation(A));
  const Layout first(B.matrix), second(A.matrix), added(C), result(D);
  const Preference preference(B.matrix.at, A.matrix.at, C.at, D.at);
  cublasLtMatmulHeuristicResult_t found{};
  int count = 0;
  BOCHNER_CUDA(cublasLtMatmulAlgoGetHeuristic(light_, what.handle, first.handle, second.handle, added.handle,
                                              result.handle, preference.handle, 1, &found, &count));
  if (count == 0)
    throw std::runtime_error("cuBLAS: no algorithm for a product that is added to another matrix");
  BOCHNER_CUDA(cublasLtMatmul(light_, what.handle, &alpha, B.matrix.at, first.handle, A.matrix.at,
                              second.handle, &beta, C.at, added.handle, D.at, result.handle, &found.algo,
                              workspace_, workspace_bytes, stream_));
}

double* Branch::solver_workspace(std::size_t doubles) {
  for (const auto& [size, memory] : solver_workspaces_)
    if (size >= doubles) return memory;
  double* memory = nullptr;
  BOCHNER_CUDA(cudaMalloc(&memory, doubles * sizeof(double)));
  solver_workspaces_.emplace_back(doubles, memory);
  return memory;
}

/// [C11 .; C21 C22] = [L11 0; L21 L22] [..]', L21 = C21 L11^-T, and L^-1 has -L22^-1 L21 L11^-1 below its diagonal.
void Branch::halve(const Slice& C, const Slice& L_inverse, double* trouble, Slice::Size before) {
  const Slice::Size n = C.rows, first = (n / 2 + 63) / 64 * 64, second = n - first;
  if (n <= small_factor)
    return cuda::cholesky(C, L_inverse, solver_workspace(std::size_t(cholesky_work(C))), trouble, before,
                          stream_);
  const Slice C21 = C.block(first, 0, second, first), C22 = C.block(first, first, second, second);
  const Slice own11 = L_inverse.block(0, 0, first, first), own21 = L_inverse.block(first, 0, second, first),
              own22 = L_inverse.block(first, first, second, second);
  halve(C.block(0, 0, first, first), own11, trouble, before);
  product(1, C21, transposed(own11), 0, {}, own21);
  for (Slice::Size i = 0; i < C.batch; ++i) {
    BOCHNER_CUDA(cudaMemcpy2DAsync(C21.one(i).at, C21.stride * sizeof(double), own21.one(i).at,
                                   own21.stride * sizeof(double), first * sizeof(double), second,
                                   cudaMemcpyDeviceToDevice, stream_));
    fill(L_inverse.one(i).block(0, first, first, second), 0, stream_);
  }
  product(-1, C21, transposed(C21), 1, C22, C22);
  halve(C22, own22, trouble, before + first);
  double* work = solver_workspace(std::size_t(C.batch * second * first));
  const Slice between{work, second, first, first, C.batch, second * first};
  product(1, own22, C21, 0, {}, between);
  product(-1, between, own11, 0, {}, own21);
}

/// Row-major L is upper triangular there: C = L L' = U'U, and L X = I is X' U = I.
void Branch::large_cholesky(const Slice& C, const Slice& L_inverse, double* trouble) {
  const int n = int(C.rows), stride = int(C.stride);
  int size = 0;
  BOCHNER_CUDA(cusolverDnDpotrf_bufferSize(solver_, CUBLAS_FILL_MODE_UPPER, n, C.at, stride, &size));
  BOCHNER_CUDA(cusolverDnDpotrf(solver_, CUBLAS_FILL_MODE_UPPER, n, C.at, stride,
                                solver_workspace(std::size_t(size)), size, info_));
  to_double(info_, trouble, stream_);
  fill_identity(L_inverse, stream_);
  const double one = 1;
  BOCHNER_CUDA(cublasDtrsm(blas_, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                           CUBLAS_DIAG_NON_UNIT, n, n, &one, C.at, stride, L_inverse.at,
                           int(L_inverse.stride)));
}

}  // namespace bochner::cuda
