#include "mcmc.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/models/bayes/names.hpp"
#include "cli/commands/fit/plan.hpp"
#include "cli/commands/fit/results.hpp"
#include "cli/frame/aligned.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/resume.hpp"
#include "cli/frame/run_log.hpp"
#include "cli/frame/shell_word.hpp"
#include "cli/frame/stopwatch.hpp"
#include "results.hpp"

namespace bochner::cli {

namespace {

namespace fs = std::filesystem;

std::string likelihoods_text(const BayesJob& job) {
  std::vector<std::string> out;
  for (Index v = 0; v < job.data.data.view_count(); ++v)
    out.push_back(fmt::format("{} {}", printable(job.data.data.view(v).name, 40),
                              to_text(job.options.views[static_cast<std::size_t>(v)].likelihood)));
  return listed(out);
}

std::string algorithm_text(const BayesJob& job) {
  const BayesOptions& o = job.options;
  return fmt::format(
      "{} of {} after {} of warm-up, {} each, {}{}", counted(o.chains, "chain"), counted(o.draws, "draw"),
      counted(o.warmup, "sweep"),
      fmt::format("{} frequenc{}", o.frequencies, o.frequencies == 1 ? "y" : "ies"),
      o.latent.dynamic ? "paths over time (" + to_text(o.latent.kind) + ")" : "samples on their own",
      o.thin > 1 ? fmt::format(", one draw in {} sweeps", o.thin) : "");
}

void check_job_memory(const BayesJob& job) {
  check_memory(bayes_memory(job.data, job.options), "try fewer --frequencies or --chains");
}

/// Times a few sweeps of one chain.
std::string plan(const BayesJob& job, const std::string& out, const Threads& threads) {
  BayesOptions few = job.options;
  few.chains = 1;
  few.warmup = 0;
  few.thin = 1;
  few.draws = 3;
  few.start = job.options.start == BayesStart::given ? BayesStart::given : BayesStart::pca;
  const Stopwatch watch;
  double first = 0, last = 0;
  fit_bayes(job.seen, few, job.seed, threads, {.on_sweep = [&](const BayesProgress& now) {
              (now.sweep == 1 ? first : last) = watch.seconds();
              return true;
            }});
  const BayesOptions& o = job.options;
  const double sweeps = double((o.warmup + o.draws * o.thin) * o.chains);
  return fmt::format(
      "bochner fit would\n"
      "  read   {} in {}: {}\n"
      "  model  {} as {}\n"
      "  draw   {}\n"
      "  need   about {} of memory and {} on {}\n"
      "  leave  {} and imputed/ in {}/\n",
      counted(job.data.data.rows(), "sample"), counted(job.data.data.view_count(), "view"),
      views_text(job.data.data), counted(o.dims, "dimension"), likelihoods_text(job), algorithm_text(job),
      human_bytes(bayes_memory(job.data, o)), about_time(0.5 * (last - first) * sweeps),
      counted(threads.count(), "thread"), listed(bayes_files()), out);
}

std::optional<BayesCheckpoint> find_checkpoint(const std::string& path, const std::string& expected) {
  if (!file_exists(path)) return std::nullopt;
  const ModelGroup group = read_model(path);
  check_same_tables(path, group.text("job"), expected);
  return bayes_checkpoint_from(group);
}

}  // namespace

int fit_by_chains(const FitSettings& s, const Job& verb_job) {
  const Common& common = verb_job.common;
  const auto say = [&](const std::string& text) {
    if (!common.quiet) print(text);
  };
  check_run_folder(common.out, "fit");
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
  if (s.time.empty() && s.time_kernel != FitSettings{}.time_kernel)
    throw InputError("--time-kernel is of latents over time; name the column of times with --time");
  if (!s.warm_start.empty() && s.start != FitSettings{}.start)
    throw InputError("--start and --warm-start both say where to begin; leave one out");
  if (s.forecast > 0 && s.time.empty())
    throw InputError("--forecast needs times to go on from; name their column with --time");
  const Threads threads = make_threads(common.threads);
  const BayesJob job = prepare_bayes(s, static_cast<std::uint64_t>(common.seed));
  if (!common.quiet)
    for (const std::string& note : job.notes) print_error("note: " + note + "\n");
  if (common.dry_run) {
    print(plan(job, common.out, threads));
    return 0;
  }
  check_job_memory(job);
  const std::string config = config_text(verb_job);
  BayesCheckpoints checkpoints{.path = checkpoint,
                               .draws = (fs::path(common.out) / draws_log).string(),
                               .job = fingerprint(job, config),
                               .seconds = s.checkpoint_seconds};
  if (s.resume) checkpoints.begin = find_checkpoint(checkpoint, checkpoints.job);

  const Stopwatch total;
  const Interrupt interrupt;
  std::vector<std::string> cleared = all_fit_files();
  if (s.resume)
    std::erase(cleared, draws_log);
  else
    cleared.push_back(checkpoint_file);
  RunFolder run(common.out, "fit", cleared, config, std::move(lock));
  run.log(json_line({{"event", checkpoints.begin ? "resume" : "start"},
                     {"verb", "fit"},
                     {"model", "bayes"},
                     {"version", BOCHNER_VERSION},
                     {"threads", threads.count()},
                     {"samples", job.data.data.rows()},
                     {"views", job.data.data.view_count()}}));
  say(fmt::format("read  {} in {}: {}\nids   {}\n", counted(job.data.data.rows(), "sample"),
                  counted(job.data.data.view_count(), "view"), views_text(job.data.data), job.ids));
  if (s.resume)
    say(!checkpoints.begin ? "resume from the beginning: the run was ended before its first checkpoint\n"
        : checkpoints.begin->sweeps == 0 ? "resume from the variational start\n"
                                         : fmt::format("resume from sweep {}\n", checkpoints.begin->sweeps));
  const BayesResult result =
      run_bayes(job, checkpoints, run.path("draws.h5"), interrupt, logged_progress(common, run), threads);
  run.log(json_line({{"event", "fit"}, {"stopped", ending(result.fit)}, {"seconds", result.seconds}}));
  const MixingSummary m = mixing(result.fit);
  say(fmt::format("fit   {}: {:.1f} s, {}\n", algorithm_text(job), result.seconds, ending(result.fit)));
  if (m.quantities > 0)
    say(
        fmt::format("mixed {} of {} quantities have an R-hat up to 1.05; predictions are worth {:.0f} "
                    "independent draws\n\n",
                    m.quantities - m.apart, m.quantities, m.median_ess()));
  write_results(job, result, run, threads);
  write_json(run.path("metrics.json"), metrics_json(result));
  const bool stopped = result.fit.status == Status::stopped_by_callback;
  if (!stopped) {  // the checkpoint goes first: without it the draws are no run to resume
    fs::remove(checkpoint);
    fs::remove(checkpoints.draws);
  }
  run.log(json_line(
      {{"event", "end"}, {"verdict", to_string(result.verdict.kind)}, {"seconds", total.seconds()}}));
  say((result.scores.empty() ? "" : scores_text(result.scores) + "\n") +
      wrapped("verdict: " + verdict_text(result.verdict), 100, 9) +
      fmt::format("\nleft  {}/ with latent.csv, imputed/,{}{} heldout.csv, chains.csv, metrics.json, "
                  "model.bochner\n{}",
                  common.out, s.forecast > 0 ? " forecast/," : "", stopped ? "" : " draws.h5,",
                  stopped ? fmt::format("again 'bochner fit --resume --out {}' goes on from here\n",
                                        shell_word(common.out))
                          : fmt::format("next  bochner apply {} --view {} --out new\n",
                                        shell_word(run.path("model.bochner")),
                                        shell_word(result.fit.views.front().name + "=NEW_TABLE"))));
  return exit_code(interrupt, result.verdict, common);
}

}  // namespace bochner::cli
