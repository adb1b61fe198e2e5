#include "bochner/data/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

/// Mean and root mean square deviation of the observed entries of a column.
struct Moments {
  Index count = 0;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  double mean = 0, sd = 0;
  bool constant = false;
};

/// Calls f(m, y) for every observed entry, row by row as they lie in memory.
template <class F>
void for_each_observed(MatrixIn Y, F f) {
  for (Index n = 0; n < Y.rows(); ++n)
    for (Index m = 0; m < Y.cols(); ++m)
      if (!std::isnan(Y(n, m))) f(m, Y(n, m));
}

/// Works on u = (y - middle) / reach in [-1, 1], which neither overflows nor underflows whatever the size of
/// y, and loses nothing to an offset. The sum of the deviations, zero but for rounding of the mean, corrects
/// the sum of their squares: the corrected two-pass algorithm of [chan1983].
std::vector<Moments> column_moments(MatrixIn Y) {
  const Index M = Y.cols();
  std::vector<Moments> columns(static_cast<std::size_t>(M));
  for_each_observed(Y, [&](Index m, double y) {
    columns[m].low = std::min(columns[m].low, y);
    columns[m].high = std::max(columns[m].high, y);
    ++columns[m].count;
  });
  Vector middle = Vector::Zero(M), reach = Vector::Ones(M), count = Vector::Ones(M);
  for (Index m = 0; m < M; ++m) {
    Moments& c = columns[m];
    if (c.count == 0) continue;
    count(m) = static_cast<double>(c.count);
    middle(m) = c.low / 2 + c.high / 2;  // halves: neither the sum nor the range may overflow
    const double half_range = c.high / 2 - c.low / 2;
    if (c.low < c.high && half_range > 0) reach(m) = half_range;
    const double size = std::max(std::abs(c.low), std::abs(c.high));
    using limits = std::numeric_limits<double>;
    c.constant = half_range <= std::max(2 * limits::epsilon() * size, limits::min());
  }

  Vector mean = Vector::Zero(M), squares = Vector::Zero(M), leftover = Vector::Zero(M);
  for_each_observed(Y, [&](Index m, double y) { mean(m) += (y - middle(m)) / reach(m); });
  mean.array() /= count.array();
  for_each_observed(Y, [&](Index m, double y) {
    const double deviation = (y - middle(m)) / reach(m) - mean(m);
    squares(m) += deviation * deviation;
    leftover(m) += deviation;
  });
  for (Index m = 0; m < M; ++m) {
    Moments& c = columns[m];
    if (c.count == 0) continue;
    c.mean = c.low == c.high ? c.low : middle(m) + reach(m) * mean(m);
    c.sd = reach(m) * std::sqrt((squares(m) - leftover(m) * leftover(m) / count(m)) / count(m));
  }
  return columns;
}

/// sqrt(sum_m n_m sd_m^2 / sum_m n_m): the root mean square of all centred entries of columns that vary; 1 if none does.
double common_scale(const std::vector<Moments>& columns) {
  double largest = 0;
  for (const Moments& c : columns)
    if (!c.constant) largest = std::max(largest, c.sd);
  if (largest == 0) return 1;
  double sum = 0, count = 0;
  for (const Moments& c : columns) {
    if (c.constant) continue;
    sum += static_cast<double>(c.count) * (c.sd / largest) * (c.sd / largest);
    count += static_cast<double>(c.count);
  }
  return largest * std::sqrt(sum / count);
}

}  // namespace

Scaling fit_scaling(MatrixIn Y, ScalingKind kind) {
  const Index M = Y.cols();
  const std::vector<Moments> columns = column_moments(Y);
  Scaling scaling{
      .kind = kind, .centre = Vector::Zero(M), .scale = Vector::Ones(M), .constant = {}, .unmeasured = {}};
  for (Index m = 0; m < M; ++m) {
    if (columns[m].count == 0)
      scaling.unmeasured.push_back(m);
    else if (columns[m].constant)
      scaling.constant.push_back(m);
    if (kind != ScalingKind::none) scaling.centre(m) = columns[m].mean;
    if (kind == ScalingKind::standardise && columns[m].count > 0 && !columns[m].constant)
      scaling.scale(m) = columns[m].sd;
  }
  if (kind == ScalingKind::whole_view) scaling.scale.setConstant(common_scale(columns));
  return scaling;
}

// Divide by the scale, never multiply by its inverse: 1 / scale overflows where y / scale does not.
Matrix Scaling::apply(MatrixIn Y) const {
  check_size("Scaling::apply", "columns of Y", Y.cols(), "columns it was fitted to", centre.size());
  return (Y.rowwise() - centre.transpose()).array().rowwise() / scale.transpose().array();
}

Matrix Scaling::undo(MatrixIn Z) const {
  check_size("Scaling::undo", "columns of Z", Z.cols(), "columns it was fitted to", centre.size());
  return (Z * scale.asDiagonal()).rowwise() + centre.transpose();
}

Matrix Scaling::undo_sd(MatrixIn sd) const {
  check_size("Scaling::undo_sd", "columns of sd", sd.cols(), "columns it was fitted to", centre.size());
  return sd * scale.asDiagonal();
}

// Twice by the scale: its square underflows where the product does not.
Matrix Scaling::undo_variance(MatrixIn variance) const {
  check_size("Scaling::undo_variance", "columns of variance", variance.cols(), "columns it was fitted to",
             centre.size());
  return variance * scale.asDiagonal() * scale.asDiagonal();
}

}  // namespace bochner
