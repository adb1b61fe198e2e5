#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/core/checks.hpp"
#include "bochner/models/gplvm_fit.hpp"

namespace bochner {
namespace {

constexpr Index borrowed = 8;  // values of other samples that a dimension is averaged over

/// E f at the latent means, scaled units, N x M.
Matrix means(const GplvmView& view, const Matrix& X, const Threads& threads) {
  Matrix F(X.rows(), view.alpha.cols());
  for_each_block(threads, X.rows(), 64, [&](Index begin, Index size) {
    Matrix K(size, view.Z.rows());
    gram_block(view.kernel, X.middleRows(begin, size), view.Z, K);
    F.middleRows(begin, size).noalias() = K * view.alpha;
  });
  return F;
}

/// Sum over measured entries of (Y - F)^2, by column.
Vector squared_errors(const Matrix& Y, const Matrix& F) {
  return Y.array().isNaN().select(0.0, Y - F).colwise().squaredNorm();
}

}  // namespace

Relevance relevance(const GplvmFit& fit, const Dataset& data, const Threads& threads) {
  check_size("relevance", "samples of the data", data.rows(), "samples of the fit", fit.latent.mean.rows());
  const Matrix& X = fit.latent.mean;
  const Index N = X.rows(), Q = X.cols(), V = Index(fit.views.size());
  Relevance out{Matrix::Zero(V, Q), {}, Vector::Zero(V)};
  for (Index v = 0; v < V; ++v) {
    const GplvmView& view = fit.views[static_cast<std::size_t>(v)];
    const Matrix Y = view.scaling.apply(select_columns(data.view(view.name), view.columns).Y);
    const Scaling columns = fit_scaling(Y, ScalingKind::centre);
    const Vector total = squared_errors(Y, columns.centre.transpose().replicate(N, 1));
    const Vector with_all = squared_errors(Y, means(view, X, threads));
    Matrix by_column(Y.cols(), Q);
    for (Index q = 0; q < Q; ++q) {
      Matrix without = Matrix::Zero(N, Y.cols());
      for (Index b = 1; b <= borrowed; ++b) {
        Matrix moved = X;
        for (Index n = 0; n < N; ++n) moved(n, q) = X((n + b * N / (borrowed + 1)) % N, q);
        without += means(view, moved, threads) / double(borrowed);
      }
      const Vector errors = squared_errors(Y, without);
      out.by_view(v, q) =
          total.sum() > 0 ? std::clamp((errors - with_all).sum() / total.sum(), 0.0, 1.0) : 0.0;
      by_column.col(q) =
          (total.array() > 0).select((errors - with_all).array() / total.array(), 0.0).max(0.0).min(1.0);
    }
    out.by_column.push_back(std::move(by_column));
    out.explained(v) = total.sum() > 0 ? 1 - with_all.sum() / total.sum() : 0.0;
  }
  return out;
}

}  // namespace bochner
