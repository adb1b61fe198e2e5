#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/models/kpca/kpca.hpp"
#include "present.hpp"

namespace bochner {
namespace {

constexpr Index row_block = 1024;  // rows whose kernel values are in memory at once

/// View v of the fit in `data`, or null; its columns must be the same, in the same order.
const View* find_view(const KpcaView& wanted, const Dataset& data) {
  for (const View& view : data.views()) {
    if (view.name != wanted.name) continue;
    if (view.columns != wanted.columns)
      throw InputError("view '" + view.name + "' does not have the columns that the model was fitted with");
    return &view;
  }
  return nullptr;
}

/// Samples by the views they have.
using Patterns = std::map<std::vector<bool>, std::vector<Index>>;

Patterns patterns_of(const std::vector<const View*>& views, Index N, Index without) {
  Patterns out;
  for (Index n = 0; n < N; ++n) {
    std::vector<bool> present;
    for (std::size_t v = 0; v < views.size(); ++v)
      present.push_back(Index(v) != without && views[v] && views[v]->Y.row(n).array().isFinite().all());
    out[present].push_back(n);
  }
  return out;
}

std::vector<const View*> find_views(const KpcaFit& fit, const Dataset& data) {
  std::vector<const View*> out;
  bool any = false;
  for (const KpcaView& view : fit.views) {
    out.push_back(find_view(view, data));
    any = any || out.back();
  }
  if (!any)
    throw InputError("the model has no view '" + data.view(0).name + "', only '" + fit.views.front().name +
                     "'" + (fit.views.size() > 1 ? " and others" : ""));
  return out;
}

/// f(present, rows, h) for each pattern and block of samples, h = N_block x s; patterns without a view are skipped.
template <class F>
void for_each_pattern(const KpcaFit& fit, const Dataset& data, Index without, const Compute& compute,
                      const F& f) {
  const std::vector<const View*> views = find_views(fit, data);
  for (const auto& [present, rows] : patterns_of(views, data.rows(), without)) {
    if (std::find(present.begin(), present.end(), true) == present.end()) continue;
    const Matrix inverse = inverse_of_present(fit, present);
    for (std::size_t begin = 0; begin < rows.size(); begin += row_block) {
      const std::vector<Index> block(rows.begin() + std::ptrdiff_t(begin),
                                     rows.begin() + std::ptrdiff_t(std::min(rows.size(), begin + row_block)));
      Matrix e = Matrix::Zero(Index(block.size()), fit.dims());
      for (std::size_t v = 0; v < views.size(); ++v)
        if (present[v])
          e += contribution(fit.views[v], fit.views[v].scaling.apply(views[v]->Y(block, Eigen::all)), fit.H,
                            compute);
      f(present, block, multiply<double>(e, inverse, compute));
    }
  }
}

}  // namespace

Matrix contribution(const KpcaView& view, MatrixIn X, MatrixIn H, const Compute& compute) {
  if (view.map) {
    Matrix out(X.rows(), view.U.cols());
    for_each_block(compute, X.rows(), 256, [&](Index begin, Index size) {
      Matrix Phi(size, view.map->count());
      view.map->fill(X.middleRows(begin, size), Phi);
      if (view.weight != 1) Phi *= std::sqrt(view.weight);
      Phi.rowwise() -= view.feature_mean.transpose();
      out.middleRows(begin, size).noalias() = Phi * view.U;
    });
    return out;
  }
  // k_c(x)'H = k(x)'H - (K 1/n)'H: the other two terms of the centring are constant, and H is centred.
  Matrix out(X.rows(), H.cols());
  for (Index begin = 0; begin < X.rows(); begin += row_block) {
    const Index size = std::min(row_block, X.rows() - begin);
    out.middleRows(begin, size) =
        multiply<double>(gram(*view.kernel, X.middleRows(begin, size), view.X, compute), H, compute);
  }
  if (view.weight != 1) out *= view.weight;
  out.rowwise() -= view.offset.transpose();
  return out;
}

Matrix inverse_of_present(const KpcaFit& fit, const std::vector<bool>& present) {
  if (std::find(present.begin(), present.end(), false) == present.end())
    return fit.lambda.cwiseInverse().asDiagonal();
  Matrix G = Matrix::Zero(fit.dims(), fit.dims());
  for (std::size_t v = 0; v < present.size(); ++v)
    if (present[v]) G += fit.views[v].G;
  const Vector root = fit.lambda.cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd A = root.asDiagonal() * G * root.asDiagonal();  // eigenvalues between 0 and 1
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  if (solver.info() != Eigen::Success)
    throw NumericalError("embed: the components of the present views could not be solved for");
  const Vector inverse =
      solver.eigenvalues().unaryExpr([&](double a) { return a > fit.unseen ? 1 / a : 0.0; });
  return root.asDiagonal() * solver.eigenvectors() * inverse.asDiagonal() *
         solver.eigenvectors().transpose() * root.asDiagonal();
}

Matrix embed(const KpcaFit& fit, const Dataset& data, const Compute& compute) {
  Matrix out = Matrix::Constant(data.rows(), fit.dims(), std::numeric_limits<double>::quiet_NaN());
  for_each_pattern(fit, data, -1, compute,
                   [&](const std::vector<bool>&, const std::vector<Index>& rows, const Matrix& h) {
                     out(rows, Eigen::all) = h;
                   });
  return out;
}

Matrix scores(const KpcaFit& fit, MatrixIn h) {
  check_size("scores", "columns of h", h.cols(), "the number of components", fit.dims());
  return h * fit.lambda.cwiseSqrt().asDiagonal();
}

Matrix predict_from_others(const KpcaFit& fit, Index v, const Dataset& data, const Compute& compute) {
  const KpcaView& view = fit.views.at(static_cast<std::size_t>(v));
  Matrix out = Matrix::Constant(data.rows(), view.cols(), std::numeric_limits<double>::quiet_NaN());
  for_each_pattern(fit, data, v, compute,
                   [&](const std::vector<bool>& present, const std::vector<Index>& rows, const Matrix& h) {
                     out(rows, Eigen::all) = predict_view(fit, v, h, present, compute);
                   });
  return out;
}

}  // namespace bochner
