#include "one_step.hpp"

#include <cmath>

#include "bochner/compute/products.hpp"
#include "bochner/data/lags.hpp"
#include "src/models/kpca/present.hpp"

namespace bochner {
namespace {

// The order of the views in a forecasting model.
constexpr std::size_t next_view = 1;

}  // namespace

OneStep::OneStep(const KpcaFit& model, const Compute& compute) : model_(model), compute_(compute) {
  std::vector<bool> present(model.views.size(), true);
  present[next_view] = false;
  const LinearPreimage next = linear_preimage(model, next_view, present);
  const Matrix B = inverse_of_present(model, present) * next.B;  // s x S
  constant_ = next.mean;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const KpcaView& view = model.views[v];
    W_.emplace_back();
    if (v == next_view) continue;
    if (view.map) {
      W_.back() = multiply<double>(view.U, B, compute);
      constant_ -= W_.back().transpose() * view.feature_mean;
      W_.back() *= std::sqrt(view.weight);
    } else {
      W_.back() = view.weight * multiply<double>(model.H, B, compute);
      constant_ -= B.transpose() * view.offset;
    }
  }
}

Matrix OneStep::view_part(std::size_t v, MatrixIn X) const {
  const KpcaView& view = model_.views[v];
  const Matrix K =
      view.map ? feature_matrix(*view.map, X, compute_) : gram(*view.kernel, X, view.X, compute_);
  return multiply<double>(K, W_[v], compute_);
}

Matrix OneStep::operator()(MatrixIn past, MatrixIn known) const {
  Matrix y = view_part(0, past);
  if (W_.size() > 2) y += view_part(2, known);
  y.rowwise() += constant_.transpose();
  return y;
}

Matrix fill_gaps(const OneStep& next, Matrix y, MatrixIn known, Index lags) {
  Index whole = 0;  // rows without a gap up to t, filled ones included
  for (Index t = 0; t < y.rows(); ++t) {
    if (whole > lags && !y.row(t).array().isFinite().all()) {
      const Matrix guess = next(window_at(y, lags, t - 1), known.middleRows(t, 1));
      for (Index s = 0; s < y.cols(); ++s)
        if (!std::isfinite(y(t, s))) y(t, s) = guess(0, s);
    }
    whole = y.row(t).array().isFinite().all() ? whole + 1 : 0;
  }
  return y;
}

}  // namespace bochner
