#include "bochner/data/table_hints.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace bochner {
namespace {

constexpr Index most_rows = 2000, most_columns = 500;
constexpr double most_of_them = 0.5, many = 0.2;
constexpr double heavy_kurtosis = 20, different_sizes = 1.8;

/// Every entry of at most `most`, at even distances.
std::vector<Index> spread(Index count, Index most) {
  std::vector<Index> out;
  for (Index i = 0; i < std::min(count, most); ++i) out.push_back(i * count / std::min(count, most));
  return out;
}

/// What is measured of a column.
struct Column {
  bool whole = true, zero_or_one = true;  // numbers
  double lowest = 0, highest = 0, mean = 0, variance = 0, kurtosis = 0;
  Index count = 0, distinct = 0;  // distinct: up to 4
};

Column describe(const Matrix& Y, Index m) {
  Column out;
  std::set<double> seen;
  double sum = 0;
  for (Index n = 0; n < Y.rows(); ++n) {
    const double y = Y(n, m);
    if (std::isnan(y)) continue;
    out.lowest = out.count == 0 ? y : std::min(out.lowest, y);
    out.highest = out.count == 0 ? y : std::max(out.highest, y);
    out.whole = out.whole && y == std::floor(y);
    out.zero_or_one = out.zero_or_one && (y == 0 || y == 1);
    if (seen.size() < 4) seen.insert(y);
    sum += y;
    ++out.count;
  }
  out.distinct = static_cast<Index>(seen.size());
  if (out.count < 2) return out;
  out.mean = sum / double(out.count);
  double second = 0, fourth = 0;
  for (Index n = 0; n < Y.rows(); ++n)
    if (!std::isnan(Y(n, m))) {
      const double square = (Y(n, m) - out.mean) * (Y(n, m) - out.mean);
      second += square;
      fourth += square * square;
    }
  out.variance = second / double(out.count);
  if (out.variance > 0) out.kurtosis = fourth / double(out.count) / (out.variance * out.variance);
  return out;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Correlation over the rows where both are measured; 0 if there are too few.
double correlation(const Vector& a, const Vector& b) {
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (Index i = 0; i < a.size(); ++i) {
    if (std::isnan(a(i)) || std::isnan(b(i))) continue;
    ++n, x += a(i), y += b(i), xx += a(i) * a(i), yy += b(i) * b(i), xy += a(i) * b(i);
  }
  const double var = (xx - x * x / n) * (yy - y * y / n);
  return n < 10 || !(var > 0) ? 0.0 : (xy - x * y / n) / std::sqrt(var);
}

/// Of neighbouring rows, the median over columns.
double autocorrelation(const Matrix& Y) {
  constexpr Index fewest = 50;
  if (Y.rows() < fewest) return 0;
  std::vector<double> all;
  const Index n = std::min(Y.rows(), most_rows);  // the first ones: neighbours must stay neighbours
  for (const Index m : spread(Y.cols(), 50))
    all.push_back(correlation(Y.col(m).head(n - 1), Y.col(m).segment(1, n - 1)));
  return median(std::move(all));
}

/// Profiles of samples over thousands of genes resemble each other, and neighbouring genes do not.
bool has_samples_in_columns(const Matrix& Y, double autocorrelated) {
  constexpr Index fewest_rows = 1000, fewest_columns = 10;
  if (Y.rows() < fewest_rows || Y.cols() < fewest_columns || Y.rows() < 10 * Y.cols() || autocorrelated > 0.3)
    return false;
  std::vector<double> all;
  const std::vector<Index> rows = spread(Y.rows(), most_rows), columns = spread(Y.cols(), 15);
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vector a = Y(rows, columns[i]), b = Y(rows, columns[j]);
      all.push_back(correlation(a, b));
    }
  return median(std::move(all)) > 0.8;
}

/// Whether most of the columns carry ids of samples of another view.
bool has_ids_as_columns(const View& view, const Dataset& data) {
  const std::set<std::string> ids(data.ids().begin(), data.ids().end());
  Index found = 0;
  for (const std::string& column : view.columns) found += static_cast<Index>(ids.count(column));
  return found >= 3 && double(found) > most_of_them * double(view.cols());
}

/// Returns whether many columns end at the same number, which is not 1: pixels, or answers on a scale.
bool hint_at_columns(const View& view, const std::vector<Column>& columns, std::vector<TableHint>& out) {
  const double all = double(columns.size());
  double highest = 0;
  for (const Column& c : columns) highest = std::max(highest, c.highest);
  Index binary = 0, whole = 0, full = 0, scattered = 0, heavy = 0, heavy_positive = 0;
  for (const Column& c : columns) {
    if (c.variance == 0) continue;
    binary += c.zero_or_one ? 1 : 0;
    full += c.highest == highest ? 1 : 0;
    const bool count = c.whole && c.lowest >= 0 && !c.zero_or_one;
    whole += count ? 1 : 0;
    scattered += count && c.variance > 0.5 * c.mean && c.distinct > 2 ? 1 : 0;
    const bool far = c.kurtosis > heavy_kurtosis && !c.zero_or_one;
    heavy += far ? 1 : 0;
    heavy_positive += far && c.lowest >= 0 ? 1 : 0;
  }
  const bool bounded = highest > 5 && double(full) > 0.05 * all && full > 1;
  if (double(binary) > most_of_them * all)
    out.push_back({TableHint::Kind::binary, view.name, double(binary) / all});
  if (double(whole) > most_of_them * all && double(scattered) > most_of_them * double(whole) && !bounded)
    out.push_back({TableHint::Kind::counts, view.name, double(whole) / all, true});
  else if (double(heavy) > many * all && !bounded)
    out.push_back({TableHint::Kind::heavy_tails, view.name, double(heavy) / all, heavy_positive == heavy});
  return bounded;
}

/// How the sizes of rows differ where profiles could be compared instead: a table of many columns in one unit, without
/// negative entries, mostly zeros. 1 for other tables.
double ratio_of_sizes(const Matrix& Y) {
  constexpr Index fewest_rows = 20, fewest_columns = 50;
  if (Y.rows() < fewest_rows || Y.cols() < fewest_columns) return 1;
  Vector by_column = Vector::Zero(Y.cols());
  std::vector<double> sizes;
  Index measured = 0, zeros = 0;
  for (Index n = 0; n < Y.rows(); ++n) {
    double sum = 0;
    Index count = 0;
    for (Index m = 0; m < Y.cols(); ++m) {
      const double y = Y(n, m);
      if (std::isnan(y)) continue;
      if (y < 0) return 1;
      sum += y * y;
      by_column(m) += y * y;
      zeros += y == 0 ? 1 : 0;
      ++count;
    }
    measured += count;
    if (sum > 0) sizes.push_back(std::sqrt(sum / double(count)));  // nothing is compared with a row of zeros
  }
  const bool one_unit = by_column.maxCoeff() < 0.8 * by_column.sum();
  if (double(zeros) < most_of_them * double(measured) || !one_unit || std::ssize(sizes) < fewest_rows)
    return 1;
  std::sort(sizes.begin(), sizes.end());
  return sizes[sizes.size() * 9 / 10] / sizes[sizes.size() / 10];
}

}  // namespace

