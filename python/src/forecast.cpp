#include "bochner/models/forecast/forecast.hpp"

#include "bochner/models/forecast/assess.hpp"
#include "bochner/models/forecast/file.hpp"
#include "bochner/models/kpca/names.hpp"
#include "module.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "threads.hpp"

namespace bochner::python {

namespace {

void add_options(nb::module_& m) {
  using Options = ForecastOptions;
  nb::class_<Options> options(m, "ForecastOptions", "Options of a forecasting model.");
  options.def(nb::init<>())
      .def_rw("lags", &Options::lags)
      .def_rw("dims", &Options::dims)
      .def_rw("kernel", &Options::kernel)
      .def_rw("lengthscale", &Options::lengthscale)
      .def_rw("validation", &Options::validation)
      .def_rw("horizon", &Options::horizon)
      .def_prop_rw(
          "features", [](const Options& o) { return to_text(o.features); },
          [](Options& o, const std::string& text) { o.features = parse_features(text, kpca_feature_kinds); });
  text_attribute(options, "solver", &Options::solver, &parse_solver);
  text_attribute(options, "preimage", &Options::preimage, &parse_preimage);

  using How = BacktestOptions;
  nb::class_<How>(m, "BacktestOptions", "Options of a backtest.")
      .def(nb::init<>())
      .def_rw("folds", &How::folds)
      .def_rw("steps", &How::steps)
      .def_rw("season", &How::season);
}

void add_data(nb::module_& m) {
  nb::class_<SeriesTable>(m, "SeriesTable", "Series, and what is known ahead of time.")
      .def(
          "__init__",
          [](SeriesTable* self, const MatrixArg& y, const MatrixArg& known) {
            new (self) SeriesTable{map(y), map(known)};
          },
          nb::arg("y"), nb::arg("known"));
}

/// A call with progress in [0, 1]. Ctrl-C is a KeyboardInterrupt: some of its folds would be another answer.
template <class F>
auto interruptible(const F& call) {
  PythonCallback callback(std::nullopt);
  const std::function<bool(double)> progress = [&](double) { return callback.keep_going(); };
  auto out = without_lock([&] { return call(progress); });
  callback.rethrow();
  if (callback.interrupted()) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  return out;
}

void add_backtest(nb::module_& m) {
  using Fold = BacktestFold;
  nb::class_<Fold>(m, "BacktestFold", "Errors of the forecast from one origin.")
      .def_ro("origin", &Fold::origin)
      .def_ro("measured", &Fold::measured)
      .def_ro("rmse", &Fold::rmse)
      .def_ro("mae", &Fold::mae)
      .def_ro("naive_rmse", &Fold::naive_rmse)
      .def_ro("ar_rmse", &Fold::ar_rmse)
      .def_ro("smoothing_rmse", &Fold::smoothing_rmse)
      .def_ro("mean_rmse", &Fold::mean_rmse)
      .def_ro("coverage", &Fold::coverage);
  m.def(
      "backtest",
      [](const SeriesTable& data, const ForecastOptions& options, const BacktestOptions& how,
         std::uint64_t seed, int threads) {
        return interruptible([&](const auto& progress) {
          return backtest(data, options, how, seed, make_threads(threads), progress);
        });
      },
      nb::arg("data"), nb::arg("options"), nb::arg("how"), nb::arg("seed"), nb::arg("threads"));
  using Scores = BacktestScores;
  nb::class_<Scores>(m, "BacktestScores", "Errors of forecasts over all folds.")
      .def_ro("rmse", &Scores::rmse)
      .def_ro("naive_rmse", &Scores::naive_rmse)
      .def_ro("ar_rmse", &Scores::ar_rmse)
      .def_ro("smoothing_rmse", &Scores::smoothing_rmse)
      .def_ro("mean_rmse", &Scores::mean_rmse)
      .def_ro("coverage90", &Scores::coverage90);
  m.def("backtest_scores", &backtest_scores, nb::arg("folds"));
  m.def(
      "tune_forecast",
      [](const SeriesTable& data, const ForecastOptions& options, const BacktestOptions& how,
         std::uint64_t seed, int threads) {
        std::vector<std::pair<ForecastOptions, double>> out;
        for (TuningStep& step : interruptible([&](const auto& progress) {
               return tune_forecast(data, options, how, seed, make_threads(threads), progress);
             }))
          out.emplace_back(std::move(step.options), step.rmse);
        return out;
      },
      nb::arg("data"), nb::arg("options"), nb::arg("how"), nb::arg("seed"), nb::arg("threads"));
}

}  // namespace

void add_forecast(nb::module_& m) {
  add_options(m);
  add_data(m);
  add_backtest(m);
  add_fit<ForecastFit>(m, "ForecastFit", &forecast_group, &forecast_from)
      .def_ro("lags", &ForecastFit::lags)
      .def_prop_ro("dims", [](const ForecastFit& f) { return f.model.dims(); })
      .def_prop_ro("series", &ForecastFit::series)
      .def_prop_ro("known", &ForecastFit::known)
      .def(
          "forecast",
          [](const ForecastFit& f, Index steps, const MatrixArg& known, const std::vector<double>& coverage,
             int threads) {
            Forecast out =
                without_lock([&] { return forecast(f, steps, map(known), coverage, make_threads(threads)); });
            std::vector<std::pair<MatrixResult, MatrixResult>> intervals;
            for (Interval& i : out.intervals)
              intervals.emplace_back(to_numpy(std::move(i.lower)), to_numpy(std::move(i.upper)));
            return std::pair(to_numpy(std::move(out.mean)), intervals);
          },
          nb::arg("steps"), nb::arg("known"), nb::arg("coverage"), nb::arg("threads"));
  m.def(
      "fit_forecast",
      [](const SeriesTable& data, const ForecastOptions& options, std::uint64_t seed, int threads) {
        return without_lock([&] { return fit_forecast(data, options, seed, make_threads(threads)); });
      },
      nb::arg("data"), nb::arg("options"), nb::arg("seed"), nb::arg("threads"));
}

}  // namespace bochner::python
