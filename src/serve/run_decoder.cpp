#include "run_decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bochner/core/errors.hpp"
#include "bochner/report/report.hpp"
#include "src/report/encode.hpp"
#include "src/report/panel.hpp"

namespace bochner::detail {

namespace {

constexpr Index most_columns = 200, knots = 9;
constexpr double z90 = 1.6449;

/// Half the width of the interval of a column; 0 where the model has none.
double half_width(const Decoded& view, Index row, Index column) {
  return view.sd.size() > 0 ? z90 * view.sd(row, column) : 0;
}

Json dimensions(const std::vector<std::string>& names, const Matrix& latents) {
  Json out = Json::array();
  for (Index q = 0; q < latents.cols(); ++q) {
    const double low = latents.col(q).minCoeff(), high = latents.col(q).maxCoeff();
    const double margin = high > low ? 0.05 * (high - low) : 0.5;
    out.push_back({{"name", shortened(names[static_cast<std::size_t>(q)])},
                   {"low", low - margin},
                   {"high", high + margin},
                   {"mean", latents.col(q).mean()}});
  }
  return out;
}

/// Shapes of pictures among the settings of a run; the report tells of those that it cannot read.
std::map<std::string, PictureShape> shapes_of(RunFiles& run) {
  std::map<std::string, PictureShape> out;
  for (const std::string& text : run.settings("shape")) {
    try {
      out.insert(parse_shape(text));
    } catch (const InputError&) {
    }
  }
  return out;
}

}  // namespace

RunDecoder::RunDecoder(const std::string& folder, const Compute& compute) : compute_(compute), run_(folder) {
  const std::optional<Table> latents = run_.table("latent.csv");
  const AnyFit* fit = latents ? run_.fit() : nullptr;
  if (!fit || latents->values.hasNaN()) throw InputError("the run has no model that predicts from latents");
  latents_ = latents->values;
  views_ = decoded_views(*fit, compute_);
  if (views_.empty()) throw InputError("the model predicts nothing from latents");
  std::vector<Decoded> over_plane;
  const Matrix plane = latent_planes(latents_).front().points(latents_, knots);
  for (const DecodedView& view : views_) over_plane.push_back(view.decode(plane));
  shown_ = choose_columns(over_plane, most_columns);
  Json columns = Json::array();
  bool intervals = true;
  for (const ShownColumn& s : shown_) {
    const Decoded& view = over_plane[s.view];
    double low = INFINITY, high = -INFINITY;
    for (Index n = 0; n < plane.rows(); ++n) {
      low = std::min(low, view.mean(n, s.column) - half_width(view, n, s.column));
      high = std::max(high, view.mean(n, s.column) + half_width(view, n, s.column));
    }
    intervals = intervals && view.sd.size() > 0;
    columns.push_back({{"view", shortened(views_[s.view].name)},
                       {"name", shortened(views_[s.view].columns[static_cast<std::size_t>(s.column)])},
                       {"low", compact(low)},
                       {"high", compact(high)}});
  }
  Json pictures = Json::array();
  const std::map<std::string, PictureShape> shapes = shapes_of(run_);
  for (std::size_t v = 0; v < views_.size(); ++v) {
    const auto shape = shapes.find(views_[v].name);
    if (shape == shapes.end() || !fits(shape->second, views_[v])) continue;
    pictures_.push_back(v);
    pictures.push_back({{"view", shortened(views_[v].name)},
                        {"rows", shape->second.rows},
                        {"cols", shape->second.cols},
                        {"low", compact(over_plane[v].mean.minCoeff())},
                        {"high", compact(over_plane[v].mean.maxCoeff())}});
  }
  description_ = {{"dims", dimensions(latents->columns, latents_)},
                  {"columns", std::move(columns)},
                  {"intervals", intervals},
                  {"pictures", std::move(pictures)}};
}

Json RunDecoder::decode(const std::vector<double>& latent) const {
  if (static_cast<Index>(latent.size()) != dims())
    throw InputError(
        fmt::format("{} numbers, but the model has {} latent dimensions", latent.size(), dims()));
  const Matrix at = Eigen::Map<const Eigen::RowVectorXd>(latent.data(), dims());
  std::vector<Decoded> decoded;
  for (const DecodedView& view : views_) decoded.push_back(view.decode(at));
  Json mean = Json::array(), half = Json::array();
  for (const ShownColumn& s : shown_) {
    const Decoded& view = decoded[s.view];
    mean.push_back(compact(view.mean(0, s.column)));
    half.push_back(view.sd.size() > 0 ? compact(half_width(view, 0, s.column)) : Json());
  }
  Json pictures = Json::array();
  for (const std::size_t v : pictures_) pictures.push_back(compact(Vector(decoded[v].mean.row(0))));
  return {{"mean", std::move(mean)}, {"half", std::move(half)}, {"pictures", std::move(pictures)}};
}

}  // namespace bochner::detail
