#include "bochner/report/report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/tables/atomic_file.hpp"
#include "decoder_panel.hpp"
#include "encode.hpp"
#include "kernel_panels.hpp"
#include "latent_panels.hpp"
#include "panel.hpp"
#include "provenance_panels.hpp"
#include "row_panels.hpp"
#include "run_files.hpp"
#include "samples.hpp"
#include "score_panels.hpp"
#include "verdict.hpp"

namespace bochner {

namespace {

using detail::RunFiles;

/// A panel of a damaged run is left out, with a note; the others stay.
template <class Add>
void attempt(RunFiles& run, const char* what, const Add& add) {
  try {
    add();
  } catch (const std::exception& error) {
    run.note(fmt::format("{} cannot be shown: {}", what, error.what()));
  }
}

/// Numbers that a reader wants first.
Json facts_of(const RunFiles& run, const detail::RunSamples& samples) {
  Json out = Json::array();
  const auto add = [&](const char* what, const std::string& value) {
    if (!value.empty()) out.push_back({value, what});
  };
  const auto count = [](double n) { return std::isfinite(n) ? detail::with_commas(Index(n)) : ""; };
  if (!samples.empty()) {
    add("samples", detail::with_commas(Index(samples.ids.size())));
    add("dimensions", std::to_string(samples.dims.size()));
  }
  for (const char* key : {"rows", "times", "views", "inputs", "series"})
    for (const Json& event : run.log())
      if (event.value("event", Json()) == "start") add(key, count(detail::number_of(event, key)));
  add("chains", count(detail::number_of(run.metrics(), "chains")));
  add("run time", detail::human_seconds(detail::run_seconds(run)));
  return out;
}

std::map<std::string, PictureShape> shapes_of(RunFiles& run, const ReportOptions& options) {
  std::map<std::string, PictureShape> out;
  for (const std::string& text : run.settings("shape"))
    attempt(run, "shape", [&] { out.insert(parse_shape(text)); });
  for (const auto& [view, shape] : options.shapes) out[view] = shape;
  return out;
}

}  // namespace

std::pair<std::string, PictureShape> parse_shape(const std::string& text) {
  const std::size_t equals = text.rfind('='), times = text.rfind('x');
  const auto number = [&](std::size_t begin, std::size_t end) {
    const std::optional<double> n = parse_number(std::string_view(text).substr(begin, end - begin));
    return n && *n >= 1 && *n <= 1e5 && *n == std::floor(*n) ? Index(*n) : Index{0};
  };
  if (equals != std::string::npos && times != std::string::npos && times > equals && equals > 0) {
    const PictureShape shape{number(equals + 1, times), number(times + 1, text.size())};
    if (shape.rows > 0 && shape.cols > 0) return {text.substr(0, equals), shape};
  }
  throw InputError(fmt::format("{} is not a shape; write VIEW=ROWSxCOLUMNS, e.g. faces=28x20", quote(text)));
}

Json report_document(const std::string& folder, const ReportOptions& options, const Compute& compute) {
  RunFiles run(folder);
  detail::RunSamples samples;
  attempt(run, "the samples", [&] { samples = detail::read_samples(run); });
  const std::map<std::string, PictureShape> shapes = shapes_of(run, options);
  attempt(run, "times", [&] { detail::add_time_field(run, samples); });
  Json panels = Json::array();
  const auto add = [&](const char* what, const auto& panel) { attempt(run, what, [&] { panel(); }); };
  add("the latent space", [&] { detail::add_latent_panel(run, samples, panels); });
  add("latents over time", [&] { detail::add_path_panel(run, samples, panels); });
  add("the forecast", [&] { detail::add_forecast_panels(run, panels); });
  add("the decoder", [&] { detail::add_decoder_panel(run, samples, shapes, compute, panels); });
  add("predictions", [&] { detail::add_row_panels(run, compute, panels); });
  add("dimensions", [&] { detail::add_dimension_panels(run, panels); });
  add("components", [&] { detail::add_kpca_panels(run, panels); });
  add("held-out scores", [&] { detail::add_held_out_panels(run, panels); });
  add("the data map", [&] { detail::add_data_map(samples, panels); });
  add("kernels", [&] { detail::add_kernel_panels(run, samples, compute, panels); });
  add("the trace", [&] { detail::add_trace_panels(run, panels); });
  add("the settings", [&] { detail::add_provenance_panels(run, panels); });
  Json out{{"format", 1},
           {"title", run.name()},
           {"family", detail::family_name(run)},
           {"version", detail::run_version(run)},
           {"verdict", detail::verdict_json(run)},
           {"facts", facts_of(run, samples)}};
  if (!samples.empty()) {
    Json ids = Json::array();
    for (const std::string& id : samples.ids) ids.push_back(detail::shortened(id));
    out["samples"] = {{"ids", std::move(ids)}, {"fields", std::move(samples.fields)}};
  }
  out["panels"] = std::move(panels);
  out["notes"] = run.notes();
  return out;
}

void write_report(const std::string& folder, const ReportOptions& options, const Compute& compute,
                  const std::string& path) {
  const std::string page = report_page(report_document(folder, options, compute));
  write_file(path.empty() ? (std::filesystem::path(folder) / report_file).string() : path, page);
}

}  // namespace bochner
