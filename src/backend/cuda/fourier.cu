#include "check.hpp"
#include "kernels.hpp"
#include "src/backend/scalar/wave.hpp"

namespace bochner::cuda {
namespace {

using Size = Slice::Size;
using scalar::Wave;

constexpr int threads = 128;
constexpr int rows_at_once = 8;
constexpr int warp = 32, warps = 8, each = 4;  // frequencies of a thread in the pullback: 128 of a piece

/// Column j of D x J frequencies. With `dims` of them known it lies in registers; 0: it is read where it is.
template <int dims>
class Column {
 public:
  Column() = default;
  __device__ Column(const Slice& A, Size j) {
#pragma unroll
    for (int d = 0; d < dims; ++d) held_[d] = A.at[d * A.stride + j];
  }
  __device__ double angle(const double* x) const { return scalar::angle(x, held_, 1, dims); }
  __device__ double operator[](Size d) const { return held_[d]; }

 private:
  double held_[dims] = {};
};
template <>
class Column<0> {
 public:
  Column() = default;
  __device__ Column(const Slice& A, Size j) : at_(A.at + j), stride_(A.stride), dims_(A.rows) {}
  __device__ double angle(const double* x) const { return scalar::angle(x, at_, stride_, dims_); }
  __device__ double operator[](Size d) const { return at_[d * stride_]; }

 private:
  const double* at_ = nullptr;
  Size stride_ = 0, dims_ = 0;
};

template <int dims>
__global__ void __launch_bounds__(threads)
    fill_rows(FeatureWaves w, Slice X, Slice Phi, const double* weight, Slice weighted) {
  const Size J = w.mean.cols, j = blockIdx.y * Size(threads) + threadIdx.x;
  if (j >= J) return;
  const bool paired = w.half.rows > 0;
  const Column<dims> mean(w.mean, j), half = paired ? Column<dims>(w.half, j) : Column<dims>();
  const Size end = min(X.rows, (blockIdx.x + Size(1)) * rows_at_once);
  const double amplitude = w.amplitude[j];
  for (Size n = blockIdx.x * Size(rows_at_once); n < end; ++n) {
    const double* x = X.at + n * X.stride;
    double size = amplitude;
    if (paired) size = scalar::pair_scale(half.angle(x), size);
    const Wave value = scalar::wave(mean.angle(x), size);
    double* row = Phi.at + n * Phi.stride;
    row[j] = value.cosine;
    row[J + j] = value.sine;
    if (weight == nullptr) continue;
    double* copy = weighted.at + n * weighted.stride;
    copy[j] = weight[n] * value.cosine;
    copy[J + j] = weight[n] * value.sine;
  }
}

struct Pull {
  FeatureWaves w;
  Slice X, Phi, dPhi, dX, sums;
  Size piece, rows;  // frequencies and rows of a block
  Size first_dim;    // this launch: dimensions first_dim .. first_dim + dims - 1
};

__device__ double warp_sum(double x) {
  for (int lane = warp / 2; lane > 0; lane /= 2) x += __shfl_xor_sync(0xffffffffu, x, lane);
  return x;
}

/// The sum over the warps of a block of one number for each of its frequencies.
__device__ void add_warps(const double (&own)[each], double (&held)[warps][warp * each], Size count,
                          double* sum) {
  __syncthreads();
  const int lane = threadIdx.x % warp, mine = threadIdx.x / warp;
  for (int k = 0; k < each; ++k) held[mine][k * warp + lane] = own[k];
  __syncthreads();
  const int j = threadIdx.x;
  if (j < warp * each && j < count)
    sum[j] = ((held[0][j] + held[1][j]) + (held[2][j] + held[3][j])) +
             ((held[4][j] + held[5][j]) + (held[6][j] + held[7][j]));
}

/// A block takes some rows and some frequencies, a warp every eighth of these rows, a thread four of these frequencies, over
/// which dL/dX is added up at once and its other sums at the end. `all`: there are no more dimensions than these.
template <int dims, bool all>
__global__ void __launch_bounds__(warps* warp) pull_rows(Pull p) {
  __shared__ double held[warps][warp * each];
  const Size J = p.w.mean.cols, D = p.w.mean.rows, first = blockIdx.y * p.piece;
  const Size count = min(p.piece, J - first), begin = blockIdx.x * p.rows,
             end = min(p.X.rows, begin + p.rows);
  const int lane = threadIdx.x % warp;
  const bool paired = p.w.half.rows > 0;
  double mean[each][dims] = {}, half[each][dims] = {}, power[each] = {};
  using Omega = Column<all ? dims : 0>;
  for (Size n = begin + threadIdx.x / warp; n < end; n += warps) {
    const double *x = p.X.at + n * p.X.stride, *phi = p.Phi.at + n * p.Phi.stride,
                 *d = p.dPhi.at + n * p.dPhi.stride;
    double own[dims], dx[dims] = {};
    for (int s = 0; s < dims; ++s) own[s] = p.first_dim + s < D ? x[p.first_dim + s] : 0;
    Wave value[each], adjoint[each];  // all are on their way before the first one is used
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const bool inside = k * warp + lane < count;
      const Size j = first + k * warp + lane;
      value[k] = inside ? Wave{phi[j], phi[J + j]} : Wave{0, 0};
      adjoint[k] = inside ? Wave{d[j], d[J + j]} : Wave{0, 0};
    }
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const Size j = k * warp + lane < count ? first + k * warp + lane : first;  // adds zeros beyond the last
      const Omega mean_wave(p.w.mean, j), half_wave = paired ? Omega(p.w.half, j) : Omega();
      const double a = scalar::angle_adjoint(value[k], adjoint[k]),
                   c = scalar::amplitude_adjoint(value[k], adjoint[k]);
      const double b = paired ? scalar::half_adjoint(c, half_wave.angle(x)) : 0;
      power[k] += c;
#pragma unroll
      for (int s = 0; s < dims; ++s) {
        if (p.first_dim + s >= D) continue;
        mean[k][s] += a * own[s];
        dx[s] += a * mean_wave[all ? s : p.first_dim + s];
        if (!paired) continue;
        half[k][s] += b * own[s];
        dx[s] += b * half_wave[all ? s : p.first_dim + s];
      }
    }
    for (int s = 0; s < dims; ++s) {
      const double sum = warp_sum(dx[s]);
      if (lane == 0 && p.first_dim + s < D)
        p.dX.at[blockIdx.y * p.dX.step + n * p.dX.stride + p.first_dim + s] = sum;
    }
  }
  double* sums = p.sums.at + blockIdx.x * p.sums.step + first;
  for (int s = 0; s < dims; ++s) {
    if (p.first_dim + s >= D) break;
    double part[each];
    for (int k = 0; k < each; ++k) part[k] = mean[k][s];
    add_warps(part, held, count, sums + (p.first_dim + s) * J);
    for (int k = 0; k < each; ++k) part[k] = half[k][s];
    add_warps(part, held, count, sums + (D + p.first_dim + s) * J);
  }
  if (p.first_dim == 0) add_warps(power, held, count, sums + 2 * D * J);
}

