#include "model.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/cholesky.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/features/feature_stream.hpp"
#include "bochner/features/nystrom_features.hpp"
#include "columns.hpp"
#include "src/features/inducing.hpp"

namespace bochner {
namespace {

constexpr Index most_components = 250, most_inducing_inputs = 400;
constexpr Index rows_for_median = 400;

double median_squared_distance(MatrixIn X) {
  const Index n = std::min(X.rows(), rows_for_median);
  std::vector<double> distances;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) distances.push_back((X.row(i) - X.row(j)).squaredNorm());
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + Index(distances.size()) / 2;
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

AnyKernel unit_rbf(Index D) { return Rbf{.ell = Vector::Ones(D)}; }

Matrix beside(const Matrix& A, const Matrix& B) {
  Matrix out(A.rows(), A.cols() + B.cols());
  out << A, B;
  return out;
}

}  // namespace

Vector recipe_scale(const CrossViewRecipe& recipe, MatrixIn T) {
  Vector scale = Vector::Zero(T.cols());
  const Vector sd = T.colwise().norm().transpose();
  if (sd.size() > 0 && sd(0) > 0) scale = (sd / sd(0)).array().pow(recipe.sharpness);
  const double usual = median_squared_distance(T * scale.asDiagonal());
  return scale * (usual > 0 ? 1 / (std::sqrt(usual) * recipe.length_scale) : 0.0);
}

CrossViewPredictor learn_predictor(SharedInputs& shared, const CrossViewRows& rows,
                                   const CrossViewRecipe& recipe, const Rng& rng, const Compute& compute) {
  const Index n = rows.Y.rows();
  const auto learned = shared.learn(rows.inputs, recipe.weights, most_components, compute);
  const CrossViewScores& at = learned->at;
  CrossViewPredictor out{.inputs = learned->inputs};
  const Index r = at.T.cols();
  out.share = recipe.share;
  out.input_scale = recipe_scale(recipe, at.T);
  const double linear = std::sqrt(1 - out.share), nonlinear = std::sqrt(out.share);
  Matrix Phi = linear * at.T;
  CholeskyFactor factor;
  if (out.share > 0) {
    const Matrix U = at.T * out.input_scale.asDiagonal();
    const AnyKernel kernel = unit_rbf(U.cols());
    out.Z = choose_inducing(kernel, U, most_inducing_inputs, 1e-6, rng.split("inducing"), compute);
    const NystromFeatures<double> map =
        NystromFeatures<double>::make(kernel, out.Z, {.jitter = 1e-8}, compute);
    Phi = beside(Phi, nonlinear * feature_matrix(map, U, compute));
    factor = map.factor;
  } else {
    out.Z = Matrix(0, r);
  }
  const FeatureBasis basis = feature_basis(Phi, compute);
  const Index k = basis.d.size(), m = out.Z.rows();
  out.projection = Matrix(r + m, k);
  out.projection.topRows(r) = linear * basis.V.topRows(r);
  if (m > 0)
    out.projection.bottomRows(m) = nonlinear * solve_lower_transposed(factor, basis.V.bottomRows(m), compute);
  out.centre = basis.V.transpose() * basis.centre;
  out.spectrum = basis.d;
  const Matrix whole = basis.psi.rowwise() + out.centre.transpose();
  out.missed = ((1 - out.share) * at.length.array() + out.share - whole.rowwise().squaredNorm().array())
                   .max(0.0)
                   .sum() /
               double(n);
  ColumnFits fits = fit_columns(basis, rows.Y, compute);
  out.weights = std::move(fits.weights);
  out.intercept = std::move(fits.intercept);
  out.noise = std::move(fits.noise);
  out.spread = std::move(fits.spread);
  return out;
}

Predictive predict_scaled(const CrossViewPredictor& p, MatrixIn table, const Compute& compute) {
  const CrossViewScores at = scores(p.inputs, table, compute);
  const Index n = table.rows(), r = at.T.cols(), m = p.Z.rows(), M = p.intercept.size();
  const AnyKernel kernel = unit_rbf(p.Z.cols());
  const Vector& rho = cross_view_ratios();
  Matrix shrink(rho.size(), p.spectrum.size());  // rho_g / (d_j + rho_g)
  for (Index g = 0; g < rho.size(); ++g) shrink.row(g) = rho(g) / (p.spectrum.transpose().array() + rho(g));
  Predictive out{Matrix(n, M), Matrix(n, M), Matrix(n, M)};
  // Row by row, so that the answer for a sample has the same bytes in any company.
  for_each_block(compute, n, 16, [&](Index begin, Index size) {
    Matrix u(1, r), K(1, m);
    Vector raw(r + m);
    for (Index i = begin; i < begin + size; ++i) {
      raw.head(r) = at.T.row(i).transpose();
      if (m > 0) {
        u = at.T.row(i) * p.input_scale.asDiagonal();
        gram_block(kernel, u, p.Z, K);
        raw.tail(m) = K.row(0).transpose();
      }
      Vector psi = p.projection.transpose() * raw;
      const double missed =
          std::max(0.0, (1 - p.share) * at.length(i) + p.share - psi.squaredNorm() - p.missed);
      psi -= p.centre;
      out.mean.row(i) = (p.intercept + p.weights.transpose() * psi).transpose();
      const Vector left = (shrink * psi.cwiseAbs2()).array() + missed;
      out.f_variance.row(i) = (p.spread * left).transpose();
      out.y_variance.row(i) = out.f_variance.row(i) + p.noise.transpose();
    }
  });
  return out;
}

}  // namespace bochner
