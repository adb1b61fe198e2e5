// Time of one value and gradient of the Gaussian evidence with random Fourier features, from latent X to d/dX and
// d/dOmega, as a ratio to the floor: the same matrix products run bare, on a stored Phi, with the same library,
// blocks and threads. Floor and evidence alternate within one benchmark, so that a noisy machine slows both.
//
//   bench_evidence                     all sizes, double and float, then the peak memory of the largest
//   bench_evidence --benchmark_filter=1000x784

#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/memory.hpp"
#include "bochner/evidence/feature_evidence.hpp"
#include "bochner/features/feature_stream.hpp"
#include "bochner/features/fourier_features.hpp"
#include "bochner/kernels/rbf.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {
namespace {

struct Size {
  Index N, M, F;
};
constexpr Size sizes[] = {
    {1000, 784, 200}, {2000, 400, 200}, {10000, 64, 200}, {70000, 784, 200}, {500000, 100, 200}};

Threads all_threads() { return Threads(std::max(1, int(std::thread::hardware_concurrency()))); }

double seconds(const std::function<void()>& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
  return v[v.size() / 2];
}

template <class T>
struct Problem {
  Size size;
  Threads threads = all_threads();
  MatrixT<T> X;
  FourierFeatures<T> map;
  Observations<T> observations;

  explicit Problem(Size s)
      : size(s),
        X(Rng(1).normal(s.N, 2).cast<T>()),
        map(make_map(s)),
        observations(Rng(3).normal(s.N, s.M).cast<T>(), threads) {}

  static FourierFeatures<T> make_map(Size s) {
    Rng rng(2);
    const Rbf kernel{.ell = Vector::Constant(2, 0.7)};
    return FourierFeatures<T>::from(
        kernel.frequencies(kernel.draw_noise(s.F / 2, Directions::independent, rng)));
  }

  /// One training step's worth: value, d/dsigma2, d/dX, d/dOmega, d/damplitude.
  double step() const {
    const EvidenceOptions options;
    FeatureStream stream(map, X, evidence_plan(size.N, options));
    const FeatureEvidence e =
        feature_evidence<T>(stream.rows(), observations, 0.1, stream.pull(), options, threads);
    return e.value + double(stream.finish(threads).dX(0, 0));
  }
};

/// The bare products of the form that feature_evidence chooses, on a stored Phi.
template <class T>
struct Floor {
  const Problem<T>& p;
  bool outer = cheapest_form(p.size.N, p.size.M, p.size.F) == EvidenceForm::outer;
  MatrixT<T> Phi = MatrixT<T>(p.size.N, p.size.F);
  MatrixT<T> G = MatrixT<T>::Identity(p.size.F, p.size.F), Bt = MatrixT<T>::Ones(p.size.M, p.size.F);

  explicit Floor(const Problem<T>& problem) : p(problem) {
    for_each_block(p.threads, p.size.N, 256, [&](Index begin, Index n) {
      p.map.fill(p.X.middleRows(begin, n), Phi.middleRows(begin, n));
    });
  }

  void products() const {
    const MatrixT<T>& Y = p.observations.Y();
    const RowPlan plan = RowPlan::make(p.size.N);
    std::vector<MatrixT<T>> d(plan.lanes);
    if (outer) {
      benchmark::DoNotOptimize(inner_gram<T>(Phi, p.threads).data());
      const MatrixT<T> W = multiply<T>(Phi, G, p.threads), U = multiply<T>(p.observations.S(), W, p.threads);
      std::vector<MatrixT<T>> BB(plan.lanes, MatrixT<T>::Zero(p.size.F, p.size.F));
      for_each_block(p.threads, plan, [&](Index lane, Index begin, Index n) {
        BB[lane].template triangularView<Eigen::Lower>() +=
            W.middleRows(begin, n).transpose() * U.middleRows(begin, n);
      });
      for_each_block(p.threads, plan, [&](Index lane, Index begin, Index n) {
        d[lane].noalias() = Phi.middleRows(begin, n) * G;
      });
      benchmark::DoNotOptimize(BB[0].data());
      benchmark::DoNotOptimize(d[0].data());
      return;
    }
    std::vector<MatrixT<T>> C(plan.lanes, MatrixT<T>::Zero(p.size.F, p.size.F));
    std::vector<MatrixT<T>> A(plan.lanes, MatrixT<T>::Zero(p.size.F, p.size.M));
    for_each_block(p.threads, plan, [&](Index lane, Index begin, Index n) {
      C[lane].template selfadjointView<Eigen::Lower>().rankUpdate(Phi.middleRows(begin, n).transpose());
      A[lane].noalias() += Phi.middleRows(begin, n).transpose() * Y.middleRows(begin, n);
    });
    for_each_block(p.threads, plan, [&](Index lane, Index begin, Index n) {
      d[lane].noalias() = Y.middleRows(begin, n) * Bt;
      d[lane].noalias() -= Phi.middleRows(begin, n) * G;
    });
    benchmark::DoNotOptimize(A[0].data());
    benchmark::DoNotOptimize(d[0].data());
  }
};

template <class T>
void value_and_gradient(benchmark::State& state, Size size) {
  const Problem<T> problem(size);
  const Floor<T> floor(problem);
  benchmark::DoNotOptimize(problem.step());  // warm up
  floor.products();
  std::vector<double> ours, bare;
  for (auto _ : state) {
    bare.push_back(seconds([&] { floor.products(); }));
    ours.push_back(seconds([&] { benchmark::DoNotOptimize(problem.step()); }));
    state.SetIterationTime(ours.back());
  }
  state.counters["floor_ms"] = 1e3 * median(bare);
  state.counters["median_ms"] = 1e3 * median(ours);
  state.counters["ratio"] = median(ours) / median(bare);
}

/// Peak resident memory of one step in a process of its own.
void report_memory(Size size) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    Problem<double> problem(size);
    benchmark::DoNotOptimize(problem.step());
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("peak memory at %ldx%ldx%ld, double: %.2f GB (Y alone: %.2f GB)\n", long(size.N),
                long(size.M), long(size.F), double(usage.ru_maxrss) * 1024 / 1e9,
                double(size.N * size.M) * 8 / 1e9);
    std::fflush(stdout);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace bochner

int main(int argc, char** argv) {
  using namespace bochner;
  keep_freed_memory();
  benchmark::Initialize(&argc, argv);
  if (argc == 1) report_memory(sizes[4]);  // first, while this process is still small
  for (const Size size : sizes) {
    const std::string name =
        std::to_string(size.N) + "x" + std::to_string(size.M) + "x" + std::to_string(size.F);
    const int repeats = size.N <= 10000 ? 40 : size.N <= 70000 ? 5 : 3;
    benchmark::RegisterBenchmark((name + "/double").c_str(), value_and_gradient<double>, size)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(repeats);
    benchmark::RegisterBenchmark((name + "/float").c_str(), value_and_gradient<float>, size)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(repeats);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
