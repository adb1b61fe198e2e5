#include "bochner/assess/held_out_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/assess/prediction_scores.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/data/fills.hpp"
#include "bochner/data/held_out.hpp"

namespace bochner {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// All views next to each other, scaled.
Matrix side_by_side(const Dataset& data, const std::vector<Scaling>& scalings) {
  Index M = 0;
  for (const View& view : data.views()) M += view.cols();
  Matrix all(data.rows(), M);
  Index at = 0;
  for (std::size_t v = 0; v < scalings.size(); ++v) {
    const View& view = data.view(static_cast<Index>(v));
    all.middleCols(at, view.cols()) = scalings[v].apply(view.Y);
    at += view.cols();
  }
  return all;
}

/// Guesses for every entry; no columns where a fill was left out.
struct Fills {
  Matrix low_rank, neighbours;
};

Fills fill(const Matrix& seen, Index dims, const HeldOutOptions& options, const Rng& rng,
           const Compute& compute) {
  const double N = static_cast<double>(seen.rows()), M = static_cast<double>(seen.cols());
  Fills out;
  // A fixed amount of work bounds the iterations for tables of any size.
  const auto iterations = static_cast<Index>(std::clamp(1e9 / (N * M), 20.0, 1000.0));
  const Index rank = std::clamp<Index>(dims, 1, std::max<Index>(1, std::min(seen.rows(), seen.cols()) - 1));
  out.low_rank = fill_low_rank(seen, {.rank = rank, .max_iterations = iterations}, rng, compute);
  if (N * N * M <= options.most_neighbour_work)
    out.neighbours = fill_neighbours(seen, options.neighbours, compute);
  return out;
}

/// By how much the squared errors of the model are below those of another guess, and the standard error of that. Errors of a
/// sample belong together, hence over samples.
struct Gain {
  double sum = nan, se = nan;
};

Gain gain_over(const Matrix& truth, const Matrix& model, const Matrix& other) {
  const BoolMatrix known = !truth.array().isNaN();
  const Matrix differences = (truth - other).array().square() - (truth - model).array().square();
  std::vector<double> by_sample;
  for (Index n = 0; n < truth.rows(); ++n)
    if (known.row(n).any()) by_sample.push_back(known.row(n).select(differences.row(n), 0.0).sum());
  const auto gains = Eigen::Map<const Vector>(by_sample.data(), Index(by_sample.size()));
  const double n = double(gains.size());
  return {gains.sum(), n > 1 ? std::sqrt(n / (n - 1) * (gains.array() - gains.mean()).square().sum()) : nan};
}

/// The entries of `truth` that are numbers, at most `most` of them.
std::vector<HeldOutEntry> entries_of(const Matrix& truth, const HeldOutPrediction& p, Index most) {
  std::vector<HeldOutEntry> out;
  if (p.pit.size() == 0) return out;
  const Index count = (!truth.array().isNaN()).count(), kept = std::min(count, most);
  Index seen = 0;
  for (Index n = 0; n < truth.rows(); ++n)
    for (Index m = 0; m < truth.cols(); ++m) {
      if (std::isnan(truth(n, m))) continue;
      // Of each count / kept entries the one at which this counter turns over.
      const bool keep = seen * kept / count != (seen + 1) * kept / count;
      ++seen;
      if (keep) out.push_back({n, m, truth(n, m), p.mean(n, m), p.sd(n, m), p.pit(n, m)});
    }
  return out;
}

}  // namespace

NamedScores named_scores(const ViewScores& s) {
  return {{"rmse", s.rmse.model},
          {"rmse_mean", s.rmse.column_mean},
          {"rmse_pca", s.rmse.low_rank},
          {"rmse_knn", s.rmse.neighbours},
          {"log_density", s.log_density},
          {"coverage90", s.coverage90},
          {"r2", s.r2}};
}

Rng baselines_rng(std::uint64_t seed) { return Rng(seed).split("baselines"); }

std::vector<ViewScores> held_out_scores(const Dataset& data, const std::vector<BoolMatrix>& held_out,
                                        const HeldOutModel& model, const HeldOutOptions& options,
                                        const Rng& rng, const Compute& compute) {
  const char* const function = "held_out_scores";
  check_size(function, "masks", static_cast<Index>(held_out.size()), "views", data.view_count());
  check_size(function, "views of the model", static_cast<Index>(model.scalings.size()), "views",
             data.view_count());
  Fills fills;
  const Dataset seen = hide(data, held_out);
  if (count_held_out(held_out) > 0)
    fills = fill(side_by_side(seen, model.scalings), model.dims, options, rng, compute);

  std::vector<ViewScores> out;
  Index at = 0;
  for (std::size_t v = 0; v < model.scalings.size(); ++v) {
    const View& view = data.view(static_cast<Index>(v));
    const Scaling& scaling = model.scalings[v];
    ViewScores scores{.view = view.name,
                      .entries = held_out[v].count(),
                      .rmse = {nan, nan, nan, nan},
                      .scaled_rmse = {nan, nan, nan, nan},
                      .log_density = nan,
                      .coverage90 = nan};
    if (scores.entries > 0) {
      const Matrix truth = held_out_values(view.Y, held_out[v]), scaled_truth = scaling.apply(truth);
      const HeldOutPrediction p = model.predict(static_cast<Index>(v), truth);
      const Matrix scaled_mean = scaling.apply(p.mean);
      const auto score = [&](double FillErrors::*which, const Matrix& guess) {
        const Matrix scaled = scaling.apply(guess);
        scores.rmse.*which = bochner::rmse(truth, guess);
        scores.scaled_rmse.*which = bochner::rmse(scaled_truth, scaled);
        return gain_over(scaled_truth, scaled_mean, scaled);
      };
      score(&FillErrors::model, p.mean);
      const Gain gain =
          score(&FillErrors::column_mean, fill_column_means(seen.view(static_cast<Index>(v)).Y));
      const Gain low_rank =
          score(&FillErrors::low_rank, scaling.undo(fills.low_rank.middleCols(at, view.cols())));
      Gain neighbours;
      if (fills.neighbours.size() > 0)
        neighbours =
            score(&FillErrors::neighbours, scaling.undo(fills.neighbours.middleCols(at, view.cols())));
      if (p.errors) {
        scores.rmse = scores.scaled_rmse = *p.errors;
      } else {
        scores.gain = gain.sum;
        scores.gain_se = gain.se;
        scores.over_low_rank = low_rank.sum / low_rank.se;
        scores.over_neighbours = neighbours.sum / neighbours.se;
        if (scores.scaled_rmse.column_mean > 0)
          scores.r2 = 1 - std::pow(scores.scaled_rmse.model / scores.scaled_rmse.column_mean, 2);
      }
      scores.log_density = p.log_density;
      scores.coverage90 = p.coverage90;
      scores.predicted = entries_of(truth, p, options.most_entries);
    }
    at += view.cols();
    out.push_back(std::move(scores));
  }
  return out;
}

}  // namespace bochner
