#include "bochner/models/gplvm/relevance.hpp"

#include <algorithm>

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

}  // namespace

Relevance relevance(const GplvmFit& fit, const Dataset& data, const Compute& compute) {
  check_size("relevance", "samples of the data", data.rows(), "samples of the fit", fit.latent.mean.rows());
  const Matrix& X = fit.latent.mean;
  std::vector<ColumnErrors> errors;
  for (const GplvmView& view : fit.views) {
    const Matrix Y = view.scaling.apply(select_columns(data.view(view.name), view.columns).Y);
    ColumnErrors own = errors_of_means(squares_around_means(Y), X.cols());
    own.with_all = squared_errors(Y, means(view, X, 0, Vector(), compute));
    for (Index q = 0; q < X.cols(); ++q)
      own.without.col(q) = squared_errors(Y, means(view, X, q, middles(X.col(q)), compute));
    errors.push_back(std::move(own));
  }
  return relevance_of(errors);
}

}  // namespace bochner
