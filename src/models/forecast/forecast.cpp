#include "bochner/models/forecast/forecast.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/core/counted.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/data/lags.hpp"
#include "one_step.hpp"
#include "windows.hpp"

namespace bochner {
namespace {

/// Mean and unbiased standard deviation of what was measured; 1 for a series that does not vary.
void standardisation(MatrixIn y, Vector& centre, Vector& scale) {
  const Scaling s = fit_scaling(y, ScalingKind::standardise);
  centre = s.centre;
  scale = s.scale;
  for (Index c = 0; c < y.cols(); ++c) {
    const double n = double(y.col(c).array().isFinite().count());
    if (n > 1) scale(c) *= std::sqrt(n / (n - 1));
  }
}

Matrix standardised(MatrixIn y, const Vector& centre, const Vector& scale) {
  return (y.rowwise() - centre.transpose()) * scale.cwiseInverse().asDiagonal();
}

Index resolve_dims(Index dims, Index windows) {
  return dims > 0 ? dims : std::clamp<Index>(windows / 10, 10, 200);
}

/// Views past, next and known of the windows `rows`.
KpcaFit fit_windows(const LagTable& table, MatrixIn known, const std::vector<Index>& rows,
                    const ForecastOptions& o, std::uint64_t seed, const Compute& compute) {
  KpcaViewOptions past{
      .kernel = o.kernel, .lengthscale = o.lengthscale, .features = o.features, .scaling = ScalingKind::none};
  KpcaViewOptions next{.kernel = "linear", .scaling = ScalingKind::none, .preimage = o.preimage};
  KpcaOptions options{
      .dims = std::min<Index>(resolve_dims(o.dims, Index(rows.size())), Index(rows.size()) - 1),
      .own = {past, next},
      .solver = o.solver,
      .keep_bytes = o.keep_bytes};
  std::vector<View> views{make_view("past", table.past(rows, Eigen::all)),
                          make_view("next", table.next(rows, Eigen::all))};
  if (known.cols() > 0) {
    const IndexVector at = table.at(rows);
    views.push_back(make_view("known", known(at, Eigen::all)));
    options.own.push_back(KpcaViewOptions{.kernel = o.kernel, .scaling = ScalingKind::none});
  }
  return fit_kpca(join(std::move(views)), options, seed, compute);
}

std::vector<Index> range(Index begin, Index end) {
  std::vector<Index> out;
  for (Index i = begin; i < end; ++i) out.push_back(i);
  return out;
}

void check_series(const SeriesTable& data, const ForecastOptions& o) {
  const char* const f = "fit_forecast";
  check_at_least(f, "columns of y", data.y.cols(), 1);
  check_at_least(f, "lags", o.lags, 0);
  check_at_least(f, "dims", o.dims, 0);
  check_between(f, "validation", o.validation, 0, 0.5);
  check_at_least(f, "horizon", o.horizon, 1);
  if (o.preimage != Preimage::identity && o.preimage != Preimage::ridge)
    throw std::invalid_argument("fit_forecast: the pre-image of the next value must be identity or ridge");
  if (data.known.cols() > 0) {
    check_at_least(f, "rows of known", data.known.rows(), data.y.rows());
    check_finite(f, "known", data.known);
  }
}

constexpr Index most_origins = 200;

/// Sizes of errors of series c about `step` steps ahead: neighbours a tenth of the way around it count as well.
std::vector<double> error_sizes(const std::vector<Matrix>& errors, Index step, Index c) {
  const Index last = Index(errors.size()) - 1, width = step / 10;
  std::vector<double> out;
  for (Index t = std::max<Index>(0, step - width); t <= std::min(last, step + width); ++t)
    for (const double e : errors[static_cast<std::size_t>(t)].col(c))
      if (std::isfinite(e)) out.push_back(std::abs(e));
  return out;
}

/// The smallest size that covers a new error with this probability, if errors are exchangeable [vovk2005].
double cover(std::vector<double> sizes, double coverage) {
  if (sizes.empty()) return 0;
  const double rank = std::ceil(coverage * double(sizes.size() + 1)) - 1;
  const auto at = std::ptrdiff_t(std::clamp(rank, 0.0, double(sizes.size() - 1)));
  std::nth_element(sizes.begin(), sizes.begin() + at, sizes.end());
  return sizes[static_cast<std::size_t>(at)];
}

/// Errors of forecasts that start in windows `begin` .. end of the table, step by step.
std::vector<Matrix> rolling_errors(const OneStep& next, const LagTable& table, MatrixIn y, MatrixIn known,
                                   Index begin, Index horizon) {
  const Index n = table.past.rows(), S = y.cols(), T = y.rows();
  const Index origins = std::min(most_origins, n - begin);
  std::vector<Index> rows;
  for (Index i = 0; i < origins; ++i) rows.push_back(begin + i * (n - begin) / origins);
  Matrix windows = table.past(rows, Eigen::all);
  const IndexVector at = table.at(rows);
  std::vector<Matrix> errors;
  for (Index step = 0; step < std::min(horizon, T - at(0)); ++step) {
    Matrix ahead(origins, known.cols()), truth = Matrix::Constant(origins, S, std::nan(""));
    for (Index i = 0; i < origins; ++i) {
      ahead.row(i) = known.row(std::min(at(i) + step, T - 1));
      if (at(i) + step < T) truth.row(i) = y.row(at(i) + step);
    }
    const Matrix row = next(windows, ahead);
    push(windows, row);
    errors.push_back(row - truth);
  }
  return errors;
}

}  // namespace

ForecastFit fit_forecast(const SeriesTable& data, const ForecastOptions& options, std::uint64_t seed,
                         const Compute& compute) {
  check_series(data, options);
  ForecastFit fit{.lags = options.lags};
  standardisation(data.y, fit.centre, fit.scale);
  const Matrix y = standardised(data.y, fit.centre, fit.scale);
  Matrix known(y.rows(), 0);
  if (data.known.cols() > 0) {
    standardisation(data.known, fit.known_centre, fit.known_scale);
    known = standardised(data.known.topRows(y.rows()), fit.known_centre, fit.known_scale);
  }
  check_windows(data, options.lags, "all " + counted(y.rows(), "time"), "use fewer lags");
  const LagTable table = lag_table(y, options.lags);
  const Index n = table.past.rows();
  // Errors first, of a model that has not seen the last part.
  const Index held = std::max<Index>(2, Index(options.validation * double(n)));
  if (options.validation > 0 && n - held >= 8) {
    const KpcaFit before = fit_windows(table, known, range(0, n - held), options, seed, compute);
    fit.errors = rolling_errors(OneStep(before, compute), table, y, known, n - held, options.horizon);
  }
  fit.model = fit_windows(table, known, range(0, n), options, seed, compute);
  const Matrix filled = fill_gaps(OneStep(fit.model, compute), y, known, options.lags);
  fit.tail = filled.bottomRows(options.lags + 1);
  if (!fit.tail.array().isFinite().all())
    throw InputError("the series ends within " + counted(options.lags + 1, "time") +
                     " of a stretch that is too short to fill its gaps; use fewer lags");
  return fit;
}

Forecast forecast(const ForecastFit& fit, Index steps, MatrixIn known, const std::vector<double>& coverage,
                  const Compute& compute) {
  check_at_least("forecast", "steps", steps, 1);
  check_size("forecast", "columns of known", known.cols(), "those of the fit", fit.known());
  if (fit.known() > 0) check_at_least("forecast", "rows of known", known.rows(), steps);
  for (const double c : coverage) check_between("forecast", "coverage", c, 0, 1);
  const Matrix ahead =
      fit.known() > 0 ? standardised(known, fit.known_centre, fit.known_scale) : Matrix(steps, 0);
  const OneStep next(fit.model, compute);
  const Index S = fit.series();
  Matrix window = Eigen::Map<const Matrix>(fit.tail.data(), 1, fit.tail.size());
  Forecast out{.mean = Matrix(steps, S), .intervals = {}};
  for (Index t = 0; t < steps; ++t) {
    const Matrix row = next(window, ahead.middleRows(t, 1));
    push(window, row);
    out.mean.row(t) = row * fit.scale.asDiagonal() + fit.centre.transpose();
  }
  if (fit.errors.empty()) return out;
  for (const double c : coverage) {
    Vector width = Vector::Zero(S);
    Interval i{c, out.mean, out.mean};
    for (Index t = 0; t < steps; ++t) {
      const Index step = std::min(t, Index(fit.errors.size()) - 1);
      for (Index s = 0; s < S; ++s)
        width(s) = std::max(width(s), fit.scale(s) * cover(error_sizes(fit.errors, step, s), c));
      i.lower.row(t) -= width.transpose();
      i.upper.row(t) += width.transpose();
    }
    out.intervals.push_back(std::move(i));
  }
  return out;
}

}  // namespace bochner
