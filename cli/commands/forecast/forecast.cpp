#include "forecast.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/models/forecast/assess.hpp"
#include "bochner/models/forecast/file.hpp"
#include "bochner/tables/csv.hpp"
#include "cli/frame/terminal.hpp"
#include "cli/frame/text.hpp"
#include "cli/frame/verdict.hpp"
#include "options.hpp"

namespace bochner::cli {

namespace {

const std::vector<std::string> forecast_files{"forecast.csv", "backtest.csv",  "tuning.csv",
                                              "metrics.json", "model.bochner", "log.jsonl"};

/// Columns NAME, NAME_lo80, NAME_hi80, NAME_lo95, ..
Table forecast_table(const Forecast& f, const ForecastJob& job) {
  Table out{.ids = times_ahead(job, f.mean.rows())};
  const Index S = f.mean.cols(), each = 1 + 2 * Index(f.intervals.size());
  out.values.resize(f.mean.rows(), S * each);
  for (Index s = 0; s < S; ++s) {
    const std::string& name = job.names[static_cast<std::size_t>(s)];
    out.columns.push_back(name);
    out.values.col(s * each) = f.mean.col(s);
    for (std::size_t i = 0; i < f.intervals.size(); ++i) {
      const Interval& interval = f.intervals[i];
      const std::string share = fmt::format("{:.4g}", 100 * interval.coverage);
      out.columns.push_back(name + "_lo" + share);
      out.columns.push_back(name + "_hi" + share);
      out.values.col(s * each + 1 + 2 * Index(i)) = interval.lower.col(s);
      out.values.col(s * each + 2 + 2 * Index(i)) = interval.upper.col(s);
    }
  }
  return out;
}

Table backtest_table(const std::vector<BacktestFold>& folds) {
  Table out{.columns = {"times_before", "measured", "rmse", "mae", "rmse_seasonal_naive", "rmse_linear_ar",
                        "rmse_smoothing", "rmse_mean", "coverage90"},
            .values = Matrix(Index(folds.size()), 9)};
  for (std::size_t k = 0; k < folds.size(); ++k) {
    const BacktestFold& f = folds[k];
    out.ids.push_back(std::to_string(k + 1));
    out.values.row(Index(k)) << double(f.origin), double(f.measured), f.rmse, f.mae, f.naive_rmse, f.ar_rmse,
        f.smoothing_rmse, f.mean_rmse, f.coverage;
  }
  return out;
}

std::string backtest_text(const std::vector<BacktestFold>& folds, const ForecastAssessment& assessment,
                          Index steps, const std::vector<std::string>& times) {
  const BacktestScores& o = assessment.scores;
  const std::string verdict = verdict_lines(assessment.verdict);
  std::vector<std::vector<std::string>> rows{
      {"RMSE of", "this", "seasonal naive", "linear AR", "smoothing", "mean", "in 90 % intervals"}};
  const auto row = [&](const std::string& name, const std::vector<double>& errors, double coverage) {
    rows.push_back({name});
    for (const double error : errors) rows.back().push_back(fmt::format("{:.4g}", error));
    rows.back().push_back(fmt::format("{:.0f} %", 100 * coverage));
  };
  for (const BacktestFold& f : folds)
    if (f.measured > 0)
      row(fmt::format("{} from {}", counted(steps, "step"),
                      printable(times[static_cast<std::size_t>(f.origin)], 20)),
          {f.rmse, f.naive_rmse, f.ar_rmse, f.smoothing_rmse, f.mean_rmse}, f.coverage);
  if (!std::isfinite(o.rmse)) return verdict;
  row("all", {o.rmse, o.naive_rmse, o.ar_rmse, o.smoothing_rmse, o.mean_rmse}, o.coverage90);
  return align(rows, false) + verdict;
}

Table tuning_table(const std::vector<TuningStep>& steps) {
  Table out{.columns = {"lags", "lengthscale", "dims", "rmse"}, .values = Matrix(Index(steps.size()), 4)};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const TuningStep& t = steps[i];
    out.ids.push_back(std::to_string(i + 1));
    out.values.row(Index(i)) << double(t.options.lags), t.options.lengthscale, double(t.options.dims), t.rmse;
  }
  return out;
}

Json metrics(const ForecastFit& fit, const ForecastOptions& o,
             const std::optional<ForecastAssessment>& judged, double seconds) {
  Json out = {{"lags", o.lags},
              {"components", fit.model.dims()},
              {"explained", fit.model.explained().sum()},
              {"windows", fit.model.H.rows()},
              {"seconds", seconds}};
  if (!judged) return out;
  const BacktestScores& all = judged->scores;
  out["backtest"] = {{"rmse", all.rmse},
                     {"rmse_seasonal_naive", all.naive_rmse},
                     {"rmse_linear_ar", all.ar_rmse},
                     {"rmse_smoothing", all.smoothing_rmse},
                     {"rmse_mean", all.mean_rmse},
                     {"coverage90", all.coverage90}};
  put_verdict(out, judged->verdict);
  return out;
}

/// Intervals that there are too few errors for.
std::string interval_note(const ForecastFit& fit, const std::vector<double>& coverage) {
  const Index errors = fit.errors.empty() ? 0 : fit.errors.front().rows();
  const double widest = coverage.back(), needed = std::ceil(widest / (1 - widest) - 1e-9);
  if (double(errors) >= needed) return "";
  return fmt::format(
      "{:.4g} % intervals require at least {:.0f} forecasts, but there {}: the series is short", 100 * widest,
      needed, errors == 1 ? "is 1" : fmt::format("are {}", errors));
}

/// What this run will leave beside config.toml and log.jsonl.
std::vector<std::string> files_of(const ForecastSettings& s) {
  std::vector<std::string> out{"forecast.csv", "metrics.json", "model.bochner"};
  if (s.backtest > 0) out.push_back("backtest.csv");
  if (s.tune) out.push_back("tuning.csv");
  return out;
}

/// f(); an InputError of it begins with the file.
template <class F>
auto in_file(const std::string& file, const F& f) {
  try {
    return f();
  } catch (const InputError& error) {
    throw InputError(printable(file) + ": " + error.what());
  }
}

/// A forecast as a run (run/run.hpp). It takes seconds, or minutes to tune: there is nothing to resume.
class ForecastTask : public TaskDefaults {
 public:
  ForecastTask(const ForecastSettings& settings, const Job& command)
      : settings_(settings), job_(prepare_forecast(settings)), command_(command) {}

