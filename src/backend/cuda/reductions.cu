#include <stdexcept>

#include "block_sum.hpp"
#include "check.hpp"
#include "kernels.hpp"

namespace bochner::cuda {
namespace {

using Size = Slice::Size;

constexpr int threads = sum_threads;
constexpr int leaf = 16;  // parts that a thread adds

/// The balanced tree over `count` neighbours, unrolled: all loads are in flight before the first addition.
template <int count>
__device__ double tree(const double* parts, Size step) {
  if constexpr (count == 1) {
    return *parts;
  } else {
    const double left = tree<count / 2>(parts, step);
    return left + tree<count / 2>(parts + count / 2 * step, step);
  }
}

/// Threads along x take entries, those along y subtrees of `count` parts each.
template <int count>
__global__ void add_parts(Slice parts, Slice sum) {
  __shared__ double held[threads * 4];
  const Size entry = blockIdx.x * Size(blockDim.x) + threadIdx.x;
  const bool inside = entry < sum.rows * sum.cols;
  const Size row = inside ? entry / sum.cols : 0, col = inside ? entry % sum.cols : 0;
  double own =
      inside ? tree<count>(parts.at + threadIdx.y * count * parts.step + row * parts.stride + col, parts.step)
             : 0;
  for (unsigned half = 1; half < blockDim.y; half *= 2) {
    held[threadIdx.y * blockDim.x + threadIdx.x] = own;
    __syncthreads();
    if (threadIdx.y % (2 * half) == 0) own += held[(threadIdx.y + half) * blockDim.x + threadIdx.x];
    __syncthreads();
  }
  if (inside && threadIdx.y == 0) sum.at[row * sum.stride + col] = own;
}

/// The same cut into reduction_blocks x threads strands whatever the card is.
template <class Value>
__global__ void strands(Size count, Value value, double* scratch) {
  double own = 0;
  for (Size i = blockIdx.x * Size(threads) + threadIdx.x; i < count; i += Size(reduction_blocks) * threads)
    own += value(i);
  const double sum = block_sum(own);
  if (threadIdx.x == 0) scratch[blockIdx.x] = sum;
}

template <class Value>
__global__ void one_block(Size count, Value value, double* sum) {
  double own = 0;
  for (Size i = threadIdx.x; i < count; i += threads) own += value(i, blockIdx.x);
  own = block_sum(own);
  if (threadIdx.x == 0) sum[blockIdx.x] = own;
}

template <class Value>
void sum_in_one(int sums, Size count, const Value& value, double* sum, cudaStream_t stream) {
  one_block<<<sums, threads, 0, stream>>>(count, value, sum);
  BOCHNER_LAUNCHED("one_block");
}

template <class Value>
void sum_of(Size count, const Value& value, double* scratch, double* sum, cudaStream_t stream) {
  strands<<<reduction_blocks, threads, 0, stream>>>(count, value, scratch);
  BOCHNER_LAUNCHED("strands");
  sum_in_one(
      1, reduction_blocks, [scratch] __device__(Size i, int) { return scratch[i]; }, sum, stream);
}

}  // namespace

void tree_sum(const Slice& parts, const Slice& sum, cudaStream_t stream) {
  const Size count = parts.batch;
  if (count < 1 || (count & (count - 1)) != 0 || count > 32 * leaf)
    throw std::invalid_argument("tree_sum: the number of parts is not a power of two, or too large");
  const int below = count < leaf ? int(count) : leaf, groups = int(count) / below;
  const int wide = groups >= 8 ? 32 : 256 / groups;
  const int blocks = int((sum.rows * sum.cols + wide - 1) / wide);
  const dim3 block(wide, groups);
  switch (below) {
    case 1:
      add_parts<1><<<blocks, block, 0, stream>>>(parts, sum);
      break;
    case 2:
      add_parts<2><<<blocks, block, 0, stream>>>(parts, sum);
      break;
    case 4:
      add_parts<4><<<blocks, block, 0, stream>>>(parts, sum);
      break;
    case 8:
      add_parts<8><<<blocks, block, 0, stream>>>(parts, sum);
      break;
    default:
      add_parts<16><<<blocks, block, 0, stream>>>(parts, sum);
  }
  BOCHNER_LAUNCHED("add_parts");
}

void sum_of_squares(const Slice& A, double* scratch, double* sum, cudaStream_t stream) {
  const auto square = [A] __device__(Size i) {
    const double x = A.at[i / A.cols * A.stride + i % A.cols];
    return x * x;
  };
  sum_of(A.rows * A.cols, square, scratch, sum, stream);
}

void squares_at(const std::int64_t* offsets, Size count, const double* table, double* scratch, double* sum,
                cudaStream_t stream) {
  const auto square = [=] __device__(Size i) {
    const double x = table[offsets[i]];
    return x * x;
  };
  sum_of(count, square, scratch, sum, stream);
}

void add_diagonal(const double* values, const Slice& C, double* traces, cudaStream_t stream) {
  const auto add = [=] __device__(Size i, int b) { return C.at[b * C.step + i * C.stride + i] += values[b]; };
  sum_in_one(int(C.batch), C.rows, add, traces, stream);
}

void log_determinant(const Slice& L, double* sum, cudaStream_t stream) {
  sum_in_one(
      1, L.rows, [L] __device__(Size i, int) { return 2 * log(L.at[i * L.stride + i]); }, sum, stream);
}

}  // namespace bochner::cuda
