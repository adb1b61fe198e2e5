#include "decoder_panel.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "bochner/models/bayes/fit.hpp"
#include "bochner/models/gplvm/fit.hpp"
#include "bochner/models/kpca/kpca.hpp"
#include "encode.hpp"
#include "panel.hpp"

namespace bochner::detail {

namespace {

constexpr Index knots = 21, picture_knots = 15, planes_of_dims = 3;
constexpr Index most_columns = 200, most_bytes = 700'000;  // of the page

/// Predictions of all columns of a view at latents; the sd is empty where a model has none.
struct Decoded {
  Matrix mean, sd;
};

struct DecodedView {
  std::string name;
  std::vector<std::string> columns;
  std::function<Decoded(const Matrix& at)> decode;
};

struct ViewsOf {
  const Compute& compute;

  std::vector<DecodedView> operator()(const GplvmFit& fit) const {
    std::vector<DecodedView> out;
    for (const GplvmView& view : fit.views)
      out.push_back({view.name, view.columns, [&view, this](const Matrix& at) {
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
      out.push_back({view.name, view.columns, [&view, seed = fit.seed, this](const Matrix& at) {
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
      out.push_back({fit.views[v].name, fit.views[v].columns, [&fit, v, this](const Matrix& at) {
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

/// Grid points of the plane of two dimensions, the second one slowest; the others are at their means.
struct Plane {
  Index a = 0, b = 0;
  Vector low, high;  // of both dimensions

  Matrix points(const Matrix& latents, Index n) const {
    Matrix at = latents.colwise().mean().replicate(n * n, 1);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        at(j * n + i, a) = low(0) + (high(0) - low(0)) * double(i) / double(n - 1);
        if (b != a) at(j * n + i, b) = low(1) + (high(1) - low(1)) * double(j) / double(n - 1);
      }
    return at;
  }
};

std::vector<Plane> planes_of(const Matrix& latents) {
  std::vector<Plane> out;
  const Index Q = std::min(latents.cols(), planes_of_dims);
  const auto plane = [&](Index a, Index b) {
    Plane p{a, b, Vector(2), Vector(2)};
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

/// A column that the panel shows, by view and place.
struct Shown {
  std::size_t view;
  Index column;
};

/// The columns of the views in turn whose predictions vary most over the first plane, against their noise.
std::vector<Shown> choose_columns(const std::vector<Decoded>& decoded, Index most) {
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
  std::vector<Shown> out;
  for (std::size_t k = 0; Index(out.size()) < most; ++k) {
    const std::size_t before = out.size();
    for (std::size_t v = 0; v < ranked.size(); ++v)
      if (k < ranked[v].size() && Index(out.size()) < most) out.push_back({v, ranked[v][k].second});
    if (out.size() == before) break;
  }
  return out;
}

/// Each column in steps of its own range.
Json columns_of(const Matrix& values) {
  Json out = Json::array();
  for (Index k = 0; k < values.cols(); ++k) out.push_back(as_steps(values.col(k)));
  return out;
}

Json pictures_of(const std::vector<DecodedView>& views, const std::map<std::string, PictureShape>& shapes,
                 const Matrix& at) {
  Json out = Json::array();
  for (const DecodedView& view : views) {
    const auto shape = shapes.find(view.name);
    if (shape == shapes.end() || shape->second.rows * shape->second.cols != Index(view.columns.size()))
      continue;
    out.push_back({{"view", view.name},
                   {"rows", shape->second.rows},
                   {"cols", shape->second.cols},
                   {"values", as_bytes(view.decode(at).mean)}});
  }
  return out;
}

}  // namespace

void add_decoder_panel(RunFiles& run, const RunSamples& samples,
                       const std::map<std::string, PictureShape>& shapes, const Compute& compute,
                       Json& panels) {
  const AnyFit* fit = samples.empty() ? nullptr : run.fit();
  if (!fit || samples.mean.hasNaN()) return;
  const ViewsOf views_of{compute};
  const std::vector<DecodedView> views = std::visit(views_of, *fit);
  if (views.empty()) return;
  std::vector<Shown> shown;
  Json planes = Json::array(), columns = Json::array();
  bool intervals = true;
  const std::vector<Plane> all = planes_of(samples.mean);
  constexpr Index bytes_of_column = 2 * 2 * knots * knots * 4 / 3;  // mean and sd, two bytes each, in base64
  const Index most = std::min(most_columns, most_bytes / (bytes_of_column * Index(all.size())));
  for (const Plane& plane : all) {
    const Matrix at = plane.points(samples.mean, knots);
    std::vector<Decoded> decoded;
    for (const DecodedView& view : views) decoded.push_back(view.decode(at));
    if (shown.empty()) shown = choose_columns(decoded, most);
    Matrix mean(at.rows(), Index(shown.size())), sd = Matrix::Zero(mean.rows(), mean.cols());
    for (std::size_t k = 0; k < shown.size(); ++k) {
      const Decoded& own = decoded[shown[k].view];
      mean.col(Index(k)) = own.mean.col(shown[k].column);
      if (own.sd.size() > 0) sd.col(Index(k)) = own.sd.col(shown[k].column);
      intervals = intervals && own.sd.size() > 0;
    }
    Json out{{"dims", {plane.a, plane.b}},
             {"low", compact(plane.low)},
             {"high", compact(plane.high)},
             {"knots", knots},
             {"mean", columns_of(mean)}};
    if (intervals) out["sd"] = columns_of(sd);
    if (Json pictures = pictures_of(views, shapes, plane.points(samples.mean, picture_knots));
        !pictures.empty()) {
      out["picture_knots"] = picture_knots;
      out["pictures"] = std::move(pictures);
    }
    planes.push_back(std::move(out));
  }
  for (const Shown& s : shown)
    columns.push_back({{"view", shortened(views[s.view].name)},
                       {"name", shortened(views[s.view].columns[static_cast<std::size_t>(s.column)])}});
  Json out = panel(
      "decoder", "decoder", "Decoder",
      intervals ? "Drag the cross through the latent plane: each line shows what the model predicts for a "
                  "column there, the dot its mean and the line its 90 % interval, within the range of the "
                  "column over the plane."
                : "Drag the cross through the latent plane: each dot is what the model predicts for a "
                  "column there, within the range of the column over the plane.",
      true);
  out["dims"] = samples.dims;
  out["columns"] = std::move(columns);
  out["planes"] = std::move(planes);
  Index every = 0;
  for (const DecodedView& view : views) every += Index(view.columns.size());
  out["all"] = every;
  panels.push_back(std::move(out));
}

}  // namespace bochner::detail
