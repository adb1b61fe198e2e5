#include "bochner/models/gplvm/choose_dims.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "bochner/core/checks.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/data/splits.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/linalg/low_rank.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
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

/// Short fits from the latents that are given, with RBF instead of mixtures.
GplvmOptions short_options(const GplvmOptions& options, Index views, Index dims) {
  GplvmOptions out = options;
  out.dims = dims;
  out.steps = 300;
  out.cooling = 60;
  out.patience = 40;
  out.restarts = 1;
  out.features = {};
  out.own.clear();
  for (GplvmViewOptions view : options_by_view(options, views)) {
    if (simple_form(make_kernel(view.kernel, 1, Rng(0), {.components = view.components})))
      view.kernel = "rbf";
    out.own.emplace_back(std::move(view));
  }
  return out;
}

/// Squared errors of the held-out entries of each sample in scaled units, and the residuals of the others.
struct Errors {
  Vector by_sample;              // N
  std::vector<Matrix> residual;  // per view, 0 where nothing is measured
};

Errors errors_of(const GplvmFit& fit, const Dataset& data, const std::vector<BoolMatrix>& held_out,
                 const Compute& compute) {
  Errors out{Vector::Zero(data.rows()), {}};
  for (Index v = 0; v < data.view_count(); ++v) {
    const GplvmView& view = fit.view(data.view(v).name);
    const Matrix Y = view.scaling.apply(data.view(v).Y);
    const Matrix F = view.scaling.apply(predict(view, fit.latent, compute).mean);
    const Matrix left = (Y - F).array().isNaN().select(0.0, Y - F);
    const auto& hidden = held_out[static_cast<std::size_t>(v)];
    out.by_sample += hidden.select(left, 0.0).rowwise().squaredNorm();
    out.residual.push_back(hidden.select(0.0, left));
  }
  return out;
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

}  // namespace

DimsChoice choose_dims(const Dataset& data, const GplvmOptions& options, Index most, std::uint64_t seed,
                       const Compute& compute, const std::function<bool(Index dims)>& go_on) {
  check_at_least("choose_dims", "most", most, 1);
  const Rng rng = Rng(seed).split("dims");
  const Dataset part = some_of(data, rng);
  const std::vector<BoolMatrix> held_out = held_out_masks(part, held_out_share, rng.split("held out"));
  const double entries = std::max(1.0, double(count_held_out(held_out)));
  const Dataset seen = hide(part, held_out);
  const Index N = part.rows(), last = std::clamp<Index>(N / 10, 1, most);
  DimsChoice out;
  std::optional<Vector> best;  // errors of the choice
  Matrix begin;
  for (Index dims = 1; dims <= last && dims <= out.dims + give_up_after; ++dims) {
    if (go_on && !go_on(dims)) break;
    GplvmHooks hooks;
    if (dims > 1) hooks.begin = &begin;
    const GplvmFit fit =
        fit_gplvm(seen, short_options(options, part.view_count(), dims), seed, compute, hooks);
    Errors errors = errors_of(fit, part, held_out, compute);
    DimsTrial trial{.dims = dims, .error = errors.by_sample.sum() / entries};
    if (best) {
      const Vector gain = (*best - errors.by_sample) / entries;
      trial.gain = gain.sum();
      trial.gain_se = std::sqrt(double(N) * (gain.array() - gain.mean()).square().mean());
    }
    const double before = best ? best->sum() / entries : 0.0;
    if (!best || (trial.gain > sure * trial.gain_se && trial.gain > least_gain * before)) {
      out.dims = dims;
      best = errors.by_sample;
    }
    out.trials.push_back(trial);
    begin.resize(N, dims + 1);
    begin << fit.latent.mean, next_dimension(errors.residual, rng.split("next").split(dims), compute);
    whiten_columns(begin);
  }
  return out;
}

}  // namespace bochner
