#include "beginning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "bochner/compute/batched.hpp"
#include "landmark_map.hpp"
#include "src/models/gplvm/start.hpp"

namespace bochner {

namespace {

/// Counts as they would be in rows of one exposure.
Matrix per_mean_exposure(const BayesTable& t) {
  if (t.offset.size() == 0) return t.Y;
  return (t.Y.array().colwise() * (t.offset.mean() - t.offset.array()).exp()).matrix();
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
      out = per_mean_exposure(t).array().log1p();
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

/// Takes what covariates explain out of every column, or latents would begin as what they do not have to be. By least squares over
/// the measured entries, with a little shrinkage so that it exists.
void without_covariates(const Matrix& covariates, Matrix& numbers) {
  const Index C = covariates.cols();
  for (Index j = 0; j < numbers.cols() && C > 0; ++j) {
    const Eigen::ArrayXd seen = (!numbers.col(j).array().isNaN()).cast<double>();
    const double n = std::max(seen.sum(), 1.0);
    const Vector y = (seen > 0).select(numbers.col(j).array(), 0.0).matrix();
    const Vector mean = covariates.transpose() * seen.matrix() / n;
    const Matrix centred = (covariates.rowwise() - mean.transpose()).array().colwise() * seen;
    Eigen::MatrixXd gram = centred.transpose() * centred;
    gram.diagonal().array() += 1e-6 * (1 + gram.trace());
    const Vector right = centred.transpose() * y;
    const Vector slope = SmallCholesky(gram, "the precision of covariates").solve(right);
    numbers.col(j) -= (covariates.rowwise() - mean.transpose()) * slope;
  }
}

/// All views as Gaussian ones; with time without what is noise over time.
Dataset as_dataset(const Dataset& data, const BayesModel& model) {
  std::vector<View> views;
  for (Index v = 0; v < data.view_count(); ++v) {
    Matrix numbers = as_numbers(model.tables[static_cast<std::size_t>(v)]);
    without_covariates(model.tables[static_cast<std::size_t>(v)].covariates, numbers);
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

std::vector<BayesStart> chain_starts(const BayesOptions& options) {
  if (!options.starts.empty()) return options.starts;
  using enum BayesStart;
  if (options.start != automatic) return {options.start};
  return {options.latent.dynamic && options.dims <= most_curved ? isomap : variational};
}

namespace {

/// The starts of one fit; what several of them need is made once.
class Beginnings {
 public:
  Beginnings(const BayesData& data, const BayesModel& model, const BayesOptions& options, std::uint64_t seed,
             const Compute& compute, const GplvmHooks& hooks)
      : data_(data),
        model_(model),
        dims_(options.dims),
        gplvm_(start_options(options, data.data.rows())),
        seed_(seed),
        compute_(compute),
        hooks_(hooks) {}

  /// The `again`-th of its kind: the second Isomap has larger neighbourhoods, spectral coordinates other landmarks.
  BayesBeginning find(BayesStart start, Index again) {
    BayesBeginning out;
    if (start == BayesStart::given) return {.X = data_.start};
    if (start == BayesStart::random) {
      const BayesState state =
          draw_prior(model_, Rng(seed_).split("random start").split(static_cast<std::uint64_t>(again)));
      return {.X = state.X, .paths = state.paths};
    }
    if (start == BayesStart::variational) {
      const GplvmFit fit = fit_gplvm(numbers(), gplvm_, seed_, compute_, hooks_);
      out.X = fit.latent.mean;
      for (const GplvmView& view : fit.views)
        out.frequency_sd.push_back((-parameters(view.kernel).head(out.X.cols())).array().exp());
    } else if (start == BayesStart::spectral) {
      out.X = landmark_map(filled(), dims_,
                           Rng(seed_).split("spectral").split(static_cast<std::uint64_t>(again)), compute_);
      unit_frequencies(out);
    } else {
      const std::vector<Matrix>& guesses = guess().X;
      const auto curved = static_cast<Index>(guesses.size()) - 1;
      const bool isomap = start == BayesStart::isomap && curved > 0;
      out.X = guesses[isomap ? static_cast<std::size_t>(1 + again % curved) : 0];
      if (isomap) unit_frequencies(out);
    }
    const Vector sd = whiten_columns(out.X);
    if (start == BayesStart::variational)
      for (Vector& own : out.frequency_sd) own.array() *= sd.array();
    if (!model_.latent.dynamic) return out;
    for (Index q = 0; q < out.X.cols(); ++q) {
      FirstPath path = first_path(out.X.col(q), model_);
      out.X.col(q) = path.x;
      out.paths.push_back(path.prior);
    }
    return out;
  }

 private:
  const Dataset& numbers() {
    if (!numbers_) numbers_ = as_dataset(data_.data, model_);
    return *numbers_;
  }
  const FirstGuess& guess() {
    if (!guess_) {
      const ScaledData scaled = scale_views(numbers(), options_by_view(gplvm_, numbers().view_count()));
      guess_ = first_guess(scaled.data, gplvm_, Rng(seed_).split("first"), compute_);
    }
    return *guess_;
  }
  /// All views side by side, each with the same weight.
  Matrix filled() {
    Index M = 0;
    for (const Matrix& view : guess().filled) M += view.cols();
    Matrix out(data_.data.rows(), M);
    Index at = 0;
    for (const Matrix& view : guess().filled) {
      out.middleCols(at, view.cols()) = view / std::sqrt(double(view.cols()));
      at += view.cols();
    }
    return out;
  }
  /// A length-scale of one standard deviation of the latents.
  void unit_frequencies(BayesBeginning& out) const {
    out.frequency_sd.assign(model_.tables.size(), Vector::Ones(dims_));
  }

  const BayesData& data_;
  const BayesModel& model_;
  Index dims_;
  GplvmOptions gplvm_;
  std::uint64_t seed_;
  Compute compute_;
  const GplvmHooks& hooks_;
  std::optional<Dataset> numbers_;
  std::optional<FirstGuess> guess_;
};

}  // namespace

std::vector<BayesBeginning> find_beginnings(const BayesData& data, const BayesModel& model,
                                            const BayesOptions& options, std::uint64_t seed,
                                            const Compute& compute, const GplvmHooks& hooks) {
  Beginnings beginnings(data, model, options, seed, compute, hooks);
  const std::vector<BayesStart> starts = chain_starts(options);
  const std::size_t count = std::max(starts.size(), static_cast<std::size_t>(options.chains));
  std::vector<BayesBeginning> out;
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t place = c % starts.size();
    const BayesStart start = starts[place];
    const auto end = starts.begin() + static_cast<std::ptrdiff_t>(place);
    const auto first = static_cast<std::size_t>(std::find(starts.begin(), end, start) - starts.begin());
    const Index again = std::count(starts.begin(), end, start);  // in the list
    const bool once =
        start == BayesStart::variational || start == BayesStart::pca || start == BayesStart::given;
    if (start == BayesStart::random)
      out.push_back(beginnings.find(start, static_cast<Index>(c)));
    else if (c >= starts.size() || (once && again > 0))
      out.push_back(out[once ? first : place]);
    else
      out.push_back(beginnings.find(start, again));
  }
  return out;
}

}  // namespace bochner