template <int dims, bool all>
void launch_pull(const Pull& p, cudaStream_t stream) {
  const dim3 grid(unsigned(p.sums.batch), unsigned(p.dX.batch));
  pull_rows<dims, all><<<grid, warps * warp, 0, stream>>>(p);
  BOCHNER_LAUNCHED("pull_rows");
}

}  // namespace

void fourier_fill(const FeatureWaves& w, const Slice& X, const Slice& Phi, const double* weight,
                  const Slice& weighted, cudaStream_t stream) {
  const dim3 grid(unsigned((X.rows + rows_at_once - 1) / rows_at_once),
                  unsigned((w.mean.cols + threads - 1) / threads));
  switch (w.mean.rows) {
    case 1:
      fill_rows<1><<<grid, threads, 0, stream>>>(w, X, Phi, weight, weighted);
      break;
    case 2:
      fill_rows<2><<<grid, threads, 0, stream>>>(w, X, Phi, weight, weighted);
      break;
    case 3:
      fill_rows<3><<<grid, threads, 0, stream>>>(w, X, Phi, weight, weighted);
      break;
    default:
      fill_rows<0><<<grid, threads, 0, stream>>>(w, X, Phi, weight, weighted);
  }
  BOCHNER_LAUNCHED("fill_rows");
}

/// More than four dimensions take several launches, each with the angles anew.
void fourier_pull(const FeatureWaves& w, const Slice& X, const Slice& Phi, const Slice& dPhi, const Slice& dX,
                  const Slice& sums, cudaStream_t stream) {
  Pull p{w,
         X,
         Phi,
         dPhi,
         dX,
         sums,
         (w.mean.cols + dX.batch - 1) / dX.batch,
         (X.rows + sums.batch - 1) / sums.batch,
         0};
  const Size D = w.mean.rows;
  switch (D) {
    case 1:
      return launch_pull<1, true>(p, stream);
    case 2:
      return launch_pull<2, true>(p, stream);
    case 3:
      return launch_pull<3, true>(p, stream);
    default:
      for (; p.first_dim < D; p.first_dim += 4) launch_pull<4, false>(p, stream);
  }
}

}  // namespace bochner::cuda
