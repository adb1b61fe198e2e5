#include "regress.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "bochner/core/messages.hpp"
#include "bochner/models/harmonic/file.hpp"
#include "cli/frame/shell_quote.hpp"
#include "cli/frame/terminal.hpp"
#include "cli/frame/text.hpp"
#include "interpretation.hpp"
#include "options.hpp"
#include "results.hpp"

namespace bochner::cli {

namespace {

/// Regression or classification with harmonic Gaussian processes as a run (run/run.hpp).
class RegressTask {
 public:
  RegressTask(const RegressSettings& settings, bool classes, const Job& command)
      : job_(prepare_regress(settings, classes, static_cast<std::uint64_t>(command.common.seed))),
        command_(command) {}

  std::vector<std::string> notes() const { return job_.notes; }
  std::string plan(const Threads& threads) const {
    return regress_plan(command_.command.name, job_, command_.common.out, threads);
  }
  MemoryNeed memory() const { return regress_memory(job_); }
  void identify(Fingerprint& sum) const { cli::identify(job_, sum); }
  std::vector<std::string> files() const { return regress_files(); }
  std::vector<std::string> resumed_files() const { return {}; }
  std::string summary() const { return fmt::format("read  {}\n      {}\n", rows_text(job_), job_.columns); }
  Json facts() const { return {{"rows", job_.data.rows()}, {"inputs", job_.data.inputs()}}; }
  std::string resumed_from(const ModelGroup& checkpoint) const {
    return fmt::format("step {}", harmonic_checkpoint_steps(checkpoint));
  }
  void fit(RunProgress& progress, const Threads& threads) {
    const Stopwatch watch;
    fit_ = learn(job_, progress, threads);
    seconds_ = watch.seconds();
  }
  std::string status() const { return status_text(fit_->status); }
  std::vector<std::string> fit_notes() const { return fit_->notes; }
  std::string fitted() const {
    return compared_text(*fit_) +
           fmt::format("fit   {}: {} in {:.1f} s, bound {:.6g} a row, {}\n\n",
                       model_text(job_, fit_->gp.groups(), fit_->gp.inducing()),
                       steps_text(fit_->steps, double(fit_->rows), fit_->options.batch), seconds_,
                       fit_->bound, status());
  }
  void write(RunFolder& run, const Threads& threads) {
    scores_ = write_results(job_, *fit_, run, threads);
    relevance_ = write_interpretation(job_, *fit_, run, threads);
    verdict_ = harmonic_verdict(*fit_, scores_);
    write_json(run.path("metrics.json"), metrics_json(job_, *fit_, seconds_, scores_, verdict_));
  }
  bool interrupted() const { return fit_->status == Status::stopped_by_callback; }
  std::string verdict() const { return to_string(verdict_.kind); }
  std::string report(const RunFolder& run) const {
    const std::string table = scores_text(*fit_, scores_);
    const std::string relevance = relevance_text(*fit_, relevance_);
    return (table.empty() ? "" : table + "\n") + (relevance.empty() ? "" : relevance + "\n") +
           verdict_lines(verdict_) +
           fmt::format("\nWrote {}/ with {}metrics.json, kernel.json, model.bochner\n{}", run.folder(),
                       job_.test.empty() ? "" : "predictions.csv, ",
                       interrupted() ? resume_hint(command_)
                                     : fmt::format("Next: bochner predict {} NEW_TABLE --out new\n",
                                                   shell_quote(run.path("model.bochner"))));
  }

 private:
  RegressJob job_;
  const Job& command_;
  std::optional<HarmonicFit> fit_;
  double seconds_ = 0;  // of learning
  RowScores scores_;
  Vector relevance_;  // of the inputs
  Verdict verdict_;
};

int run(const RegressSettings& s, bool classes, const Job& job) {
  return run_command(
      job, [&] { return RegressTask(s, classes, job); }, s.resume, s.checkpoint_seconds);
}

const char* const method =
    "Text columns become categories, ISO dates (2020-12-31) days, and a column with missing values gets an\n"
    "indicator column; a note says which.\n"
    "Symmetries split the kernel into groups of harmonics, each with its own inducing points: more inducing "
    "points\n"
    "in the same time. Rows are joined by id, or by position where a table has no ids; NPY and HDF5 tables "
    "larger\n"
    "than --memory are read in blocks. A fraction of the rows is held out for evaluation. Ctrl-C stops early "
    "and\n"
    "keeps the best state; --resume continues.";

}  // namespace

Command regress_command() {
  const auto s = std::make_shared<RegressSettings>();
  return {.name = "regress",
          .summary = "Predict numbers from inputs with a Gaussian process, for up to millions of rows",
          .example = "bochner regress houses.csv --y houses.csv:price --symmetry negate:pca:3 --out run",
          .details =
              std::string("Fits a sparse variational Gaussian process; supports multiple outcomes. Compares "
                          "against the mean\nand linear regression. Outcomes and inputs may have missing "
                          "values.\n") +
              method,
          .options = regress_options(*s, false),
          .out_help = "Run folder",
          .out_default = "regress",
          .run = [s](const Job& job) { return run(*s, false, job); }};
}

Command classify_command() {
  const auto s = std::make_shared<RegressSettings>();
  s->likelihood = "auto";
  return {.name = "classify",
          .summary = "Classify from inputs with a Gaussian process, with class probabilities",
          .example = "bochner classify iris.csv --y iris.csv:species --out run",
          .details =
              std::string("Fits a sparse variational Gaussian process to the classes, the distinct values of "
                          "a column, and reports\nthe accuracy on held-out rows. Rows without a class are "
                          "omitted.\n") +
              method,
          .options = regress_options(*s, true),
          .out_help = "Run folder",
          .out_default = "classify",
          .run = [s](const Job& job) { return run(*s, true, job); }};
}

}  // namespace bochner::cli
