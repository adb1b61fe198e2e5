#include "race.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bochner/infer/adam.hpp"
#include "relocation/relocate.hpp"

namespace bochner {
namespace {

constexpr Index most_samples = 500;
constexpr Index steps = 80;
constexpr Index most_exact = 250, inducing = 100;

}  // namespace

std::vector<Index> race(const Dataset& scaled, const FirstGuess& guess,
                        const std::vector<GplvmViewOptions>& views, const GplvmOptions& options,
                        const std::function<bool()>& go_on, const Rng& rng, const Compute& compute) {
  std::vector<Index> order(guess.X.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() == 1) return order;
  Rng draws = rng.split("samples");
  IndexVector rows = draws.permutation(scaled.rows()).head(std::min(most_samples, scaled.rows()));
  std::sort(rows.begin(), rows.end());
  const Dataset some = scaled.take_rows(rows);
  if (!all_vary(some)) return order;  // a view that few samples have
  FeatureSpec features{.kind = FeatureSpec::Kind::exact};
  if (some.rows() > most_exact) features = {.kind = FeatureSpec::Kind::nystrom, .count = inducing};

  std::vector<Matrix> filled;
  for (const Matrix& table : guess.filled) filled.push_back(table(rows, Eigen::all));

  std::vector<double> bounds;
  for (const Matrix& X : guess.X) {
    GplvmObjective objective =
        make_objective(some, filled, views, features, options.precision,
                       start_parameters(X(rows, Eigen::all), views, features, some.empty_rows(),
                                        rng.split("kernels"), compute),
                       rng.split("steps"), compute);
    const StochasticObjective f = [&](const Vector& theta, Index step, Vector& grad) {
      return objective(theta, step, grad);
    };
    const OptimizeResult result = maximize(f, objective.start(),
                                           AdamOptions{.step = options.step_size,
                                                       .eps = 1e-14,
                                                       .schedule = CosineStep{},
                                                       .max_iterations = std::min(steps, options.steps),
                                                       .smoothing = 20,
                                                       .keep_trace = false},
                                           [&](const Iteration&) { return !go_on || go_on(); });
    if (result.status == Status::stopped_by_callback) break;
    bounds.push_back(std::isfinite(result.value) ? result.value : -std::numeric_limits<double>::infinity());
  }
  bounds.resize(order.size(), -std::numeric_limits<double>::infinity());
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return bounds[static_cast<std::size_t>(a)] > bounds[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace bochner
