#include "decode.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/models/bayes/fit.hpp"
#include "bochner/models/gplvm/fit.hpp"
#include "bochner/models/kpca/kpca.hpp"

namespace bochner::detail {

namespace {

constexpr Index planes_of_dims = 3;

struct ViewsOf {
  const Compute& compute;

  std::vector<DecodedView> operator()(const GplvmFit& fit) const {
    std::vector<DecodedView> out;
    for (const GplvmView& view : fit.views)
      out.push_back({view.name, view.columns, [&view, &compute = compute](const Matrix& at) {
                       const Predictive p = predict(view, {at, Matrix::Zero(at.rows(), at.cols())}, compute);
                       const double rows = view.row_median > 0 ? view.row_median : 1;
                       return Decoded{rows * p.mean, rows * p.y_variance.array().sqrt()};
                     }});
    return out;
  }
  std::vector<DecodedView> operator()(const BayesFit& fit) const {
    std::vector<DecodedView> out;
    for (const BayesViewFit& view : fit.views) {
      if (view.likelihood == BayesLikelihood::categorical) continue;
      out.push_back({view.name, view.columns, [&view, seed = fit.seed, &compute = compute](const Matrix& at) {
                       const BayesPrediction p = predict(view, std::vector<Matrix>(view.draws.size(), at), {},
                                                         {}, Rng(seed).split("report"), compute);
                       const double rows = view.row_median > 0 ? view.row_median : 1;
                       return Decoded{rows * p.mean, rows * p.y_variance.array().sqrt()};
                     }});
    }
    return out;
  }
  std::vector<DecodedView> operator()(const KpcaFit& fit) const {
    std::vector<DecodedView> out;
    for (std::size_t v = 0; v < fit.views.size(); ++v)
      out.push_back(
          {fit.views[v].name, fit.views[v].columns, [&fit, v, &compute = compute](const Matrix& at) {
             const Matrix h = at * fit.lambda.cwiseSqrt().cwiseInverse().asDiagonal();
             return Decoded{predict_view(fit, Index(v), h, {}, compute), {}};
           }});
    return out;
  }
  template <class Other>
  std::vector<DecodedView> operator()(const Other&) const {
    return {};
  }
};

}  // namespace

std::vector<DecodedView> decoded_views(const AnyFit& fit, const Compute& compute) {
  return std::visit(ViewsOf{compute}, fit);
}

bool fits(const PictureShape& shape, const DecodedView& view) {
  return shape.rows * shape.cols == static_cast<Index>(view.columns.size());
}

Matrix LatentPlane::points(const Matrix& latents, Index n) const {
  Matrix at = latents.colwise().mean().replicate(n * n, 1);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      at(j * n + i, a) = low(0) + (high(0) - low(0)) * double(i) / double(n - 1);
      if (b != a) at(j * n + i, b) = low(1) + (high(1) - low(1)) * double(j) / double(n - 1);
    }
  return at;
}

std::vector<LatentPlane> latent_planes(const Matrix& latents) {
  std::vector<LatentPlane> out;
  const Index Q = std::min(latents.cols(), planes_of_dims);
  const auto plane = [&](Index a, Index b) {
    LatentPlane p{a, b, Vector(2), Vector(2)};
    p.low << latents.col(a).minCoeff(), latents.col(b).minCoeff();
    p.high << latents.col(a).maxCoeff(), latents.col(b).maxCoeff();
    const Vector margin = 0.05 * (p.high - p.low);
    p.low -= margin;
    p.high += margin;
    return p;
  };
  if (Q == 1) return {plane(0, 0)};
  for (Index a = 0; a < Q; ++a)
    for (Index b = a + 1; b < Q; ++b) out.push_back(plane(a, b));
  return out;
}

std::vector<ShownColumn> choose_columns(const std::vector<Decoded>& decoded, Index most) {
  std::vector<std::vector<std::pair<double, Index>>> ranked;
  for (const Decoded& view : decoded) {
    ranked.emplace_back();
    for (Index m = 0; m < view.mean.cols(); ++m) {
      const Vector column = view.mean.col(m);
      const double spread = (column.array() - column.mean()).square().mean();
      const double noise = view.sd.size() > 0 ? view.sd.col(m).squaredNorm() / double(view.sd.rows()) : 0;
      const double score = view.sd.size() > 0 ? spread / (spread + noise) : spread;
      if (std::isfinite(score)) ranked.back().push_back({score, m});
    }
    std::stable_sort(ranked.back().begin(), ranked.back().end(),
                     [](const auto& x, const auto& y) { return x.first > y.first; });
  }
  std::vector<ShownColumn> out;
  for (std::size_t k = 0; Index(out.size()) < most; ++k) {
    const std::size_t before = out.size();
    for (std::size_t v = 0; v < ranked.size(); ++v)
      if (k < ranked[v].size() && Index(out.size()) < most) out.push_back({v, ranked[v][k].second});
    if (out.size() == before) break;
  }
  return out;
}

}  // namespace bochner::detail
