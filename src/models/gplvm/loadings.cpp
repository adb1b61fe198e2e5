#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/models/gplvm/relevance.hpp"

namespace bochner {
namespace {

constexpr Index rows_of_response = 500;

double standard_deviation(const Vector& x) {
  return std::sqrt((x.array() - x.mean()).square().mean());  // as data/scaling.hpp has it
}

/// Mean over rows x of X of sum_i weight_i k(x + shift_i e_q, Z), a vector of Z.rows().
Vector mean_kernel(const GplvmView& view, const Matrix& X, Index q, const std::vector<double>& shifts,
                   const std::vector<double>& weights, const Compute& compute) {
  const RowPlan plan = RowPlan::make(X.rows());
  LaneSum<Vector> sums(plan.lanes, Vector::Zero(view.Z.rows()));
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    Matrix K(size, view.Z.rows());
    for (std::size_t i = 0; i < shifts.size(); ++i) {
      Matrix x = X.middleRows(begin, size);
      x.col(q).array() += shifts[i];
      gram_block(view.kernel, x, view.Z, K);
      sums[lane] += weights[i] * K.colwise().sum().transpose();
    }
  });
  return sums.total(compute) / double(X.rows());
}

}  // namespace

/// dE f / dx_q by central differences of the kernel: exact to about eight digits, for any kernel.
std::vector<Matrix> loadings(const GplvmFit& fit, const Dataset& data, const Compute& compute) {
  check_size("loadings", "samples of the data", data.rows(), "samples of the fit", fit.latent.mean.rows());
  const Matrix& X = fit.latent.mean;
  std::vector<Matrix> out;
  for (const GplvmView& view : fit.views) {
    const Matrix alpha = multiply<double>(view.G, view.W, compute);
    const Scaling units = fit_scaling(
        view.scaling.apply(select_columns(data.view(view.name), view.columns).Y), ScalingKind::standardise);
    Matrix own(alpha.cols(), X.cols());
    for (Index q = 0; q < X.cols(); ++q) {
      const double sd = standard_deviation(X.col(q)), h = 1e-5 * std::max(sd, 1e-3);
      const Vector slope = mean_kernel(view, X, q, {h, -h}, {0.5 / h, -0.5 / h}, compute);
      own.col(q) = sd * (alpha.transpose() * slope).cwiseQuotient(units.scale);
    }
    for (const std::vector<Index>* list : {&view.unmeasured, &view.constant})
      for (const Index m : *list) own.row(m).setZero();
    out.push_back(std::move(own));
  }
  return out;
}

Matrix response(const GplvmFit& fit, const GplvmView& view, Index q, const Vector& values,
                const Compute& compute) {
  check_between("response", "q", double(q), 0, double(fit.dims() - 1));
  const Index N = fit.latent.mean.rows(), n = std::min(N, rows_of_response);
  Matrix X(n, fit.dims());
  for (Index i = 0; i < n; ++i) X.row(i) = fit.latent.mean.row(i * N / n);
  const Matrix alpha = multiply<double>(view.G, view.W, compute);
  Matrix F(values.size(), alpha.cols());
  X.col(q).setZero();
  for (Index i = 0; i < values.size(); ++i)
    F.row(i) = (alpha.transpose() * mean_kernel(view, X, q, {values(i)}, {1.0}, compute)).transpose();
  F = view.scaling.undo(F);
  if (view.row_median > 0) F *= view.row_median;
  for (const Index m : view.unmeasured) F.col(m).setConstant(std::numeric_limits<double>::quiet_NaN());
  return F;
}

}  // namespace bochner
