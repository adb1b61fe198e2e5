#pragma once
#include <optional>

#include "bochner/run/run.hpp"
#include "command.hpp"
#include "exit_code.hpp"
#include "interrupt.hpp"
#include "progress.hpp"

namespace bochner::cli {

/// Progress of a run: on standard error unless it is to be quiet, and as lines of its log.jsonl.
ProgressOptions logged_progress(const Common& common, RunFolder& run);

/// A run as somebody at a terminal sees it: results on standard output, notes and a bar on standard error, and Ctrl-C, which
/// stops after the step and keeps what was learned.
class Terminal {
 public:
  explicit Terminal(const Common& common) : common_(common) {}

  RunListener listener();
  const Interrupt* interrupt() const { return interrupt_ ? &*interrupt_ : nullptr; }

 private:
  void show(const RunStep& step, RunFolder* folder);

  const Common& common_;
  std::optional<Interrupt> interrupt_;
  std::optional<Progress> progress_;  // of the part of the work under way
  std::string shown_;                 // which part that is
  RunFolder* folder_ = nullptr;
};

/// The options of a run that the command line has for every command.
RunOptions run_options(const Job& job);

/// The report of a run that has ended, in its folder. What it cannot write it notes: the run itself is complete.
void add_report(const Common& common, const Threads& threads);

/// run() at a terminal, with its report; returns the exit code. `resume` and `checkpoint_seconds` are for commands that have them.
template <class Prepare>
int run_command(const Job& job, const Prepare& prepare, bool resume = false, double checkpoint_seconds = 60) {
  Terminal terminal(job.common);
  RunOptions options = run_options(job);
  options.resume = resume;
  options.checkpoint_seconds = checkpoint_seconds;
  const RunOutcome outcome = run(options, terminal.listener(), prepare);
  if (job.comm.is_first() && (outcome.end == RunEnd::finished || outcome.end == RunEnd::interrupted))
    add_report(job.common, options.threads);
  if (outcome.end == RunEnd::interrupted)
    return static_cast<int>(job.comm.largest(terminal.interrupt()->exit_code()));
  const bool untrusted = job.common.strict && outcome.verdict == "doubtful";
  return static_cast<int>(untrusted ? ExitCode::untrusted : ExitCode::success);
}

/// "Resume with: ..", for a run that was interrupted.
std::string resume_hint(const Job& job);

/// "Next: ..": how to place new samples into the model of the run; `view` is one of its views.
std::string apply_hint(const RunFolder& run, const std::string& view);

}  // namespace bochner::cli
