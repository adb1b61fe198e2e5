#include "bochner/models/forecast/file.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/models/kpca/file.hpp"
#include "src/store/entries.hpp"
#include "src/store/model_kind.hpp"

namespace bochner {

using detail::check_length, detail::check_shape, detail::count_from;

ModelGroup forecast_group(const ForecastFit& fit) {
  ModelGroup out;
  out.set("model", "forecast").set("kpca", kpca_group(fit.model)).set("lags", fit.lags);
  out.set("centre", fit.centre).set("scale", fit.scale);
  out.set("known_centre", fit.known_centre).set("known_scale", fit.known_scale);
  out.set("tail", fit.tail).set("error_steps", fit.errors.size());
  if (!fit.errors.empty()) {  // one below the other
    const Index rows = fit.errors.front().rows();
    Matrix all(rows * Index(fit.errors.size()), fit.series());
    for (std::size_t t = 0; t < fit.errors.size(); ++t) all.middleRows(Index(t) * rows, rows) = fit.errors[t];
    out.set("errors", std::move(all));
  }
  return out;
}

ForecastFit forecast_from(const ModelGroup& g) {
  detail::check_kind(g, "forecast");
  ForecastFit fit{.model = kpca_from(g.group("kpca")),
                  .lags = count_from(g, "lags"),
                  .centre = g.vector("centre"),
                  .scale = g.vector("scale"),
                  .known_centre = g.vector("known_centre"),
                  .known_scale = g.vector("known_scale"),
                  .tail = g.matrix("tail")};
  const Index S = fit.series(), steps = count_from(g, "error_steps");
  check_length(g, "scale", fit.scale.size(), S);
  check_length(g, "known_scale", fit.known_scale.size(), fit.known());
  check_shape(g, "tail", fit.tail, fit.lags + 1, S);
  check_length(g, "views", Index(fit.model.views.size()), fit.known() > 0 ? 3 : 2);
  check_length(g, "past", fit.model.views[0].cols(), (fit.lags + 1) * S);
  check_length(g, "next", fit.model.views[1].cols(), S);
  if (fit.known() > 0) check_length(g, "known", fit.model.views[2].cols(), fit.known());
  if (const Preimage p = fit.model.views[1].preimage; p != Preimage::identity && p != Preimage::ridge)
    throw InputError(fmt::format("{}: the next value must have a linear pre-image", g.where()));
  if (steps > 0) {
    const Matrix& all = g.matrix("errors");
    check_shape(g, "errors", all, all.rows() - all.rows() % steps, S);
    const Index rows = all.rows() / steps;
    for (Index t = 0; t < steps; ++t) fit.errors.push_back(all.middleRows(t * rows, rows));
  }
  return fit;
}

void write_forecast(const std::string& path, const ForecastFit& fit) {
  write_model(path, forecast_group(fit));
}
ForecastFit read_forecast(const std::string& path) { return forecast_from(read_model(path)); }

}  // namespace bochner
