#include "bochner/models/gplvm/choose_dims.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "bochner/assess/normal_interval.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/data/splits.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/linalg/low_rank.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "bochner/models/gplvm/relevance.hpp"
#include "continuation.hpp"
#include "start.hpp"

namespace bochner {
namespace {

constexpr Index most_rows = 500, most_columns = 400;
constexpr double held_out_share = 0.1;
constexpr Index give_up_after = 3;  // trials without a gain
constexpr double sure = 2, least_gain = 0.005;

/// Some of the samples, of each view some of the columns.
Dataset some_of(const Dataset& data, const Rng& rng) {
  const std::vector<Index> rows = some_rows(data.rows(), std::min(data.rows(), most_rows), rng.split("rows"));
  const Dataset part = data.take_rows(Eigen::Map<const IndexVector>(rows.data(), Index(rows.size())));
  std::vector<View> views;
  for (const View& view : part.views()) {
    std::vector<std::string> columns;
    for (const Index m :
         some_rows(view.cols(), std::min(view.cols(), most_columns), rng.split("columns").split(view.name)))
      columns.push_back(view.columns[static_cast<std::size_t>(m)]);
    views.push_back(select_columns(view, columns));
  }
  return join(std::move(views), {.allow_disjoint = true});
}

/// Whether there is enough of a view to learn from it.
bool has_enough(const View& view) {
  constexpr Index fewest = 10;
  const Scaling columns = fit_scaling(view.Y, ScalingKind::centre);
  const auto idle = static_cast<Index>(columns.constant.size() + columns.unmeasured.size());
  return idle < view.cols() && ((!view.Y.array().isNaN()).rowwise().any()).count() >= fewest;
}

/// The places of the views that remain when so few samples are looked at; all of them if none would.
std::vector<Index> learnable(const Dataset& seen) {
  std::vector<Index> some, all;
  for (Index v = 0; v < seen.view_count(); ++v) {
    all.push_back(v);
    if (has_enough(seen.view(v))) some.push_back(v);
  }
  return some.empty() ? all : some;
}

Dataset take_views(const Dataset& data, const std::vector<Index>& which) {
  std::vector<View> views;
  for (const Index v : which) views.push_back(data.view(v));
  return join(std::move(views), {.allow_disjoint = true});
}

/// Short fits from the latents that are given, with RBF instead of mixtures.
GplvmOptions short_options(const GplvmOptions& options, Index views, const std::vector<Index>& which,
                           Index dims) {
  GplvmOptions out = options;
  out.dims = dims;
  out.steps = 300;
  out.cooling = 60;
  out.patience = 40;
  out.restarts = 1;
  out.features = {};
  out.own.clear();
  const std::vector<GplvmViewOptions> all = options_by_view(options, views);
  for (const Index v : which) {
    GplvmViewOptions view = all[static_cast<std::size_t>(v)];
    if (simple_form(make_kernel(view.kernel, 1, Rng(0), {.components = view.components})))
      view.kernel = "rbf";
    out.own.emplace_back(std::move(view));
  }
  return out;
}

/// Squared errors of the held-out entries in scaled units, and the residuals of the others.
struct Errors {
  Matrix squares;                // N x V, sums over the entries of a sample in a view
  Vector entries;                // V, numbers of entries
  std::vector<Matrix> residual;  // per view, 0 where nothing is measured
};

Errors errors_of(const GplvmFit& fit, const Dataset& data, const std::vector<BoolMatrix>& held_out,
                 const Compute& compute) {
  Errors out{.squares = Matrix(data.rows(), data.view_count()), .entries = Vector(data.view_count())};
  for (Index v = 0; v < data.view_count(); ++v) {
    const GplvmView& view = fit.view(data.view(v).name);
    const Matrix Y = view.scaling.apply(data.view(v).Y);
    const Matrix F = view.scaling.apply(predict(view, fit.latent, compute).mean);
    const Matrix left = (Y - F).array().isNaN().select(0.0, Y - F);
    out.residual.push_back(held_out[static_cast<std::size_t>(v)].select(0.0, left));
    BoolMatrix hidden = held_out[static_cast<std::size_t>(v)];
    // Columns that do not vary in what is seen have no scale.
    for (const std::vector<Index>* idle : {&view.constant, &view.unmeasured})
      for (const Index m : *idle) hidden.col(m).setConstant(false);
    out.squares.col(v) = hidden.select(left, 0.0).rowwise().squaredNorm();
    out.entries(v) = double(hidden.count());
  }
  return out;
}

/// A mean squared error, by how much it is below an earlier one, and the standard error of that over samples.
struct Gain {
  double error = 0, gain = 0, se = 0;
  bool pays(double errors_below) const {
    return gain > errors_below * se && gain > least_gain * (error + gain);
  }
};

/// From squared errors of samples before and now.
Gain gain_of(const Vector& before, const Vector& now, double entries) {
  const double count = std::max(1.0, entries);
  const Vector gain = (before - now) / count;
  return {.error = now.sum() / count,
          .gain = gain.sum(),
          .se = std::sqrt(double(gain.size()) * (gain.array() - gain.mean()).square().mean())};
}

/// That of all entries together.
Gain overall_gain(const Errors& before, const Errors& now) {
  return gain_of(before.squares.rowwise().sum(), now.squares.rowwise().sum(), now.entries.sum());
}

/// Standard errors above which the best of `views` gains is as unlikely by chance as one that is `sure`.
double sure_of_best(Index views) {
  return normal_quantile_of_interval(1 - std::erfc(sure / std::sqrt(2.0)) / double(views));
}

/// Whether `now` is better than `before`, in all or, if it is not worse in all, in one of several views: what a dimension of a
/// small view gains drowns among the entries of large ones.
bool pays(const Errors& before, const Errors& now) {
  const Gain all = overall_gain(before, now);
  const Index views = now.entries.size();
  if (all.pays(sure)) return true;
  if (views == 1 || !(all.gain > 0)) return false;
  for (Index v = 0; v < views; ++v)
    if (gain_of(before.squares.col(v), now.squares.col(v), now.entries(v)).pays(sure_of_best(views)))
      return true;
  return false;
}

/// The direction in which the samples differ most in what the model leaves over, every view counted the same.
Vector next_dimension(const std::vector<Matrix>& residual, const Rng& rng, const Compute& compute) {
  Index columns = 0;
  for (const Matrix& R : residual) columns += R.cols();
  Matrix all(residual.front().rows(), columns);
  Index at = 0;
  for (const Matrix& R : residual) {
    const double length = R.norm();
    all.middleCols(at, R.cols()) = R / (length > 0 ? length : 1.0);
    at += R.cols();
  }
  all.rowwise() -= all.colwise().mean().eval();
  return randomized_svd(all, 1, {}, rng, compute).U.col(0);
}

/// The leading directions of latents, one fewer than there are, each dimension counted by what it explains.
Matrix one_dimension_less(const GplvmFit& fit, const Dataset& seen, const Rng& rng, const Compute& compute) {
  const Vector share = relevance(fit, seen, compute).by_view.colwise().sum().transpose();
  Matrix X = fit.latent.mean * share.cwiseSqrt().asDiagonal();
  X.rowwise() -= X.colwise().mean().eval();
  return randomized_svd(X, X.cols() - 1, {}, rng, compute).U;
}

/// Short fits to part of the data, judged by entries that they do not see.
class Trials {
 public:
  Trials(const Dataset& data, const GplvmOptions& options, std::uint64_t seed, const Compute& compute,
         const std::string& label_view)
      : options_(options),
        seed_(seed),
        rng_(Rng(seed).split("dims")),
        compute_(compute),
        label_view_(label_view),
        views_(data.view_count()),
        part_(some_of(data, rng_)),
        which_(learnable(hide(part_, masks()))) {
    part_ = take_views(part_, which_);
    held_out_ = masks();
    seen_ = hide(part_, held_out_);
  }

