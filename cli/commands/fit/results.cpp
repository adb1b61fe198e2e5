#include "results.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bochner/assess/normal_interval.hpp"
#include "bochner/backend/engine.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/kernels/kernel_group.hpp"
#include "bochner/models/gplvm/file.hpp"
#include "bochner/models/latent/latent_faults.hpp"
#include "bochner/run/write_rows.hpp"
#include "bochner/tables/csv.hpp"
#include "held_out_entries.hpp"
#include "latent_tables.hpp"
#include "model_json.hpp"

namespace bochner::cli {

namespace {

/// Measured cells hold what was measured, in all three tables; the others what the model says.
void write_imputed(const FitJob& job, std::size_t v, const GplvmFit& fit, RunFolder& run,
                   const Threads& threads) {
  const View& view = job.tables().view(static_cast<Index>(v));
  const Predictive p =
      multiply_rows(predict(fit, view.name, job.data, fit.latent, threads), job.factors.by_view[v]);
  const Matrix half_width = normal_quantile_of_interval(0.9) * p.y_variance.array().sqrt();
  const auto write = [&](const char* ending, const Matrix& guess) {
    const Matrix values = view.Y.array().isNaN().select(guess, view.Y);
    write_table(run.output("imputed/" + view.name + ending + ".csv"), view.ids, view.columns, values,
                threads);
  };
  write("", p.mean);
  write("_lo", p.mean - half_width);
  write("_hi", p.mean + half_width);
}

Table entries_table(const std::vector<ViewScores>& scores) {
  Table out{.columns = {"entries", "rmse", "rmse_mean", "rmse_pca", "rmse_knn", "log_density", "coverage90",
                        "scaled_rmse", "scaled_rmse_mean", "scaled_rmse_pca", "scaled_rmse_knn", "r2"},
            .values = Matrix(scores.size(), 12)};
  for (std::size_t v = 0; v < scores.size(); ++v) {
    const ViewScores& s = scores[v];
    out.ids.push_back(s.view);
    out.values.row(static_cast<Index>(v)) << static_cast<double>(s.entries), s.rmse.model, s.rmse.column_mean,
        s.rmse.low_rank, s.rmse.neighbours, s.log_density, s.coverage90, s.scaled_rmse.model,
        s.scaled_rmse.column_mean, s.scaled_rmse.low_rank, s.scaled_rmse.neighbours, s.r2;
  }
  return out;
}

Table absent_table(const std::vector<AbsentViewScores>& scores) {
  Table out{.values = Matrix(scores.size(), 0)};
  for (std::size_t v = 0; v < scores.size(); ++v) {
    const NamedScores named = named_scores(scores[v]);
    out.ids.push_back(scores[v].view);
    out.values.conservativeResize(Eigen::NoChange, static_cast<Index>(named.size()));
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (v == 0) out.columns.push_back(named[i].first);
      out.values(static_cast<Index>(v), static_cast<Index>(i)) = named[i].second;
    }
  }
  return out;
}

Table trace_table(const std::vector<GplvmStep>& trace) {
  Table out{.columns = {"start", "step", "objective", "step_size", "draw"},
            .values = Matrix(trace.size(), 5)};
  for (std::size_t i = 0; i < trace.size(); ++i) {
    out.ids.push_back(std::to_string(i + 1));
    out.values.row(static_cast<Index>(i)) << static_cast<double>(trace[i].start + 1),
        static_cast<double>(trace[i].step), trace[i].objective, trace[i].step_size, trace[i].draw;
  }
  return out;
}

Json kernel_json(const GplvmFit& fit) {
  Json out = Json::object();
  for (const GplvmView& view : fit.views) {
    out[view.name] = to_json(kernel_group(view.kernel));
    out[view.name]["noise_variance"] = view.noise_variance;
  }
  return out;
}

}  // namespace

const std::vector<std::string>& fit_files() {
  static const std::vector<std::string> files{
      "latent.csv",        "latent_sd.csv",   "relevance.csv",       "relevance_columns.csv",
      "loadings.csv",      "top_columns.csv", "responses.csv",       "heldout.csv",
      "heldout_views.csv", "trace.csv",       "heldout_entries.csv", "meta.csv",
      "kernel.json",       "metrics.json",    "model.bochner",       "log.jsonl"};
  return files;
}

Json metrics_json(const FitResult& result) {
  Json heldout = Json::object(), absent = Json::object(), noise = Json::object(), noise_sd = Json::object();
  for (const ViewScores& s : result.scores)
    for (const auto& [name, value] : named_scores(s)) heldout[s.view][name] = value;
  for (const AbsentViewScores& s : result.absent)
    for (const auto& [name, value] : named_scores(s)) absent[s.view][name] = value;
  for (const GplvmView& view : result.fit.views) {
    noise[view.name] = view.noise_variance;
    // In the units of the table there is one number only where all columns, and all rows, were divided by one.
    if (view.scaling.kind != ScalingKind::standardise && view.row_median == 0)
      noise_sd[view.name] = std::sqrt(view.noise_variance) * view.scaling.scale(0);
  }
  Json out{{"objective", result.fit.objective},
           {"steps", result.fit.steps},
           {"stopped", status_text(result.fit.status)},
           {"seconds", result.seconds},
           {"heldout", heldout},
           {"heldout_views", absent},
           {"explained", explained_json(result.dimensions)},
           {"explained_heldout", explained_heldout_json(result.dimensions, result.scores)},
           {"dimensions", roles(result.dimensions)},
           {"active_dimensions",
            result.fit.dims() - static_cast<Index>(latent_faults(result.fit.latent).collapsed.size())},
           {"noise", noise},
           {"noise_sd", noise_sd},
           {"warnings", warnings_json(result.verdict)}};
  put_verdict(out, result.verdict);
  return out;
}

Json tried_json(const FitJob& job) {
  Json out = Json::array();
  for (const DimsTrial& t : job.tried)
    out.push_back({{"dims", t.dims}, {"mse", t.error}, {"gain", t.gain}, {"gain_se", t.gain_se}});
  return out;
}

Json device_json(const FitJob& job) {
  const DeviceInfo info = job.device.compute.engine->info();
  return {{"name", info.name},    {"card", info.card},   {"driver", info.driver},
          {"cuda", info.runtime}, {"cublas", info.blas}, {"cusolver", info.solver}};
}

void write_results(const FitJob& job, const FitResult& result, RunFolder& run, const Threads& threads) {
  const GplvmFit& fit = result.fit;
  write_gplvm(run.path("model.bochner"), fit);
  write_latent(run, fit.ids, fit.latent);
  for (std::size_t v = 0; v < fit.views.size(); ++v) write_imputed(job, v, fit, run, threads);
  write_dimensions(result.dimensions, run, response_table(result.dimensions, fit, threads));
  write_csv(run.path("heldout.csv"), entries_table(result.scores), "view");
  if (!result.absent.empty()) write_csv(run.path("heldout_views.csv"), absent_table(result.absent), "view");
  write_held_out_entries(run, job.tables(), job.factors, result.scores);
  write_csv(run.path("trace.csv"), trace_table(fit.trace), "n");
  write_json(run.path("kernel.json"), kernel_json(fit));
  if (job.meta) write_csv(run.path("meta.csv"), *job.meta);
}

}  // namespace bochner::cli
