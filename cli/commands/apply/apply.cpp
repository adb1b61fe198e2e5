#include "apply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "answers.hpp"
#include "bochner/compute/bytes.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/memory.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/run/any_fit.hpp"
#include "bochner/run/fit_at_latents.hpp"
#include "bochner/run/inputs.hpp"
#include "bochner/run/json_file.hpp"
#include "bochner/run/run_folder.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/interrupt.hpp"
#include "cli/frame/progress.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/run_options.hpp"
#include "cli/frame/terminal.hpp"
#include "cli/inputs/model_origin.hpp"
#include "cli/inputs/view_tables.hpp"
#include "tables.hpp"

namespace bochner::cli {

namespace {

constexpr Index block_rows = 2048;  // results of so many samples are in memory at a time

std::string bytes_of(const BlockAnswer& answer) {
  ByteWriter out;
  out.add(answer.ids);
  out.add(answer.empty);
  out.add(answer.tables);
  return out.take();
}

BlockAnswer answer_from(const std::string& bytes) {
  BlockAnswer out;
  ByteReader in(bytes);
  in.read(out.ids);
  in.read(out.empty);
  in.read(out.tables);
  return out;
}

/// Answers block by block, a block for each process at a time; the first one writes. Without a number it was interrupted, and no
/// table appears; otherwise the number of samples that got no answer.
template <class Answers>
std::optional<Index> write_answers(const Answers& answers, const NewSamples& data, RunFolder* run,
                                   const Interrupt& interrupt, const ProgressOptions& shown,
                                   const Threads& threads, const Communicator& comm) {
  std::optional<typename Answers::Files> files;
  if (run) files.emplace(answers, *run);
  Index empty = 0;
  const auto write = [&](const BlockAnswer& block) {
    files->write(block, threads);
    empty += block.empty;
  };
  const Index blocks = (data.rows() + block_rows - 1) / block_rows;
  Progress progress("apply", "samples", blocks, shown);
  for (Index first = 0; first < blocks; first += comm.size()) {
    progress.update(first, static_cast<double>(first * block_rows));
    if (comm.largest(interrupt.asked() ? 1 : 0) > 0) return std::nullopt;
    const Index begin = (first + comm.rank()) * block_rows;
    std::optional<BlockAnswer> own;
    if (begin < data.rows())
      own = answers.answer(data.block(begin, std::min(begin + block_rows, data.rows())), threads);
    if (comm.is_alone())
      write(*own);
    else
      for (const std::string& bytes : comm.to_first(own ? bytes_of(*own) : ""))
        if (!bytes.empty()) write(answer_from(bytes));
  }
  if (files) files->commit();
  return empty;
}

template <class Answers>
std::string plan(const Answers& answers, const NewSamples& data, const std::string& out,
                 const Threads& threads) {
  const Dataset few = data.block(0, std::min<Index>(data.rows(), 64));
  const Stopwatch watch;
  answers.answer(few, threads);
  const double seconds = watch.seconds() * static_cast<double>(data.rows()) / static_cast<double>(few.rows());
  return fmt::format(
      "bochner apply would\n"
      "  use    a model of {}\n"
      "  embed  {} and predict every view, in {} on {}\n"
      "  write  config.toml, log.jsonl, {} in {}/\n",
      answers.text(), counted(data.rows(), "sample"), about_time(seconds), counted(threads.count(), "thread"),
      answers.leaves(), out);
}

template <class Answers>
int run_with(const Answers& answers, const ApplySettings& s, const Job& job) {
  const Common& common = job.common;
  std::vector<std::string> notes;
  std::vector<ViewSpec> names;
  for (const ModelView& view : answers.views()) names.push_back({view.name, s.model, true});
  check_view_names(names);
  const NewSamples data(s.views, answers.views(), notes);
  if constexpr (requires { answers.note(); })
    if (!answers.note().empty()) notes.push_back(answers.note());
  const Threads threads = make_threads(common.threads);
  const auto show_notes = [&] {
    if (common.quiet) return;
    for (const std::string& note : notes) print_error("note: " + note + "\n");
  };
  if (common.dry_run) {
    show_notes();
    print(plan(answers, data, common.out, threads));
    return 0;
  }
  if constexpr (requires { answers.check(data.block(0, 0)); })
    for (Index begin = 0; begin < data.rows(); begin += block_rows)
      answers.check(data.block(begin, std::min(begin + block_rows, data.rows())));
  show_notes();
  std::vector<std::string> read = job.inputs;
  read.insert(read.begin(), s.model);
  check_same_inputs(read, job.comm);  // before earlier results go
  const Stopwatch watch;
  const Interrupt interrupt;
  std::optional<RunFolder> run;
  if (job.comm.is_first()) {
    run.emplace(
        common.out, "apply",
        std::vector<std::string>{"latent.csv", "latent_sd.csv", "labels.csv", "log.jsonl", report_file},
        config_text(job));
    run->log(json_line({{"event", "start"},
                        {"command", "apply"},
                        {"version", BOCHNER_VERSION},
                        {"threads", threads.count()},
                        {"line", job.line},
                        {"samples", data.rows()}}));
    log_inputs(read, *run);
  }
  const std::optional<Index> empty =
      write_answers(answers, data, run ? &*run : nullptr, interrupt,
                    run ? logged_progress(common, *run) : ProgressOptions{.shown = false}, threads, job.comm);
  const int code = static_cast<int>(job.comm.largest(interrupt.exit_code()));
  if (!run) return code;
  run->log(json_line(
      {{"event", empty ? "end" : "stopped"}, {"seconds", watch.seconds()}, {"peak_memory", peak_memory()}}));
  if (empty && *empty > 0 && !common.quiet) print_error("note: " + answers.unanswered(*empty) + "\n");
  if (empty && !common.quiet)
    print(fmt::format(
        "used  a model of {}\n"
        "apply {} in {:.1f} s\n"
        "Wrote {}/ with {}\n",
        answers.text(), counted(data.rows(), "sample"), watch.seconds(), common.out, answers.leaves()));
  if (empty) add_report(common, threads);
  if (!empty && !common.quiet) print_error("bochner: stopped before the end; no table was written\n");
  return code;
}

/// InputError for options that only models over time have a use for.
void refuse_times(const ApplySettings& s) {
  if (!s.time.empty() || !s.group.empty())
    throw InputError(fmt::format("--{}: the model was fitted without times; omit the option",
                                 s.time.empty() ? "group" : "time"));
}

/// What to do with a model of each family.
struct Apply {
  const ApplySettings& settings;
  const Job& job;

