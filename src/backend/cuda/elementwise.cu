#include "check.hpp"
#include "kernels.hpp"

namespace bochner::cuda {
namespace {

using Size = Slice::Size;

constexpr int threads = 256;
constexpr Size most_blocks = 132 * 16;

int blocks_for(Size count) {
  const Size blocks = (count + threads - 1) / threads;
  return static_cast<int>(blocks < 1 ? 1 : blocks > most_blocks ? most_blocks : blocks);
}

/// f(row, column) of each entry, neighbouring columns by neighbouring threads.
template <class F>
__global__ void each_entry(Size rows, Size cols, F f) {
  const Size count = rows * cols;
  for (Size i = blockIdx.x * Size(threads) + threadIdx.x; i < count; i += gridDim.x * Size(threads))
    f(i / cols, i % cols);
}

template <class F>
void for_each_entry(Size rows, Size cols, cudaStream_t stream, const char* what, const F& f) {
  if (rows * cols == 0) return;
  each_entry<<<blocks_for(rows * cols), threads, 0, stream>>>(rows, cols, f);
  BOCHNER_LAUNCHED(what);
}

}  // namespace

void fill(const Slice& A, double value, cudaStream_t stream) {
  for_each_entry(A.rows, A.cols, stream, "fill",
                 [A, value] __device__(Size i, Size j) { A.at[i * A.stride + j] = value; });
}

void fill_identity(const Slice& A, cudaStream_t stream) {
  for_each_entry(A.rows, A.cols, stream, "fill_identity",
                 [A] __device__(Size i, Size j) { A.at[i * A.stride + j] = i == j ? 1 : 0; });
}

void scale(const double* factor, const Slice& A, const Slice& scaled, cudaStream_t stream) {
  for_each_entry(A.rows, A.cols, stream, "scale", [=] __device__(Size i, Size j) {
    scaled.at[i * scaled.stride + j] = *factor * A.at[i * A.stride + j];
  });
}

void to_double(const int* from, double* to, cudaStream_t stream) {
  for_each_entry(1, 1, stream, "to_double", [=] __device__(Size, Size) { *to = *from; });
}

void subtract_at(const std::int64_t* offsets, Size count, const double* residual, double* table,
                 cudaStream_t stream) {
  for_each_entry(1, count, stream, "subtract_at",
                 [=] __device__(Size, Size i) { table[offsets[i]] -= residual[offsets[i]]; });
}

void gather_rows(const std::int64_t* rows, const Slice& from, const Slice& to, cudaStream_t stream) {
  for_each_entry(to.rows, to.cols, stream, "gather_rows", [=] __device__(Size i, Size j) {
    to.at[i * to.stride + j] = from.at[(rows ? rows[i] : i) * from.stride + j];
  });
}

void add_to_rows(const std::int64_t* rows, const Slice& from, const Slice& to, cudaStream_t stream) {
  for_each_entry(from.rows, from.cols, stream, "add_to_rows", [=] __device__(Size i, Size j) {
    to.at[(rows ? rows[i] : i) * to.stride + j] += from.at[i * from.stride + j];
  });
}

}  // namespace bochner::cuda
