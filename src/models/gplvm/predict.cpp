#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/models/gplvm/fit.hpp"
#include "row_groups.hpp"
#include "src/models/latent/sigma_points.hpp"
#include "table_units.hpp"

namespace bochner {

Index GplvmView::index(const std::string& column) const {
  for (std::size_t m = 0; m < columns.size(); ++m)
    if (columns[m] == column) return Index(m);
  throw InputError("view '" + name + "' has no column '" + column + "'");
}

const GplvmView& GplvmFit::view(std::string_view name) const {
  std::string names;
  for (const GplvmView& view : views) {
    if (view.name == name) return view;
    names += (names.empty() ? "'" : ", '") + view.name + "'";
  }
  throw InputError("the model has no view '" + std::string(name) + "', only " + names);
}

Matrix GplvmView::shrinkage() const {
  Matrix out(lambda.size(), ratio.size());
  for (Index i = 0; i < out.rows(); ++i)
    out.row(i) = lambda(i) * (amplitude.array() / (lambda(i) + ratio.array())).matrix().transpose();
  return out;
}

Predictive in_table_units(const GplvmView& view, Predictive out) {
  out.mean = view.scaling.undo(out.mean);
  out.f_variance = view.scaling.undo_variance(out.f_variance);
  out.y_variance = view.scaling.undo_variance(out.y_variance);
  for (const Index m : view.unmeasured)
    for (Matrix* part : {&out.mean, &out.f_variance, &out.y_variance})
      part->col(m).setConstant(std::numeric_limits<double>::quiet_NaN());
  return out;
}

/// Moments over x ~ N(mean, diag(sd)^2) by the sigma points of sigma_points.hpp:
///   E f = avg_j f_j,   V f = avg_j V f_j + V_j f_j,   each V f_j as in fit.hpp
Predictive predict(const GplvmView& view, const LatentPosterior& at, const Compute& compute) {
  const Index N = at.mean.rows(), Q = at.mean.cols(), M = view.W.cols();
  check_size("predict", "columns of the latent", Q, "the latent dimensions of the model", view.Z.cols());
  check_size("predict", "rows of the latent sd", at.sd.rows(), "rows of the latent mean", N);
  check_size("predict", "columns of the latent sd", at.sd.cols(), "columns of the latent mean", Q);
  check_finite("predict", "the latent mean", at.mean);
  check_finite("predict", "the latent sd", at.sd);
  Predictive out{Matrix(N, M), Matrix(N, M), Matrix(N, M)};
  const Matrix xi = sigma_points(Q);
  const Index J = xi.rows();
  const double share = 1.0 / double(J);
  const Matrix shrinkage = view.shrinkage();
  // Products for several samples at once, of the same size for any number of them, and sums over sigma points entry by entry: a
  // sample has the same bytes in any company.
  constexpr Index most_entries = 4'000'000;  // of F, on each thread
  const Index together = std::clamp<Index>(most_entries / (J * std::max<Index>(M, 1)), 1, row_group);
  for_each_block(compute, N, together, [&](Index begin, Index size) {
    Matrix X(padded_rows(together * J), Q), K(X.rows(), view.Z.rows());
    for (Index i = 0; i < X.rows(); ++i) {
      const Index n = begin + std::min(i / J, size - 1);
      X.row(i) = at.mean.row(n) + xi.row(i % J).cwiseProduct(at.sd.row(n));
    }
    gram_block(view.kernel, X, view.Z, K);
    const Matrix Phi = K * view.G, F = Phi * view.W;
    const Vector prior = diagonal(view.kernel, X);
    Matrix squares = Matrix::Zero(row_group, Phi.cols()), mean = Matrix::Zero(row_group, M), spread = mean;
    Vector variance = Vector::Zero(row_group);
    for (Index i = 0; i < size * J; ++i) {
      squares.row(i / J) += share * Phi.row(i).cwiseAbs2();
      mean.row(i / J) += share * F.row(i);
      variance(i / J) += share * prior(i);
    }
    for (Index i = 0; i < size * J; ++i)
      spread.row(i / J) += share * (F.row(i) - mean.row(i / J)).cwiseAbs2();
    const Matrix known = squares * shrinkage;
    for (Index n = 0; n < size; ++n) {
      out.mean.row(begin + n) = mean.row(n);
      out.f_variance.row(begin + n) =
          (variance(n) * view.amplitude.transpose() - known.row(n)).cwiseMax(0.0) + spread.row(n);
    }
  });
  out.y_variance = view.calibration * (out.f_variance.rowwise() + view.noise.transpose());
  out.f_variance *= view.calibration;
  return in_table_units(view, std::move(out));
}

}  // namespace bochner
