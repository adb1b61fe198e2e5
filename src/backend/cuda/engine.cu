#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "bochner/backend/engine.hpp"
#include "bochner/core/errors.hpp"
#include "branch.hpp"
#include "check.hpp"
#include "kernels.hpp"
#include "staging.hpp"

namespace bochner::cuda {
namespace {

using Size = Slice::Size;

std::string version(int number, int hundreds, int tens) {
  return std::to_string(number / hundreds) + "." + std::to_string(number % hundreds / tens);
}

/// "580.159.03"; empty where the management library is not there.
std::string driver_version() {
  std::string out;
  if (void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    const auto init = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
    const auto read =
        reinterpret_cast<int (*)(char*, unsigned)>(dlsym(library, "nvmlSystemGetDriverVersion"));
    const auto end = reinterpret_cast<int (*)()>(dlsym(library, "nvmlShutdown"));
    char text[96] = {};
    if (init && read && end && init() == 0) {
      if (read(text, sizeof text) == 0) out = text;
      end();
    }
    dlclose(library);
  }
  return out;
}

/// Operations that will be repeated. They run singly the first time, when libraries load what they need; then they are
/// captured as a graph, unless that fails.
struct Program {
  std::function<void()> body;
  bool ran = false, single = false;
  cudaGraphExec_t graph = nullptr;
};

class CudaEngine final : public Engine {
 public:
  explicit CudaEngine(int ordinal) : ordinal_(ordinal) {
    use();
    BOCHNER_CUDA(cudaGetDeviceProperties(&properties_, ordinal));
    branches_.push_back(std::make_unique<Branch>());
    staging_ = std::make_unique<Staging>(stream());
    cuda::fill({now().scratch(), 1, 8, 8, 1, 0}, 1, stream());  // fails where there is no code for the card
    wait();
  }
  ~CudaEngine() override {
    cudaSetDevice(ordinal_);
    cudaDeviceSynchronize();
    for (auto& [number, program] : programs_)
      if (program.graph) cudaGraphExecDestroy(program.graph);
    staging_.reset();
  }

  DeviceInfo info() const override {
    use();
    int driver = 0, runtime = 0, blas = int(cublasLtGetVersion()), solver = 0;
    BOCHNER_CUDA(cudaDriverGetVersion(&driver));
    BOCHNER_CUDA(cudaRuntimeGetVersion(&runtime));
    BOCHNER_CUDA(cusolverGetVersion(&solver));
    std::size_t free = 0, total = 0;
    BOCHNER_CUDA(cudaMemGetInfo(&free, &total));
    const std::string own = driver_version(), most = "CUDA " + version(driver, 1000, 10);
    const std::string blas_text = std::to_string(blas / 10000) + "." + std::to_string(blas / 100 % 100) +
                                  "." + std::to_string(blas % 100);
    const std::string solver_text = std::to_string(solver / 1000) + "." + std::to_string(solver / 100 % 10) +
                                    "." + std::to_string(solver % 100);
    return {"cuda:" + std::to_string(ordinal_),
            properties_.name,
            own.empty() ? most : own + " (" + most + ")",
            version(runtime, 1000, 10),
            blas_text,
            solver_text,
            double(total),
            double(free)};
  }

  void* allocate(std::size_t bytes) override {
    use();
    void* memory = nullptr;
    const cudaError_t status = cudaMalloc(&memory, std::max<std::size_t>(bytes, 1));
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      const DeviceInfo now = info();
      char text[200];
      std::snprintf(text, sizeof text,
                    "%s (%s) has %.1f GB of memory left, but %.1f GB more are required; use fewer features "
                    "or the device cpu",
                    now.name.c_str(), now.card.c_str(), 1e-9 * now.free_bytes, 1e-9 * double(bytes));
      throw InputError(text);
    }
    check(status, "cudaMalloc");
    return memory;
  }
  void release(void* memory) noexcept override {
    cudaSetDevice(ordinal_);
    cudaStreamSynchronize(stream());
    cudaFree(memory);
  }
  void upload(const void* from, void* to, std::size_t bytes) override {
    use(), staging_->upload(from, to, bytes);
  }
  void download(const void* from, void* to, std::size_t bytes) override {
    use(), staging_->download(from, to, bytes);
  }
  void upload_rows(const double* from, const Slice& to) override {
    use();
    if (to.size() == 0) return;
    BOCHNER_CUDA(cudaMemcpy2DAsync(to.at, to.stride * sizeof(double), from, to.cols * sizeof(double),
                                   to.cols * sizeof(double), to.rows, cudaMemcpyHostToDevice, stream()));
    wait();
  }
  void download_rows(const Slice& from, double* to) override {
    use();
    if (from.size() == 0) return;
    BOCHNER_CUDA(cudaMemcpy2DAsync(to, from.cols * sizeof(double), from.at, from.stride * sizeof(double),
                                   from.cols * sizeof(double), from.rows, cudaMemcpyDeviceToHost, stream()));
    wait();
  }
  void copy(const Slice& from, const Slice& to) override {
    use();
    if (from.size() == 0) return;
    const auto whole = [](const Slice& A) { return A.rows == 1 || A.stride == A.cols; };
    if (whole(from) && whole(to))
      BOCHNER_CUDA(cudaMemcpyAsync(to.at, from.at, std::size_t(from.size()) * sizeof(double),
                                   cudaMemcpyDeviceToDevice, stream()));
    else
      BOCHNER_CUDA(cudaMemcpy2DAsync(to.at, to.stride * sizeof(double), from.at, from.stride * sizeof(double),
                                     from.cols * sizeof(double), from.rows, cudaMemcpyDeviceToDevice,
                                     stream()));
  }
  void fill(const Slice& A, double value) override { use(), cuda::fill(A, value, stream()); }
  void wait() override { use(), BOCHNER_CUDA(cudaStreamSynchronize(stream())); }

