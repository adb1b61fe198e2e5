#include "bochner/models/bayes/relevance.hpp"

#include <cmath>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "src/models/bayes/row_law.hpp"
#include "src/models/bayes/table.hpp"

namespace bochner {

bool explains_entries(const BayesViewFit& view) { return view.likelihood == BayesLikelihood::gaussian; }

namespace {

constexpr Index block_rows = 64;

/// Means over the samples of a draw of cos(w_lq x_q) and sin(w_lq x_q): rows 0 and 1, a column for each frequency.
std::vector<Matrix> mean_waves(const BayesViewFit& view, const std::vector<Matrix>& X, Index q,
                               const Compute& compute) {
  std::vector<Matrix> out(X.size());
  for_each_block(compute, static_cast<Index>(X.size()), 1, [&](Index begin, Index) {
    const auto s = static_cast<std::size_t>(begin);
    const Matrix& W = view.draws[s].W;
    const Index L = W.rows();
    const Matrix angle = X[s].col(q) * W.col(q).transpose();  // N x L
    out[s].resize(2, L);
    out[s] << angle.array().cos().matrix().colwise().mean(), angle.array().sin().matrix().colwise().mean();
  });
  return out;
}

/// Features of rows with dimension q averaged over the samples: with a = sum over the other dimensions of w_d x_d,
/// the mean of cos(a + w_q x_q) is cos a mean cos(w_q x_q) - sin a mean sin(w_q x_q), and so on.
Matrix averaged_features(const Matrix& W, MatrixIn X, Index q, const Matrix& waves) {
  const Index L = W.rows();
  Matrix others = W;
  others.col(q).setZero();
  const Matrix Phi = bayes_features(others, X, Threads(1));
  Matrix out = Phi;  // the last column, of the intercepts, stays
  const auto c = waves.row(0).array(), s = waves.row(1).array();
  out.leftCols(L) = (Phi.leftCols(L).array().rowwise() * c - Phi.middleCols(L, L).array().rowwise() * s);
  out.middleCols(L, L) = (Phi.middleCols(L, L).array().rowwise() * c + Phi.leftCols(L).array().rowwise() * s);
  return out;
}

/// Means and mean squares of f over draws, N x J.
struct FunctionMoments {
  Matrix mean, square;
};

/// Of the dimensions alone, without covariates. `waves`, if there are some, say that dimension q is averaged out.
FunctionMoments function_moments(const BayesViewFit& view, const std::vector<Matrix>& X, Index q,
                                 const std::vector<Matrix>& waves, const Compute& compute) {
  const Index N = X.front().rows(), J = view.functions();
  const std::vector<Index> groups = softmaxes(view);
  const double S = static_cast<double>(X.size());
  FunctionMoments out{Matrix::Zero(N, J), Matrix::Zero(N, J)};
  for_each_block(compute, N, block_rows, [&](Index begin, Index size) {
    for (std::size_t s = 0; s < X.size(); ++s) {
      const BayesFunctions& draw = view.draws[s];
      const auto rows = X[s].middleRows(begin, size);
      Matrix F = (waves.empty() ? bayes_features(draw.W, rows, Threads(1))
                                : averaged_features(draw.W, rows, q, waves[s])) *
                 draw.B;
      for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
        auto part = F.middleCols(groups[g], groups[g + 1] - groups[g]);
        part.colwise() -= part.rowwise().mean().eval();
      }
      out.mean.middleRows(begin, size) += F / S;
      out.square.middleRows(begin, size) += F.cwiseAbs2() / S;
    }
  });
  return out;
}

/// Y (N x M) with a column for each function: labels repeat theirs for each class.
Matrix by_function(const BayesViewFit& view, const Matrix& Y) {
  if (view.likelihood != BayesLikelihood::categorical) return Y;
  Matrix out(Y.rows(), view.functions());
  Index at = 0;
  for (Index m = 0; m < Y.cols(); ++m)
    for (Index k = 0; k < view.classes[static_cast<std::size_t>(m)]; ++k) out.col(at++) = Y.col(m);
  return out;
}

/// Sums over the functions of each label; a column for each function.
Matrix by_column(const BayesViewFit& view, const Matrix& functions) {
  if (view.likelihood != BayesLikelihood::categorical) return functions;
  const std::vector<Index> at = softmaxes(view);
  Matrix out(functions.rows(), static_cast<Index>(view.classes.size()));
  for (Index m = 0; m < out.cols(); ++m) {
    const auto i = static_cast<std::size_t>(m);
    out.col(m) = functions.middleCols(at[i], at[i + 1] - at[i]).rowwise().sum();
  }
  return out;
}

ColumnErrors entry_errors(const BayesViewFit& view, const std::vector<Matrix>& X, const Matrix& Y,
                          const Compute& compute) {
  const Index Q = X.front().cols();
  ColumnErrors out = errors_of_means(squares_around_means(Y), Q);
  out.with_all = squared_errors(Y, function_moments(view, X, 0, {}, compute).mean);
  for (Index q = 0; q < Q; ++q)
    out.without.col(q) =
        squared_errors(Y, function_moments(view, X, q, mean_waves(view, X, q, compute), compute).mean);
  return out;
}

ColumnErrors function_errors(const BayesViewFit& view, const std::vector<Matrix>& X, const Matrix& Y,
                             const Compute& compute) {
  const Index Q = X.front().cols();
  const FunctionMoments all = function_moments(view, X, 0, {}, compute);
  const Matrix entries = by_function(view, Y);
  const Matrix mean =
      entries.array().isNaN().select(std::nan(""), all.mean);  // of what was not measured nothing is said
  const Matrix unknown = entries.array().isNaN().select(0.0, all.square - all.mean.cwiseAbs2()).cwiseMax(0.0);
  ColumnErrors out = errors_of_means(by_column(view, unknown + squares_around_means(mean)), Q);
  out.with_all = by_column(view, unknown).colwise().sum();
  for (Index q = 0; q < Q; ++q) {
    const Vector errors =
        squared_errors(mean, function_moments(view, X, q, mean_waves(view, X, q, compute), compute).mean);
    out.without.col(q) = out.with_all + by_column(view, errors.transpose()).transpose();
  }
  return out;
}

/// Entries (scaled units) without what covariates explain, on average over draws: dimensions explain what is left.
Matrix beyond_covariates(const BayesFit& fit, const BayesViewFit& view, Matrix Y) {
  if (fit.design.size() == 0) return Y;
  Matrix mean = Matrix::Zero(fit.design.cols(), Y.cols());
  for (const BayesFunctions& draw : view.draws) mean += draw.covariates / double(view.draws.size());
  return Y - fit.design * mean;
}

}  // namespace

Relevance relevance(const BayesFit& fit, const Dataset& data, const Compute& compute) {
  check_size("relevance", "samples of the data", data.rows(), "samples of the fit", fit.latent.mean.rows());
  std::vector<ColumnErrors> errors;
  for (const BayesViewFit& view : fit.views) {
    const Matrix Y = select_columns(data.view(view.name), view.columns).Y;
    errors.push_back(
        explains_entries(view)
            ? entry_errors(view, fit.X, beyond_covariates(fit, view, view.scaling.apply(Y)), compute)
            : function_errors(view, fit.X, Y, compute));
  }
  return relevance_of(errors);
}

}  // namespace bochner
