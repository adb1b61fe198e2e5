#include "bochner/models/bayes/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/core/calendar.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {

namespace {

/// Rows begin .. end - 1 of the grid.
struct Group {
  Index begin, end;
};

std::vector<Group> groups_of(const TimeGrid& grid) {
  std::vector<Group> out;
  for (Index i = 0; i < grid.size(); ++i) {
    if (grid.gap(i) == 0) out.push_back({i, i});
    out.back().end = i + 1;
  }
  return out;
}

/// Paths that are known up to a row of each group go on by so many gaps.
struct Continued {
  std::vector<Group> known;
  std::vector<Vector> gaps;  // of each group
};

std::vector<Matrix> go_on(const BayesFit& fit, const Continued& plan, const Rng& rng) {
  const Index Q = fit.dims();
  Index rows = 0, after_rows = 0;
  for (std::size_t g = 0; g < plan.known.size(); ++g) {
    rows += plan.known[g].end - plan.known[g].begin;
    after_rows += plan.gaps[g].size();
  }
  TimeGrid known{.order = {}, .gap = Vector(rows)};
  std::vector<Index> ends;  // last known row of each group, in the order of `known`
  Index at = 0;
  for (const auto& [begin, end] : plan.known) {
    known.gap.segment(at, end - begin) = fit.grid.gap.segment(begin, end - begin);
    at += end - begin;
    ends.push_back(at - 1);
  }
  std::vector<Matrix> out;
  for (std::size_t s = 0; s < fit.X.size(); ++s) {
    const Matrix X = fit.X[s] * fit.turns[s].transpose();
    Matrix after(after_rows, Q);
    for (Index d = 0; d < Q; ++d) {
      const PathPrior& path = fit.paths[s][static_cast<std::size_t>(d)];
      Rng own = rng.split(s).split(static_cast<std::uint64_t>(d));
      const double sd = std::sqrt(path.variance);
      const Vector x = fit.grid.sorted(X.col(d)) / sd;
      Vector x_known(rows);
      at = 0;
      for (const auto& [begin, end] : plan.known) {
        x_known.segment(at, end - begin) = x.segment(begin, end - begin);
        at += end - begin;
      }
      const PathStates states = draw_states_given(path_steps(path, known), x_known, own);
      at = 0;
      for (std::size_t g = 0; g < ends.size(); ++g) {
        Vector state = states.row(ends[g]).transpose();
        for (const PathStep& step : path_steps(path, {.order = {}, .gap = plan.gaps[g]})) {
          state = step.A * state + step.Q * own.normal(state.size());
          after(at++, d) = sd * state(0);
        }
      }
    }
    out.push_back(after * fit.turns[s]);
  }
  return out;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<double> measured(const Matrix& Y, Index m) {
  std::vector<double> out;
  for (Index n = 0; n < Y.rows(); ++n)
    if (!std::isnan(Y(n, m))) out.push_back(Y(n, m));
  return out;
}

/// Mean absolute deviation from the median; 0 for a column that is constant or not measured.
double spread(const std::vector<double>& values) {
  if (values.empty()) return 0;
  const double centre = median(values);
  double sum = 0;
  for (const double y : values) sum += std::abs(y - centre);
  return sum / double(values.size());
}

/// The last measured value of a column at or before a place in the order of time, of the same group.
double last_value(const TimeGrid& grid, const Matrix& Y, Index m, Index place) {
  for (Index i = place;; --i) {
    const double y = Y(grid.order[static_cast<std::size_t>(i)], m);
    if (!std::isnan(y) || grid.gap(i) == 0) return y;
  }
}

/// Sums over the entries of a view.
struct Errors {
  double model = 0, last = 0, median = 0, inside = 0;
  Index entries = 0;
};

/// Adds what `trial` says of a view. `spreads` of its columns.
void add_errors(const BayesFit& fit, const ForecastTrial& trial, const Matrix& Y, const BayesPrediction& p,
                const std::vector<double>& spreads, Errors& errors) {
  const Matrix before = Y(trial.known, Eigen::all);
  for (Index m = 0; m < Y.cols(); ++m) {
    const double unit = spreads[static_cast<std::size_t>(m)];
    const double middle = median(measured(before, m));
    if (unit == 0 || std::isnan(middle)) continue;
    for (std::size_t i = 0; i < trial.rows.size(); ++i) {
      const auto row = static_cast<Index>(i);
      const double y = Y(trial.rows[i], m);
      if (std::isnan(y)) continue;
      const double last = last_value(fit.grid, Y, m, trial.last[i]);
      ++errors.entries;
      errors.model += std::abs(y - p.median(row, m)) / unit;
      errors.last += std::abs(y - (std::isnan(last) ? middle : last)) / unit;
      errors.median += std::abs(y - middle) / unit;
      errors.inside += y >= p.low(row, m) && y <= p.high(row, m);
    }
  }
}

/// What `predict` is told of some rows: not what was measured there.
BayesKnown beside_measurements(const BayesData& data, std::size_t v, const std::vector<Index>& rows) {
  BayesKnown out = known_rows(data, v);
  out.Y = Matrix();
  if (out.trials.size() > 1) out.trials = Matrix(out.trials(rows, Eigen::all));
  if (out.design.size() > 0) out.design = Matrix(out.design(rows, Eigen::all));
  if (out.exposure.size() > 0) out.exposure = Vector(out.exposure(rows));
  return out;
}

/// The forecast of a column that goes furthest beyond what was observed.
struct Wildest {
  double ratio = 0;  // how far beyond, in ranges of the column
  double value = 0, largest = 0;
  std::string column;
};

Wildest wildest(const BayesViewFit& view, const Matrix& Y, const BayesPrediction& ahead) {
  Wildest out;
  for (Index m = 0; m < static_cast<Index>(view.columns.size()); ++m) {
    const std::vector<double> seen = measured(Y, m);
    if (seen.empty()) continue;
    const auto [low, high] = std::minmax_element(seen.begin(), seen.end());
    const double range = *high - *low;
    if (!(range > 0)) continue;
    for (const double value : {ahead.high.col(m).maxCoeff(), ahead.mean.col(m).maxCoeff()})
      if (const double ratio = (value - *high) / range; ratio > out.ratio)
        out = {ratio, value, *high, view.columns[static_cast<std::size_t>(m)]};
  }
  return out;
}

void check_time(const BayesFit& fit) {
  if (fit.paths.empty()) throw InputError("the model has no time, so there is nothing to forecast");
}

}  // namespace

namespace {

double median_gap(const TimeGrid& grid) {
  std::vector<double> gaps;
  for (const double gap : grid.gap)
    if (gap > 0) gaps.push_back(gap);
  if (gaps.empty()) throw InputError("no group has two rows, so the step between times is not known");
  std::sort(gaps.begin(), gaps.end());
  return gaps[gaps.size() / 2];
}

/// Dates that are spaced as most of the group are, in months or weekdays where they are. Empty if it has too few, or no step
/// that is that of most.
Vector next_dates(const std::vector<double>& days, Index steps) {
  if (days.size() < 3) return {};
  const Calendar calendar = calendar_of(days);
  const Spacing spacing = spacing_of(calendar);
  if (2 * spacing.even < Index(days.size()) - 1) return {};
  Vector out(steps);
  for (Index k = 0; k < steps; ++k) out(k) = calendar.date(calendar.at.back() + double(k + 1) * spacing.step);
  return out;
}

}  // namespace

std::vector<Vector> following_times(const BayesFit& fit, const TimeAxis& axis, Index steps) {
  check_time(fit);
  const double gap = median_gap(fit.grid);
  std::vector<Vector> out;
  for (const auto& [begin, end] : groups_of(fit.grid)) {
    std::vector<double> times;
    for (Index i = begin; i < end; ++i)
      times.push_back(axis.time(fit.grid.order[static_cast<std::size_t>(i)]));
    Vector next = axis.dates ? next_dates(times, steps) : Vector();
    if (next.size() == 0) next = times.back() + gap * Vector::LinSpaced(steps, 1, double(steps)).array();
    out.push_back(std::move(next));
  }
  return out;
}

std::vector<Matrix> forecast(const BayesFit& fit, Index steps, double gap, const Rng& rng) {
  check_time(fit);
  Continued plan{.known = groups_of(fit.grid), .gaps = {}};
  plan.gaps.assign(plan.known.size(), Vector::Constant(steps, gap));
  return go_on(fit, plan, rng);
}

std::vector<Matrix> forecast_at(const BayesFit& fit, const TimeAxis& axis, const std::vector<Vector>& times,
                                const Rng& rng) {
  check_time(fit);
  Continued plan{.known = groups_of(fit.grid), .gaps = {}};
  check_size("forecast_at", "lists of times", static_cast<Index>(times.size()), "groups",
             static_cast<Index>(plan.known.size()));
  for (std::size_t g = 0; g < times.size(); ++g) {
    double before = axis.time(fit.grid.order[static_cast<std::size_t>(plan.known[g].end - 1)]);
    plan.gaps.emplace_back(times[g].size());
    for (Index k = 0; k < times[g].size(); before = times[g](k++)) {
      if (!(times[g](k) > before)) throw std::domain_error("forecast_at: times do not ascend");
      plan.gaps.back()(k) = times[g](k) - before;
    }
  }
  return go_on(fit, plan, rng);
}

ForecastTrial forecast_again(const BayesFit& fit, Index hidden, Index steps, const Rng& rng) {
  check_time(fit);
  ForecastTrial out;
  Continued plan;
  for (const auto& [begin, end] : groups_of(fit.grid)) {
    const Index cut = end - hidden, ahead = std::min(steps, hidden);
    if (cut - begin < hidden) continue;
    plan.known.push_back({begin, cut});
    plan.gaps.emplace_back(fit.grid.gap.segment(cut, ahead));
    for (Index i = cut; i < cut + ahead; ++i) {
      out.rows.push_back(fit.grid.order[static_cast<std::size_t>(i)]);
      out.last.push_back(cut - 1);
    }
    for (Index i = begin; i < cut; ++i) out.known.push_back(fit.grid.order[static_cast<std::size_t>(i)]);
  }
  if (!out.rows.empty()) out.X = go_on(fit, plan, rng);
  return out;
}

std::vector<ForecastScores> backtest(const BayesFit& fit, const BayesData& data, Index steps, const Rng& rng,
                                     const Compute& compute) {
  constexpr Index cuts = 4;  // one stretch of a path that changes slowly says little
  std::vector<ForecastTrial> trials;
  for (Index k = 1; k <= cuts; ++k)
    trials.push_back(forecast_again(fit, k * steps, steps, rng.split(static_cast<std::uint64_t>(k))));
  std::vector<ForecastScores> out;
  for (std::size_t v = 0; v < fit.views.size(); ++v) {
    const BayesViewFit& view = fit.views[v];
    if (view.likelihood == BayesLikelihood::categorical) continue;
    const Matrix& Y = data.data.view(static_cast<Index>(v)).Y;
    std::vector<double> spreads;
    for (Index m = 0; m < Y.cols(); ++m) spreads.push_back(spread(measured(Y, m)));
    Errors sum;
    for (const ForecastTrial& trial : trials) {
      if (trial.rows.empty()) continue;
      const BayesKnown known = beside_measurements(data, v, trial.rows);
      const BayesPrediction p =
          predict(view, trial.X, known, {.interval = 0.9}, rng.split("predict").split(view.name), compute);
      add_errors(fit, trial, Y, p, spreads, sum);
    }
    if (sum.entries == 0) continue;
    const double E = double(sum.entries);
    out.push_back({view.name, sum.entries, sum.model / E, sum.last / E, sum.median / E, sum.inside / E});
  }
  return out;
}

std::vector<Warning> forecast_warnings(const BayesFit& fit, const Dataset& data,
                                       const std::vector<BayesPrediction>& ahead,
                                       const std::vector<ForecastScores>& scores) {
  using Kind = Warning::Kind;
  constexpr double far = 30;     // ranges of the column: nothing that was observed comes near
  constexpr double poor = 1.25;  // times the error of the simplest forecast
  std::vector<Warning> out;
  for (std::size_t v = 0; v < fit.views.size(); ++v) {
    const BayesViewFit& view = fit.views[v];
    if (view.likelihood == BayesLikelihood::categorical) continue;
    // Counts that scatter more than Poisson counts do drive the path about.
    const Remedy remedy =
        view.likelihood == BayesLikelihood::poisson ? Remedy::negbinom_likelihood : Remedy::shorter_forecast;
    const Wildest wild = wildest(view, data.view(static_cast<Index>(v)).Y, ahead[v]);
    if (wild.ratio > far)
      out.push_back(
          {.kind = Kind::wild_forecast,
           .severity = Severity::error,
           .message = fmt::format("its forecasts of view '{}' reach {:.3g} in column '{}', where {:.3g} "
                                  "is the largest value observed",
                                  view.name, wild.value, wild.column, wild.largest),
           .remedy = remedy});
    for (const ForecastScores& s : scores) {
      const double best = std::min(s.error_last, s.error_median);
      if (s.view != view.name || !(s.error > poor * best)) continue;
      out.push_back(
          {.kind = Kind::poor_forecast,
           .message = fmt::format(
               "its forecasts of the last rows of view '{}' have {:.3g} times the error of {} of "
               "each column, although it has seen them",
               view.name, s.error / best, s.error_last < s.error_median ? "the last value" : "the median"),
           .remedy = wild.ratio > far ? Remedy::none : remedy});
    }
  }
  return out;
}

}  // namespace bochner
