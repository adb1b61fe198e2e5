#include "block_sum.hpp"
#include "check.hpp"
#include "kernels.hpp"
#include "src/backend/scalar/latent.hpp"
#include "src/backend/scalar/philox.hpp"

namespace bochner::cuda {
namespace {

using Size = Slice::Size;

constexpr int threads = sum_threads;

__global__ void __launch_bounds__(threads)
    draw(const LatentDraw* with, Size count, const double* theta, double* X, double* offset) {
  const Size i = 2 * (blockIdx.x * Size(threads) + threadIdx.x);
  if (i >= count) return;
  const scalar::NormalPair normal = scalar::normal_pair(with->key, std::uint64_t(i / 2));
  const double both[2] = {normal.first, normal.second};
  for (Size k = 0; k < 2 && i + k < count; ++k) {
    const double moved = exp(theta[count + i + k]) * (with->sign * both[k]);
    offset[i + k] = moved;
    X[i + k] = theta[i + k] + moved;
  }
}

/// The same cut into reduction_blocks x threads strands whatever the card is, as in reductions.cu.
__global__ void __launch_bounds__(threads)
    gradient(double observed, Size count, const double* theta, const double* offset, const double* dX,
             double* grad, double* scratch) {
  double divergence = 0, squares = 0;
  for (Size i = blockIdx.x * Size(threads) + threadIdx.x; i < count; i += Size(reduction_blocks) * threads) {
    const double mean = theta[i], log_sd = theta[count + i];
    const scalar::LatentGradient g = scalar::latent_gradient(mean, log_sd, offset[i], dX[i], observed);
    divergence += scalar::twice_divergence(mean, log_sd);
    squares += g.mean * g.mean + g.log_sd * g.log_sd;
    grad[i] = g.mean;
    grad[count + i] = g.log_sd;
  }
  divergence = block_sum(divergence);
  __syncthreads();
  squares = block_sum(squares);
  if (threadIdx.x > 0) return;
  scratch[blockIdx.x] = divergence;
  scratch[reduction_blocks + blockIdx.x] = squares;
}

__global__ void __launch_bounds__(threads) add_scratch(const double* scratch, double* sums) {
  static_assert(reduction_blocks == threads);
  const double sum = block_sum(scratch[blockIdx.x * reduction_blocks + threadIdx.x]);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(threads)
    move(LatentMove with, Size count, const double* grad, double* theta, double* m, double* v) {
  const Size i = blockIdx.x * Size(threads) + threadIdx.x;
  if (i >= count) return;
  const double unit = scalar::mean_unit(with, theta[count + i]);
  theta[i] -= unit * scalar::adam(with, grad[i], m[i], v[i]);
  theta[count + i] -= scalar::adam(with, grad[count + i], m[count + i], v[count + i]);
}

unsigned blocks(Size count) { return unsigned((count + threads - 1) / threads); }

}  // namespace

void latent_draw(const LatentDraw* with, Size count, const double* theta, double* X, double* offset,
                 cudaStream_t stream) {
  if (count == 0) return;
  draw<<<blocks((count + 1) / 2), threads, 0, stream>>>(with, count, theta, X, offset);
  BOCHNER_LAUNCHED("draw");
}

void latent_gradient(double observed, Size count, const double* theta, const double* offset, const double* dX,
                     double* grad, double* scratch, double* sums, cudaStream_t stream) {
  gradient<<<reduction_blocks, threads, 0, stream>>>(observed, count, theta, offset, dX, grad, scratch);
  BOCHNER_LAUNCHED("gradient");
  add_scratch<<<2, threads, 0, stream>>>(scratch, sums);
  BOCHNER_LAUNCHED("add_scratch");
}

void latent_move(const LatentMove& with, Size count, const double* grad, double* theta, double* m, double* v,
                 cudaStream_t stream) {
  if (count == 0) return;
  move<<<blocks(count), threads, 0, stream>>>(with, count, grad, theta, m, v);
  BOCHNER_LAUNCHED("move");
}

}  // namespace bochner::cuda
