#include "demo.hpp"

#include <fmt/format.h>

#include <memory>

#include "bochner/core/messages.hpp"
#include "cli/commands/fit/plan.hpp"
#include "cli/commands/fit/results.hpp"
#include "cli/frame/aligned.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/run_log.hpp"
#include "cli/frame/shell_word.hpp"
#include "cli/frame/stopwatch.hpp"
#include "tables.hpp"
#include "truth.hpp"

namespace bochner::cli {

namespace {

std::vector<std::string> demo_files() {
  std::vector<std::string> files = demo_tables();
  for (const std::string& file : fit_files())
    if (file != "meta.csv") files.push_back(file);
  return files;
}

/// What a user would say to `bochner fit`.
FitSettings fit_settings(const DemoSettings& s, const std::string& out) {
  FitSettings fit;
  for (const char* view : {"rbf", "gibbs"}) fit.views.push_back(fmt::format("{}={}/{}.csv", view, out, view));
  fit.steps = s.steps;
  fit.restarts = 1;  // a second start would double the time to show the same
  return fit;
}

std::string plan(const DemoSettings& s, const Common& common, const Rng& rng, const Threads& threads) {
  const std::string first = fmt::format(
      "bochner demo would\n"
      "  make   2 views of {} samples and {} columns each, noise {}, {:.0f} % not measured, {:.0f} % of "
      "samples\n"
      "         without one of the views\n",
      s.samples, s.columns, s.noise, 100 * s.holes, 100 * s.absent);
  const Simulated made = make_demo_tables(s, rng, threads);
  const FitJob job =
      prepare_fit(made.data, fit_settings(s, common.out), static_cast<std::uint64_t>(common.seed));
  return fit_plan(first, job, demo_files(), common.out, threads);
}

int run(const DemoSettings& s, const Job& job) {
  const Common& common = job.common;
  const Threads threads = make_threads(common.threads);
  const Rng rng = Rng(static_cast<std::uint64_t>(common.seed)).split("demo");
  check_run_folder(common.out, "demo");
  if (common.dry_run) {
    print(plan(s, common, rng, threads));
    return 0;
  }
  const auto say = [&](const std::string& text) {
    if (!common.quiet) print(text);
  };
  const Stopwatch total;
  const Interrupt interrupt;
  RunFolder run(common.out, "demo", demo_files(), config_text(job));
  run.log(json_line(
      {{"event", "start"}, {"verb", "demo"}, {"version", BOCHNER_VERSION}, {"threads", threads.count()}}));
  write_demo_tables(make_demo_tables(s, rng, threads), run);
  run.log(json_line({{"event", "tables"}, {"seconds", total.seconds()}}));

  // From here on the demo knows what a user would: two tables in files.
  const FitJob fit_job = prepare_fit(fit_settings(s, common.out), static_cast<std::uint64_t>(common.seed));
  check_fit_memory(fit_job);
  say(fmt::format("made  {} in {}/: {}\n", counted(fit_job.data.rows(), "sample"), common.out,
                  views_text(fit_job.data)));
  FitResult result = run_fit(fit_job, {}, interrupt, logged_progress(common, run), threads);
  const GplvmFit& fit = result.fit;
  run.log(json_line({{"event", "fit"}, {"stopped", ending(fit.status)}, {"seconds", result.seconds}}));
  say(fmt::format("fit   {}: {} in {:.1f} s, bound {:.6g}, {}\n\n", algorithm_text(fit_job),
                  counted(fit.steps, "step"), result.seconds, fit.objective, ending(fit.status)));
  const TruthScores truth = score_against_truth(fit_job, fit, run, threads);
  judge_by_truth(truth, result);
  write_results(fit_job, result, run, threads);
  Json metrics = metrics_json(result);
  metrics["truth"] = truth_json(truth);
  write_json(run.path("metrics.json"), metrics);
  run.log(json_line(
      {{"event", "end"}, {"verdict", to_string(result.verdict.kind)}, {"seconds", total.seconds()}}));
  const std::string elsewhere = common.out == job.verb.out_default ? "" : " --out " + shell_word(common.out);
  say((result.scores.empty() ? "" : scores_text(result.scores) + "\n") + truth_text(truth) + "\n" +
      wrapped("verdict: " + verdict_text(result.verdict), 100, 9) +
      fmt::format("\nleft  {}/ with latent.csv, imputed/ (90 % intervals), relevance.csv, metrics.json, "
                  "model.bochner,\n"
                  "      the tables and their truth\n"
                  "again 'bochner demo --config {}{}' {}\n",
                  common.out, shell_word(run.path("config.toml")), elsewhere,
                  interrupt.asked() ? "takes it to its end" : "gives the same bytes"));
  return exit_code(interrupt, result.verdict, common);
}

}  // namespace

Verb demo_verb() {
  const auto s = std::make_shared<DemoSettings>();
  return {.name = "demo",
          .summary = "make tables with a known truth and holes, fit them, judge the fit; needs no data",
          .example = "bochner demo --out run",
          .details =
              "Draws two tables that share an S-shaped latent curve, adds noise, forgets some values and "
              "some samples, and\n"
              "writes CSV files. Then it does what 'bochner fit' does with them, and says how far from the "
              "truth it\n"
              "landed. Ctrl-C stops early and keeps what was learned.",
          .options = {{.name = "samples",
                       .placeholder = "N",
                       .help = "samples to learn from",
                       .target = &s->samples,
                       .low = 10,
                       .high = 20000},
                      {.name = "columns",
                       .placeholder = "M",
                       .help = "of each of the two tables",
                       .target = &s->columns,
                       .low = 2,
                       .high = 10000},
                      {.name = "noise",
                       .placeholder = "SD",
                       .help = "standard deviation of the noise; functions have 1",
                       .target = &s->noise,
                       .low = 0.001,
                       .high = 100},
                      {.name = "holes",
                       .placeholder = "SHARE",
                       .help = "of the values that are not measured",
                       .target = &s->holes,
                       .low = 0,
                       .high = 0.45},
                      {.name = "absent",
                       .placeholder = "SHARE",
                       .help = "of the samples that lack one of the tables",
                       .target = &s->absent,
                       .low = 0,
                       .high = 0.9},
                      {.name = "steps",
                       .placeholder = "N",
                       .help = "of the optimiser, at most",
                       .target = &s->steps,
                       .low = 1,
                       .high = 100000}},
          .out_help = "the run folder",
          .out_default = "run",
          .run = [s](const Job& job) { return run(*s, job); }};
}

}  // namespace bochner::cli
