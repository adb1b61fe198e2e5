#include "bochner/models/gplvm/relevance.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

constexpr Index most_parts = 16;

/// Values that stand for a column: the middles of parts with as many samples each. Their average is that over all
/// samples, up to the curvature within a part; a few samples drawn instead would add their own variance to every error.
Vector middles(Vector x) {
  std::sort(x.begin(), x.end());
  const Index parts = std::min(most_parts, x.size());
  Vector out(parts);
  for (Index b = 0; b < parts; ++b) out(b) = x((2 * b + 1) * x.size() / (2 * parts));
  return out;
}

/// E f at the latent means, scaled units, N x M; dimension q averaged over `values`, or none if there are none.
Matrix means(const GplvmView& view, const Matrix& X, Index q, const Vector& values, const Compute& compute) {
  const Matrix alpha = multiply<double>(view.G, view.W, compute);
  Matrix F(X.rows(), alpha.cols());
  for_each_block(compute, X.rows(), 64, [&](Index begin, Index size) {
    Matrix x = X.middleRows(begin, size), K(size, view.Z.rows());
    if (values.size() == 0) {
      gram_block(view.kernel, x, view.Z, K);
    } else {
      Matrix one(size, view.Z.rows());
      K.setZero();
      for (const double value : values) {
        x.col(q).setConstant(value);
        gram_block(view.kernel, x, view.Z, one);
        K += one / double(values.size());
      }
    }
    F.middleRows(begin, size).noalias() = K * alpha;
  });
  return F;
}

/// Sum over measured entries of (Y - F)^2, by column.
Vector squared_errors(const Matrix& Y, const Matrix& F) {
  return Y.array().isNaN().select(0.0, Y - F).colwise().squaredNorm();
}

}  // namespace

Relevance relevance(const GplvmFit& fit, const Dataset& data, const Compute& compute) {
  check_size("relevance", "samples of the data", data.rows(), "samples of the fit", fit.latent.mean.rows());
  const Matrix& X = fit.latent.mean;
  const Index N = X.rows(), Q = X.cols(), V = Index(fit.views.size());
  Relevance out{Matrix::Zero(V, Q), {}, Vector::Zero(V)};
  for (Index v = 0; v < V; ++v) {
    const GplvmView& view = fit.views[static_cast<std::size_t>(v)];
    const Matrix Y = view.scaling.apply(select_columns(data.view(view.name), view.columns).Y);
    const Scaling columns = fit_scaling(Y, ScalingKind::centre);
    const Vector total = squared_errors(Y, columns.centre.transpose().replicate(N, 1));
    const Vector with_all = squared_errors(Y, means(view, X, 0, Vector(), compute));
    Matrix by_column(Y.cols(), Q);
    for (Index q = 0; q < Q; ++q) {
      const Vector errors = squared_errors(Y, means(view, X, q, middles(X.col(q)), compute));
      // No part is larger than the whole: averaged out, a dimension may leave predictions that are worse than the means.
      const auto part = [](double without, double with, double all) {
        return all > 0 ? std::clamp((without - with) / all, 0.0, std::clamp(1 - with / all, 0.0, 1.0)) : 0.0;
      };
      out.by_view(v, q) = part(errors.sum(), with_all.sum(), total.sum());
      for (Index m = 0; m < Y.cols(); ++m) by_column(m, q) = part(errors(m), with_all(m), total(m));
    }
    out.by_column.push_back(std::move(by_column));
    out.explained(v) = total.sum() > 0 ? 1 - with_all.sum() / total.sum() : 0.0;
  }
  return out;
}

BoolMatrix views_of_dimensions(const Relevance& relevance) {
  constexpr double least = 0.01, share = 0.05;
  BoolMatrix out(relevance.by_view.rows(), relevance.by_view.cols());
  for (Index v = 0; v < out.rows(); ++v)
    out.row(v) = relevance.by_view.row(v).array() > std::max(least, share * relevance.explained(v));
  return out;
}

constexpr double least_of_top = 0.001;  // of the variance of a column: less is nothing to look at

std::vector<TopColumn> top_columns(const Relevance& relevance, const std::vector<Matrix>& loadings, Index q,
                                   Index most) {
  std::vector<TopColumn> out;
  for (std::size_t v = 0; v < relevance.by_column.size(); ++v)
    for (Index m = 0; m < relevance.by_column[v].rows(); ++m)
      if (relevance.by_column[v](m, q) > least_of_top)
        out.push_back({Index(v), m, relevance.by_column[v](m, q), loadings[v](m, q)});
  std::stable_sort(out.begin(), out.end(),
                   [](const TopColumn& a, const TopColumn& b) { return a.relevance > b.relevance; });
  if (Index(out.size()) > most) out.resize(static_cast<std::size_t>(most));
  return out;
}

}  // namespace bochner
