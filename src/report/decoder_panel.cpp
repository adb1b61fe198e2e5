#include "decoder_panel.hpp"

#include <algorithm>

#include "decode.hpp"
#include "encode.hpp"
#include "panel.hpp"

namespace bochner::detail {

namespace {

constexpr Index knots = 21, picture_knots = 15;
constexpr Index most_columns = 200, most_bytes = 700'000;  // of the page

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
    if (shape == shapes.end() || !fits(shape->second, view)) continue;
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
  const std::vector<DecodedView> views = decoded_views(*fit, compute);
  if (views.empty()) return;
  std::vector<ShownColumn> shown;
  Json planes = Json::array(), columns = Json::array();
  bool intervals = true;
  const std::vector<LatentPlane> all = latent_planes(samples.mean);
  constexpr Index bytes_of_column = 2 * 2 * knots * knots * 4 / 3;  // mean and sd, two bytes each, in base64
  const Index most = std::min(most_columns, most_bytes / (bytes_of_column * Index(all.size())));
  for (const LatentPlane& plane : all) {
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
  for (const ShownColumn& s : shown)
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
