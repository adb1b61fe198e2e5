#include "forecast.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/models/forecast/assess.hpp"
#include "bochner/models/forecast/file.hpp"
#include "bochner/run/run_folder.hpp"
#include "bochner/tables/csv.hpp"
#include "cli/frame/aligned.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/interrupt.hpp"
#include "cli/frame/json_file.hpp"
#include "cli/frame/progress.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/stopwatch.hpp"
#include "cli/frame/verdict.hpp"
#include "job.hpp"

namespace bochner::cli {

namespace {

const std::vector<std::string> files{"forecast.csv", "backtest.csv",  "tuning.csv",
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
                        "coverage90"},
            .values = Matrix(Index(folds.size()), 7)};
  for (std::size_t k = 0; k < folds.size(); ++k) {
    const BacktestFold& f = folds[k];
    out.ids.push_back(std::to_string(k + 1));
    out.values.row(Index(k)) << double(f.origin), double(f.measured), f.rmse, f.mae, f.naive_rmse, f.ar_rmse,
        f.coverage;
  }
  return out;
}

std::string backtest_text(const std::vector<BacktestFold>& folds, const ForecastAssessment& assessment,
                          Index steps, const std::vector<std::string>& times) {
  const BacktestScores& o = assessment.scores;
  const std::string verdict = wrapped("verdict: " + verdict_text(assessment.verdict), 100, 9);
  std::vector<std::vector<std::string>> rows{
      {"RMSE of", "this", "seasonal naive", "linear AR", "in 90 % intervals"}};
  const auto row = [&](const std::string& name, double a, double b, double c, double d) {
    rows.push_back({name, fmt::format("{:.4g}", a), fmt::format("{:.4g}", b), fmt::format("{:.4g}", c),
                    fmt::format("{:.0f} %", 100 * d)});
  };
  for (const BacktestFold& f : folds)
    if (f.measured > 0)
      row(fmt::format("{} from {}", counted(steps, "step"),
                      printable(times[static_cast<std::size_t>(f.origin)], 20)),
          f.rmse, f.naive_rmse, f.ar_rmse, f.coverage);
  if (!std::isfinite(o.rmse)) return verdict;
  row("all", o.rmse, o.naive_rmse, o.ar_rmse, o.coverage90);
  return aligned(rows, false) + verdict;
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
      "note: {:.4g} % intervals are learned from {:.0f} forecasts or more, and there {}: the series is "
      "short\n",
      100 * widest, needed, errors == 1 ? "is 1" : fmt::format("are {}", errors));
}

/// What this run will leave beside config.toml and log.jsonl.
std::vector<std::string> files_of(const ForecastSettings& s) {
  std::vector<std::string> out{"forecast.csv", "metrics.json", "model.bochner"};
  if (s.backtest > 0) out.push_back("backtest.csv");
  if (s.tune) out.push_back("tuning.csv");
  return out;
}

int run(const ForecastSettings& s, const Job& verb_job) {
  const Common& common = verb_job.common;
  const auto say = [&](const std::string& text) {
    if (!common.quiet) print(text);
  };
  check_run_folder(common.out, "forecast");
  const Threads threads = make_threads(common.threads);
  ForecastJob job = prepare_forecast(s);
  const auto seed = static_cast<std::uint64_t>(common.seed);
  if (!common.quiet)
    for (const std::string& note : job.notes) print_error("note: " + note + "\n");
  const std::string read = fmt::format(
      "{} of {}: {}", counted(job.past.y.rows(), "time"),
      job.names.size() == 1 ? "a series" : fmt::format("{} series", job.names.size()), listing(job.names, 4));
  if (common.dry_run) {
    print(
        fmt::format("bochner forecast would\n"
                    "  read   {}\n"
                    "  learn  from windows of {}, kernel {}\n"
                    "  leave  config.toml, log.jsonl, {} in {}/\n",
                    read, counted(s.lags + 1, "time"), s.kernel, listed(files_of(s)), common.out));
    return 0;
  }
  const Stopwatch watch;
  const Interrupt interrupt;
  const BacktestOptions how{.folds = s.backtest > 0 ? s.backtest : 5, .steps = s.steps, .season = s.season};
  say("read  " + read + "\n");
  const auto watched = [&](const char* what, const auto& work) {
    Progress progress(what, "done", 1000, !common.quiet);
    return work([&](double done) {
      progress.update(Index(1000 * done), done);
      return !interrupt.asked();
    });
  };
  std::vector<TuningStep> tried;
  if (s.tune) {
    tried = watched("tune", [&](const auto& progress) {
      return tune_forecast(job.past, job.options, how, seed, threads, progress);
    });
    if (tried.empty())
      throw InputError("--tune: the series is too short for any choice of lags; use fewer --lags");
    job.options = tried.front().options;
    say(fmt::format("tuned {} tried, best: {} lags, length-scale {:.4g}, {} components\n", tried.size(),
                    job.options.lags, job.options.lengthscale, job.options.dims));
  }
  std::vector<BacktestFold> folds;
  if (s.backtest > 0 && !interrupt.asked())
    folds = watched("backtest", [&](const auto& progress) {
      return backtest(job.past, job.options, how, seed, threads, progress);
    });
  const std::optional<ForecastAssessment> judged =
      folds.empty() ? std::nullopt : std::optional(assess(folds, s.tune));
  job.options.horizon = s.steps;
  const ForecastFit fit = fit_forecast(job.past, job.options, seed, threads);
  if (!common.quiet && s.dims > 0)  // else nobody asked for so many components
    for (const std::string& note : fit.model.notes) print_error("note: " + note + "\n");
  const Forecast f = forecast(fit, s.steps, job.ahead, job.coverage, threads);
  if (!common.quiet) print_error(interval_note(fit, job.coverage));
  // The folder comes after the work: what the model refuses leaves nothing behind.
  RunFolder run(common.out, "forecast", files, config_text(verb_job));
  run.log(json_line({{"event", "start"},
                     {"verb", "forecast"},
                     {"version", BOCHNER_VERSION},
                     {"threads", threads.count()},
                     {"times", job.past.y.rows()},
                     {"series", job.names.size()}}));
  if (s.tune) write_csv(run.path("tuning.csv"), tuning_table(tried), "rank");
  write_forecast(run.path("model.bochner"), fit);
  write_csv(run.path("forecast.csv"), forecast_table(f, job), "time");
  if (!folds.empty()) write_csv(run.path("backtest.csv"), backtest_table(folds), "fold");
  write_json(run.path("metrics.json"), metrics(fit, job.options, judged, watch.seconds()));
  run.log(json_line({{"event", "end"}, {"seconds", watch.seconds()}}));
  say(fmt::format("fit   {} windows of {}, {} with {:.1f} % of the variance, in {:.1f} s\n",
                  fit.model.H.rows(), counted(fit.lags + 1, "time"), counted(fit.model.dims(), "component"),
                  100 * fit.model.explained().sum(), watch.seconds()));
  say((judged ? backtest_text(folds, *judged, s.steps, job.times) : "") +
      fmt::format("left  {}/ with {}\n", common.out, listed(files_of(s))));
  return exit_code(interrupt, judged ? judged->verdict : Verdict{}, common);
}

}  // namespace

