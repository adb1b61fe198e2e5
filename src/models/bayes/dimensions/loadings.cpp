#include <cmath>
#include <limits>

#include "bochner/compute/products.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/models/bayes/relevance.hpp"
#include "src/models/bayes/row_law.hpp"
#include "src/models/bayes/table.hpp"

namespace bochner {

namespace {

/// The functions of a softmax without what they have in common: rows of F are samples, or its columns are functions.
void centre_softmaxes(const BayesViewFit& view, Matrix& F) {
  const std::vector<Index> groups = softmaxes(view);
  for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
    auto part = F.middleCols(groups[g], groups[g + 1] - groups[g]);
    part.colwise() -= part.rowwise().mean().eval();
  }
}

/// J x Q: means over samples of df_j / dx_q. With features c = cos(w'x) and s = sin(w'x), up to a factor, of weights b_c and
/// b_s, df / dx_q = sum_l w_lq (c_l b_s,l - s_l b_c,l): only the means of the features matter.
Matrix mean_slopes(const BayesViewFit& view, const BayesFunctions& draw, const Matrix& Phi) {
  const Index L = draw.W.rows();
  const Vector mean = Phi.colwise().mean();
  Matrix slopes = draw.W.transpose() * (mean.head(L).asDiagonal() * draw.B.middleRows(L, L) -
                                        mean.segment(L, L).asDiagonal() * draw.B.topRows(L));  // Q x J
  centre_softmaxes(view, slopes);
  return slopes.transpose();
}

/// Variance of each function over the samples of a draw, J.
Vector variances(const BayesViewFit& view, const BayesFunctions& draw, const Matrix& Phi,
                 const Compute& compute) {
  Matrix F = multiply<double>(Phi, draw.B, compute);
  centre_softmaxes(view, F);
  const Eigen::RowVectorXd mean = F.colwise().mean();
  return (F.rowwise() - mean).cwiseAbs2().colwise().mean();
}

/// The standard deviations of the columns that a slope is divided by, J; 0 where there is nothing to divide.
Vector units_of(const BayesViewFit& view, const Matrix& Y, const Vector& function_variance) {
  if (!explains_entries(view)) return function_variance.cwiseSqrt();
  Vector out = fit_scaling(view.scaling.apply(Y), ScalingKind::standardise).scale;
  for (Index m = 0; m < Y.cols(); ++m)
    if (Y.col(m).array().isNaN().all()) out(m) = 0;
  return out;
}

/// Loadings of labels from those of their functions.
Matrix of_labels(const BayesViewFit& view, const Matrix& functions) {
  const std::vector<Index> at = softmaxes(view);
  Matrix out = Matrix::Constant(static_cast<Index>(view.classes.size()), functions.cols(),
                                std::numeric_limits<double>::quiet_NaN());
  for (std::size_t m = 0; m < view.classes.size(); ++m)
    if (view.classes[m] == 2) out.row(static_cast<Index>(m)) = functions.row(at[m] + 1);
  return out;
}

BayesLoadings loadings_of(const BayesFit& fit, const BayesViewFit& view, const Matrix& Y,
                          const Compute& compute) {
  const Index J = view.functions(), Q = fit.X.front().cols();
  const double S = static_cast<double>(fit.X.size());
  Matrix mean = Matrix::Zero(J, Q), square = Matrix::Zero(J, Q);
  Vector variance = Vector::Zero(J);
  for (std::size_t s = 0; s < fit.X.size(); ++s) {
    const Matrix& X = fit.X[s];
    const Matrix Phi = bayes_features(view.draws[s].W, X, compute);
    const Eigen::RowVectorXd centre = X.colwise().mean();
    const Vector sd = (X.rowwise() - centre).cwiseAbs2().colwise().mean().cwiseSqrt();
    const Matrix own = mean_slopes(view, view.draws[s], Phi) * sd.asDiagonal();
    mean += own / S;
    square += own.cwiseAbs2() / S;
    if (!explains_entries(view)) variance += variances(view, view.draws[s], Phi, compute) / S;
  }
  const Vector units = units_of(view, Y, variance);
  const Vector by = (units.array() > 0).select(units.cwiseInverse(), 0.0);
  BayesLoadings out{by.asDiagonal() * mean,
                    by.asDiagonal() * (square - mean.cwiseAbs2()).cwiseMax(0.0).cwiseSqrt()};
  if (view.likelihood != BayesLikelihood::categorical) return out;
  return {of_labels(view, out.mean), of_labels(view, out.sd)};
}

}  // namespace

std::vector<BayesLoadings> loadings(const BayesFit& fit, const Dataset& data, const Compute& compute) {
  check_size("loadings", "samples of the data", data.rows(), "samples of the fit", fit.latent.mean.rows());
  std::vector<BayesLoadings> out;
  for (const BayesViewFit& view : fit.views)
    out.push_back(loadings_of(fit, view, select_columns(data.view(view.name), view.columns).Y, compute));
  return out;
}

}  // namespace bochner
