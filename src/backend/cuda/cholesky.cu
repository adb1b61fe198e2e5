#include <mma.h>

#include "check.hpp"
#include "kernels.hpp"

namespace bochner::cuda {
namespace {

using Size = Slice::Size;
namespace wmma = nvcuda::wmma;

// L and L^-1 of small matrices, where cuSOLVER is a chain of many waits. Block elimination turns [C I] into [L' L^-1]: with
// square tiles, R = the right half and V_kj = L_kk^-1 times row k of [C R],
//
//   [C R]_ij -= V_ki' V_kj     for rows i > k,  columns j >= i of C and j <= k of R
//
// is all that step k does, one block for each tile, all of them at once. Row i holds its C from its diagonal on and its R before
// it, so that one square matrix has room for both. Who finishes the next diagonal tile factors it: L_kk^-1 lies there from then on.

constexpr int tile = 32;
constexpr int pad = tile + 4;  // of a row: neighbouring rows begin 8 banks apart, at multiples of 32 bytes
constexpr int warps = 8, threads = 32 * warps;
constexpr int part = 8;  // rows and columns of a tensor core's product

struct alignas(32) Tile {
  double at[tile][pad];
};
using Sum = wmma::fragment<wmma::accumulator, part, part, 4, double>;

struct Problem {
  Slice C, inverse;
  double* work;  // of each matrix of the batch: `tiles` squared tiles
  double* trouble;
  int before;  // columns of a larger matrix that come first
  int tiles;
  __device__ Size n() const { return C.rows; }
  __device__ double* work_tile(int i, int j) const {
    const Size side = Size(tiles) * tile;
    return work + blockIdx.z * side * side + Size(i) * tile * side + Size(j) * tile;
  }
};

/// f(row, column) of each entry of a tile, by all threads.
template <class F>
__device__ void each_of_tile(const F& f) {
  for (int i = threadIdx.x; i < tile * tile; i += threads) f(i / tile, i % tile);
}

__device__ void load(const Problem& p, int i, int j, Tile& to) {
  const double* from = p.work_tile(i, j);
  const Size side = Size(p.tiles) * tile;
  each_of_tile([&](int r, int c) { to.at[r][c] = from[r * side + c]; });
}
__device__ void store(const Problem& p, int i, int j, const Tile& from) {
  double* to = p.work_tile(i, j);
  const Size side = Size(p.tiles) * tile;
  each_of_tile([&](int r, int c) { to[r * side + c] = from.at[r][c]; });
}

/// The parts of a tile that a warp has: two of sixteen.
__device__ int part_row(int k) { return (int(threadIdx.x) / 32 + k * warps) / (tile / part) * part; }
__device__ int part_col(int k) { return (int(threadIdx.x) / 32 + k * warps) % (tile / part) * part; }

/// A B
__device__ void multiply(const Tile& A, const Tile& B, Sum (&sum)[2]) {
  wmma::fragment<wmma::matrix_a, part, part, 4, double, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, part, part, 4, double, wmma::row_major> b;
  for (int k = 0; k < 2; ++k) {
    wmma::fill_fragment(sum[k], 0.0);
    for (int t = 0; t < tile; t += 4) {
      wmma::load_matrix_sync(a, &A.at[part_row(k)][t], pad);
      wmma::load_matrix_sync(b, &B.at[t][part_col(k)], pad);
      wmma::mma_sync(sum[k], a, b, sum[k]);
    }
  }
}

/// C - A' B
__device__ void subtract(const Tile& A, const Tile& B, Tile& C) {
  wmma::fragment<wmma::matrix_a, part, part, 4, double, wmma::col_major> a;
  wmma::fragment<wmma::matrix_b, part, part, 4, double, wmma::row_major> b;
  Sum sum;
  for (int k = 0; k < 2; ++k) {
    double* own = &C.at[part_row(k)][part_col(k)];
    wmma::load_matrix_sync(sum, own, pad, wmma::mem_row_major);
    for (int t = 0; t < tile; t += 4) {
      wmma::load_matrix_sync(a, &A.at[t][part_row(k)], pad);
      wmma::load_matrix_sync(b, &B.at[t][part_col(k)], pad);
      for (int i = 0; i < a.num_elements; ++i) a.x[i] = -a.x[i];
      wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(own, sum, pad, wmma::mem_row_major);
  }
}

__device__ void put(const Sum (&sum)[2], Tile& to) {
  for (int k = 0; k < 2; ++k)
    wmma::store_matrix_sync(&to.at[part_row(k)][part_col(k)], sum[k], pad, wmma::mem_row_major);
}

/// By one warp: of C, whose entries on and above the diagonal are read, columns of L as rows of Lt, and L^-1 in the place of C.
/// The column, counted from 1, where there was no pivot; else 0.
__device__ int factor(Tile& C, Tile& Lt) {
  const int lane = threadIdx.x;
  double own[tile];  // row `lane` of C; later column `lane` of L^-1
  int trouble = 0;
#pragma unroll
  for (int j = 0; j < tile; ++j) own[j] = C.at[j][lane];
#pragma unroll
  for (int j = 0; j < tile; ++j) {
    double pivot = __shfl_sync(0xffffffffu, own[j], j);
    if (!(pivot > 0 && pivot < 1.7e308)) {
      trouble = trouble > 0 ? trouble : j + 1;
      pivot = 1;
    }
    const double reciprocal = rsqrt(pivot);
    const double l = lane == j ? pivot * reciprocal : lane > j ? own[j] * reciprocal : 0;
    Lt.at[j][lane] = l;
    if (lane == 0) Lt.at[j][tile] = reciprocal;  // beyond the tile
    __syncwarp();
#pragma unroll
    for (int c = j + 1; c < tile; ++c) own[c] -= l * Lt.at[j][c];
  }
#pragma unroll
  for (int r = 0; r < tile; ++r) own[r] = r == lane ? 1 : 0;
#pragma unroll
  for (int k = 0; k < tile; ++k) {
    own[k] *= Lt.at[k][tile];
    C.at[k][lane] = own[k];
#pragma unroll
    for (int r = k + 1; r < tile; ++r) own[r] -= Lt.at[k][r] * own[k];
  }
  return trouble;
}

/// Factors diagonal tile k, which lies in `own`.
__device__ void finish_diagonal(const Problem& p, int k, Tile& own, Tile& Lt) {
  __syncthreads();
  if (threadIdx.x < 32) {
    const int trouble = factor(own, Lt);
    double* known = p.trouble + blockIdx.z;
    const bool first = k == 0 && p.before == 0;
    if (threadIdx.x == 0 && (first || (*known == 0 && trouble > 0)))
      *known = trouble > 0 ? p.before + k * tile + trouble : 0;
  }
  __syncthreads();
  each_of_tile([&](int r, int c) {
    const Size row = Size(k) * tile + r, col = Size(k) * tile + c;
    if (c <= r && row < p.n()) p.C.at[blockIdx.z * p.C.step + row * p.C.stride + col] = Lt.at[c][r];
  });
  store(p, k, k, own);
}

/// The upper triangle of the work is the lower one of C, filled up with an identity; the first factor.
__global__ void __launch_bounds__(threads, 2) begin(Problem p) {
  const int i = blockIdx.y, j = blockIdx.x;
  if (j < i) return;
  __shared__ Tile own, Lt;
  const double* C = p.C.at + blockIdx.z * p.C.step;
  each_of_tile([&](int c, int r) {  // neighbouring threads read neighbours
    const Size row = Size(j) * tile + c, col = Size(i) * tile + r;
    own.at[r][c] = row < p.n() && col < p.n() ? C[row * p.C.stride + col] : row == col ? 1 : 0;
  });
  if (i == 0 && j == 0) return finish_diagonal(p, 0, own, Lt);
  __syncthreads();
  store(p, i, j, own);
}

/// Row k of L' and L^-1, which is V.
__device__ void put_row(const Problem& p, int k, int j, const Tile& V) {
  double *C = p.C.at + blockIdx.z * p.C.step, *inverse = p.inverse.at + blockIdx.z * p.inverse.step;
  each_of_tile([&](int r, int c) {
    const Size row = Size(k) * tile + r, col = Size(j) * tile + c;
    if (row < p.n() && col < p.n()) inverse[row * p.inverse.stride + col] = j > k ? 0 : V.at[r][c];
  });
  if (j <= k) return;
  each_of_tile([&](int c, int r) {
    const Size row = Size(j) * tile + c, col = Size(k) * tile + r;
    if (row < p.n() && col < p.n()) C[row * p.C.stride + col] = V.at[r][c];
  });
}

__global__ void __launch_bounds__(threads, 2) eliminate(Problem p, int k) {
  const int i = k + int(blockIdx.y), j = blockIdx.x;
  if (i > k && j > k && j < i) return;
  __shared__ Tile diagonal, left, right, own;
  load(p, k, k, diagonal);
  if (j != k) load(p, k, j, right);
  if (i > k) load(p, k, i, left);
  if (i > k && j != k) load(p, i, j, own);
  if (i > k && j == k) each_of_tile([&](int r, int c) { own.at[r][c] = 0; });
  __syncthreads();
  Sum V[2], U[2];
  if (j != k) multiply(diagonal, right, V);
  if (i > k) multiply(diagonal, left, U);
  __syncthreads();
  if (j != k) put(V, right);
  if (i > k) put(U, left);
  __syncthreads();
  Tile& row = j == k ? diagonal : right;  // L_kk^-1 times the identity
  if (i == k) return put_row(p, k, j, row);
  subtract(left, row, own);
  __syncthreads();
  if (i == k + 1 && j == i) return finish_diagonal(p, i, own, diagonal);
  store(p, i, j, own);
}

}  // namespace

Size cholesky_work(const Slice& C) {
  const Size side = (C.rows + tile - 1) / tile * tile;
  return C.batch * side * side;
}

void cholesky(const Slice& C, const Slice& L_inverse, double* work, double* trouble, Size before,
              cudaStream_t stream) {
  const Problem p{C, L_inverse, work, trouble, int(before), int((C.rows + tile - 1) / tile)};
  begin<<<dim3(unsigned(p.tiles), unsigned(p.tiles), unsigned(C.batch)), threads, 0, stream>>>(p);
  BOCHNER_LAUNCHED("begin");
  for (int k = 0; k < p.tiles; ++k) {
    eliminate<<<dim3(unsigned(p.tiles), unsigned(p.tiles - k), unsigned(C.batch)), threads, 0, stream>>>(p,
                                                                                                         k);
    BOCHNER_LAUNCHED("eliminate");
  }
}

}  // namespace bochner::cuda
