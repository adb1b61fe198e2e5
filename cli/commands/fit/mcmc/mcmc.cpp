#include "mcmc.hpp"

#include <fmt/format.h>

#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/models/bayes/names.hpp"
#include "cli/commands/fit/most_variable.hpp"
#include "cli/commands/fit/normalise.hpp"
#include "cli/commands/fit/plan.hpp"
#include "cli/commands/fit/results.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/terminal.hpp"
#include "cli/frame/text.hpp"
#include "covariates.hpp"
#include "criteria.hpp"
#include "results.hpp"

namespace bochner::cli {

namespace {

std::string likelihoods_text(const BayesJob& job) {
  std::vector<std::string> out;
  for (Index v = 0; v < job.data.data.view_count(); ++v)
    out.push_back(fmt::format("{} {}", printable(job.data.data.view(v).name, 40),
                              to_text(job.options.views[static_cast<std::size_t>(v)].likelihood)));
  return join_list(out);
}

std::string algorithm_text(const BayesOptions& o) {
  return fmt::format(
      "{} of {} after {} of warm-up, {} each, {}{}", counted(o.chains, "chain"), counted(o.draws, "draw"),
      o.warmup == until_settled ? fmt::format("at most {}", counted(longest_warmup, "sweep"))
                                : counted(o.warmup, "sweep"),
      fmt::format("{} frequenc{}", o.frequencies, o.frequencies == 1 ? "y" : "ies"),
      o.latent.dynamic ? "paths over time (" + to_text(o.latent.kind) + ")" : "independent samples",
      o.thin > 1 ? fmt::format(", one draw in {} sweeps", o.thin) : "");
}

/// Times a few sweeps of one chain.
std::string plan(const BayesJob& job, const std::string& out, const Threads& threads) {
  BayesOptions few = job.options;
  few.chains = 1;
  few.warmup = 0;
  few.thin = 1;
  few.draws = 3;
  few.starts.clear();
  few.start = job.options.start == BayesStart::given ? BayesStart::given : BayesStart::pca;
  const Stopwatch watch;
  double first = 0, last = 0;
  fit_bayes(job.seen, few, job.seed, threads, {.on_sweep = [&](const BayesProgress& now) {
              (now.sweep == 1 ? first : last) = watch.seconds();
              return true;
            }});
  const BayesOptions& o = job.options;
  const double sweeps = double(most_sweeps(o) * o.chains);
  return fmt::format(
      "bochner fit would\n"
      "  read   {} in {}: {}\n"
      "{}"
      "  model  {} as {}\n"
      "  draw   {}\n"
      "  need   about {} of memory and {} on {}\n"
      "  write  {} and imputed/ in {}/\n",
      counted(job.data.data.rows(), "sample"), counted(job.data.data.view_count(), "view"),
      views_text(job.data.data),
      kept_text("  keep   ", job.kept) + normalised_text("  rows   ", job.data.data, job.factors),
      counted(o.dims, "dimension"), likelihoods_text(job), algorithm_text(o),
      human_bytes(bayes_memory(job.data, o) + pointwise_memory(job.seen.data, o)),
      about_time(0.5 * (last - first) * sweeps), counted(threads.count(), "thread"), join_list(bayes_files()),
      out);
}

std::string mixing_text(const BayesFit& fit) {
  const MixingSummary m = mixing(fit);
  if (m.quantities == 0) return "";
  return fmt::format(
      "mixed {} of {} quantities have an R-hat up to 1.05, {} up to 1.01; predictions are worth {:.0f} or "
      "more "
      "independent draws\n\n",
      m.quantities - m.apart, m.quantities, m.quantities - m.beyond_best, m.lowest_ess());
}

void check_settings(const FitSettings& s) {
  if (s.time.empty() && s.time_kernel != FitSettings{}.time_kernel)
    throw InputError("--time-kernel requires latents over time; use --time for the column of times");
  for (const std::string& prior : s.prior)
    if (s.covariate.empty() && prior.starts_with("covariate="))
      throw InputError(
          fmt::format("--prior: {} is of coefficients; use --covariate for a column", quote(prior)));
  for (const std::string& prior : s.prior)
    if (s.time.empty() && (prior.starts_with("lengthscale=") || prior.starts_with("variance=")))
      throw InputError(fmt::format("--prior: {} is of latents over time; use --time for the column of times",
                                   quote(prior)));
  if (!s.warm_start.empty() && s.start != FitSettings{}.start)
    throw InputError("--start and --warm-start exclude each other; omit one");
  if (!s.starts.empty() && (!s.warm_start.empty() || s.start != FitSettings{}.start))
    throw InputError("--starts excludes --start and --warm-start; omit one");
  if (s.forecast > 0 && s.time.empty())
    throw InputError("--forecast requires times; use --time for their column");
}

/// The Bayesian latent variable model as a run (run/run.hpp).
class ChainsTask {
 public:
  ChainsTask(const FitSettings& settings, const Job& command)
      : job_(prepare_bayes(settings, static_cast<std::uint64_t>(command.common.seed))), command_(command) {}

