#include "results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bochner/core/messages.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/kernels/kernel_group.hpp"
#include "bochner/models/harmonic/file.hpp"
#include "bochner/models/harmonic/interpret.hpp"
#include "bochner/models/harmonic/layer_plan.hpp"
#include "bochner/tables/csv.hpp"
#include "cli/commands/fit/model_json.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/text.hpp"
#include "prediction_file.hpp"
#include "src/likelihoods/likelihood_group.hpp"

namespace bochner::cli {

namespace {

Table trace_table(const std::vector<HarmonicStep>& trace) {
  Table out{.columns = {"step", "bound", "validation"}, .values = Matrix(Index(trace.size()), 3)};
  for (std::size_t i = 0; i < trace.size(); ++i) {
    out.ids.push_back(std::to_string(i + 1));
    out.values.row(Index(i)) << double(trace[i].step), trace[i].bound, trace[i].validation;
  }
  return out;
}

std::string words_text(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out.empty() ? "none" : out;
}

/// What calibration changed, with each outcome by its name; null where there was none.
Json calibration_json(const HarmonicFit& fit) {
  const HarmonicCalibration& c = fit.calibration;
  if (c.noise.size() == 0) return nullptr;
  if (!fit.classes.empty()) return {{"temperature", c.temperature}};
  if (std::holds_alternative<Poisson>(fit.gp.likelihood)) return nullptr;
  const bool counts = is_count(fit.gp.likelihood);
  Json out = Json::object();
  for (std::size_t o = 0; o < fit.outcomes.size(); ++o) {
    Json& own = out[fit.outcomes[o]];
    if (counts)
      own = {{"size_factor", 1 / c.noise(Index(o))}};
    else
      own = {{"noise_variance_factor", c.noise(Index(o))}, {"log_noise_variance_spread", c.spread(Index(o))}};
  }
  return out;
}

Json kernel_json(const HarmonicFit& fit) {
  Json out = to_json(kernel_group(fit.gp.kernel));
  out["inputs"] = fit.inputs.names();
  out["likelihood"] = to_json(detail::likelihood_group(fit.gp.likelihood));
  const Vector noise = noise_variance(fit);  // in the units of the table
  for (Index o = 0; o < noise.size(); ++o)
    out["noise_sd"][fit.outcomes[static_cast<std::size_t>(o)]] = std::sqrt(noise(o));
  out["calibration"] = calibration_json(fit);
  out["symmetries"] = fit.symmetries;
  out["groups"] = fit.gp.groups();
  out["layers"] = fit.options.layers;
  out["inducing"] = fit.gp.inducing();
  return out;
}

double memory_of(const RegressJob& job) {
  const double own = job.data.in_memory()
                         ? 8.0 * double(job.data.rows()) * double(job.data.inputs() + job.data.outcomes())
                         : 0.0;
  const Index latents = job.latents() * (job.options.noise_by_inputs ? 2 : 1);
  return own + harmonic_memory(job.data.rows(), job.data.inputs(), latents, job.groups, job.options);
}

/// Seconds of a step, and of what comes before and after them.
struct Timing {
  double step = 0, around = 0;
};

Timing time_steps(const RegressJob& job, const Threads& threads) {
  constexpr std::size_t steps = 3;  // the first one warms up
  const Stopwatch watch;
  std::vector<double> ends;
  HarmonicHooks hooks;
  hooks.on_step = [&](const HarmonicProgress&) {
    ends.push_back(watch.seconds());
    return ends.size() < steps;
  };
  fit_harmonic(learning_rows(job), job.names, job.options, job.seed, threads, hooks);
  const double step = ends.size() > 1 ? (ends.back() - ends.front()) / double(ends.size() - 1) : ends.front();
  return {step, watch.seconds() - double(ends.size()) * step};
}

}  // namespace

const std::vector<std::string>& regress_files() {
  static const std::vector<std::string> files{
      "predictions.csv", "input_relevance.csv", "partial_dependence.csv", "trace.csv",
      "kernel.json",     "metrics.json",        "model.bochner",          "log.jsonl"};
  return files;
}

std::string compared_text(const HarmonicFit& fit) {
  if (fit.compared.empty()) return "";
  std::vector<std::vector<std::string>> rows{{"symmetry", "groups", "variance missed", ""}};
  for (const SymmetryScore& s : fit.compared)
    rows.push_back({"  " + words_text(s.words), fmt::format("{}", s.groups), percent(s.missed),
                    s.words == fit.symmetries ? "chosen" : ""});
  return align(rows);
}

RowScores write_results(const RegressJob& job, const HarmonicFit& fit, const RunFolder& run,
                        const Threads& threads) {
  write_harmonic(run.path("model.bochner"), fit);
  write_csv(run.path("trace.csv"), trace_table(fit.trace), "n");
  write_json(run.path("kernel.json"), kernel_json(fit));
  RowScores scores;
  if (job.test.empty()) return scores;
  const HarmonicBaselines baselines = harmonic_baselines(learning_rows(job), fit);
  PredictionFile file(run.path("predictions.csv"), fit, {.truth = true});
  for_each_test_block(job, [&](const std::vector<std::string>& ids, const Matrix& X, const Matrix& Y) {
    const HarmonicPrediction p = predict_complete(fit, X, threads);
    file.write(ids, X, p, Y, threads);
    add_rows(scores, fit, baselines, X, Y, p, threads);
  });
  file.commit();
  return scores;
}

Json metrics_json(const RegressJob& job, const HarmonicFit& fit, double seconds, const RowScores& scores,
                  const Verdict& verdict) {
  Json compared = Json::array();
  for (const SymmetryScore& s : fit.compared)
    compared.push_back({{"symmetry", s.words}, {"groups", s.groups}, {"missed", s.missed}});
  Json out{{"rows", fit.rows},
           {"heldout_rows", job.test.size()},
           {"bound", fit.bound},
           {"steps", fit.steps},
           {"passes", double(fit.steps) * double(std::min(fit.options.batch, fit.rows)) / double(fit.rows)},
           {"ard", fit.options.ard ? Json(*fit.options.ard) : Json("auto")},
           {"stopped", status_text(fit.status)},
           {"seconds", seconds},
           {"likelihood", likelihood_name(fit.gp.likelihood)},
           {"symmetries", fit.symmetries},
           {"compared", compared},
           {"groups", fit.gp.groups()},
           {"inducing", fit.gp.inducing()},
           {"heldout", scores_json(fit, scores)},
           {"notes", fit.notes}};
  put_verdict(out, verdict);
  return out;
}

namespace {

std::string passes_text(Index steps, double rows, Index batch) {
  const double passes = double(steps) * std::min(double(batch), rows) / rows;
  return fmt::format("{:.{}f} passes over the rows", passes, passes < 10 ? 1 : 0);
}

}  // namespace

std::string steps_text(Index steps, double rows, Index batch) {
  return fmt::format("{} ({})", counted(steps, "step"), passes_text(steps, rows, batch));
}

std::string rows_text(const RegressJob& job) {
  const std::string what = job.classes()
                               ? fmt::format("{} classes", job.names.classes.size())  // two at least
                               : counted(job.data.outcomes(), "outcome");
  const Index inputs =
      job.names.encoding.columns.empty() ? job.data.inputs() : Index(job.names.encoding.columns.size());
  return fmt::format("{} of {} and {}{}", counted(job.data.rows(), "row"), counted(inputs, "input"), what,
                     job.data.in_memory() ? "" : ", in blocks");
}

std::string model_text(const RegressJob& job, Index groups, Index inducing) {
  const bool deep = !parse_layers(job.options.layers).hidden.empty() || !job.options.image.empty();
  const std::string layers =
      deep ? fmt::format("layers {}, ", fmt::join(job.options.layers, ",")) : std::string();
  return layers + fmt::format("{} of {}, kernel {}, likelihood {}", counted(groups, "group"),
                              counted(inducing, "inducing point"), job.options.kernel,
                              job.options.likelihood);
}

MemoryNeed regress_memory(const RegressJob& job) {
  return {memory_of(job), "try fewer --inducing points, or --shared-covariance"};
}

std::string regress_plan(const std::string& command, const RegressJob& job, const std::string& out,
                         const Threads& threads) {
  const double bytes = memory_of(job);
  std::string time = "more than available";
  if (bytes <= free_memory()) {
    const Timing t = time_steps(job, threads);
    const std::string longest = about_time(t.around + t.step * double(job.options.steps));
    time = fmt::format("{}{} on {} ({:.2g} s per step)", longest.starts_with("less") ? "" : "at most ",
                       longest, counted(threads.count(), "thread"), t.step);
  }
  const double learned_from =
      std::max(1.0, (1 - job.options.validation) * double(job.data.rows() - Index(job.test.size())));
  const bool compares = job.options.symmetries == std::vector<std::string>{"auto"};
  std::vector<std::string> files = regress_files();
  if (job.test.empty()) std::erase(files, "predictions.csv");
  if (!job.options.image.empty())
    for (const char* file : {"input_relevance.csv", "partial_dependence.csv"}) std::erase(files, file);
  return fmt::format(
      "bochner {} would\n"
      "  read   {}\n"
      "         {}\n"
      "  learn  {}\n"
      "         at most {} of {}; {} held out for evaluation; {}\n"
      "  need   about {} of memory ({} free) and {}\n"
      "  write  {}",
      command, rows_text(job), job.columns,
      (compares ? "at most " : "") + model_text(job, job.groups, job.options.inducing),
      counted(job.options.steps, "step"), counted(job.options.batch, "row"),
      counted(Index(job.test.size()), "row"), passes_text(job.options.steps, learned_from, job.options.batch),
      human_bytes(bytes), human_bytes(free_memory()), time,
      wrap(fmt::format("config.toml, {} in {}/", join_list(files), out), 95, 9));
}

}  // namespace bochner::cli
