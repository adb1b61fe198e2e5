#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bochner/backend/latents.hpp"
#include "bochner/backend/slice.hpp"

namespace bochner {

/// A device as it presents itself.
struct DeviceInfo {
  std::string name;    // "cuda:0"
  std::string card;    // "NVIDIA H200"
  std::string driver;  // versions of the driver and of the libraries that compute
  std::string runtime, blas, solver;
  double total_bytes = 0, free_bytes = 0;
};

/// Operations on arrays in the memory of a device: all that steps (feature_step.hpp) are made of. HostEngine runs them on
/// the processor, plainly, as the twin that tests hold others to; the CUDA engine is a plugin (open_device.hpp).
///
/// Operations are carried out in the order of the calls, and need not have ended when the call returns; downloads wait.
/// Sums have a fixed order that follows from shapes alone, so the same calls give the same bytes on the same device with
/// the same libraries. What an operation writes must not overlap what it reads, unless it says so. A device that fails
/// throws std::runtime_error.
class Engine {
 public:
  using Size = Slice::Size;

  virtual ~Engine() = default;
  virtual DeviceInfo info() const = 0;

  // ---- memory
  /// Memory that holds anything; InputError where there is not so much.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) noexcept = 0;
  virtual void upload(const void* from, void* to, std::size_t bytes) = 0;
  virtual void download(const void* from, void* to, std::size_t bytes) = 0;
  /// Rows that are contiguous on this side.
  virtual void upload_rows(const double* from, const Slice& to) = 0;
  virtual void download_rows(const Slice& from, double* to) = 0;
  virtual void copy(const Slice& from, const Slice& to) = 0;
  virtual void fill(const Slice& A, double value) = 0;
  virtual void wait() = 0;

  // ---- programs
  /// A sequence of operations that will be repeated: `body` calls them, always the same ones on the same arrays.
  virtual int record(std::function<void()> body) = 0;
  virtual void replay(int program) = 0;
  virtual void forget(int program) noexcept = 0;
  /// Operations of tasks that write to different memory, in their order within a task; what follows comes after all of them.
  virtual void side_by_side(const std::vector<std::function<void()>>& tasks) = 0;

  // ---- dense
  /// D = alpha A B + beta C, each matrix of a batch; C is not read when beta is 0, and may be D.
  virtual void product(double alpha, const Factor& A, const Factor& B, double beta, const Slice& C,
                       const Slice& D) = 0;
  /// The sum over a batch, whose size is a power of two, by a balanced tree (compute/lane_sum.hpp).
  virtual void tree_sum(const Slice& parts, const Slice& sum) = 0;
  /// factor[0] A
  virtual void scale(const double* factor, const Slice& A, const Slice& scaled) = 0;
  /// values[i] on the diagonal of matrix i of a batch, and the traces of what that gives.
  virtual void add_diagonal(const double* values, const Slice& C, double* traces) = 0;
  /// C = L L' for each of a batch, of which the lower triangle is read and becomes L; L^-1 with zeros above its diagonal.
  /// trouble[i] is 0, or else L is meaningless: C is not positive definite.
  virtual void cholesky(const Slice& C, const Slice& L_inverse, double* trouble) = 0;
  virtual void sum_of_squares(const Slice& A, double* sum) = 0;
  virtual void log_determinant(const Slice& L, double* sum) = 0;  // of L L'

  // ---- missing entries, as offsets from the first entry of a table
  virtual void squares_at(const std::int64_t* offsets, Size count, const double* table, double* sum) = 0;
  /// table[i] -= residual[i]; both have the same stride.
  virtual void subtract_at(const std::int64_t* offsets, Size count, const double* residual,
                           double* table) = 0;

  // ---- some rows of a table; where `rows` is null, all of them
  virtual void gather_rows(const std::int64_t* rows, const Slice& from, const Slice& to) = 0;
  /// to[rows[i]] += from[i]; no row twice.
  virtual void add_to_rows(const std::int64_t* rows, const Slice& from, const Slice& to) = 0;

  // ---- latents q(x_i) = N(mean_i, sd_i^2), i < count: theta holds the means, then the logarithms of the sds
  /// X = mean + offset, offset = sd eps; `draw` is in the memory of the device.
  virtual void latent_draw(const LatentDraw* draw, Size count, const double* theta, double* X,
                           double* offset) = 0;
  /// d/dtheta of (L - divergence from N(0, I)) / observed, given dX = dL/dX; sums are twice the divergence and |grad|^2.
  virtual void latent_gradient(double observed, Size count, const double* theta, const double* offset,
                               const double* dX, double* grad, double* sums) = 0;
  /// theta, m and v (2 count each) move.
  virtual void latent_move(const LatentMove& move, Size count, const double* grad, double* theta, double* m,
                           double* v) = 0;

  // ---- random Fourier features
  /// Phi (N x 2 J), and the same with its rows times `weight` unless that is null.
  virtual void fourier_fill(const FeatureWaves& waves, const Slice& X, const Slice& Phi, const double* weight,
                            const Slice& weighted) = 0;
  /// Adjoints in parts: dX[t] (N x D) by the frequencies of the t-th of dX.batch pieces, sums[p] (1 x J (2 D + 1)) by the
  /// rows of the p-th of sums.batch pieces: those of the means (D x J), of the halves (D x J, zero where there are none)
  /// and c dL/dc (J). A piece of J holds at most fourier_piece frequencies; both batches are powers of two.
  virtual void fourier_pull(const FeatureWaves& waves, const Slice& X, const Slice& Phi, const Slice& dPhi,
                            const Slice& dX, const Slice& sums) = 0;
  static constexpr Size fourier_piece = 128;
};

/// Of this header, slice.hpp and latents.hpp: a plugin of another one is refused.
inline constexpr int engine_version = 2;

}  // namespace bochner
