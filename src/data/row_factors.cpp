#include "bochner/data/row_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "bochner/core/checks.hpp"

namespace bochner {

namespace {

Vector with_median(Vector factors, double median) {
  for (double& f : factors)
    if (std::isnan(f)) f = median;
  return factors;
}

std::vector<std::string> names_of(const Dataset& data) {
  std::vector<std::string> out;
  for (const View& view : data.views()) out.push_back(view.name);
  return out;
}

/// The entries of these columns, as far as the view has them.
Matrix known_entries(const View& view, const std::vector<std::string>& columns) {
  if (view.columns == columns) return view.Y;
  const std::unordered_set<std::string> known(columns.begin(), columns.end());
  std::vector<Index> places;
  for (Index m = 0; m < view.cols(); ++m)
    if (known.contains(view.columns[static_cast<std::size_t>(m)])) places.push_back(m);
  return view.Y(Eigen::all, places);
}

}  // namespace

Vector row_factors(MatrixIn Y) {
  Vector out(Y.rows());
  for (Index n = 0; n < Y.rows(); ++n) {
    double largest = 0, sum = 0;
    Index count = 0;
    for (const double y : Y.row(n))
      if (!std::isnan(y)) largest = std::max(largest, std::abs(y)), ++count;
    for (const double y : Y.row(n))
      if (!std::isnan(y) && largest > 0) sum += (y / largest) * (y / largest);
    const double factor = largest * std::sqrt(sum / double(std::max<Index>(count, 1)));
    // A row of subnormal numbers is zeros to all that follows.
    out(n) = count == 0                                     ? std::numeric_limits<double>::quiet_NaN()
             : factor >= std::numeric_limits<double>::min() ? factor
                                                            : 1.0;
  }
  return out;
}

double median_factor(const Vector& factors) {
  std::vector<double> known;
  for (const double f : factors)
    if (!std::isnan(f)) known.push_back(f);
  if (known.empty()) return 1;
  std::sort(known.begin(), known.end());
  const std::size_t half = known.size() / 2;
  return known.size() % 2 == 1 ? known[half] : known[half - 1] / 2 + known[half] / 2;
}

bool RowFactors::any() const {
  return std::any_of(medians.begin(), medians.end(), [](double median) { return median > 0; });
}

RowFactors fit_row_factors(const Dataset& seen, const std::vector<bool>& normalised) {
  check_size("fit_row_factors", "number of choices", static_cast<Index>(normalised.size()), "number of views",
             seen.view_count());
  RowFactors out;
  for (std::size_t v = 0; v < normalised.size(); ++v) {
    out.by_view.emplace_back();
    out.medians.push_back(0);
    if (!normalised[v]) continue;
    const Vector factors = row_factors(seen.view(static_cast<Index>(v)).Y);
    out.medians[v] = median_factor(factors);
    out.by_view[v] = with_median(factors, out.medians[v]);
  }
  return out;
}

RowFactors row_factors_of(const Dataset& data, const std::vector<FittedRows>& views) {
  RowFactors out;
  const std::vector<std::string> names = names_of(data);
  for (const auto& [name, columns, median] : views) {
    out.medians.push_back(median);
    out.by_view.emplace_back();
    if (!(median > 0)) continue;
    const bool there = std::find(names.begin(), names.end(), name) != names.end();
    out.by_view.back() = there ? with_median(row_factors(known_entries(data.view(name), columns)), median)
                               : Vector(Vector::Constant(data.rows(), median));
  }
  return out;
}

Dataset divide_rows(const Dataset& data, const RowFactors& factors, const std::vector<std::string>& views) {
  if (!factors.any()) return data;
  std::vector<Matrix> values;
  for (const View& view : data.views()) {
    values.push_back(view.Y);
    const auto at = std::find(views.begin(), views.end(), view.name) - views.begin();
    if (at == std::ssize(views)) continue;  // the model will say that it does not know it
    const Vector& own = factors.by_view[static_cast<std::size_t>(at)];
    if (own.size() > 0) values.back().array().colwise() /= own.array();
  }
  return data.with_values(std::move(values));
}

Dataset divide_rows(const Dataset& data, const RowFactors& factors) {
  return divide_rows(data, factors, names_of(data));
}

Matrix multiply_rows(Matrix Y, const Vector& factors) {
  if (factors.size() == 0) return Y;
  check_size("multiply_rows", "rows", Y.rows(), "factors", factors.size());
  Y.array().colwise() *= factors.array();
  return Y;
}

Predictive multiply_rows(Predictive p, const Vector& factors) {
  // Twice by the factor: its square may overflow where the product does not.
  return {multiply_rows(std::move(p.mean), factors),
          multiply_rows(multiply_rows(std::move(p.f_variance), factors), factors),
          multiply_rows(multiply_rows(std::move(p.y_variance), factors), factors)};
}

}  // namespace bochner