  struct Trial {
    GplvmFit fit;
    Errors errors;
  };
  /// Begins at these latents too, unless there are none.
  Trial run(Index dims, Matrix begin) const {
    GplvmHooks hooks;
    if (begin.size() > 0) {
      whiten_columns(begin);
      hooks.begin = &begin;
    }
    GplvmFit fit = fit_gplvm(*seen_, short_options(options_, views_, which_, dims), seed_, compute_, hooks);
    Errors errors = errors_of(fit, part_, held_out_, compute_);
    return {std::move(fit), std::move(errors)};
  }

  static DimsTrial compare(Index dims, const Errors& before, const Errors& now) {
    const Gain all = overall_gain(before, now);
    return {.dims = dims, .error = all.error, .gain = all.gain, .gain_se = all.se};
  }

  Matrix more(const Trial& from) const {
    const Index dims = from.fit.dims();
    Matrix out(part_.rows(), dims + 1);
    out << from.fit.latent.mean, next_dimension(from.errors.residual, own(dims), compute_);
    return out;
  }
  Matrix fewer(const Trial& from) const {
    return one_dimension_less(from.fit, *seen_, own(from.fit.dims()), compute_);
  }
  Index rows() const { return part_.rows(); }

 private:
  std::vector<BoolMatrix> masks() const {
    std::vector<BoolMatrix> out = held_out_masks(part_, held_out_share, rng_.split("held out"));
    for (Index v = 0; v < part_.view_count(); ++v)
      if (part_.view(v).name == label_view_) out[static_cast<std::size_t>(v)].setConstant(false);
    return out;
  }
  Rng own(Index dims) const { return rng_.split("next").split(static_cast<std::uint64_t>(dims)); }