Verb forecast_verb() {
  const auto s = std::make_shared<ForecastSettings>();
  return {
      .name = "forecast",
      .summary = "forecast series with intervals, judged by a backtest against two baselines",
      .example = "bochner forecast --series laser.csv --lags 70 --steps 100 --backtest 5 --out run",
      .details =
          "Kernel PCA of the last lags + 1 times and the next one; a forecast infers the next from the "
          "past,\n"
          "appends it and goes on. A table has one row per time and one column per series, at equal "
          "distances\n"
          "in time; an empty cell is a gap. Leaves forecast.csv with intervals, backtest.csv and the model.",
      .options = {{.name = "series",
                   .placeholder = "TABLE",
                   .help = "times in rows, series in columns",
                   .target = &s->series,
                   .required = true,
                   .file = true},
                  {.name = "column",
                   .placeholder = "NAME",
                   .help = "only this series; may be given several times",
                   .target = &s->columns},
                  {.name = "known",
                   .placeholder = "TABLE",
                   .help = "what is known ahead of time, for the past and the steps to come",
                   .target = &s->known,
                   .file = true},
                  {.name = "steps",
                   .placeholder = "H",
                   .help = "times ahead",
                   .target = &s->steps,
                   .low = 1,
                   .high = 1e6},
                  {.name = "lags",
                   .placeholder = "P",
                   .help = "a forecast looks at the last P + 1 times",
                   .target = &s->lags,
                   .low = 0,
                   .high = 1e5},
                  {.name = "dims",
                   .placeholder = "S",
                   .help = "components",
                   .target = &s->dims,
                   .low = 0,
                   .high = 1e5,
                   .shown_default = "a tenth of the windows, 10 to 200"},
                  {.name = "kernel",
                   .placeholder = "K",
                   .help = "of the past: rbf, linear, matern32, ...",
                   .target = &s->kernel},
                  {.name = "lengthscale",
                   .placeholder = "L",
                   .help = "of the standardised series",
                   .target = &s->lengthscale,
                   .low = 0,
                   .shown_default = "the median distance"},
                  {.name = "features",
                   .placeholder = "HOW",
                   .help = "exact, finite, L, orthogonal:L, nystrom:m",
                   .target = &s->features},
                  {.name = "solver",
                   .placeholder = "HOW",
                   .help = "primal, dual, primal-stiefel, dual-stiefel",
                   .target = &s->solver},
                  {.name = "preimage",
                   .placeholder = "HOW",
                   .help = "ridge, or identity: the plain inference, for series without noise",
                   .target = &s->preimage},
                  {.name = "coverage",
                   .placeholder = "SHARE",
                   .help = "of an interval, one --coverage each; 0.8 and 0.95 unless told",
                   .target = &s->coverage},
                  {.name = "backtest",
                   .placeholder = "N",
                   .help = "forecast the last N stretches as well and compare",
                   .target = &s->backtest,
                   .low = 0,
                   .high = 1000},
                  {.name = "tune",
                   .help = "choose lags, length-scale and components by a backtest",
                   .target = &s->tune},
                  {.name = "season",
                   .placeholder = "T",
                   .help = "of the naive forecast",
                   .target = &s->season,
                   .low = 0,
                   .high = 1e6,
                   .shown_default = "from the autocorrelation"}},
      .out_help = "the run folder",
      .out_default = "forecast",
      .run = [s](const Job& job) { return run(*s, job); }};
}

}  // namespace bochner::cli
