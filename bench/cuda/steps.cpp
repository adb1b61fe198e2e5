// Milliseconds of a step with random features on a device: bench_cuda [cpu|cuda|cuda:N] [quick | ROWS COLUMNS FEATURES VIEWS MISSING STEPS]
//
//   step  the bound of the latent variable model, its gradient and Adam, as a fit makes them
//   view  the share of its views: frequencies and latents to the device, evidence and adjoints back
//
// bench/cuda/run.py prints them beside PyTorch's.
#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bochner/backend/feature_step.hpp"
#include "bochner/backend/open_device.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/infer/adam.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "src/models/gplvm/device_ascent.hpp"

namespace bochner::bench {
namespace {

struct Case {
  Index rows, cols, features, views;
  double missing;
};

Matrix table(const Case& c, const Rng& rng) {
  Matrix Y = rng.split("weights").normal(c.rows, 2) * rng.split("directions").normal(2, c.cols);
  Y += rng.split("noise").normal(c.rows, c.cols);
  Y /= std::sqrt(Y.squaredNorm() / double(Y.size()));
  if (c.missing == 0) return Y;
  Rng draws = rng.split("missing");
  for (Index i = 0; i < Y.size(); ++i)
    if (draws.uniform() < c.missing) Y.data()[i] = std::numeric_limits<double>::quiet_NaN();
  return Y;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
  return values[values.size() / 2];
}

constexpr Index dims = 2, components = 2;

double step_ms(const Case& c, const std::vector<Matrix>& tables, Index steps, const Compute& compute) {
  std::vector<ViewTerm> terms;
  GplvmParameters start{
      .latent = {.mean = Rng(2).normal(c.rows, dims), .sd = Matrix::Constant(c.rows, dims, 0.1)}};
  const FeatureSpec features{.kind = FeatureSpec::Kind::random, .count = c.features / (2 * components)};
  for (const Matrix& Y : tables) {
    start.views.push_back(
        {.kernel = make_kernel("ngsm", dims, Rng(3), {.components = components}), .Z = Matrix(0, dims)});
    terms.emplace_back("Y", Y, Matrix(Matrix::Zero(c.rows, c.cols)), start.views.back().kernel, features,
                       FloatingPoint::double_precision, compute);
  }
  GplvmObjective objective(std::move(terms), start, std::vector<std::optional<double>>(tables.size()), Rng(4),
                           compute);
  std::vector<double> seconds;
  Stopwatch watch;
  double before = 0;
  const AdamOptions adam{.step = 0.03, .max_iterations = steps + 3, .keep_trace = false};
  const auto on = [&](const Iteration&) {
    const double now = watch.seconds();
    seconds.push_back(now - before);
    before = now;
    return true;
  };
  AdamRun run{.theta = objective.start()};
  if (objective.is_on_device())
    maximize_on_device(objective, 0, run, adam, {}, compute,
                       [&](const Iteration& it, const auto&) { return on(it); });
  else
    maximize([&](const Vector& theta, Index step, Vector& grad) { return objective(theta, step, grad); }, run,
             adam, on);
  seconds.erase(seconds.begin(), seconds.begin() + 3);  // a first one, a captured one, a warm one
  return 1e3 * median(seconds);
}

double view_ms(const Case& c, const std::vector<Matrix>& tables, Index steps, const Compute& compute) {
  std::vector<std::unique_ptr<FeatureStep>> views;
  for (const Matrix& Y : tables)
    views.push_back(std::make_unique<FeatureStep>(
        compute.engine, FilledTable<double>(Y, Matrix(Matrix::Zero(c.rows, c.cols)), compute)));
  Rng rng(5);
  const Matrix X = rng.normal(c.rows, dims);
  const Index J = c.features / 2;
  std::vector<double> seconds;
  for (Index step = 0; step < steps + 3; ++step) {
    const Frequencies f{rng.normal(J, dims), rng.normal(J, dims),
                        Vector::Constant(J, std::sqrt(0.5 / double(J)))};
    const Stopwatch watch;
    for (auto& view : views) view->evaluate(f, 0.5, X, true);
    if (step >= 3) seconds.push_back(watch.seconds());
  }
  return 1e3 * median(seconds);
}

void run(const Case& c, Index steps, const Compute& compute) {
  std::vector<Matrix> tables;
  for (Index v = 0; v < c.views; ++v) tables.push_back(table(c, Rng(1).split(std::uint64_t(v))));
  const double whole = step_ms(c, tables, steps, compute);
  const double views =
      compute.engine ? view_ms(c, tables, steps, compute) : std::numeric_limits<double>::quiet_NaN();
  std::printf("ours %td %td %td %td %g step %.4f view %.4f\n", c.rows, c.cols, c.features, c.views, c.missing,
              whole, views);
  std::fflush(stdout);
}

}  // namespace
}  // namespace bochner::bench

int main(int argc, char** argv) {
  using namespace bochner;
  using namespace bochner::bench;
  try {
    const Device device = Device::parse(argc > 1 ? argv[1] : "cuda");
    const bool quick = argc > 2 && std::string(argv[2]) == "quick";
    const int cores = std::max(1, int(std::thread::hardware_concurrency()));
    const Compute compute = opened({Threads(cores), device});
    if (compute.engine) {
      const DeviceInfo card = compute.engine->info();
      std::printf("%s, driver %s, CUDA %s, cuBLAS %s, cuSOLVER %s, %d cores\n", card.card.c_str(),
                  card.driver.c_str(), card.runtime.c_str(), card.blas.c_str(), card.solver.c_str(), cores);
    }
    if (argc == 8) {  // one case: rows, columns, features, views, share of missing entries, steps
      const auto number = [&](int i) { return Index(std::stol(argv[i])); };
      run({number(2), number(3), number(4), number(5), std::stod(argv[6])}, number(7), compute);
      return 0;
    }
    for (const double missing : {0.0, 0.05}) {
      run({1000, 784, 200, 1, missing}, 100, compute);
      run({10000, 32, 200, 2, missing}, 50, compute);
      run({10000, 784, 200, 1, missing}, 30, compute);
      if (quick) continue;
      run({70000, 784, 200, 1, missing}, 15, compute);
      run({70000, 784, 2000, 1, missing}, 7, compute);
      run({500000, 100, 200, 1, missing}, 7, compute);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_cuda: %s\n", error.what());
    return 1;
  }
  return 0;
}
