#include "bochner/models/gplvm/cost.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/products.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/models/latent/options_by_view.hpp"
#include "bochner/random/rng.hpp"
#include "start.hpp"
#include "weights.hpp"

namespace bochner {
namespace {

using Form = FeatureSpec::Kind;

constexpr double single_start = 2.4e9;  // multiply-adds of a step that is dear enough for one start
constexpr Index sketch_limit = 400;     // samples: up to here the exact kernel is as cheap as a sketch
constexpr Index sketch_size = 150;      // inducing latents
constexpr Index climb_limit = 700;      // samples: up to here the exact kernel is as cheap as a climb without
constexpr Index climb_size = 300;       // inducing latents, before the exact kernel
constexpr Index climb_size_of_sparse = 200;
constexpr double exact_budget = 6e9;  // multiply-adds of a step
constexpr double nystrom_budget =
    5e9;  // the same, of several views, whose many small products are slower ...
constexpr double single_view_budget = 2.25e10;  // ... and of one
constexpr Index fewest_inducing = 100, most_by_default = 500;

bool is_mixture(const std::string& kernel) { return kernel == "ngsm" || kernel == "sm" || kernel == "bsm"; }

/// Multiply-adds that a kernel and its gradient cost for one pair of samples, measured against products of matrices.
double pair_cost(const GplvmViewOptions& view) {
  const double components = double(view.components);
  if (view.kernel == "sm") return 200 * components;
  return is_mixture(view.kernel) ? 400 * components : 150;
}

/// One step of one view. The forms are those of evidence/: a wide table is seen through its outer product.
double view_operations(Index rows, Index columns, const GplvmViewOptions& view, const FeatureSpec& features) {
  const double N = double(rows), M = double(columns), narrow = std::min(N, M);
  if (features.kind == Form::exact) return N * N * (N + 2.5 * narrow + pair_cost(view));
  double F = double(features.count);
  if (features.kind == Form::random) F *= 2 * double(mixture_components(view));
  const double products = std::min(3 * N * F * M, N * N * F);
  return products + 4 * N * F * F + 2 * F * F * F + N * F * pair_cost(view);
}

double step_operations(const TableShape& shape, const std::vector<GplvmViewOptions>& views,
                       const FeatureSpec& features) {
  double sum = 0;
  for (std::size_t v = 0; v < views.size(); ++v)
    sum += view_operations(shape.rows, shape.columns[v], views[v], features);
  return sum;
}

/// A step of the average: half of them are made with the features of the sketch.
double mean_step_operations(const TableShape& shape, const std::vector<GplvmViewOptions>& views,
                            const GplvmOptions& options) {
  const FeatureSpec features = resolve(options.features, shape, views);
  return 0.5 * (step_operations(shape, views, sketch_of(features, shape.rows)) +
                step_operations(shape, views, features));
}

/// Each first guess (start.hpp) by way of a simpler model and directly. Others would be shaken guesses.
Index most_starts(const TableShape& shape, const std::vector<GplvmViewOptions>& views,
                  const GplvmOptions& options) {
  const FeatureSpec features = resolve(options.features, shape, views);
  const bool two_ways =
      !(sketch_of(features, shape.rows) == features) ||
      std::any_of(views.begin(), views.end(), [](const auto& v) { return is_mixture(v.kernel); });
  const Index guesses = options.dims <= most_curved && shape.rows > 10 * (options.dims + 1) ? 3 : 1;
  return std::max<Index>(2, guesses * (two_ways ? 2 : 1));
}

/// Predictors of views from all others and from single ones: some forty products with at most 300 rows each.
double cross_view_operations(const TableShape& shape) {
  const double V = double(shape.columns.size()), n = std::min(300.0, double(shape.rows));
  double columns = 0;
  for (const Index own : shape.columns) columns += double(own);
  return V < 2 ? 0 : V * V * 40 * n * n * columns;
}

Index inducing_count(const TableShape& shape, const std::vector<GplvmViewOptions>& views) {
  const double budget = shape.columns.size() == 1 ? single_view_budget : nystrom_budget;
  Index count = std::min(fewest_inducing, shape.rows);
  while (count + 20 <= std::min(most_by_default, shape.rows) &&
         step_operations(shape, views, {.kind = Form::nystrom, .count = count + 20}) <= budget)
    count += 20;
  return count;
}

}  // namespace

Index mixture_components(const GplvmViewOptions& view) {
  return is_mixture(view.kernel) ? view.components : 1;
}

TableShape shape_of(const Dataset& data) {
  TableShape out{.rows = data.rows()};
  for (const View& view : data.views()) out.columns.push_back(view.cols());
  return out;
}

FeatureSpec resolve(const FeatureSpec& choice, const TableShape& shape,
                    const std::vector<GplvmViewOptions>& views) {
  FeatureSpec out = choice;
  if (out.kind == Form::automatic)
    out.kind =
        step_operations(shape, views, {.kind = Form::exact}) <= exact_budget ? Form::exact : Form::nystrom;
  if (out.count == 0 && out.kind == Form::random) {
    Index components = 1;  // about 600 features
    for (const GplvmViewOptions& view : views) components = std::max(components, mixture_components(view));
    out.count = std::max<Index>(1, 300 / components);
  }
  if (out.count == 0 && out.kind == Form::nystrom) out.count = inducing_count(shape, views);
  if (out.kind == Form::nystrom) out.count = std::min(out.count, shape.rows);
  return out;
}

FeatureSpec sketch_of(const FeatureSpec& features, Index rows) {
  if (rows <= sketch_limit) return features;
  if (features.kind == Form::nystrom && features.count <= sketch_size) return features;
  return {.kind = Form::nystrom, .count = sketch_size};
}

// With L = 2 count, C = S / sqrt(Q), S = sum alpha, eps = r N S and |K| = N S, the theorem's N exp(..) = 0.05 reads
// r^2 = b (9 + 8 r),  b = 2 log(N / 0.05) / (3 sqrt(Q) L).
double feature_error(Index samples, Index count, Index components) {
  const double b = std::log(double(samples) / 0.05) / (3 * std::sqrt(double(components)) * double(count));
  return 4 * b + std::sqrt(16 * b * b + 9 * b);
}

FeatureSpec climb_of(const FeatureSpec& features, Index rows) {
  if (rows <= climb_limit || features.kind == Form::random) return features;
  if (features.kind == Form::exact) return {.kind = Form::nystrom, .count = climb_size};
  return {.kind = Form::nystrom, .count = std::min(features.count, climb_size_of_sparse)};
}

Index resolve_restarts(const GplvmOptions& options, const TableShape& shape) {
  if (options.restarts > 0) return options.restarts;
  if (!options.race) return 1;
  const std::vector<GplvmViewOptions> views = options_by_view(options, Index(shape.columns.size()));
  const double cheaper = single_start / mean_step_operations(shape, views, options);
  return std::clamp<Index>(std::lround(std::sqrt(cheaper)), 1, most_starts(shape, views, options));
}

double gplvm_operations(const TableShape& shape, const GplvmOptions& options) {
  constexpr double usual_steps = 1000, sketched = 0.35,
                   climbed = 0.3;  // of a start; the rest are made with all features
  const std::vector<GplvmViewOptions> views = options_by_view(options, Index(shape.columns.size()));
  const FeatureSpec features = resolve(options.features, shape, views);
  const auto cost = [&](const FeatureSpec& with) { return step_operations(shape, views, with); };
  const double step = sketched * cost(sketch_of(features, shape.rows)) +
                      climbed * cost(climb_of(features, shape.rows)) +
                      (1 - sketched - climbed) * cost(features);
  const TableShape some{.rows = std::min<Index>(500, shape.rows), .columns = shape.columns};
  const double race = options.race ? 240 * step_operations(some, views, sketch_of(features, some.rows)) : 0;
  const double steps =
      std::min(double(options.steps), usual_steps) * double(resolve_restarts(options, shape));
  return race + steps * step + cross_view_operations(shape);
}

double operations_per_second(const Compute& compute) {
  constexpr Index size = 512, rounds = 4;
  Rng rng(1);
  const Matrix A = rng.normal(size, size);
  Matrix B = multiply<double>(A, A, compute);  // wakes the threads
  const Stopwatch watch;
  for (Index i = 0; i < rounds; ++i) B = multiply<double>(A, A, compute);
  constexpr double share = 0.6;  // steps also factorise, and read their tables
  return share * double(rounds * size * size * size) / std::max(1e-6, watch.seconds());
}

double gplvm_memory(const Dataset& data, const GplvmOptions& options) {
  const std::vector<GplvmViewOptions> views = options_by_view(options, data.view_count());
  const FeatureSpec features = resolve(options.features, shape_of(data), views);
  const double N = double(data.rows());
  double M = 0, widest = 0, F = double(features.count);
  for (std::size_t v = 0; v < views.size(); ++v) {
    M += double(data.view(Index(v)).cols());
    widest = std::max(widest, double(data.view(Index(v)).cols()));
    if (features.kind == FeatureSpec::Kind::random)
      F = std::max(F, 2.0 * double(features.count) * double(mixture_components(views[v])));
  }
  // The tables: as given, scaled, filled, as the terms hold them (in single precision too), and one being worked on.
  const double tables = 5.5 * N * M;
  const double inducing = std::min(N, double(most_inducing));
  // Missing entries add sums of N x N in up to eight lanes of 256 MB together (exact_evidence.cpp).
  const double lanes = data.observed() < data.rows() * Index(M)
                           ? std::clamp(268435456.0 / (16 * N * N + 1), 1.0, 8.0) * 2
                           : 0.0;
  const double step =
      features.kind == FeatureSpec::Kind::exact
          ? (9 + lanes) * N * N + 3 * N * widest
          : 16 * F * (2 * F + widest) + 3 * 16 * 256 * (F + widest) + std::min(N * F, double(1 << 24));
  const double weights = 3 * N * inducing + 2 * N * widest + 6 * inducing * (inducing + widest);
  // Predictors of absent views work on copies of all tables; with less room they take turns (cross_view/models.cpp).
  constexpr double copies = 30, most_numbers = 3e8;
  const double predictors = data.view_count() > 1 ? std::min(copies * N * M, most_numbers) : 0.0;
  return 3e7 + 8 * (tables + std::max({step, weights, predictors}) + 12 * N * double(options.dims));
}

}  // namespace bochner
