#include "demo.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "bayes.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/stopwatch.hpp"
#include "cli/commands/fit/plan.hpp"
#include "cli/commands/fit/results.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/shell_quote.hpp"
#include "cli/frame/terminal.hpp"
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
  fit.restarts = 1;  // more would take longer to show the same
  return fit;
}

/// The demo as a run (run/run.hpp): the tables, and a fit of them. It takes a minute: there is nothing to resume.
class DemoTask : public TaskDefaults {
 public:
  DemoTask(const DemoSettings& settings, const Job& command, const Threads& threads)
      : settings_(settings),
        command_(command),
        made_(make_demo_tables(settings, Rng(seed()).split("demo"), threads)),
        job_(prepare_fit(made_.data, fit_settings(settings, command.common.out), seed())) {}

  std::string plan(const Threads& threads) const {
    const std::string first = fmt::format(
        "bochner demo would\n"
        "  make   2 views of {} samples and {} columns each, noise {}, {:.0f} % missing, {:.0f} % of "
        "samples\n"
        "         without one of the views\n",
        settings_.samples, settings_.columns, settings_.noise, 100 * settings_.missing,
        100 * settings_.absent);
    return fit_plan(first, job_, demo_files(), command_.common.out, threads);
  }
  MemoryNeed memory() const { return fit_memory(job_); }
  std::vector<std::string> files() const { return demo_files(); }
  std::string summary() const {
    return fmt::format("made  {} in {}/: {}\n", counted(job_.data.rows(), "sample"), command_.common.out,
                       views_text(job_.data));
  }
  Json facts() const { return {{"samples", job_.data.rows()}, {"views", job_.data.view_count()}}; }
  void fit(RunProgress& progress, const Threads& threads) {
    write_demo_tables(made_, progress.folder());
    // From here on the demo knows what a user would: two tables in files.
    job_ = prepare_fit(fit_settings(settings_, command_.common.out), seed());
    const Stopwatch watch;
    GplvmFit fit = learn(job_, progress, threads);
    result_ = judge_fit(job_, std::move(fit), watch.seconds(), threads);
    truth_ = score_against_truth(job_, result_->fit, progress.folder(), threads);
    judge_by_truth(truth_, *result_);
  }
  std::string status() const { return status_text(result_->fit.status); }
  std::string fitted() const { return fitted_text(job_, *result_); }
  void write(RunFolder& run, const Threads& threads) {
    write_results(job_, *result_, run, threads);
    Json metrics = metrics_json(*result_);
    metrics["truth"] = truth_json(truth_);
    write_json(run.path("metrics.json"), metrics);
  }
  std::string verdict() const { return to_string(result_->verdict.kind); }
  std::string report(const RunFolder& run) const {
    const std::string& out = command_.common.out;
    const bool stopped = result_->fit.status == Status::stopped_by_callback;
    return (result_->scores.empty() ? ""
                                    : scores_text(result_->scores) + absent_text(result_->absent) + "\n") +
           truth_text(truth_) + "\n" + verdict_lines(result_->verdict) +
           fmt::format(
               "\nWrote {}/ with latent.csv, imputed/ (90 % intervals), relevance.csv, metrics.json, "
               "model.bochner,\n"
               "  the tables and their truth\n"
               "{} bochner demo --config {}{}\n",
               out,
               stopped ? "Run to the end with:" : "Reproduce with:", shell_quote(run.path("config.toml")),
               out == command_.command.out_default ? "" : " --out " + shell_quote(out));
  }

 private:
  std::uint64_t seed() const { return static_cast<std::uint64_t>(command_.common.seed); }

  const DemoSettings& settings_;
  const Job& command_;
  Simulated made_;
  FitJob job_;
  std::optional<FitResult> result_;
  TruthScores truth_;
};

int run(const DemoSettings& s, const Job& job) {
  const DemoSettings sized = with_sizes(s);
  if (s.bayes) return run_bayes_demo(sized, job);
  return run_command(job, [&] { return DemoTask(sized, job, make_threads(job.common.threads)); });
}

std::vector<Option> demo_options(DemoSettings& s) {
  return {{.name = "bayes",
           .help = "Simulate counts, and fit them by Markov chains (--inference mcmc)",
           .target = &s.bayes,
           .group = Group::model},
          {.name = "samples",
           .placeholder = "N",
           .help = "Number of samples",
           .target = &s.samples,
           .group = Group::input,
           .low = 10,
           .high = 20000,
           .shown_default = "600; 100 with --bayes",
           .zero_word = "auto"},
          {.name = "columns",
           .placeholder = "M",
           .help = "Columns of each table",
           .target = &s.columns,
           .group = Group::input,
           .low = 2,
           .high = 10000,
           .shown_default = "100; 30 with --bayes",
           .zero_word = "auto"},
          {.name = "noise",
           .placeholder = "SD",
           .help = "Standard deviation of the noise; functions have 1",
           .target = &s.noise,
           .group = Group::input,
           .low = 0.001,
           .high = 100},
          {.name = "missing",
           .placeholder = "FRACTION",
           .help = "Fraction of missing values",
           .target = &s.missing,
           .group = Group::input,
           .low = 0,
           .high = 0.45,
           .aliases = {"holes"}},
          {.name = "absent",
           .placeholder = "FRACTION",
           .help = "Fraction of samples missing from one of the tables",
           .target = &s.absent,
           .group = Group::input,
           .low = 0,
           .high = 0.9},
          {.name = "steps",
           .placeholder = "N",
           .help = "Maximum number of optimiser steps",
           .target = &s.steps,
           .group = Group::variational,
           .low = 1,
           .high = 100000}};
}

}  // namespace

Command demo_command() {
  const auto s = std::make_shared<DemoSettings>();
  return {
      .name = "demo",
      .summary = "Simulate tables with missing values, fit them, compare with the truth; requires no data",
      .example = "bochner demo --out run",
      .details =
          "Draws two tables that share an S-shaped latent curve, adds noise, removes some values and "
          "samples, and\n"
          "writes them as CSV files. Then fits them as 'bochner fit' does and reports the distance to the "
          "truth.\n"
          "With --bayes: one table of Poisson counts, fitted as 'bochner fit --inference mcmc' does.\n"
          "Ctrl-C stops early and keeps the best state.",
      .options = demo_options(*s),
      .out_help = "Run folder",
      .out_default = "run",
      .run = [s](const Job& job) { return run(*s, job); }};
}

}  // namespace bochner::cli
