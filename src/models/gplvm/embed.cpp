#include <algorithm>
#include <cmath>
#include <numeric>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/infer/lbfgs.hpp"
#include "bochner/models/gplvm/fit.hpp"
#include "src/models/latent/sigma_points.hpp"

namespace bochner {
namespace {

constexpr Index candidates = 200;  // latents whose bound is looked at to choose the starts
constexpr std::size_t starts = 2;

/// What never changes between samples: a view, sums over its columns, and its predictions at the candidates.
struct FixedView {
  const GplvmView& view;
  std::vector<Index> columns;  // those that say something
  Matrix outer;                // m x m, alpha alpha'
  Matrix complete_H;           // m x m, H of a sample with all columns measured
  Matrix F;                    // candidates x M, E f
  Vector variance;             // candidates, V f
};

FixedView make_fixed(const GplvmView& view, const Matrix& at, const Compute& compute) {
  std::vector<bool> silent(view.columns.size(), false);
  for (const std::vector<Index>* list : {&view.unmeasured, &view.constant})
    for (const Index m : *list) silent[static_cast<std::size_t>(m)] = true;
  FixedView out{.view = view};
  for (Index m = 0; m < Index(silent.size()); ++m)
    if (!silent[static_cast<std::size_t>(m)]) out.columns.push_back(m);
  out.outer = outer_gram<double>(view.alpha, compute);  // silent columns have no weights
  out.complete_H = out.outer - double(out.columns.size()) * view.R;
  const Matrix K = gram(view.kernel, at, view.Z, compute);
  out.F = multiply<double>(K, view.alpha, compute);
  out.variance =
      diagonal(view.kernel, at) - K.cwiseProduct(multiply<double>(K, view.R, compute)).rowwise().sum();
  return out;
}

/// The measured entries O of one sample in one view. The bound of log p(y_O | x), functions integrated out:
///
///   -1/(2 sigma2) [ sum_O (y_m - k'alpha_m)^2 + |O| V f(x) ] = -1/(2 sigma2) [ y2 - 2 k'g + k'H k + |O| k(x, x) ]
///
/// with k = k(Z, x), g = alpha_O y_O, H = alpha_O alpha_O' - |O| R: m numbers and an m x m matrix, however many columns.
struct SampleView {
  const FixedView* fixed = nullptr;
  std::vector<Index> seen;  // O
  Vector z;                 // scaled y_O
  Vector g;
  Matrix own_H;  // empty when every column is measured

  double count() const { return double(seen.size()); }
  const Matrix& H() const { return own_H.size() > 0 ? own_H : fixed->complete_H; }
};

std::optional<SampleView> look_at(const FixedView& fixed, const Eigen::Ref<const Eigen::RowVectorXd>& y) {
  const GplvmView& view = fixed.view;
  SampleView out{.fixed = &fixed};
  std::vector<Index> missing;
  for (const Index m : fixed.columns) (std::isnan(y(m)) ? missing : out.seen).push_back(m);
  if (out.seen.empty()) return std::nullopt;
  out.z = ((y.transpose() - view.scaling.centre).array() / view.scaling.scale.array()).matrix()(out.seen);
  const Matrix alpha = view.alpha(Eigen::all, out.seen);
  out.g = alpha * out.z;
  if (missing.empty()) return out;
  if (missing.size() < out.seen.size()) {
    const Matrix rest = view.alpha(Eigen::all, missing);
    out.own_H = fixed.outer;
    out.own_H.noalias() -= rest * rest.transpose();
  } else {
    out.own_H = alpha * alpha.transpose();
  }
  out.own_H -= out.count() * view.R;
  return out;
}

/// The bound of one sample in (mean, log sd), and its gradient.
class SampleBound {
 public:
  SampleBound(const std::vector<SampleView>& views, const Matrix& xi) : views_(views), xi_(xi) {}