  int record(std::function<void()> body) override {
    programs_[++last_program_].body = std::move(body);
    return last_program_;
  }
  void replay(int number) override {
    use();
    Program& program = programs_.at(number);
    if (!program.ran || program.single) {
      program.body();
      program.ran = true;
      return;
    }
    if (!program.graph) capture(program);
    if (program.single) return program.body();
    BOCHNER_CUDA(cudaGraphLaunch(program.graph, stream()));
  }
  /// The first task stays where it is; the others have branches of their own. Inner calls of sister
  /// tasks share branches, where their work queues up in the order of the calls.
  void side_by_side(const std::vector<std::function<void()>>& tasks) override {
    use();
    const std::size_t own = now_, first = branches_used_,
                      last = first + tasks.size() - (tasks.empty() ? 0 : 1);
    while (branches_.size() < last) branches_.push_back(std::make_unique<Branch>());
    branches_used_ = last;
    for (std::size_t b = first; b < last; ++b) branches_[b]->wait_for(now());
    try {
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        now_ = i == 0 ? own : first + i - 1;
        tasks[i]();
      }
    } catch (...) {
      now_ = own;
      branches_used_ = first;
      throw;
    }
    now_ = own;
    branches_used_ = first;
    for (std::size_t b = first; b < last; ++b) now().wait_for(*branches_[b]);
  }
  void forget(int number) noexcept override {
    const auto found = programs_.find(number);
    if (found == programs_.end()) return;
    cudaSetDevice(ordinal_);
    cudaStreamSynchronize(stream());
    if (found->second.graph) cudaGraphExecDestroy(found->second.graph);
    programs_.erase(found);
  }

  void product(double alpha, const Factor& A, const Factor& B, double beta, const Slice& C,
               const Slice& D) override {
    use(), now().product(alpha, A, B, beta, C, D);
  }
  void tree_sum(const Slice& parts, const Slice& sum) override {
    use(), cuda::tree_sum(parts, sum, stream());
  }
  void scale(const double* factor, const Slice& A, const Slice& scaled) override {
    use(), cuda::scale(factor, A, scaled, stream());
  }
  void add_diagonal(const double* values, const Slice& C, double* traces) override {
    use(), cuda::add_diagonal(values, C, traces, stream());
  }