  const GplvmOptions& options_;
  std::uint64_t seed_;
  Rng rng_;
  Compute compute_;
  std::string label_view_;
  Index views_;  // of the data
  Dataset part_;
  std::vector<Index> which_;  // of these views `part_` has
  std::vector<BoolMatrix> held_out_;
  std::optional<Dataset> seen_;
};

/// The most dimensions that are tried.
Index last_trial(Index rows, Index most) { return std::clamp<Index>(rows / 10, 1, most); }

}  // namespace

double choose_dims_operations(const TableShape& shape, const GplvmOptions& options, Index most) {
  constexpr Index usual = 2;
  TableShape part{.rows = std::min(shape.rows, most_rows), .columns = {}};
  std::vector<Index> every;
  for (const Index columns : shape.columns) {
    every.push_back(std::ssize(every));
    part.columns.push_back(std::min(columns, most_columns));
  }
  const Index up = std::min(last_trial(part.rows, most), usual + give_up_after);
  const Index down = std::min(up, usual) - 1, views = std::ssize(shape.columns);
  return double(up + down) * gplvm_operations(part, short_options(options, views, every, usual));
}

DimsChoice choose_dims(const Dataset& data, const GplvmOptions& options, Index most, std::uint64_t seed,
                       const Compute& compute, const std::function<bool(Index dims)>& go_on,
                       const std::string& label_view) {
  check_at_least("choose_dims", "most", most, 1);
  const Trials trials(data, options, seed, compute, label_view);
  const Index last = last_trial(trials.rows(), most);
  DimsChoice out;
  std::optional<Trials::Trial> best;
  Matrix begin;
  for (Index dims = 1; dims <= last && dims <= out.dims + give_up_after; ++dims) {
    out.stopped = go_on && !go_on(dims);
    if (out.stopped) return out;
    Trials::Trial now = trials.run(dims, begin);
    out.trials.push_back(Trials::compare(dims, best ? best->errors : now.errors, now.errors));
    begin = trials.more(now);
    if (best && !pays(best->errors, now.errors)) continue;
    out.dims = dims;
    best = std::move(now);
  }
  // A fit with fewer dimensions may have got stuck, and needs no more when it begins where a larger one ended.
  Trials::Trial from = *best;
  while (out.dims > 1) {
    const Index dims = out.dims - 1;
    out.stopped = go_on && !go_on(dims);
    if (out.stopped) return out;
    Trials::Trial now = trials.run(dims, trials.fewer(from));
    out.trials.push_back(Trials::compare(dims, best->errors, now.errors));
    if (pays(now.errors, best->errors)) return out;
    out.dims = dims;
    from = std::move(now);
  }
  return out;
}

}  // namespace bochner