bool sorted_by_label(const View& labels) {
  constexpr Index fewest = 20;
  std::vector<Index> classes;
  for (Index n = 0; n < labels.rows(); ++n) {
    Index label = 0;
    if (labels.Y.row(n).array().isNaN().any()) continue;
    labels.Y.row(n).maxCoeff(&label);
    classes.push_back(label);
  }
  const auto N = static_cast<Index>(classes.size());
  if (N < fewest) return false;
  Vector members = Vector::Zero(labels.cols());
  double changes = 0;
  for (std::size_t n = 0; n < classes.size(); ++n) {
    members(classes[n]) += 1;
    if (n > 0 && classes[n] != classes[n - 1]) ++changes;
  }
  // In random order neighbours have the same label with probability sum_c n_c (n_c - 1) / (N (N - 1)).
  const double same = (members.array() * (members.array() - 1)).sum() / (double(N) * double(N - 1));
  const double expected = double(N - 1) * (1 - same);
  return changes < 0.5 * expected && changes < expected - 3 * std::sqrt(expected);
}

const char* to_string(TableHint::Kind kind) {
  switch (kind) {
    case TableHint::Kind::counts:
      return "counts";
    case TableHint::Kind::binary:
      return "binary";
    case TableHint::Kind::heavy_tails:
      return "heavy_tails";
    case TableHint::Kind::samples_in_columns:
      return "samples_in_columns";
    case TableHint::Kind::ordered_rows:
      return "ordered_rows";
    case TableHint::Kind::row_sizes:
      return "row_sizes";
  }
  return "";
}

std::vector<TableHint> table_hints(const Dataset& data) {
  std::vector<TableHint> out;
  for (const View& view : data.views()) {
    const Matrix some = view.Y(spread(view.rows(), most_rows), spread(view.cols(), most_columns));
    std::vector<Column> columns;
    for (Index m = 0; m < some.cols(); ++m) columns.push_back(describe(some, m));
    const bool pixels = hint_at_columns(view, columns, out);
    const double alike = autocorrelation(view.Y);
    if (has_ids_as_columns(view, data) || has_samples_in_columns(view.Y, alike))
      out.push_back({TableHint::Kind::samples_in_columns, view.name});
    else if (alike > 0.6)
      out.push_back({TableHint::Kind::ordered_rows, view.name});
    else if (const double ratio = pixels ? 1 : ratio_of_sizes(some); ratio > different_sizes)
      out.push_back(
          {.kind = TableHint::Kind::row_sizes, .view = view.name, .positive = true, .ratio = ratio});
  }
  return out;
}

}  // namespace bochner