  std::vector<std::string> notes() const { return job_.notes; }
  std::string plan(const Threads&) const {
    return fmt::format(
        "bochner forecast would\n"
        "  read   {}\n"
        "  learn  from windows of {}, kernel {}\n"
        "  write  config.toml, log.jsonl, {} in {}/\n",
        series_text(), counted(settings_.lags + 1, "time"), settings_.kernel, join_list(files_of(settings_)),
        command_.common.out);
  }
  std::vector<std::string> files() const { return forecast_files; }
  std::string summary() const { return "read  " + series_text() + "\n"; }
  Json facts() const { return {{"times", job_.past.y.rows()}, {"series", job_.names.size()}}; }
  void fit(RunProgress& progress, const Threads& threads) {
    const Stopwatch watch;
    const BacktestOptions how{.folds = settings_.backtest > 0 ? settings_.backtest : 5,
                              .steps = settings_.steps,
                              .season = settings_.season};
    const auto shown = [&](const char* what) {
      return [&progress, what](double done) {
        return progress.step(
            {.what = what, .objective = "done", .step = Index(1000 * done), .of = 1000, .value = done});
      };
    };
    if (settings_.tune) {
      tried_ = in_file(settings_.series, [&] {
        return tune_forecast(job_.past, job_.options, how, seed(), threads, shown("tune"));
      });
      if (tried_.empty())
        throw InputError("--tune: the series is too short for any number of lags; use fewer --lags");
      job_.options = tried_.front().options;
    }
    if (settings_.backtest > 0 && !progress.stop_asked())
      folds_ = in_file(settings_.series, [&] {
        return backtest(job_.past, job_.options, how, seed(), threads, shown("backtest"));
      });
    if (!folds_.empty()) assessment_ = assess(folds_, settings_.tune);
    job_.options.horizon = settings_.steps;
    fit_ = in_file(settings_.series, [&] { return fit_forecast(job_.past, job_.options, seed(), threads); });
    forecast_ = forecast(*fit_, settings_.steps, job_.ahead, job_.coverage, threads);
    seconds_ = watch.seconds();
  }
  std::string status() const { return status_text(fit_->model.status); }
  std::vector<std::string> fit_notes() const {
    std::vector<std::string> out;
    if (settings_.dims > 0) out = fit_->model.notes;  // else nobody asked for so many components
    if (std::string note = interval_note(*fit_, job_.coverage); !note.empty()) out.push_back(std::move(note));
    return out;
  }
  std::string fitted() const {
    const std::string tuned =
        tried_.empty()
            ? ""
            : fmt::format("tuned {} tried, best: {} lags, length-scale {:.4g}, {} components\n",
                          tried_.size(), job_.options.lags, job_.options.lengthscale, job_.options.dims);
    return tuned + fmt::format("fit   {} windows of {}, {} with {:.1f} % of the variance, in {:.1f} s\n",
                               fit_->model.H.rows(), counted(fit_->lags + 1, "time"),
                               counted(fit_->model.dims(), "component"), 100 * fit_->model.explained().sum(),
                               seconds_);
  }
  void write(RunFolder& run, const Threads&) {
    if (settings_.tune) write_csv(run.path("tuning.csv"), tuning_table(tried_), "rank");
    write_forecast(run.path("model.bochner"), *fit_);
    write_csv(run.path("forecast.csv"), forecast_table(forecast_, job_), "time");
    if (!folds_.empty()) write_csv(run.path("backtest.csv"), backtest_table(folds_), "fold");
    write_json(run.path("metrics.json"), metrics(*fit_, job_.options, assessment_, seconds_));
  }
  std::string verdict() const { return assessment_ ? to_string(assessment_->verdict.kind) : ""; }
  std::string report(const RunFolder& run) const {
    return (assessment_ ? backtest_text(folds_, *assessment_, settings_.steps, job_.times) : "") +
           fmt::format("Wrote {}/ with {}\n", run.folder(), join_list(files_of(settings_)));
  }

