#include <algorithm>
#include <cmath>
#include <numeric>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/infer/lbfgs.hpp"
#include "bochner/models/gplvm/fit.hpp"
#include "sample_bound.hpp"
#include "src/models/latent/sigma_points.hpp"

namespace bochner {
namespace {

constexpr Index candidates = 200;  // latents whose bound is looked at to choose the starts
constexpr std::size_t starts = 2;

/// A view at the candidates.
struct CandidateView {
  Matrix Phi;      // candidates x p
  Matrix squares;  // candidates x p, Phi o Phi
  Matrix F2;       // candidates x M, (E f)^2
  Vector prior;    // candidates, k(x, x)
};

CandidateView look_from(const GplvmView& view, const Matrix& at, const Compute& compute) {
  CandidateView out;
  out.Phi = multiply<double>(gram(view.kernel, at, view.Z, compute), view.G, compute);
  out.squares = out.Phi.cwiseAbs2();
  out.F2 = multiply<double>(out.Phi, view.W, compute).cwiseAbs2();
  out.prior = diagonal(view.kernel, at);
  return out;
}

/// The candidates with the best bound at a point, best first.
std::vector<Index> best_candidates(const std::vector<SampleView>& views,
                                   const std::vector<const CandidateView*>& from, const Matrix& at) {
  Vector bound = -0.5 * at.rowwise().squaredNorm();
  for (std::size_t v = 0; v < views.size(); ++v) {
    const CandidateView& c = *from[v];
    bound += c.Phi * views[v].g -
             0.5 * (c.F2 * views[v].measured - c.squares * views[v].d + views[v].prior * c.prior);
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

  std::vector<EmbedView> fixed;
  std::vector<CandidateView> from;
  std::vector<Matrix> tables;
  for (const View& view : data.views()) {
    const GplvmView& known = fit.view(view.name);
    tables.push_back(known.scaling.apply(select_columns(view, known.columns).Y));
    fixed.emplace_back(known, compute);
    from.push_back(look_from(known, at, compute));
  }

  LatentPosterior out{Matrix::Zero(N, Q), Matrix::Ones(N, Q)};
  const Matrix xi = sigma_points(Q);
  for_each_block(compute, N, 1, [&](Index n, Index) {
    std::vector<SampleView> views;
    std::vector<const CandidateView*> sees;
    for (std::size_t v = 0; v < fixed.size(); ++v)
      if (std::optional<SampleView> sample = look_at(fixed[v], tables[v].row(n))) {
        views.push_back(std::move(*sample));
        sees.push_back(&from[v]);
      }
    if (views.empty()) return;  // the prior
    const SampleBound bound(views, xi);
    double best = -std::numeric_limits<double>::infinity();
    for (const Index c : best_candidates(views, sees, at)) {
      Vector theta(2 * Q);
      theta << at.row(c).transpose(), usual_log_sd;
      Matrix hessian;
      const OptimizeResult result =
          maximize([&](const Vector& t, Vector& grad) { return bound(t, grad, hessian); }, theta,
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