  void cholesky(const Slice& C, const Slice& L_inverse, double* trouble) override {
    use();
    constexpr Size measured = 4096;  // up to here ours takes less than half of cuSOLVER's time
    if (C.rows <= measured) return now().cholesky(C, L_inverse, trouble);
    std::vector<std::function<void()>>
        tasks;  // each is a chain of small kernels that leave most of the card idle
    for (Size i = 0; i < C.batch; ++i)
      tasks.emplace_back([=, this] { now().large_cholesky(C.one(i), L_inverse.one(i), trouble + i); });
    side_by_side(tasks);
  }
  void sum_of_squares(const Slice& A, double* sum) override {
    use(), cuda::sum_of_squares(A, now().scratch(), sum, stream());
  }
  void log_determinant(const Slice& L, double* sum) override {
    use(), cuda::log_determinant(L, sum, stream());
  }
  void squares_at(const std::int64_t* offsets, Size count, const double* table, double* sum) override {
    use(), cuda::squares_at(offsets, count, table, now().scratch(), sum, stream());
  }
  void subtract_at(const std::int64_t* offsets, Size count, const double* residual, double* table) override {
    use(), cuda::subtract_at(offsets, count, residual, table, stream());
  }
  void gather_rows(const std::int64_t* rows, const Slice& from, const Slice& to) override {
    use(), cuda::gather_rows(rows, from, to, stream());
  }
  void add_to_rows(const std::int64_t* rows, const Slice& from, const Slice& to) override {
    use(), cuda::add_to_rows(rows, from, to, stream());
  }
  void latent_draw(const LatentDraw* draw, Size count, const double* theta, double* X,
                   double* offset) override {
    use(), cuda::latent_draw(draw, count, theta, X, offset, stream());
  }
  void latent_gradient(double observed, Size count, const double* theta, const double* offset,
                       const double* dX, double* grad, double* sums) override {
    use(), cuda::latent_gradient(observed, count, theta, offset, dX, grad, now().scratch(), sums, stream());
  }
  void latent_move(const LatentMove& move, Size count, const double* grad, double* theta, double* m,
                   double* v) override {
    use(), cuda::latent_move(move, count, grad, theta, m, v, stream());
  }
  void fourier_fill(const FeatureWaves& waves, const Slice& X, const Slice& Phi, const double* weight,
                    const Slice& weighted) override {
    use(), cuda::fourier_fill(waves, X, Phi, weight, weighted, stream());
  }
  void fourier_pull(const FeatureWaves& waves, const Slice& X, const Slice& Phi, const Slice& dPhi,
                    const Slice& dX, const Slice& sums) override {
    use(), cuda::fourier_pull(waves, X, Phi, dPhi, dX, sums, stream());
  }

 private:
  void use() const { BOCHNER_CUDA(cudaSetDevice(ordinal_)); }
  Branch& now() const { return *branches_[now_]; }
  cudaStream_t stream() const { return now().stream(); }

  void capture(Program& program) {
    BOCHNER_CUDA(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal));
    cudaGraph_t graph = nullptr;
    try {
      program.body();
      BOCHNER_CUDA(cudaStreamEndCapture(stream(), &graph));
      BOCHNER_CUDA(cudaGraphInstantiate(&program.graph, graph, 0));
    } catch (...) {  // a library call that cannot be captured: launched singly from now on
      if (!graph) cudaStreamEndCapture(stream(), &graph);
      cudaGetLastError();
      program.single = true;
      program.graph = nullptr;
    }
    if (graph) cudaGraphDestroy(graph);
  }

  int ordinal_;
  cudaDeviceProp properties_{};
  std::vector<std::unique_ptr<Branch>> branches_;  // the first one is where all begins and ends
  std::size_t now_ = 0, branches_used_ = 1;        // whose turn it is; how many have work
  std::unique_ptr<Staging> staging_;
  std::map<int, Program> programs_;
  int last_program_ = 0;
};

/// What to do where there is no such card.
std::string refusal(int ordinal) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver)
    return std::string("there is no NVIDIA driver on this machine, or it is older than CUDA ") +
           version(CUDART_VERSION, 1000, 10) + "; use the device cpu";
  if (status != cudaSuccess || count == 0)
    return std::string("there is no CUDA card on this machine (") + cudaGetErrorName(status) +
           "); use the device cpu";
  if (ordinal >= count)
    return "cuda:" + std::to_string(ordinal) + " does not exist, the cards are cuda:0" +
           (count > 1 ? " to cuda:" + std::to_string(count - 1) : "");
  return "";
}

}  // namespace
}  // namespace bochner::cuda

#define BOCHNER_EXPORTED extern "C" __attribute__((visibility("default")))

/// What the program asks for first: plugins of other versions are refused.
BOCHNER_EXPORTED int bochner_cuda_engine_version() { return bochner::engine_version; }
BOCHNER_EXPORTED const char* bochner_cuda_version() { return BOCHNER_VERSION; }

/// A new engine that can run what was compiled, or null and why. The caller deletes it.
BOCHNER_EXPORTED bochner::Engine* bochner_cuda_open(int ordinal, char* why, std::size_t size) {
  try {
    const std::string refusal = bochner::cuda::refusal(ordinal);
    if (refusal.empty()) return new bochner::cuda::CudaEngine(ordinal);
    std::snprintf(why, size, "%s", refusal.c_str());
  } catch (const std::exception& error) {
    std::snprintf(why, size, "cuda:%d cannot be used (%s); use the device cpu", ordinal, error.what());
  }
  return nullptr;
}