 private:
  std::uint64_t seed() const { return static_cast<std::uint64_t>(command_.common.seed); }
  std::string series_text() const {
    return fmt::format("{} of {}: {}", counted(job_.past.y.rows(), "time"),
                       job_.names.size() == 1 ? "a series" : fmt::format("{} series", job_.names.size()),
                       listing(job_.names, 4));
  }

  const ForecastSettings& settings_;
  ForecastJob job_;
  const Job& command_;
  std::vector<TuningStep> tried_;
  std::vector<BacktestFold> folds_;
  std::optional<ForecastAssessment> assessment_;
  std::optional<ForecastFit> fit_;
  Forecast forecast_;
  double seconds_ = 0;
};

int run(const ForecastSettings& s, const Job& job) {
  return run_command(job, [&] { return ForecastTask(s, job); });
}

}  // namespace

Command forecast_command() {
  const auto s = std::make_shared<ForecastSettings>();
  return {.name = "forecast",
          .summary = "Forecast time series with intervals, evaluated by a backtest against simple ones",
          .example = "bochner forecast laser.csv --lags 70 --steps 100 --backtest 5 --out run",
          .details =
              "Kernel PCA of windows of lags + 1 times and the next one; each step is inferred from the "
              "window before\n"
              "it and appended. A table has one row per time and one column per series, equally spaced in "
              "time; empty\n"
              "cells are missing. Writes forecast.csv with intervals, backtest.csv and the model.",
          .options = forecast_options(*s),
          .out_help = "Run folder",
          .out_default = "forecast",
          .run = [s](const Job& job) { return run(*s, job); }};
}

}  // namespace bochner::cli
