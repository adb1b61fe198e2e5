#include "beginning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/models/gplvm/start.hpp"

namespace bochner {

namespace {

/// A table of counts as numbers that a Gaussian model can start from: logarithms, shares, or indicators.
Matrix as_numbers(const BayesTable& t) {
  Matrix out = t.Y;
  switch (t.likelihood) {
    case BayesLikelihood::gaussian:
    case BayesLikelihood::bernoulli:
    case BayesLikelihood::categorical:
      break;
    case BayesLikelihood::poisson:
    case BayesLikelihood::negbinom:
      out = t.Y.array().log1p();
      break;
    case BayesLikelihood::binomial:
      out = (t.Y.array() + 0.5) / (t.trials.array() + 1);
      break;
    case BayesLikelihood::multinomial: {  // shares of the row, as counts of an average row
      const double average = std::max(t.totals.mean(), 1.0);
      const Eigen::ArrayXd factor = average / t.totals.col(0).array().max(1);
      out = (t.Y.array().colwise() * factor).log1p();
      break;
    }
  }
  return (t.seen.array() > 0).select(out, std::nan(""));
}

/// Latents that were found without time, as noisy sightings of paths: what the path that makes them most probable, over a
/// grid of length-scales and noises, says they are. A rough path is next to impossible for its prior, and no sweep makes it
/// smooth at once.
struct FirstPath {
  Vector x;  // N, rows of the table
  PathPrior prior;
};
FirstPath first_path(const Vector& seen, const BayesModel& model) {
  const TimeGrid& grid = model.grid;
  const Vector y = grid.sorted(seen);
  FirstPath out{seen, {model.latent.kind, model.priors.ell_median, 1}};
  double best = -std::numeric_limits<double>::infinity();
  for (double u = -2; u <= 2; u += 0.5) {  // standard deviations of the prior
    const PathPrior prior{model.latent.kind, model.priors.ell_median * std::exp(model.priors.log_ell_sd * u),
                          1};
    const auto steps = path_steps(prior, grid);
    for (const double noise : {0.003, 0.03, 0.1, 0.3, 0.6, 0.9}) {
      const double sd = std::sqrt(1 - noise);
      const SmoothedPath smooth = smooth_path(steps, y / sd, noise / (1 - noise));
      const double value = smooth.log_density - double(y.size()) * std::log(sd);
      if (!(value > best)) continue;
      best = value;
      out = {grid.unsorted(sd * smooth.mean), prior};
    }
  }
  return out;
}

/// The missing entries of y, in the order of the grid, on straight lines over time between those around them, and beyond the
/// ends of a group at the nearest one. A group without any keeps them missing.
void fill_over_time(const TimeGrid& grid, Vector& y) {
  const Index N = y.size();
  for (Index begin = 0, end = 0; begin < N; begin = end) {
    for (end = begin + 1; end < N && grid.gap(end) > 0;) ++end;
    Index before = -1;  // the last measured one
    for (Index i = begin; i < end; ++i) {
      if (std::isnan(y(i))) continue;
      double time = 0, passed = 0;  // from `before` to i, and to the entry that is filled
      for (Index k = before + 1; before >= 0 && k <= i; ++k) time += grid.gap(k);
      for (Index k = before < 0 ? begin : before + 1; k < i; ++k) {
        passed += grid.gap(k);
        y(k) = before < 0 ? y(i) : y(before) + (y(i) - y(before)) * passed / time;
      }
      before = i;
    }
    if (before >= 0) y.segment(before, end - before).setConstant(y(before));
  }
}

/// A column over time without its noise: that of the path, over a grid of length-scales and noises, that makes it most
/// probable.
Vector smoothed(const Vector& column, const BayesModel& model) {
  Vector y = model.grid.sorted(column);
  fill_over_time(model.grid, y);
  const auto known = !y.array().isNaN();
  if (!known.any()) return column;
  y = known.select(y, known.select(y, 0).sum() / double(known.count()));
  const double mean = y.mean(), sd = std::sqrt((y.array() - mean).square().mean());
  if (!(sd > 0)) return column;
  y = model.grid.unsorted(((y.array() - mean) / sd).matrix());
  return mean + sd * first_path(y, model).x.array();
}

/// All views as Gaussian ones; with time without what is noise over time.
Dataset as_dataset(const Dataset& data, const BayesModel& model) {
  std::vector<View> views;
  for (Index v = 0; v < data.view_count(); ++v) {
    Matrix numbers = as_numbers(model.tables[static_cast<std::size_t>(v)]);
    if (model.latent.dynamic)
      for (Index j = 0; j < numbers.cols(); ++j) numbers.col(j) = smoothed(numbers.col(j), model);
    View view = make_view(data.view(v).name, numbers);
    view.ids = data.ids();
    views.push_back(std::move(view));
  }
  return join(std::move(views));
}

}  // namespace

GplvmOptions start_options(const BayesOptions& options, Index samples) {
  GplvmOptions out{.dims = options.dims};
  out.steps = 600;  // chains move on from wherever it ends
  out.restarts = samples <= 700 ? 2 : 1;
  out.view.kernel = "rbf";
  out.view.scaling = ViewScaling::whole_view;  // columns that vary more say more
  return out;
}

BayesStart resolve_start(const BayesOptions& options) {
  if (options.start != BayesStart::automatic) return options.start;
  return options.latent.dynamic && options.dims <= most_curved ? BayesStart::isomap : BayesStart::variational;
}

BayesBeginning find_beginning(const BayesData& data, const BayesModel& model, const BayesOptions& options,
                              std::uint64_t seed, const Compute& compute, const GplvmHooks& hooks) {
  const BayesStart start = resolve_start(options);
  if (start == BayesStart::given) return {.X = data.start};
  const Dataset numbers = as_dataset(data.data, model);
  const GplvmOptions gplvm = start_options(options, data.data.rows());
  BayesBeginning out;
  Matrix& X = out.X;
  if (start == BayesStart::variational) {
    const GplvmFit fit = fit_gplvm(numbers, gplvm, seed, compute, hooks);
    X = fit.latent.mean;
    for (const GplvmView& view : fit.views)
      out.frequency_sd.push_back((-parameters(view.kernel).head(X.cols())).array().exp());
  } else {
    const ScaledData scaled = scale_views(numbers, options_by_view(gplvm, numbers.view_count()));
    const std::vector<Matrix> guesses = first_guess(scaled.data, gplvm, Rng(seed).split("first"), compute).X;
    const bool curved = start == BayesStart::isomap && guesses.size() > 1;
    X = guesses[curved ? 1 : 0];
    if (curved)  // a length-scale of one standard deviation of the latents
      out.frequency_sd.assign(static_cast<std::size_t>(numbers.view_count()), Vector::Ones(X.cols()));
  }
  const Vector sd = whiten_columns(X);
  if (options.latent.dynamic)
    for (Index q = 0; q < X.cols(); ++q) {
      FirstPath path = first_path(X.col(q), model);
      X.col(q) = path.x;
      out.paths.push_back(path.prior);
    }
  if (start == BayesStart::variational)
    for (Vector& own : out.frequency_sd) own.array() *= sd.array();
  return out;
}

}  // namespace bochner
