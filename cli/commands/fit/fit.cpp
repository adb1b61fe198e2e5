#include "fit.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/models/gplvm/file.hpp"
#include "cli/commands/fit/mcmc/mcmc.hpp"
#include "cli/commands/fit/mcmc/results.hpp"
#include "cli/frame/aligned.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/resume.hpp"
#include "cli/frame/run_log.hpp"
#include "cli/frame/shell_word.hpp"
#include "cli/frame/stopwatch.hpp"
#include "options.hpp"
#include "plan.hpp"
#include "results.hpp"

namespace bochner::cli {

namespace {

namespace fs = std::filesystem;

std::string in(const std::string& folder, const std::string& file) {
  return (fs::path(folder) / file).string();
}

/// Where the run stood; nothing if it was ended before the first checkpoint.
std::optional<GplvmCheckpoint> find_checkpoint(const std::string& path, const std::string& expected) {
  if (!file_exists(path)) return std::nullopt;
  const ModelGroup group = read_model(path);
  check_same_tables(path, checkpoint_job(group), expected);
  return checkpoint_from(group);
}

int run(const FitSettings& s, const Job& verb_job) {
  check_model_options(s);
  if (s.model == "bayes") return fit_by_chains(s, verb_job);
  const Common& common = verb_job.common;
  const auto say = [&](const std::string& text) {
    if (!common.quiet) print(text);
  };
  check_run_folder(common.out, "fit");
  const std::string checkpoint = in(common.out, checkpoint_file);
  std::unique_ptr<FolderLock> lock;
  if (s.resume) {
    lock = std::make_unique<FolderLock>(common.out);  // before it looks at what there is
    check_unchanged(verb_job);
    if (has_ended(common.out)) {
      say(fmt::format("{}/ holds a run that has ended by itself; there is nothing to resume\n", common.out));
      return 0;
    }
  }
  const Threads threads = make_threads(common.threads);
  const FitJob job = prepare_fit(s, static_cast<std::uint64_t>(common.seed));
  if (!common.quiet)
    for (const std::string& note : job.notes) print_error("note: " + note + "\n");
  if (common.dry_run) {
    const std::string first = fmt::format(
        "bochner fit would\n  read   {} in {}: {}\n  ids    {}\n", counted(job.data.rows(), "sample"),
        counted(job.data.view_count(), "view"), views_text(job.data), job.ids);
    std::vector<std::string> files = fit_files();
    if (!job.meta) std::erase(files, "meta.csv");
    print(fit_plan(first, job, files, common.out, threads));
    return 0;
  }
  check_fit_memory(job);
  const std::string config = config_text(verb_job);
  Checkpoints checkpoints{
      .path = checkpoint, .job = fingerprint(job, config), .seconds = s.checkpoint_seconds};
  if (s.resume) checkpoints.begin = find_checkpoint(checkpoint, checkpoints.job);

  const Stopwatch total;
  const Interrupt interrupt;
  std::vector<std::string> cleared = all_fit_files();
  if (!s.resume) cleared.push_back(checkpoint_file);
  RunFolder run(common.out, "fit", cleared, config, std::move(lock));
  run.log(json_line({{"event", checkpoints.begin ? "resume" : "start"},
                     {"verb", "fit"},
                     {"version", BOCHNER_VERSION},
                     {"threads", threads.count()},
                     {"samples", job.data.rows()},
                     {"views", job.data.view_count()}}));
  say(fmt::format("read  {} in {}: {}\nids   {}\n", counted(job.data.rows(), "sample"),
                  counted(job.data.view_count(), "view"), views_text(job.data), job.ids));
  if (s.resume)
    say(checkpoints.begin ? fmt::format("resume from step {}\n",
                                        checkpoints.begin->steps_before + checkpoints.begin->run.iteration)
                          : "resume from the beginning: the run was ended before its first checkpoint\n");

  const FitResult result = run_fit(job, checkpoints, interrupt, logged_progress(common, run), threads);
  const GplvmFit& fit = result.fit;
  run.log(json_line({{"event", "fit"}, {"stopped", ending(fit.status)}, {"seconds", result.seconds}}));
  say(fmt::format("fit   {}: {} in {:.1f} s, bound {:.6g}, {}\n\n", algorithm_text(job),
                  counted(fit.steps, "step"), result.seconds, fit.objective, ending(fit.status)));
  write_results(job, result, run, threads);
  write_json(run.path("metrics.json"), metrics_json(result));
  if (fit.status != Status::stopped_by_callback) fs::remove(checkpoint);
  run.log(json_line(
      {{"event", "end"}, {"verdict", to_string(result.verdict.kind)}, {"seconds", total.seconds()}}));
  say((result.scores.empty() ? "" : scores_text(result.scores) + "\n") +
      wrapped("verdict: " + verdict_text(result.verdict), 100, 9) +
      fmt::format(
          "\nleft  {}/ with latent.csv, imputed/, relevance.csv, heldout.csv, metrics.json, model.bochner\n"
          "{}",
          common.out,
          interrupt.asked() ? fmt::format("again 'bochner fit --resume --out {}' goes on from here\n",
                                          shell_word(common.out))
                            : fmt::format("next  bochner apply {} --view {} --out new\n",
                                          shell_word(run.path("model.bochner")),
                                          shell_word(fit.views.front().name + "=NEW_TABLE"))));
  return exit_code(interrupt, result.verdict, common);
}

}  // namespace

Verb fit_verb() {
  const auto s = std::make_shared<FitSettings>();
  return {
      .name = "fit",
      .summary = "find a few dimensions shared by tables with holes; fill them, with intervals and a verdict",
      .example = "bochner fit --view rna=rna.csv --view protein=protein.npy --dims 2 --out run",
      .details =
          "Learns a variational latent variable model: one latent space for all views, a Gaussian process "
          "for each\n"
          "column. Samples are joined by id and may lack entries or whole views. The run folder has the "
          "latents,\n"
          "the tables filled in with 90 % intervals, what each dimension means to each view, and the model "
          "for\n"
          "'bochner apply'. Ctrl-C stops early and keeps the best so far; --resume goes on.",
      .options = fit_options(*s),
      .out_help = "the run folder",
      .out_default = "run",
      .run = [s](const Job& job) { return run(*s, job); }};
}

}  // namespace bochner::cli
