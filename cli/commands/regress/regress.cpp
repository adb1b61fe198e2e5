#include "regress.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "bochner/core/messages.hpp"
#include "bochner/models/harmonic/file.hpp"
#include "cli/frame/aligned.hpp"
#include "cli/frame/shell_word.hpp"
#include "cli/frame/terminal.hpp"
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
    return regress_plan(command_.verb.name, job_, command_.common.out, threads);
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
  std::string status() const { return ending(fit_->status); }
  std::vector<std::string> fit_notes() const { return fit_->notes; }
  std::string fitted() const {
    return compared_text(*fit_) +
           fmt::format("fit   {}: {} in {:.1f} s, bound {:.6g} a row, {}\n\n",
                       model_text(job_, fit_->gp.groups(), fit_->gp.inducing()), counted(fit_->steps, "step"),
                       seconds_, fit_->bound, status());
  }
  void write(RunFolder& run, const Threads& threads) {
    scores_ = write_results(job_, *fit_, run, threads);
    verdict_ = judge(*fit_, scores_);
    write_json(run.path("metrics.json"), metrics_json(job_, *fit_, seconds_, scores_, verdict_));
  }
  bool interrupted() const { return fit_->status == Status::stopped_by_callback; }
  std::string verdict() const { return verdict_.word; }
  std::string report(const RunFolder& run) const {
    const std::string table = scores_text(*fit_, scores_);
    return (table.empty() ? "" : table + "\n") + verdict_text(verdict_) +
           fmt::format("\nleft  {}/ with {}metrics.json, kernel.json, model.bochner\n{}", run.folder(),
                       job_.test.empty() ? "" : "predictions.csv, ",
                       interrupted() ? resume_hint(command_)
                                     : fmt::format("next  bochner predict {} --x NEW_TABLE --out new\n",
                                                   shell_word(run.path("model.bochner"))));
  }

 private:
  RegressJob job_;
  const Job& command_;
  std::optional<HarmonicFit> fit_;
  double seconds_ = 0;  // of learning
  HeldOut scores_;
  Verdict verdict_;
};

int run(const RegressSettings& s, bool classes, const Job& job) {
  return run_command(job, [&] { return RegressTask(s, classes, job); }, s.resume, s.checkpoint_seconds);
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
