#include "bochner/data/held_out.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "bochner/core/checks.hpp"

namespace bochner {

BoolMatrix held_out_mask(MatrixIn Y, double fraction, Rng& rng) {
  check_between("held_out_mask", "fraction", fraction, 0, 1);
  const Index N = Y.rows(), M = Y.cols();
  std::vector<Index> entries;  // observed, as n M + m
  IndexVector left_in_row = IndexVector::Zero(N), left_in_column = IndexVector::Zero(M);
  for (Index n = 0; n < N; ++n)
    for (Index m = 0; m < M; ++m)
      if (!std::isnan(Y(n, m))) {
        entries.push_back(n * M + m);
        ++left_in_row(n);
        ++left_in_column(m);
      }

  const Index total = static_cast<Index>(entries.size());
  const Index wanted = static_cast<Index>(std::round(fraction * static_cast<double>(total)));
  BoolMatrix held_out = BoolMatrix::Constant(N, M, false);
  // A Fisher-Yates shuffle that stops as soon as enough entries are picked. What is skipped once stays
  // forbidden, since counts only fall.
  for (Index i = 0, picked = 0; i < total && picked < wanted; ++i) {
    std::swap(entries[i], entries[i + rng.below(total - i)]);
    const Index n = entries[i] / M, m = entries[i] % M;
    if (left_in_row(n) < 2 || left_in_column(m) < 2) continue;
    held_out(n, m) = true;
    --left_in_row(n);
    --left_in_column(m);
    ++picked;
  }
  return held_out;
}

std::vector<BoolMatrix> held_out_masks(const Dataset& data, double fraction, const Rng& rng) {
  std::vector<BoolMatrix> masks;
  for (const View& view : data.views()) {
    Rng of_view = rng.split(view.name);
    masks.push_back(held_out_mask(view.Y, fraction, of_view));
  }
  return masks;
}

std::vector<BoolMatrix> held_out_masks(const Dataset& data, double fraction, std::uint64_t seed) {
  return held_out_masks(data, fraction, Rng(seed).split("holdout"));
}

std::vector<BoolMatrix> held_out_of_new(const Dataset& data, double fraction, std::uint64_t seed) {
  std::vector<BoolMatrix> masks = held_out_masks(data, fraction, seed);
  if (count_held_out(masks) > 0) return masks;
  for (std::size_t v = 0; v < masks.size(); ++v) {
    const Matrix& Y = data.view(static_cast<Index>(v)).Y;
    for (Index n = 0; n < Y.rows(); ++n)
      for (Index m = 0; m < Y.cols(); ++m)
        if (!std::isnan(Y(n, m))) {
          masks[v](n, m) = true;
          return masks;
        }
  }
  return masks;
}

Index count_held_out(const std::vector<BoolMatrix>& held_out) {
  Index out = 0;
  for (const BoolMatrix& mask : held_out) out += mask.count();
  return out;
}

namespace {

Matrix with_nan_where(const char* function, MatrixIn Y, const BoolMatrix& held_out, bool value) {
  check_size(function, "rows of held_out", held_out.rows(), "rows of Y", Y.rows());
  check_size(function, "columns of held_out", held_out.cols(), "columns of Y", Y.cols());
  return (held_out.array() == value).select(std::numeric_limits<double>::quiet_NaN(), Y);
}

}  // namespace

Matrix hide(MatrixIn Y, const BoolMatrix& held_out) { return with_nan_where("hide", Y, held_out, true); }

Matrix held_out_values(MatrixIn Y, const BoolMatrix& held_out) {
  return with_nan_where("held_out_values", Y, held_out, false);
}

Dataset hide(const Dataset& data, const std::vector<BoolMatrix>& held_out) {
  check_size("hide", "number of masks", static_cast<Index>(held_out.size()), "number of views",
             data.view_count());
  std::vector<Matrix> values;
  for (Index v = 0; v < data.view_count(); ++v)
    values.push_back(hide(data.view(v).Y, held_out[static_cast<std::size_t>(v)]));
  return data.with_values(std::move(values));
}

}  // namespace bochner
