#include "fit.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/models/gplvm/file.hpp"
#include "cli/commands/fit/mcmc/mcmc.hpp"
#include "cli/commands/fit/mcmc/results.hpp"
#include "cli/frame/shell_quote.hpp"
#include "cli/frame/terminal.hpp"
#include "cli/frame/text.hpp"
#include "most_variable.hpp"
#include "normalise.hpp"
#include "options.hpp"
#include "plan.hpp"
#include "results.hpp"

namespace bochner::cli {

namespace {

/// The variational latent variable model as a run (run/run.hpp).
class FitTask {
 public:
  FitTask(const FitSettings& settings, const Job& command)
      : job_(prepare_fit(settings, static_cast<std::uint64_t>(command.common.seed))), command_(command) {
    choose_device(job_, settings.device, command.common.threads);
  }

  std::vector<std::string> notes() const { return job_.notes; }
  std::string plan(const Threads& threads) const {
    std::vector<std::string> files = fit_files();
    if (!job_.meta) std::erase(files, "meta.csv");
    return fit_plan("bochner fit would\n" + tables_text(job_.data, job_.ids, "  read   ", "  ids    ") +
                        kept_text("  keep   ", job_.kept) +
                        normalised_text("  rows   ", job_.data, job_.factors),
                    job_, files, command_.common.out, threads);
  }
  MemoryNeed memory() const { return fit_memory(job_); }
  void identify(Fingerprint& sum) const { sum.add(job_.tables()); }
  std::vector<std::string> files() const { return all_fit_files(); }
  std::vector<std::string> resumed_files() const { return {}; }
  std::string summary() const {
    return tables_text(job_.data, job_.ids, "read  ", "ids   ") + kept_text("keep  ", job_.kept) +
           normalised_text("rows  ", job_.data, job_.factors);
  }
  Json facts() const { return {{"samples", job_.data.rows()}, {"views", job_.data.view_count()}}; }
  std::string resumed_from(const ModelGroup& checkpoint) const {
    return fmt::format("step {}", gplvm_checkpoint_steps(checkpoint));
  }
  void fit(RunProgress& progress, const Threads& threads) {
    const Stopwatch watch;
    Compute compute = job_.device.compute;
    compute.threads = threads;
    compute.comm = progress.comm();
    choose_dimensions(job_, progress, compute);
    GplvmFit fit = learn(job_, progress, compute);
    cut_short_ = progress.stop_asked() && fit.status != Status::stopped_by_callback && fit.views.size() > 1;
    if (!progress.comm().is_first()) return;
    result_ = judge_fit(job_, std::move(fit), watch.seconds(), threads);
  }
  std::string status() const {
    return status_text(cut_short_ ? Status::stopped_by_callback : result_->fit.status);
  }
  std::vector<std::string> fit_notes() const {
    if (!cut_short_) return {};
    return {
        "stopped while predictors of absent views were learned: views that a sample lacks are predicted at "
        "its latent"};
  }
  std::string fitted() const { return fitted_text(job_, *result_); }
  void write(RunFolder& run, const Threads& threads) {
    write_results(job_, *result_, run, threads);
    Json metrics = metrics_json(*result_);
    if (job_.device.compute.engine) metrics["device"] = device_json(job_);
    if (job_.auto_dims) metrics["dims_tried"] = tried_json(job_);
    write_json(run.path("metrics.json"), metrics);
  }
  bool interrupted() const { return cut_short_ || result_->fit.status == Status::stopped_by_callback; }
  std::string verdict() const { return to_string(result_->verdict.kind); }
  std::string report(const RunFolder& run) const {
    return verdict_lines(result_->scores, result_->verdict, result_->absent) +
           fmt::format(
               "\nWrote {}/ with latent.csv, imputed/, relevance.csv, heldout.csv, metrics.json, "
               "model.bochner\n{}",
               run.folder(),
               interrupted() ? resume_hint(command_) : apply_hint(run, result_->fit.views.front().name));
  }

 private:
  FitJob job_;
  const Job& command_;
  std::optional<FitResult> result_;
  bool cut_short_ = false;  // after the fit, while it learned about absent views
};

int run(const FitSettings& s, const Job& job) {
  if (s.inference == "mcmc") return fit_by_chains(s, job);
  if (!job.comm.is_alone() && !s.device.empty() && !Device::parse(s.device).is_cpu())
    throw InputError("--device: cards cannot be shared by several processes; use --device cpu");
  return run_command(
      job, [&] { return FitTask(s, job); }, s.resume, s.checkpoint_seconds);
}

}  // namespace

Command fit_command() {
  const auto s = std::make_shared<FitSettings>();
  return {
      .name = "fit",
      .summary = "Embed tables with missing values in a latent space; impute, with intervals and a verdict",
      .example = "bochner fit rna.csv protein.npy --dims 2 --out run",
      .details =
          "Fits a latent variable model: one latent space for all views, a Gaussian process for each "
          "column.\n"
          "Samples are joined by id; entries and whole views may be missing. The run folder contains the\n"
          "latents, the imputed tables with 90 % intervals, the relevance of each dimension for each view,\n"
          "and the model for 'bochner apply'. Ctrl-C stops early and keeps the best state; --resume "
          "continues.",
      .options = fit_options(*s),
      .out_help = "Run folder",
      .out_default = "run",
      .shares = true,
      .run = [s](const Job& job) { return run(*s, job); }};
}

}  // namespace bochner::cli
