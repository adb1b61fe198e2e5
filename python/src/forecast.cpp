#include "bochner/models/forecast/forecast.hpp"

#include "bochner/models/forecast/file.hpp"
#include "bochner/models/kpca/names.hpp"
#include "module.hpp"
#include "progress.hpp"
#include "threads.hpp"

namespace bochner::python {

namespace {

ForecastFit fit(const MatrixArg& y, const MatrixArg& known, Index lags, Index dims, const std::string& kernel,
                double lengthscale, const std::string& features, const std::string& solver,
                const std::string& preimage, double validation, Index horizon, std::uint64_t seed,
                int threads) {
  const ForecastOptions options{.lags = lags,
                                .dims = dims,
                                .kernel = kernel,
                                .lengthscale = lengthscale,
                                .features = parse_features(features, kpca_feature_kinds),
                                .solver = parse_solver(solver),
                                .preimage = parse_preimage(preimage),
                                .validation = validation,
                                .horizon = horizon};
  const SeriesTable series{map(y), map(known)};
  return without_lock([&] { return fit_forecast(series, options, seed, make_threads(threads)); });
}

}  // namespace

void add_forecast(nb::module_& m) {
  add_fit<ForecastFit>(m, "ForecastFit", &forecast_group, &forecast_from)
      .def_ro("lags", &ForecastFit::lags)
      .def_prop_ro("dims", [](const ForecastFit& f) { return f.model.dims(); })
      .def_prop_ro("series", &ForecastFit::series)
      .def_prop_ro("known", &ForecastFit::known)
      .def("forecast", [](const ForecastFit& f, Index steps, const MatrixArg& known,
                          const std::vector<double>& coverage, int threads) {
        Forecast out =
            without_lock([&] { return forecast(f, steps, map(known), coverage, make_threads(threads)); });
        std::vector<std::pair<MatrixResult, MatrixResult>> intervals;
        for (Interval& i : out.intervals)
          intervals.emplace_back(to_numpy(std::move(i.lower)), to_numpy(std::move(i.upper)));
        return std::pair(to_numpy(std::move(out.mean)), intervals);
      });
  m.def("fit_forecast", &fit, nb::arg("y"), nb::arg("known"), nb::arg("lags"), nb::arg("dims"),
        nb::arg("kernel"), nb::arg("lengthscale"), nb::arg("features"), nb::arg("solver"),
        nb::arg("preimage"), nb::arg("validation"), nb::arg("horizon"), nb::arg("seed"), nb::arg("threads"));
}

}  // namespace bochner::python