  double operator()(const Vector& theta, Vector& grad) const {
    const Index Q = xi_.cols(), J = xi_.rows();
    const Eigen::RowVectorXd sd = theta.tail(Q).array().exp().matrix().transpose();
    Matrix X(J, Q), dX = Matrix::Zero(J, Q);
    for (Index j = 0; j < J; ++j) X.row(j) = theta.head(Q).transpose() + xi_.row(j).cwiseProduct(sd);
    double value = 0;
    for (const SampleView& sample : views_) {
      const GplvmView& view = sample.fixed->view;
      const double scale = 1 / (view.noise_variance * double(J));
      Matrix K(J, view.Z.rows());
      gram_block(view.kernel, X, view.Z, K);
      const Matrix KH = K * sample.H();
      value -= 0.5 * scale *
               (double(J) * sample.z.squaredNorm() - 2 * (K * sample.g).sum() + K.cwiseProduct(KH).sum() +
                sample.count() * diagonal(view.kernel, X).sum());
      const Matrix dK = scale * (sample.g.transpose().replicate(J, 1) - KH);
      Vector dtheta = Vector::Zero(parameter_count(view.kernel));
      Matrix dZ = Matrix::Zero(view.Z.rows(), Q);
      KernelAdjoint adjoint{dtheta, dX, dZ};
      pull_block(view.kernel, X, view.Z, K, dK, adjoint);
      pull_diagonal(view.kernel, X, Vector::Constant(J, -0.5 * scale * sample.count()), dtheta, dX);
    }
    const auto mean = theta.head(Q).array(), log_sd = theta.tail(Q).array();
    value -= 0.5 * (mean.square() + (2 * log_sd).exp() - 1 - 2 * log_sd).sum();
    grad.head(Q) = dX.colwise().sum().transpose() - theta.head(Q);
    grad.tail(Q) = (dX.cwiseProduct(xi_).colwise().sum().transpose().array() * sd.transpose().array()) -
                   ((2 * log_sd).exp() - 1);
    return value;
  }

 private:
  const std::vector<SampleView>& views_;
  const Matrix& xi_;
};

/// The candidates with the best bound at a point, best first.
std::vector<Index> best_candidates(const std::vector<SampleView>& views, const Matrix& at) {
  Vector bound = -0.5 * at.rowwise().squaredNorm();
  for (const SampleView& sample : views) {
    const FixedView& fixed = *sample.fixed;
    for (Index c = 0; c < at.rows(); ++c) {
      double misfit = sample.count() * fixed.variance(c);
      for (std::size_t i = 0; i < sample.seen.size(); ++i) {
        const double d = sample.z(Index(i)) - fixed.F(c, sample.seen[i]);
        misfit += d * d;
      }
      bound(c) -= 0.5 * misfit / fixed.view.noise_variance;
    }
  }
  std::vector<Index> order(static_cast<std::size_t>(at.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return bound(a) > bound(b); });
  order.resize(std::min(order.size(), starts));
  return order;
}

}  // namespace

LatentPosterior embed(const GplvmFit& fit, const Dataset& data, const Compute& compute) {
  const Index N = data.rows(), Q = fit.dims();
  // Training latents at even distances in the order of the samples stand for all of them.
  const Index count = std::min(candidates, fit.latent.mean.rows());
  Matrix at(count, Q);
  for (Index c = 0; c < count; ++c) at.row(c) = fit.latent.mean.row(c * fit.latent.mean.rows() / count);

  const Vector usual_log_sd = fit.latent.sd.array().log().matrix().colwise().mean().transpose();

  std::vector<FixedView> fixed;
  std::vector<Matrix> tables;
  for (const View& view : data.views()) {
    const GplvmView& known = fit.view(view.name);
    tables.push_back(select_columns(view, known.columns).Y);
    fixed.push_back(make_fixed(known, at, compute));
  }

  LatentPosterior out{Matrix::Zero(N, Q), Matrix::Ones(N, Q)};
  const Matrix xi = sigma_points(Q);
  for_each_block(compute, N, 1, [&](Index n, Index) {
    std::vector<SampleView> views;
    for (std::size_t v = 0; v < fixed.size(); ++v)
      if (std::optional<SampleView> sample = look_at(fixed[v], tables[v].row(n)))
        views.push_back(std::move(*sample));
    if (views.empty()) return;  // the prior
    const SampleBound bound(views, xi);
    double best = -std::numeric_limits<double>::infinity();
    for (const Index c : best_candidates(views, at)) {
      Vector theta(2 * Q);
      theta << at.row(c).transpose(), usual_log_sd;
      const OptimizeResult result = maximize(Objective(bound), theta,
                                             LbfgsOptions{.max_iterations = 100,
                                                          .gradient_tolerance = 1e-4,
                                                          .value_tolerance = 1e-8,
                                                          .keep_trace = false});
      if (!(result.value > best)) continue;
      best = result.value;
      out.mean.row(n) = result.theta.head(Q);
      out.sd.row(n) = result.theta.tail(Q).array().exp();
    }
  });
  return out;
}

}  // namespace bochner
