#include <algorithm>
#include <limits>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/models/bayes/relevance.hpp"
#include "src/models/bayes/row_law.hpp"
#include "src/models/bayes/table.hpp"

namespace bochner {

namespace {

constexpr Index most_samples = 50, most_draws = 200;

/// `count` of 0 .. all - 1, at even distances.
std::vector<Index> evenly(Index all, Index most) {
  std::vector<Index> out(static_cast<std::size_t>(std::min(all, most)));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = Index(i) * all / Index(out.size());
  return out;
}

/// E[y | draw] of all functions with dimension q at z, averaged over the samples, in the units of the table; J.
Vector mean_over_samples(const BayesViewFit& view, const BayesFunctions& draw, Matrix X, const Matrix& design,
                         Index q, double z) {
  X.col(q).setConstant(z);
  const Matrix Phi = bayes_features(draw.W, X, Threads(1));
  if (view.likelihood == BayesLikelihood::gaussian) {  // linear in the features
    const Vector covariates = design.size() > 0 ? Vector(design.colwise().mean()) : Vector();
    Vector f = functions_at(draw, Phi.colwise().mean().transpose(), covariates);
    f = view.scaling.undo(f.transpose()).row(0).transpose();
    return view.row_median > 0 ? Vector(view.row_median * f) : f;
  }
  Matrix F = Phi * draw.B;
  if (design.size() > 0) F += design * draw.covariates;
  Vector out = Vector::Zero(F.cols());
  for (Index i = 0; i < F.rows(); ++i) out += law_of(view, draw, F.row(i).transpose(), {}).mean;
  return out / double(F.rows());
}

/// Columns of labels from those of their classes.
Matrix responses_of_labels(const BayesViewFit& view, const Matrix& by_class) {
  const std::vector<Index> at = softmaxes(view);
  Matrix out = Matrix::Constant(by_class.rows(), static_cast<Index>(view.classes.size()),
                                std::numeric_limits<double>::quiet_NaN());
  for (std::size_t m = 0; m < view.classes.size(); ++m)
    if (view.classes[m] == 2) out.col(static_cast<Index>(m)) = by_class.col(at[m] + 1);
  return out;
}

double quantile(VectorIn sorted, double share) {
  const double at = share * double(sorted.size() - 1);
  const auto below = static_cast<Index>(at);
  const Index above = std::min(below + 1, Index(sorted.size()) - 1);
  return sorted(below) + (at - double(below)) * (sorted(above) - sorted(below));
}

}  // namespace

BayesResponse response(const BayesFit& fit, const BayesViewFit& view, Index q, const Vector& values,
                       double interval, const Compute& compute) {
  check_between("response", "q", double(q), 0, double(fit.dims() - 1));
  check_between("response", "interval", interval, 0, 1);
  const std::vector<Index> draws = evenly(Index(view.draws.size()), most_draws),
                           samples = evenly(fit.latent.mean.rows(), most_samples);
  const Index n = values.size(), J = view.functions();
  const Matrix design = fit.design.size() > 0 ? Matrix(fit.design(samples, Eigen::all)) : Matrix();
  BayesResponse out{Matrix(n, J), Matrix(n, J), Matrix(n, J)};
  for_each_block(compute, n, 1, [&](Index i, Index) {
    Matrix by_draw(J, Index(draws.size()));
    for (std::size_t k = 0; k < draws.size(); ++k) {
      const auto s = static_cast<std::size_t>(draws[k]);
      by_draw.col(Index(k)) =
          mean_over_samples(view, view.draws[s], fit.X[s](samples, Eigen::all), design, q, values(i));
    }
    out.mean.row(i) = by_draw.rowwise().mean().transpose();
    for (Index j = 0; j < J; ++j) {
      Vector sorted = by_draw.row(j).transpose();
      std::sort(sorted.begin(), sorted.end());
      out.low(i, j) = quantile(sorted, 0.5 * (1 - interval));
      out.high(i, j) = quantile(sorted, 0.5 * (1 + interval));
    }
  });
  if (view.likelihood != BayesLikelihood::categorical) return out;
  return {responses_of_labels(view, out.mean), responses_of_labels(view, out.low),
          responses_of_labels(view, out.high)};
}

}  // namespace bochner
