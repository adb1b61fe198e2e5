#include "terminal.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/report/report.hpp"
#include "console.hpp"
#include "resources.hpp"
#include "shell_quote.hpp"

namespace bochner::cli {

namespace {

void log_progress(RunFolder& run, const ProgressEvent& e) {
  try {
    run.log(json_line({{"event", "progress"},
                       {"what", e.what},
                       {"step", e.step},
                       {"steps", e.steps},
                       {e.objective == "log density" ? "log_density" : e.objective, e.value},
                       {"seconds", e.seconds}}));
  } catch (const WriteError&) {  // a disk that is full for a while must not end a run of days
  }
}

}  // namespace

ProgressOptions logged_progress(const Common& common, RunFolder& run) {
  return {.shown = !common.quiet, .on_log = [&run](const ProgressEvent& e) { log_progress(run, e); }};
}

RunListener Terminal::listener() {
  RunListener out;
  out.print = [this](const std::string& text) {
    progress_.reset();
    if (!common_.quiet || common_.dry_run) print(text);
  };
  out.note = [this](const std::string& text) {
    progress_.reset();
    if (!common_.quiet) print_error("note: " + text + "\n");
  };
  out.begin = [this] { interrupt_.emplace(); };
  out.stop_asked = [this] { return interrupt_ && interrupt_->asked(); };
  out.on_step = [this](const RunStep& step, RunFolder* folder) { show(step, folder); };
  return out;
}

void Terminal::show(const RunStep& step, RunFolder* folder) {
  folder_ = folder;
  if (!progress_ || shown_ != step.what) {
    progress_.reset();
    shown_ = step.what;
    progress_.emplace(step.what, step.objective, step.of,
                      ProgressOptions{.shown = !common_.quiet, .on_log = [this](const ProgressEvent& event) {
                                        if (folder_) log_progress(*folder_, event);
                                      }});
  }
  if (step.step > 0) progress_->update(step.step, step.value);
}

RunOptions run_options(const Job& job) {
  return {.folder = job.common.out,
          .command = job.command.name,
          .config = config_text(job),
          .dry_run = job.common.dry_run,
          .threads = make_threads(job.common.threads),
          .line = job.line,
          .inputs = job.inputs,
          .comm = job.comm};
}

void add_report(const Common& common, const Threads& threads) {
  try {
    const Stopwatch watch;
    write_report(common.out, {}, threads);
    append_log(common.out, json_line({{"event", "report"}, {"seconds", watch.seconds()}}));
    if (!common.quiet)
      print(
          fmt::format("Report: {}\n", printable((std::filesystem::path(common.out) / report_file).string())));
  } catch (const std::exception& error) {
    print_error(fmt::format("note: {} was not written: {}\n", report_file, error.what()));
  }
}

std::string resume_hint(const Job& job) {
  return fmt::format("Resume with: bochner {} --resume --out {}\n", job.command.name,
                     shell_quote(job.common.out));
}

std::string apply_hint(const RunFolder& run, const std::string& view) {
  return fmt::format("Next: bochner apply {} {} --out new\n", shell_quote(run.path("model.bochner")),
                     shell_quote(view + "=NEW_TABLE"));
}

}  // namespace bochner::cli
