#include "setup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "bochner/core/checks.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "src/models/gplvm/start.hpp"

namespace bochner {

namespace {

BayesViewOptions own_options(const BayesOptions& options, Index v) {
  return options.views.empty() ? BayesViewOptions{} : options.views[static_cast<std::size_t>(v)];
}

std::vector<Index> class_counts(const BayesData& data, Index v) {
  std::vector<Index> out;
  if (static_cast<std::size_t>(v) < data.classes.size())
    for (const auto& names : data.classes[static_cast<std::size_t>(v)])
      out.push_back(static_cast<Index>(names.size()));
  return out;
}

Scaling scaling_of(const BayesViewOptions& options, MatrixIn Y) {
  return fit_scaling(Y,
                     options.likelihood == BayesLikelihood::gaussian ? options.scaling : ScalingKind::none);
}

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
  FirstPath out{seen, {model.latent.kind, std::exp(model.log_ell_mean), 1}};
  double best = -std::numeric_limits<double>::infinity();
  for (int k = -6; k <= 2; ++k) {
    const PathPrior prior{model.latent.kind, std::exp(model.log_ell_mean + 0.6 * k), 1};
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

/// All views as Gaussian ones.
Dataset as_dataset(const Dataset& data, const BayesModel& model) {
  std::vector<View> views;
  for (Index v = 0; v < data.view_count(); ++v) {
    View view = make_view(data.view(v).name, as_numbers(model.tables[static_cast<std::size_t>(v)]));
    view.ids = data.ids();
    views.push_back(std::move(view));
  }
  return join(std::move(views));
}

}  // namespace

void check_bayes_options(const BayesData& data, const BayesOptions& o) {
  const Index V = data.data.view_count();
  check_at_least("fit_bayes", "dims", o.dims, 1);
  check_at_least("fit_bayes", "frequencies", o.frequencies, 1);
  check_at_least("fit_bayes", "chains", o.chains, 1);
  check_at_least("fit_bayes", "warmup", o.warmup, 0);
  check_at_least("fit_bayes", "draws", o.draws, 1);
  check_at_least("fit_bayes", "thin", o.thin, 1);
  check_at_least("fit_bayes", "stored", o.stored, 1);
  if (!o.views.empty())
    check_size("fit_bayes", "options of views", static_cast<Index>(o.views.size()), "views", V);
  if (o.latent.dynamic) check_size("fit_bayes", "times", data.time.size(), "samples", data.data.rows());
  if (o.start == BayesStart::given) {
    check_size("fit_bayes", "rows of the start", data.start.rows(), "samples", data.data.rows());
    check_size("fit_bayes", "columns of the start", data.start.cols(), "dims", o.dims);
  }
}

BayesModel make_bayes_model(const BayesData& data, const BayesOptions& options) {
  BayesModel model{.tables = {},
                   .priors = options.priors,
                   .latent = options.latent,
                   .Q = options.dims,
                   .L = options.frequencies};
  for (Index v = 0; v < data.data.view_count(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    const BayesViewOptions own = own_options(options, v);
    const Matrix& Y = data.data.view(v).Y;
    const Matrix trials = at < data.trials.size() ? data.trials[at] : Matrix();
    if (own.likelihood == BayesLikelihood::binomial && trials.size() == 0)
      throw std::invalid_argument("fit_bayes: a binomial view needs its numbers of trials");
    const std::vector<Index> classes = class_counts(data, v);
    model.tables.push_back(make_bayes_table(own.likelihood, scaling_of(own, Y).apply(Y), trials, classes));
  }
  if (options.latent.dynamic) {
    model.grid = make_time_grid(data.time, data.group);
    const double range = data.time.maxCoeff() - data.time.minCoeff();
    model.log_ell_mean = std::log(range > 0 ? 0.1 * range : 1);
  }
  return model;
}

GplvmOptions start_options(const BayesOptions& options, Index samples) {
  GplvmOptions out{.dims = options.dims};
  out.steps = 600;  // chains move on from wherever it ends
  out.restarts = samples <= 700 ? 2 : 1;
  out.view.kernel = "rbf";
  out.view.scaling = ViewScaling::whole_view;  // columns that vary more say more
  return out;
}

BayesBeginning find_beginning(const BayesData& data, const BayesModel& model, const BayesOptions& options,
                              std::uint64_t seed, const Compute& compute, const GplvmHooks& hooks) {
  if (options.start == BayesStart::given) return {.X = data.start};
  const Dataset numbers = as_dataset(data.data, model);
  const GplvmOptions gplvm = start_options(options, data.data.rows());
  BayesBeginning out;
  Matrix& X = out.X;
  if (options.start == BayesStart::pca) {
    const ScaledData scaled = scale_views(numbers, options_by_view(gplvm, numbers.view_count()));
    X = first_guess(scaled.data, gplvm, Rng(seed).split("first"), compute).X.front();
  } else {
    const GplvmFit fit = fit_gplvm(numbers, gplvm, seed, compute, hooks);
    X = fit.latent.mean;
    for (const GplvmView& view : fit.views)
      out.frequency_sd.push_back((-parameters(view.kernel).head(X.cols())).array().exp());
  }
  const Vector sd = whiten_columns(X);
  if (options.latent.dynamic)
    for (Index q = 0; q < X.cols(); ++q) {
      FirstPath path = first_path(X.col(q), model);
      X.col(q) = path.x;
      out.paths.push_back(path.prior);
    }
  for (Vector& own : out.frequency_sd) own.array() *= sd.array();
  return out;
}

std::vector<BayesViewFit> empty_views(const BayesData& data, const BayesOptions& options) {
  std::vector<BayesViewFit> out;
  for (Index v = 0; v < data.data.view_count(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    const View& view = data.data.view(v);
    const BayesViewOptions own = own_options(options, v);
    BayesViewFit fit{.name = view.name,
                     .columns = view.columns,
                     .likelihood = own.likelihood,
                     .scaling = scaling_of(own, view.Y),
                     .draws = {}};
    fit.classes = class_counts(data, v);
    if (at < data.classes.size()) fit.class_names = data.classes[at];
    const auto seen = !view.Y.array().isNaN();
    if (own.likelihood == BayesLikelihood::binomial) {
      const Matrix& trials = data.trials[at];
      const double mean = trials.size() == 1
                              ? trials(0, 0)
                              : seen.select(trials, 0).sum() / std::max(1.0, double(seen.count()));
      fit.trials = std::max(1.0, std::round(mean));
    }
    if (own.likelihood == BayesLikelihood::multinomial) {
      const Index rows = seen.rowwise().any().count();
      fit.total = std::max(1.0, seen.select(view.Y, 0).sum() / std::max(1.0, double(rows)));
    }
    out.push_back(std::move(fit));
  }
  return out;
}

double bayes_memory(const BayesData& data, const BayesOptions& options) {
  const double N = double(data.data.rows()), F = 2 * double(options.frequencies) + 1;
  double sum = 0;
  for (Index v = 0; v < data.data.view_count(); ++v) {
    double J = double(data.data.view(v).cols());
    if (const std::vector<Index> classes = class_counts(data, v); !classes.empty())
      J = double(std::accumulate(classes.begin(), classes.end(), Index{0}));
    // Y, seen, terms and functions of each chain that is under way; a draw of the weights.
    sum += N * J * (2 + 6 * double(options.chains)) + F * J * double(options.stored + options.chains) + N * F;
  }
  return 8 * (sum + N * double(options.dims) * double(options.stored));
}

}  // namespace bochner