  int operator()(GplvmFit fit) const {
    refuse_times(settings);
    return run_with(GplvmAnswers(std::move(fit), settings), settings, job);
  }
  int operator()(BayesFit fit) const {
    const auto seed = static_cast<std::uint64_t>(job.common.seed);
    return run_with(BayesAnswers(std::move(fit), settings, seed), settings, job);
  }
  int operator()(KpcaFit fit) const {
    refuse_times(settings);
    if (!job.common.quiet &&
        (settings.interval != ApplySettings{}.interval || settings.of != ApplySettings{}.of))
      print_error("note: --interval and --of have no effect: models of 'bochner kpca' have no intervals\n");
    return run_with(KpcaAnswers(std::move(fit)), settings, job);
  }
  int operator()(ForecastFit fit) const { refuse_model(settings.model, std::move(fit)); }
  int operator()(HarmonicFit fit) const { refuse_model(settings.model, std::move(fit)); }
};

int run(const ApplySettings& s, const Job& job) {
  if (s.of != "f" && s.of != "y")
    throw InputError(
        fmt::format("--of is {}, but must be f (the function) or y (a measurement)", quote(s.of)));
  if (job.comm.is_first()) check_run_folder(job.common.out, "apply");
  return std::visit(Apply{s, job}, read_fit_at_latents(s.model));
}

std::vector<Option> input_options(ApplySettings& s) {
  return {{.name = "model",
           .placeholder = "MODEL",
           .help = "model.bochner of 'bochner fit' or 'bochner kpca'",
           .target = &s.model,
           .group = Group::input,
           .required = true,
           .positional = true},
          {.name = "view",
           .placeholder = "TABLE",
           .help = "Table of new samples, or NAME=TABLE",
           .target = &s.views,
           .group = Group::input,
           .required = true,
           .file = true,
           .positional = true},
          {.name = "trials",
           .placeholder = "[NAME=]N",
           .help = "Trials for binomial views; default the training mean",
           .target = &s.trials,
           .group = Group::input},
          {.name = "offset",
           .placeholder = "[NAME=]COLUMN",
           .help = "Exposures of counts, or one number; default the column of the fit",
           .target = &s.offset,
           .group = Group::input,
           .aliases = {"exposure"}},
          {.name = "time",
           .placeholder = "COLUMN",
           .help = "Times of the samples, for a model over time; default the column of the fit",
           .target = &s.time,
           .group = Group::input},
          {.name = "group",
           .placeholder = "COLUMN",
           .help = "Groups (trials, sessions) of the samples; default the column of the fit",
           .target = &s.group,
           .group = Group::input},
          {.name = "meta",
           .placeholder = "FILE",
           .help = "Sample annotations with these columns, and covariates of the fit",
           .target = &s.meta,
           .group = Group::input,
           .file = true}};
}

std::vector<Option> output_options(ApplySettings& s) {
  return {{.name = "interval",
           .placeholder = "FRACTION",
           .help = "Coverage of the prediction intervals",
           .target = &s.interval,
           .group = Group::output,
           .low = 0.01,
           .high = 0.9999},
          {.name = "of",
           .placeholder = "f|y",
           .help = "Intervals of the function f, or of a noisy observation y",
           .target = &s.of,
           .group = Group::output,
           .choices = {"f", "y"}}};
}

}  // namespace

Command apply_command() {
  const auto s = std::make_shared<ApplySettings>();
  return {
      .name = "apply",
      .summary = "Embed new samples with a fitted model and predict every view, with intervals",
      .example = "bochner apply run/model.bochner rna=next_week.csv --out new",
      .details =
          "Entries and whole views of new samples may be missing; each sample is embedded independently of "
          "the\n"
          "others. Columns are matched by name; additional ones are ignored. Writes latent.csv, "
          "latent_sd.csv and\n"
          "predicted/VIEW.csv with VIEW_lo.csv and VIEW_hi.csv for every view of the model, and labels.csv "
          "if it "
          "was\n"
          "fitted with --labels; for a model of 'bochner kpca', latent.csv and each view predicted from the "
          "others.",
      .options = concatenate({input_options(*s), output_options(*s)}),
      .out_help = "Output folder",
      .out_default = "new",
      .shares = true,
      .run = [s](const Job& job) { return run(*s, job); }};
}

}  // namespace bochner::cli
