#include "regress.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "bochner/core/messages.hpp"
#include "bochner/models/harmonic/file.hpp"
#include "cli/frame/aligned.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/json_file.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/resume.hpp"
#include "cli/frame/run_log.hpp"
#include "cli/frame/shell_word.hpp"
#include "cli/frame/stopwatch.hpp"
#include "results.hpp"

namespace bochner::cli {

namespace {

namespace fs = std::filesystem;

/// Where the run stood; nothing if it was ended before the first checkpoint.
std::optional<HarmonicCheckpoint> find_checkpoint(const std::string& path, const std::string& expected) {
  if (!file_exists(path)) return std::nullopt;
  const ModelGroup group = read_model(path);
  check_same_tables(path, harmonic_checkpoint_job(group), expected);
  return harmonic_checkpoint_from(group);
}

int run(const RegressSettings& s, bool classes, const Job& verb_job) {
  const Common& common = verb_job.common;
  const std::string& verb = verb_job.verb.name;
  const auto say = [&](const std::string& text) {
    if (!common.quiet) print(text);
  };
  const auto note = [&](const std::vector<std::string>& notes) {
    if (!common.quiet)
      for (const std::string& sentence : notes) print_error("note: " + sentence + "\n");
  };
  check_run_folder(common.out, verb);
  const std::string checkpoint = (fs::path(common.out) / checkpoint_file).string();
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
  const RegressJob job = prepare_regress(s, classes, static_cast<std::uint64_t>(common.seed));
  note(job.notes);
  if (common.dry_run) {
    print(regress_plan(verb, job, common.out, threads));
    return 0;
  }
  check_regress_memory(job);
  const std::string config = config_text(verb_job);
  RegressCheckpoints checkpoints{
      .path = checkpoint, .job = fingerprint(job, config), .seconds = s.checkpoint_seconds};
  if (s.resume) checkpoints.begin = find_checkpoint(checkpoint, checkpoints.job);

  const Stopwatch total;
  const Interrupt interrupt;
  std::optional<RunFolder> folder;
  // The folder comes with the first step: what the model refuses leaves nothing behind.
  const auto make_folder = [&] {
    std::vector<std::string> cleared = regress_files();
    if (!s.resume) cleared.push_back(checkpoint_file);
    folder.emplace(common.out, verb, cleared, config, std::move(lock));
    folder->log(json_line({{"event", checkpoints.begin ? "resume" : "start"},
                           {"verb", verb},
                           {"version", BOCHNER_VERSION},
                           {"threads", threads.count()},
                           {"rows", job.data.rows()},
                           {"inputs", job.data.inputs()}}));
    say(fmt::format("read  {}\n      {}\n", rows_text(job), job.columns));
    if (s.resume)
      say(checkpoints.begin ? fmt::format("resume from step {}\n", checkpoints.begin->step)
                            : "resume from the beginning: the run was ended before its first checkpoint\n");
  };
  const ProgressOptions progress{.shown = !common.quiet, .on_log = [&](const ProgressEvent& event) {
                                   if (folder) logged_progress(common, *folder).on_log(event);
                                 }};
  const LearnedRegress learned = learn(job, checkpoints, make_folder, interrupt, progress, threads);
  if (!folder) make_folder();  // resumed after its last step
  const HarmonicFit& fit = learned.fit;
  note(fit.notes);
  folder->log(json_line({{"event", "fit"}, {"stopped", ending(fit.status)}, {"seconds", learned.seconds}}));
  say(compared_text(fit));
  say(fmt::format("fit   {}: {} in {:.1f} s, bound {:.6g} a row, {}\n\n",
                  model_text(job, fit.gp.groups(), fit.gp.inducing()), counted(fit.steps, "step"),
                  learned.seconds, fit.bound, ending(fit.status)));
  const RowScores scores = write_results(job, fit, *folder, threads);
  const Verdict verdict = harmonic_verdict(fit, scores);
  write_json(folder->path("metrics.json"), metrics_json(job, learned, scores, verdict));
  if (fit.status != Status::stopped_by_callback) fs::remove(checkpoint);
  folder->log(
      json_line({{"event", "end"}, {"verdict", to_string(verdict.kind)}, {"seconds", total.seconds()}}));
  const std::string table = scores_text(fit, scores);
  say((table.empty() ? "" : table + "\n") + wrapped("verdict: " + verdict_text(verdict), 100, 9) +
      fmt::format("\nleft  {}/ with {}metrics.json, kernel.json, model.bochner\n{}", common.out,
                  job.test.empty() ? "" : "predictions.csv, ",
                  interrupt.asked() ? fmt::format("again 'bochner {} --resume --out {}' goes on from here\n",
                                                  verb, shell_word(common.out))
                                    : fmt::format("next  bochner predict {} --x NEW_TABLE --out new\n",
                                                  shell_word(folder->path("model.bochner")))));
  return exit_code(interrupt, verdict, common);
}

Verb make_verb(bool classes) {
  const auto s = std::make_shared<RegressSettings>();
  if (classes) s->likelihood = "auto";
  Verb verb{.options = regress_options(*s, classes),
            .out_help = "the run folder",
            .run = [s, classes](const Job& job) { return run(*s, classes, job); }};
  return verb;
}

const char* const how_it_learns =
    "Symmetries of the kernel cut it into groups of harmonics, each with inducing points of its own: more of "
    "them\n"
    "for the same time. Rows are joined by id, or by position where a table has none; tables of NPY or HDF5 "
    "beyond\n"
    "--memory are read in pieces, however many rows they have. A tenth of the rows is held out to judge by.\n"
    "Ctrl-C stops early and keeps the best so far; --resume goes on.";

}  // namespace

Verb regress_verb() {
  Verb verb = make_verb(false);
  verb.name = "regress";
  verb.summary = "predict numbers from inputs with a Gaussian process, for up to millions of rows";
  verb.example = "bochner regress --x houses.csv --y houses.csv:price --symmetry negate:pca:3 --out run";
  verb.details =
      std::string(
          "Learns a sparse variational Gaussian process of the outcomes, several at once if there are, and "
          "says whether\n"
          "it is worth it: against the mean, and against linear regression. Outcomes may have holes, "
          "inputs may not.\n") +
      how_it_learns;
  verb.out_default = "regress";
  return verb;
}

Verb classify_verb() {
  Verb verb = make_verb(true);
  verb.name = "classify";
  verb.summary = "tell classes apart by inputs with a Gaussian process, with probabilities";
  verb.example = "bochner classify --x iris.csv --y iris.csv:species --out run";
  verb.details =
      std::string(
          "Learns a sparse variational Gaussian process for the classes, which are the distinct values of a "
          "column,\n"
          "and says how often it is right on rows that it has not seen. Rows without a class are left "
          "out.\n") +
      how_it_learns;
  verb.out_default = "classify";
  return verb;
}

}  // namespace bochner::cli
