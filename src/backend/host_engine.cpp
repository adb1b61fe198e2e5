#include "bochner/backend/host_engine.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cstring>
#include <map>
#include <new>

#include "bochner/compute/lane_sum.hpp"
#include "bochner/core/memory.hpp"
#include "bochner/core/types.hpp"
#include "scalar/latent.hpp"
#include "scalar/philox.hpp"
#include "scalar/wave.hpp"

namespace bochner {
namespace {

using Size = Slice::Size;

constexpr std::align_val_t cache_line{64};  // sums of vectors begin at the same place in every array
using Block = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;

Block block_of(const Slice& s, Size index = 0) {
  return {s.at + index * s.step, s.rows, s.cols, Eigen::OuterStride<>(s.stride)};
}

Matrix factor_of(const Factor& f, Size index) {
  const auto block = block_of(f.matrix, index);
  return f.transposed ? Matrix(block.transpose()) : Matrix(block);
}

class HostEngine final : public Engine {
 public:
  DeviceInfo info() const override {
    const double bytes = available_memory();
    return {.name = "host", .card = "the processor", .total_bytes = bytes, .free_bytes = bytes};
  }

  void* allocate(std::size_t bytes) override {
    return ::operator new(std::max<std::size_t>(bytes, 1), cache_line);
  }
  void release(void* memory) noexcept override { ::operator delete(memory, cache_line); }
  void upload(const void* from, void* to, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void download(const void* from, void* to, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void upload_rows(const double* from, const Slice& to) override {
    block_of(to) = Eigen::Map<const Matrix>(from, to.rows, to.cols);
  }
  void download_rows(const Slice& from, double* to) override {
    Eigen::Map<Matrix>(to, from.rows, from.cols) = block_of(from);
  }
  void copy(const Slice& from, const Slice& to) override { block_of(to) = block_of(from); }
  void fill(const Slice& A, double value) override { block_of(A).setConstant(value); }
  void wait() override {}

  int record(std::function<void()> body) override {
    programs_.emplace(++last_program_, std::move(body));
    return last_program_;
  }
  void replay(int program) override { programs_.at(program)(); }
  void forget(int program) noexcept override { programs_.erase(program); }
  void side_by_side(const std::vector<std::function<void()>>& tasks) override {
    for (const auto& task : tasks) task();
  }

  void product(double alpha, const Factor& A, const Factor& B, double beta, const Slice& C,
               const Slice& D) override {
    for (Size i = 0; i < D.batch; ++i) {
      Matrix sum = alpha * (factor_of(A, i) * factor_of(B, i));
      if (beta != 0) sum += beta * block_of(C, i);
      block_of(D, i) = sum;
    }
  }
  void tree_sum(const Slice& parts, const Slice& sum) override {
    std::vector<Matrix> all;
    for (Size i = 0; i < parts.batch; ++i) all.emplace_back(block_of(parts, i));
    add_in_tree(all, 0, all.size());
    block_of(sum) = all.front();
  }
  void scale(const double* factor, const Slice& A, const Slice& scaled) override {
    block_of(scaled) = *factor * block_of(A);
  }
  void add_diagonal(const double* values, const Slice& C, double* traces) override {
    for (Size i = 0; i < C.batch; ++i) {
      block_of(C, i).diagonal().array() += values[i];
      traces[i] = block_of(C, i).trace();
    }
  }
  void cholesky(const Slice& C, const Slice& L_inverse, double* trouble) override {
    for (Size i = 0; i < C.batch; ++i) {
      const Eigen::LLT<Eigen::MatrixXd> factor(Eigen::MatrixXd(block_of(C, i)));
      const Eigen::MatrixXd L = factor.matrixL();
      trouble[i] = factor.info() == Eigen::Success && L.allFinite() ? 0 : 1;
      block_of(C, i) = L;
      block_of(L_inverse, i) =
          L.triangularView<Eigen::Lower>().solve(Eigen::MatrixXd::Identity(C.rows, C.rows));
    }
  }
  void sum_of_squares(const Slice& A, double* sum) override { *sum = block_of(A).squaredNorm(); }
  void log_determinant(const Slice& L, double* sum) override {
    *sum = 2 * block_of(L).diagonal().array().log().sum();
  }

  void squares_at(const std::int64_t* offsets, Size count, const double* table, double* sum) override {
    *sum = 0;
    for (Size i = 0; i < count; ++i) *sum += table[offsets[i]] * table[offsets[i]];
  }
  void subtract_at(const std::int64_t* offsets, Size count, const double* residual, double* table) override {
    for (Size i = 0; i < count; ++i) table[offsets[i]] -= residual[offsets[i]];
  }

  void gather_rows(const std::int64_t* rows, const Slice& from, const Slice& to) override {
    for (Size i = 0; i < to.rows; ++i) block_of(to).row(i) = block_of(from).row(rows ? rows[i] : i);
  }
  void add_to_rows(const std::int64_t* rows, const Slice& from, const Slice& to) override {
    for (Size i = 0; i < from.rows; ++i) block_of(to).row(rows ? rows[i] : i) += block_of(from).row(i);
  }

  void latent_draw(const LatentDraw* draw, Size count, const double* theta, double* X,
                   double* offset) override {
    for (Size i = 0; i < count; ++i) {
      const scalar::NormalPair pair = scalar::normal_pair(draw->key, static_cast<std::uint64_t>(i / 2));
      offset[i] = std::exp(theta[count + i]) * (draw->sign * (i % 2 == 0 ? pair.first : pair.second));
      X[i] = theta[i] + offset[i];
    }
  }
  void latent_gradient(double observed, Size count, const double* theta, const double* offset,
                       const double* dX, double* grad, double* sums) override {
    sums[0] = sums[1] = 0;
    for (Size i = 0; i < count; ++i) {
      const double mean = theta[i], log_sd = theta[count + i];
      const scalar::LatentGradient g = scalar::latent_gradient(mean, log_sd, offset[i], dX[i], observed);
      sums[0] += scalar::twice_divergence(mean, log_sd);
      sums[1] += g.mean * g.mean + g.log_sd * g.log_sd;
      grad[i] = g.mean;
      grad[count + i] = g.log_sd;
    }
  }
  void latent_move(const LatentMove& move, Size count, const double* grad, double* theta, double* m,
                   double* v) override {
    for (Size i = 0; i < count; ++i) {
      const double unit = scalar::mean_unit(move, theta[count + i]);
      theta[i] -= unit * scalar::adam(move, grad[i], m[i], v[i]);
      theta[count + i] -= scalar::adam(move, grad[count + i], m[count + i], v[count + i]);
    }
  }

  void fourier_fill(const FeatureWaves& w, const Slice& X, const Slice& Phi, const double* weight,
                    const Slice& weighted) override {
    const Size J = w.mean.cols, D = w.mean.rows;
    for (Size n = 0; n < X.rows; ++n)
      for (Size j = 0; j < J; ++j) {
        const double* x = X.at + n * X.stride;
        double size = w.amplitude[j];
        if (w.paired()) size = scalar::pair_scale(scalar::angle(x, w.half.at + j, w.half.stride, D), size);
        const scalar::Wave value = scalar::wave(scalar::angle(x, w.mean.at + j, w.mean.stride, D), size);
        double* row = Phi.at + n * Phi.stride;
        row[j] = value.cosine;
        row[J + j] = value.sine;
        if (weight == nullptr) continue;
        double* copy = weighted.at + n * weighted.stride;
        copy[j] = weight[n] * value.cosine;
        copy[J + j] = weight[n] * value.sine;
      }
  }

  void fourier_pull(const FeatureWaves& w, const Slice& X, const Slice& Phi, const Slice& dPhi,
                    const Slice& dX, const Slice& sums) override {
    const Size J = w.mean.cols, D = w.mean.rows, N = X.rows;
    const Size piece = (J + dX.batch - 1) / dX.batch, rows = (N + sums.batch - 1) / sums.batch;
    for (Size t = 0; t < dX.batch; ++t) block_of(dX, t).setZero();
    for (Size p = 0; p < sums.batch; ++p) block_of(sums, p).setZero();
    for (Size n = 0; n < N; ++n)
      for (Size j = 0; j < J; ++j) {
        const double* x = X.at + n * X.stride;
        const double *phi = Phi.at + n * Phi.stride, *d = dPhi.at + n * dPhi.stride;
        double* dx = dX.at + j / piece * dX.step + n * dX.stride;
        double* sum = sums.at + n / rows * sums.step;
        const scalar::Wave value{phi[j], phi[J + j]}, adjoint{d[j], d[J + j]};
        const double a = scalar::angle_adjoint(value, adjoint);
        const double power = scalar::amplitude_adjoint(value, adjoint);
        for (Size k = 0; k < D; ++k) {
          dx[k] += a * w.mean.at[k * w.mean.stride + j];
          sum[k * J + j] += a * x[k];
        }
        if (w.paired()) {
          const double b = scalar::half_adjoint(power, scalar::angle(x, w.half.at + j, w.half.stride, D));
          for (Size k = 0; k < D; ++k) {
            dx[k] += b * w.half.at[k * w.half.stride + j];
            sum[(D + k) * J + j] += b * x[k];
          }
        }
        sum[2 * J * D + j] += power;
      }
  }

 private:
  std::map<int, std::function<void()>> programs_;
  int last_program_ = 0;
};

}  // namespace

std::shared_ptr<Engine> make_host_engine() { return std::make_shared<HostEngine>(); }

}  // namespace bochner
