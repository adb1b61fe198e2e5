#include "job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/data/view.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/kpca/names.hpp"
#include "bochner/tables/read_table.hpp"
#include "cli/commands/fit/job.hpp"
#include "cli/inputs/by_view.hpp"
#include "times.hpp"

namespace bochner::cli {

namespace {

const CsvOptions times_first{.times = true};

template <class F>
auto for_option(const char* option, const F& f) {
  try {
    return f();
  } catch (const InputError& error) {
    throw InputError(fmt::format("--{}: {}", option, error.what()));
  }
}

ForecastOptions model_options(const ForecastSettings& s) {
  ForecastOptions o{.lags = s.lags, .dims = s.dims, .kernel = s.kernel, .lengthscale = s.lengthscale};
  for_option("kernel", [&] { make_kernel(s.kernel, 2, Rng(0)); });
  for_option("features", [&] { o.features = parse_features(s.features, kpca_feature_kinds); });
  if (o.features.kind == FeatureSpec::Kind::network)
    throw InputError(
        "--features: forecasts do not take network features; use exact, L, orthogonal:L or nystrom:m");
  for_option("solver", [&] { o.solver = parse_solver(s.solver); });
  if (s.preimage != "ridge" && s.preimage != "identity")
    throw InputError(fmt::format("--preimage is {}, but must be ridge or identity", quote(s.preimage)));
  o.preimage = parse_preimage(s.preimage);
  return o;
}

std::vector<double> coverages(const std::vector<std::string>& words) {
  std::vector<double> out;
  for (const std::string& word : words) {
    const double c = for_option("coverage", [&] { return positive_number(word); });
    if (!(c < 1))
      throw InputError(fmt::format("--coverage is {}, but must be between 0 and 1, e.g. 0.9", quote(word)));
    out.push_back(c);
  }
  if (out.empty()) out = {0.8, 0.95};
  std::sort(out.begin(), out.end());
  if (std::adjacent_find(out.begin(), out.end()) != out.end())
    throw InputError(
        fmt::format("--coverage {} is given twice", *std::adjacent_find(out.begin(), out.end())));
  return out;
}

Table chosen_columns(Table table, const std::vector<std::string>& columns, const std::string& file) {
  if (columns.empty()) return table;
  std::vector<Index> at;
  for (const std::string& name : columns) {
    const auto found = std::find(table.columns.begin(), table.columns.end(), name);
    if (found == table.columns.end()) {
      const std::string hint = did_you_mean(name, table.columns);
      throw InputError(fmt::format("{}: no column {}{}", printable(file), quote(name),
                                   hint.empty() ? "; the columns are " + listing(table.columns) : hint));
    }
    const Index column = found - table.columns.begin();
    if (std::find(at.begin(), at.end(), column) != at.end())
      throw InputError(fmt::format("--column {} is given twice", printable(name)));
    at.push_back(column);
  }
  table.values = table.values(Eigen::all, at).eval();
  table.columns = columns;
  return table;
}

void check_measured(const Table& table, const std::string& file) {
  if (std::all_of(table.values.colwise().begin(), table.values.colwise().end(), [](const auto& column) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const double y : column)
          if (std::isfinite(y)) low = std::min(low, y), high = std::max(high, y);
        return high >= low && high - low <= 1e-14 * std::max(std::abs(high), std::abs(low));
      }))
    throw InputError(fmt::format("{}: the series are constant", printable(file)));
  for (Index c = 0; c < table.cols(); ++c)
    if (!table.values.col(c).array().isFinite().any())
      throw InputError(fmt::format("{}: all values of column {} are missing; choose others with --column",
                                   printable(file), quote(table.columns[static_cast<std::size_t>(c)])));
  for (Index n = 0; n < table.rows(); ++n)
    for (Index c = 0; c < table.cols(); ++c)
      if (std::abs(table.values(n, c)) > most_magnitude)
        throw InputError(
            fmt::format("{}, time {}, column {}: {:g} is too large to be squared (the limit is 1e150); "
                        "rescale the column",
                        printable(file), quote(table.ids[static_cast<std::size_t>(n)]),
                        quote(table.columns[static_cast<std::size_t>(c)]), table.values(n, c)));
}

Matrix read_known(const ForecastSettings& s, Index T, ForecastJob& job) {
  if (s.known.empty()) return Matrix(T, 0);
  const Table known = read_table(s.known, times_first);
  if (known.rows() < T + s.steps)
    throw InputError(
        fmt::format("{}: has {}, but the series has {} and {} are forecast; --known must cover both",
                    printable(s.known), counted(known.rows(), "row"), counted(T, "row"), s.steps));
  if (!known.values.topRows(T + s.steps).array().isFinite().all())
    throw InputError(fmt::format("{}: covariates must not have missing values", printable(s.known)));
  if (!known.ids_generated && !job.times_generated &&
      !std::equal(job.times.begin(), job.times.end(), known.ids.begin()))
    throw InputError(fmt::format("{}: the first {} not the times of {}", printable(s.known),
                                 T == 1 ? "row is" : fmt::format("{} rows are", T), printable(s.series)));
  job.ahead = known.values.middleRows(T, s.steps);
  return known.values.topRows(T);
}

}  // namespace

ForecastJob prepare_forecast(const ForecastSettings& s) {
  ForecastJob job{.options = model_options(s), .coverage = coverages(s.coverage)};
  Table table = chosen_columns(read_table(s.series, times_first), s.columns, s.series);
  check_measured(table, s.series);
  job.notes = check_times(table, s.series);
  job.names = table.columns;
  job.times = table.ids;
  job.times_generated = table.ids_generated;
  job.ahead = Matrix(s.steps, 0);
  const Index T = table.rows();
  job.past = {std::move(table.values), {}, job.names};
  job.past.known = read_known(s, T, job);
  if (const Index gaps = job.past.y.size() - count_observed(job.past.y); gaps > 0)
    job.notes.push_back(fmt::format("{} missing: windows that contain them are not used for training",
                                    gaps == 1 ? "1 value is" : fmt::format("{} values are", gaps)));
  return job;
}

std::vector<std::string> times_ahead(const ForecastJob& job, Index steps) {
  std::vector<std::string> out;
  const std::optional<double> last = parse_number(job.times.back());
  const std::optional<double> before =
      job.times.size() > 1 ? parse_number(job.times[job.times.size() - 2]) : last;
  for (Index t = 1; t <= steps; ++t)
    out.push_back(last && before && *last != *before
                      ? fmt::format("{}", *last + double(t) * (*last - *before))
                      : fmt::format("+{}", t));
  return out;
}

}  // namespace bochner::cli
