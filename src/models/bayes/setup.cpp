#include "setup.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "bochner/core/checks.hpp"

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

}  // namespace

void set_exposure(BayesViewFit& view, const Vector& exposure) {
  view.exposure = exposure;
  if (exposure.size() == 0) return;
  std::vector<double> sorted(exposure.begin(), exposure.end());
  const auto middle = sorted.begin() + std::ssize(sorted) / 2;
  std::nth_element(sorted.begin(), middle, sorted.end());
  view.typical_exposure = *middle;
}

void check_bayes_options(const BayesData& data, const BayesOptions& o) {
  const Index V = data.data.view_count();
  check_at_least("fit_bayes", "dims", o.dims, 1);
  check_at_least("fit_bayes", "frequencies", o.frequencies, 1);
  check_at_least("fit_bayes", "chains", o.chains, 1);
  if (o.warmup != until_settled) check_at_least("fit_bayes", "warmup", o.warmup, 0);
  check_at_least("fit_bayes", "draws", o.draws, 1);
  check_at_least("fit_bayes", "thin", o.thin, 1);
  check_at_least("fit_bayes", "stored", o.stored, 1);
  if (!o.views.empty())
    check_size("fit_bayes", "options of views", static_cast<Index>(o.views.size()), "views", V);
  if (o.latent.dynamic) check_size("fit_bayes", "times", data.axis.time.size(), "samples", data.data.rows());
  if (data.covariates.width() > 0 || data.design.size() > 0) {
    check_size("fit_bayes", "rows of covariates", data.design.rows(), "samples", data.data.rows());
    check_size("fit_bayes", "columns of the design", data.design.cols(), "covariates",
               data.covariates.width());
    if (!data.design.allFinite()) throw std::domain_error("fit_bayes: covariates must be finite numbers");
  }
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
  model.covariate_names = data.covariates.names();
  for (Index v = 0; v < data.data.view_count(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    const BayesViewOptions own = own_options(options, v);
    const Matrix& Y = data.data.view(v).Y;
    const Matrix trials = at < data.trials.size() ? data.trials[at] : Matrix();
    if (own.likelihood == BayesLikelihood::binomial && trials.size() == 0)
      throw std::invalid_argument("fit_bayes: a binomial view needs its numbers of trials");
    const std::vector<Index> classes = class_counts(data, v);
    const Vector exposure = at < data.exposure.size() ? data.exposure[at] : Vector();
    model.tables.push_back(
        make_bayes_table(own.likelihood, scaling_of(own, Y).apply(Y), trials, classes, exposure));
    model.tables.back().covariates = options.priors.covariate_sd * data.design;
  }
  if (options.latent.dynamic) {
    model.grid = make_time_grid(data.axis.time, data.axis.group);
    const LengthScalePrior by_times = length_scale_prior(model.grid);
    if (model.priors.ell_median == 0) model.priors.ell_median = by_times.median;
    if (model.priors.log_ell_sd == 0) model.priors.log_ell_sd = by_times.log_sd;
  }
  return model;
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
    if (at < data.exposure.size()) set_exposure(fit, data.exposure[at]);
    if (at < data.exposure_names.size()) fit.exposure_name = data.exposure_names[at];
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

Index most_sweeps(const BayesOptions& o) {
  return (o.warmup == until_settled ? longest_warmup : o.warmup) + o.draws * o.thin;
}

double bayes_memory(const BayesData& data, const BayesOptions& options) {
  const double N = double(data.data.rows()),
               F = 2 * double(options.frequencies) + 1 + double(data.design.cols());
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
