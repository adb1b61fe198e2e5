#include "relocate.hpp"

#include <algorithm>
#include <utility>

#include "moving_row.hpp"
#include "src/models/gplvm/sample_bound.hpp"
#include "src/models/gplvm/weights.hpp"
#include "src/models/latent/sigma_points.hpp"

namespace bochner {
namespace {

constexpr Index most_learners = 1000;  // samples that functions are learned from
constexpr Index fewest_learners = 20;
constexpr Index most_checked = 1500;  // samples whose moves are checked against all others

/// A fit whose functions are learned from some of the rows, in scaled units.
GplvmFit functions_of(const Dataset& scaled, const std::vector<Matrix>& filled, const IndexVector& rows,
                      const GplvmParameters& p, const Rng& rng, const Compute& compute) {
  const Dataset some = scaled.take_rows(rows);
  GplvmFit out{.ids = some.ids(), .latent = {p.latent.mean(rows, Eigen::all), p.latent.sd(rows, Eigen::all)}};
  for (std::size_t v = 0; v < p.views.size(); ++v) {
    const View& view = some.view(Index(v));
    const Scaling scaling = fit_scaling(view.Y, ScalingKind::none);
    GplvmView learned{.name = view.name,
                      .columns = view.columns,
                      .scaling = scaling,
                      .unmeasured = scaling.unmeasured,
                      .constant = scaling.constant,
                      .kernel = p.views[v].kernel};
    const ViewTerm term(view.name, view.Y, filled[v](rows, Eigen::all), learned.kernel,
                        {.kind = FeatureSpec::Kind::nystrom, .count = 1}, FloatingPoint::double_precision,
                        compute);
    learn_weights(term, p.views[v], out.latent, view.Y, false, rng.split(v), compute, learned);
    out.views.push_back(std::move(learned));
  }
  return out;
}

/// The bounds of samples at a posterior of their latents, given the functions of `fit`.
Vector sample_bounds(const GplvmFit& fit, const Dataset& data, const LatentPosterior& at,
                     const Compute& compute) {
  std::vector<EmbedView> fixed;
  std::vector<Matrix> tables;
  for (const GplvmView& view : fit.views) {
    fixed.emplace_back(view, compute);
    tables.push_back(data.view(view.name).Y);
  }
  const Matrix xi = sigma_points(fit.dims());
  Vector out(data.rows());
  for_each_block(compute, data.rows(), 64, [&](Index begin, Index size) {
    std::vector<Matrix> rows;
    for (const Matrix& table : tables) rows.push_back(table.middleRows(begin, size));
    const std::vector<Sample> samples = look_at(fixed, rows);
    std::vector<BoundPoint> points(static_cast<std::size_t>(size));
    std::vector<BoundPoint*> all;
    for (Index n = 0; n < size; ++n) {
      BoundPoint& point = points[static_cast<std::size_t>(n)];
      point.sample = &samples[static_cast<std::size_t>(n)];
      point.theta.resize(2 * fit.dims());
      point.theta << at.mean.row(begin + n).transpose(),
          at.sd.row(begin + n).array().log().matrix().transpose();
      all.push_back(&point);
    }
    evaluate_bounds(all, xi);
    for (Index n = 0; n < size; ++n) out(begin + n) = points[static_cast<std::size_t>(n)].value;
  });
  return out;
}

}  // namespace

bool all_vary(const Dataset& data) {
  return std::all_of(data.views().begin(), data.views().end(), [](const View& view) {
    const Scaling scaling = fit_scaling(view.Y, ScalingKind::standardise);
    return static_cast<Index>(scaling.constant.size() + scaling.unmeasured.size()) < view.cols();
  });
}

Index relocate(const ScaledData& scaled, const std::vector<Matrix>& filled, GplvmParameters& parameters,
               double nats, const Rng& rng, const Compute& compute) {
  const Index N = scaled.data.rows();
  IndexVector order = Rng(rng).permutation(N);
  LatentPosterior there = parameters.latent;
  const bool checked = N <= most_checked;
  std::vector<std::pair<double, Index>> proposed;
  for (const bool first : {true, false}) {
    IndexVector half = first ? order.head(N / 2) : order.tail(N - N / 2);
    IndexVector other = first ? order.tail(N - N / 2) : order.head(N / 2);
    IndexVector learners = half.head(std::min(most_learners, half.size()));
    std::sort(learners.begin(), learners.end());
    std::sort(other.begin(), other.end());
    if (learners.size() < fewest_learners || !all_vary(scaled.data.take_rows(learners))) continue;
    const GplvmFit fit =
        functions_of(scaled.data, filled, learners, parameters, rng.split("weights"), compute);
    const Dataset rest = scaled.data.take_rows(other);
    const LatentPosterior here{parameters.latent.mean(other, Eigen::all),
                               parameters.latent.sd(other, Eigen::all)},
        among = embed(fit, rest, compute);
    const Vector gain = sample_bounds(fit, rest, among, compute) - sample_bounds(fit, rest, here, compute);
    for (Index i = 0; i < other.size(); ++i)
      if (gain(i) > nats) {
        there.mean.row(other(i)) = among.mean.row(i);
        there.sd.row(other(i)) = among.sd.row(i);
        proposed.emplace_back(-gain(i), other(i));
      }
  }
  if (!checked) {
    parameters.latent = std::move(there);
    return Index(proposed.size());
  }
  if (proposed.empty()) return 0;
  std::sort(proposed.begin(), proposed.end());  // what promises most comes first
  std::vector<Index> best_first;
  for (const auto& [minus_gain, n] : proposed) best_first.push_back(n);
  std::vector<MovingRow> views;
  for (std::size_t v = 0; v < parameters.views.size(); ++v) {
    const Matrix& Y = scaled.data.view(Index(v)).Y;
    const std::vector<Index> varying = informative_columns(Y);
    views.emplace_back(parameters.views[v].kernel, parameters.views[v].noise_variance, parameters.latent.mean,
                       Y(Eigen::all, varying), filled[v](Eigen::all, varying), compute);
  }
  return move_where_it_gains(views, best_first, there, nats, parameters.latent);
}

}  // namespace bochner
