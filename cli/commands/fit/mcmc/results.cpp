#include "results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/core/messages.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/models/bayes/names.hpp"
#include "bochner/run/write_rows.hpp"
#include "bochner/tables/csv.hpp"
#include "cli/commands/fit/held_out_entries.hpp"
#include "cli/commands/fit/latent_tables.hpp"
#include "cli/commands/fit/results.hpp"
#include "covariates.hpp"
#include "criteria.hpp"
#include "kernel.hpp"

namespace bochner::cli {

namespace {

/// Measured cells hold what was measured; the others the likeliest label.
void write_labels(const View& view, const BayesViewFit& model, const Matrix& probabilities, RunFolder& run) {
  const Matrix guess = likeliest_labels(model, probabilities);
  TextTable out{.name = "", .ids = view.ids, .columns = view.columns, .cells = {}};
  for (Index m = 0; m < view.cols(); ++m) {
    out.cells.emplace_back();
    for (Index n = 0; n < view.rows(); ++n) {
      const double label = std::isnan(view.Y(n, m)) ? guess(n, m) : view.Y(n, m);
      out.cells.back().push_back(
          model.class_names[static_cast<std::size_t>(m)][static_cast<std::size_t>(label)]);
    }
  }
  write_csv(run.output("imputed/" + view.name + ".csv"), out);
  write_csv(run.output("imputed/" + view.name + "_probability.csv"),
            Table{view.ids, function_names(model), probabilities});
}

void write_imputed(const BayesJob& job, std::size_t v, const BayesFit& fit, RunFolder& run,
                   const Threads& threads) {
  const View& view = job.tables().view(static_cast<Index>(v));
  const BayesViewFit& model = fit.views[v];
  const bool labels = model.likelihood == BayesLikelihood::categorical;
  BayesKnown known = known_rows(job.data, v);
  known.Y = view.Y;  // in units of the table
  const BayesPrediction p = multiply_rows(
      predict(model, fit.X, known, {.interval = labels ? 0 : 0.9}, Rng(fit.seed).split("imputed"), threads),
      job.factors.by_view[v]);
  if (labels) return write_labels(view, model, p.mean, run);
  const auto write = [&](const char* ending, const Matrix& guess) {
    const Matrix values = view.Y.array().isNaN().select(guess, view.Y);
    write_table(run.output("imputed/" + view.name + ending + ".csv"), view.ids, view.columns, values,
                threads);
  };
  write("", p.mean);
  write("_lo", p.low);
  write("_hi", p.high);
}

Table heldout_table(const std::vector<ViewScores>& scores) {
  Table out{
      .columns = {"entries", "rmse", "rmse_mean", "rmse_pca", "rmse_knn", "log_density", "coverage90", "r2"},
      .values = Matrix(scores.size(), 8)};
  for (std::size_t v = 0; v < scores.size(); ++v) {
    const ViewScores& s = scores[v];
    out.ids.push_back(s.view);
    out.values.row(static_cast<Index>(v)) << static_cast<double>(s.entries), s.rmse.model, s.rmse.column_mean,
        s.rmse.low_rank, s.rmse.neighbours, s.log_density, s.coverage90, s.r2;
  }
  return out;
}

Table chains_table(const std::vector<BayesMonitor>& monitors) {
  Table out{.columns = {"rhat", "ess_bulk", "ess_tail"}, .values = Matrix(monitors.size(), 3)};
  for (std::size_t k = 0; k < monitors.size(); ++k) {
    out.ids.push_back(monitors[k].name);
    out.values.row(static_cast<Index>(k)) << monitors[k].rhat, monitors[k].ess_bulk, monitors[k].ess_tail;
  }
  return out;
}

Table trace_table(const Matrix& log_density) {
  Table out{.values = log_density.transpose()};
  // Numbered as in draws.nc: without chains that are left out.
  for (Index c = 0; c < log_density.rows(); ++c) out.columns.push_back(fmt::format("chain_{}", c));
  for (Index d = 0; d < log_density.cols(); ++d) out.ids.push_back(std::to_string(d));
  return out;
}

}  // namespace

std::vector<std::string> function_names(const BayesViewFit& view) {
  if (view.likelihood != BayesLikelihood::categorical) return view.columns;
  std::vector<std::string> out;
  for (std::size_t m = 0; m < view.columns.size(); ++m)
    for (const std::string& name : view.class_names[m]) out.push_back(view.columns[m] + "=" + name);
  return out;
}

void add_labels(const BayesViewFit& view, const std::vector<std::string>& ids, const Matrix& probabilities,
                TextTable& out) {
  const Matrix best = likeliest_labels(view, probabilities);
  out.ids.insert(out.ids.end(), ids.begin(), ids.end());
  out.cells.resize(view.columns.size());
  for (std::size_t m = 0; m < view.columns.size(); ++m)
    for (Index n = 0; n < best.rows(); ++n)
      out.cells[m].push_back(view.class_names[m][static_cast<std::size_t>(best(n, static_cast<Index>(m)))]);
}

const std::vector<std::string>& bayes_files() {
  static const std::vector<std::string> files{
      "latent.csv",          "latent_sd.csv",       "relevance.csv",   "relevance_columns.csv",
      "loadings.csv",        "loadings_sd.csv",     "top_columns.csv", "responses.csv",
      "heldout.csv",         "heldout_entries.csv", "chains.csv",      "covariates.csv",
      "kernel.json",         "trace.csv",           "meta.csv",        "draws.nc",
      "forecast_latent.csv", "metrics.json",        "model.bochner",   "log.jsonl"};
  return files;
}

std::vector<std::string> all_fit_files() {
  std::vector<std::string> out = fit_files();
  for (const std::string& file : bayes_files())
    if (std::find(out.begin(), out.end(), file) == out.end()) out.push_back(file);
  out.push_back(draws_log);
  out.emplace_back("draws.h5");  // of earlier releases
  return out;
}

Json metrics_json(const BayesResult& result) {
  Json heldout = Json::object();
  for (const ViewScores& s : result.scores)
    for (const auto& [name, value] : named_scores(s)) heldout[s.view][name] = value;
  const MixingSummary m = mixing(result.fit);
  Json left_out = Json::array();
  for (const BayesLeftOut& own : result.fit.left_out)
    left_out.push_back({{"chain", own.chain}, {"gap", own.gap}});
  Json out{{"chains", result.fit.chains()},
           {"chains_left_out", left_out},
           {"draws", result.fit.draws},
           {"warmup", result.fit.options.warmup},
           {"stopped", stop_reason(result.fit)},
           {"seconds", result.seconds},
           {"rhat_worst", m.worst_rhat},
           {"rhat_above_1.01", m.beyond_best},
           {"rhat_above_1.05", m.apart},
           {"rhat_functions", m.function_rhat},
           {"ess_functions", m.lowest_ess()},
           {"ess_worst", m.worst_ess},
           {"heldout", heldout},
           {"explained", explained_json(result.dimensions)},
           {"explained_heldout", explained_heldout_json(result.dimensions, result.scores)},
           {"dimensions", roles(result.dimensions)},
           {"warnings", warnings_json(result.verdict)}};
  if (!result.criteria.empty()) put_criteria(out, result.criteria);
  put_verdict(out, result.verdict);
  if (!result.forecast) return out;
  out["forecast"] = Json::object();
  for (const ForecastScores& f : result.forecast->scores)
    out["forecast"][f.view] = {{"entries", f.entries},
                               {"error", f.error},
                               {"error_last", f.error_last},
                               {"error_median", f.error_median},
                               {"coverage90", f.coverage90}};
  return out;
}

const char* stop_reason(const BayesFit& fit) {
  return fit.status == Status::stopped_by_callback ? status_text(fit.status) : status_text(fit);
}

void write_results(const BayesJob& job, const BayesResult& result, RunFolder& run, const Threads& threads) {
  const BayesFit& fit = result.fit;
  write_bayes(run.path("model.bochner"), fit);
  write_latent(run, fit.ids, fit.latent);
  for (std::size_t v = 0; v < fit.views.size(); ++v) write_imputed(job, v, fit, run, threads);
  write_dimensions(result.dimensions, run, response_table(result.dimensions, fit, threads));
  write_csv(run.path("heldout.csv"), heldout_table(result.scores), "view");
  write_held_out_entries(run, job.tables(), job.factors, result.scores);
  write_csv(run.path("chains.csv"), chains_table(fit.monitors), "quantity");
  write_csv(run.path("trace.csv"), trace_table(fit.log_density), "draw");
  write_covariates(result, run);
  write_json(run.path("kernel.json"), kernel_json(fit));
  if (result.forecast) write_forecast(*result.forecast, fit, run);
  if (job.meta) write_csv(run.path("meta.csv"), *job.meta);
}

}  // namespace bochner::cli