  std::vector<std::string> notes() const { return job_.notes; }
  std::string plan(const Threads& threads) const { return cli::plan(job_, command_.common.out, threads); }
  MemoryNeed memory() const {
    return {bayes_memory(job_.data, job_.options) + pointwise_memory(job_.seen.data, job_.options),
            "try fewer --frequencies or --chains"};
  }
  void identify(Fingerprint& sum) const { cli::identify(job_, sum); }
  std::vector<std::string> files() const { return all_fit_files(); }
  std::vector<std::string> resumed_files() const { return {draws_log}; }
  std::string summary() const {
    return tables_text(job_.data.data, job_.ids, "read  ", "ids   ") + kept_text("keep  ", job_.kept) +
           normalised_text("rows  ", job_.data.data, job_.factors);
  }
  Json facts() const {
    return {{"model", "bayes"}, {"samples", job_.data.data.rows()}, {"views", job_.data.data.view_count()}};
  }
  std::string resumed_from(const ModelGroup& checkpoint) const {
    const Index sweeps = bayes_checkpoint_progress(checkpoint).sweeps;
    return sweeps == 0 ? "the variational start" : fmt::format("sweep {}", sweeps);
  }
  void fit(RunProgress& progress, const Threads& threads) {
    const Stopwatch watch;
    BayesLearned learned = learn(job_, progress, threads);
    if (!progress.comm().is_first()) return;
    result_ = judge_fit(job_, std::move(learned), watch.seconds(), threads);
  }
  std::string status() const { return stop_reason(result_->fit); }
  std::vector<std::string> fit_notes() const { return {}; }
  std::string fitted() const {
    BayesOptions taken = job_.options;
    taken.warmup = result_->fit.options.warmup;  // known by now
    return fmt::format("fit   {}: {:.1f} s, {}\n", algorithm_text(taken), result_->seconds, status()) +
           mixing_text(result_->fit) + covariates_text(*result_) +
           dimensions_text(result_->dimensions, result_->scores) + criteria_text(result_->criteria);
  }
  void write(RunFolder& run, const Threads& threads) {
    write_results(job_, *result_, run, threads);
    write_json(run.path("metrics.json"), metrics_json(*result_));
  }
  bool interrupted() const { return result_->fit.status == Status::stopped_by_callback; }
  std::string verdict() const { return to_string(result_->verdict.kind); }
  std::string report(const RunFolder& run) const {
    return verdict_lines(result_->scores, result_->verdict) +
           fmt::format(
               "\nWrote {}/ with latent.csv, imputed/,{}{} relevance.csv, heldout.csv, chains.csv, "
               "metrics.json, "
               "model.bochner\n{}",
               run.folder(), job_.forecast > 0 ? " forecast/," : "", interrupted() ? "" : " draws.nc,",
               interrupted() ? resume_hint(command_) : apply_hint(run, result_->fit.views.front().name));
  }

 private:
  BayesJob job_;
  const Job& command_;
  std::optional<BayesResult> result_;
};

}  // namespace

int fit_by_chains(const FitSettings& s, const Job& job) {
  return run_command(
      job,
      [&] {
        check_settings(s);
        return ChainsTask(s, job);
      },
      s.resume, s.checkpoint_seconds);
}

}  // namespace bochner::cli
