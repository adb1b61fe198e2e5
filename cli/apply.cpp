#include "apply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <memory>
#include <optional>

#include "aligned.hpp"
#include "apply_tables.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/io/atomic_file.hpp"
#include "bochner/io/csv.hpp"
#include "bochner/io/gplvm_file.hpp"
#include "bochner/io/run_folder.hpp"
#include "console.hpp"
#include "fit_results.hpp"
#include "interrupt.hpp"
#include "io/sentence.hpp"
#include "latent_tables.hpp"
#include "progress.hpp"
#include "resources.hpp"
#include "stopwatch.hpp"

namespace bochner::cli {

namespace {

struct ApplySettings {
  std::string model;
  std::vector<std::string> views;
  double interval = 0.9;
  std::string of = "y";
};

constexpr Index block_rows = 2048;  // results of so many samples are in memory at a time

/// The tables of predictions of one view.
struct PredictionFiles {
  PredictionFiles(const RunFolder& run, const GplvmView& view)
      : mean(run.path("predicted/" + view.name + ".csv"), view.columns),
        low(run.path("predicted/" + view.name + "_lo.csv"), view.columns),
        high(run.path("predicted/" + view.name + "_hi.csv"), view.columns) {}
  CsvWriter mean, low, high;
};

/// Embeds and predicts block by block. Without an answer it was interrupted, and no table appears; otherwise the number
/// of samples that had nothing measured.
std::optional<Index> write_answers(const GplvmFit& fit, const NewSamples& data, const ApplySettings& s,
                                   const RunFolder& run, const Interrupt& interrupt, bool shown,
                                   const Threads& threads) {
  const std::vector<std::string> dimensions = latent_columns(fit.dims());
  CsvWriter latent(run.path("latent.csv"), dimensions), latent_sd(run.path("latent_sd.csv"), dimensions);
  std::list<PredictionFiles> files;
  for (const GplvmView& view : fit.views) files.emplace_back(run, view);
  Index empty = 0;
  const double z = normal_quantile_of_interval(s.interval);
  Progress progress("apply", "samples", (data.rows() + block_rows - 1) / block_rows, shown);
  for (Index begin = 0; begin < data.rows(); begin += block_rows) {
    progress.update(begin / block_rows, static_cast<double>(begin));
    if (interrupt.asked()) return std::nullopt;
    const Dataset block = data.block(begin, std::min(begin + block_rows, data.rows()));
    empty += static_cast<Index>(block.empty_rows().size());
    const LatentPosterior at = embed(fit, block, threads);
    latent.write(block.ids(), at.mean);
    latent_sd.write(block.ids(), at.sd);
    auto file = files.begin();
    for (const GplvmView& view : fit.views) {
      const Predictive p = predict(view, at, threads);
      const Matrix half_width = z * (s.of == "f" ? p.f_variance : p.y_variance).array().sqrt();
      file->mean.write(block.ids(), p.mean);
      file->low.write(block.ids(), p.mean - half_width);
      file->high.write(block.ids(), p.mean + half_width);
      ++file;
    }
  }
  for (PredictionFiles& f : files) f.mean.commit(), f.low.commit(), f.high.commit();
  latent_sd.commit();
  latent.commit();
  return empty;
}

std::string model_text(const GplvmFit& fit) {
  std::vector<std::string> views;
  for (const GplvmView& view : fit.views)
    views.push_back(fmt::format("{} ({})", io::printable(view.name, 40),
                                io::counted(static_cast<long long>(view.columns.size()), "column")));
  return fmt::format("{} from {}, views {}", io::counted(fit.dims(), "dimension"),
                     io::counted(fit.latent.mean.rows(), "sample"), listed(views));
}

std::string plan(const GplvmFit& fit, const NewSamples& data, const std::string& out,
                 const Threads& threads) {
  const Dataset few = data.block(0, std::min<Index>(data.rows(), 64));
  const Stopwatch watch;
  const LatentPosterior at = embed(fit, few, threads);
  for (const GplvmView& view : fit.views) predict(view, at, threads);
  const double seconds = watch.seconds() * static_cast<double>(data.rows()) / static_cast<double>(few.rows());
  return fmt::format(
      "bochner apply would\n"
      "  use    a model of {}\n"
      "  embed  {} and predict every view, in {} on {}\n"
      "  leave  config.toml, latent.csv, latent_sd.csv, predicted/, log.jsonl in {}/\n",
      model_text(fit), io::counted(data.rows(), "sample"), about_time(seconds),
      io::counted(threads.count(), "thread"), out);
}

int run(const ApplySettings& s, const Job& job) {
  const Common& common = job.common;
  if (s.of != "f" && s.of != "y")
    throw InputError(
        fmt::format("--of is {}, but must be f (the function) or y (a measurement)", io::quote(s.of)));
  check_run_folder(common.out, "apply");
  const GplvmFit fit = read_gplvm(s.model);
  std::vector<std::string> notes;
  const NewSamples data(s.views, fit, notes);
  const Threads threads = make_threads(common.threads);
  if (!common.quiet)
    for (const std::string& note : notes) print_error("note: " + note + "\n");
  if (common.dry_run) {
    print(plan(fit, data, common.out, threads));
    return 0;
  }
  const Stopwatch watch;
  const Interrupt interrupt;
  RunFolder run(common.out, "apply", {"latent.csv", "latent_sd.csv", "log.jsonl"}, config_text(job));
  clear_earlier(run, "predicted");
  make_folder(run.path("predicted"));
  run.log(json_line({{"event", "start"},
                     {"verb", "apply"},
                     {"version", BOCHNER_VERSION},
                     {"threads", threads.count()},
                     {"samples", data.rows()}}));
  const std::optional<Index> empty = write_answers(fit, data, s, run, interrupt, !common.quiet, threads);
  run.log(json_line({{"event", empty ? "end" : "stopped"}, {"seconds", watch.seconds()}}));
  if (common.quiet) return interrupt.exit_code();
  if (empty && *empty > 0)
    print_error(fmt::format("note: {} not measured in any view: the latent there is the prior\n",
                            *empty == 1 ? "1 sample was" : fmt::format("{} samples were", *empty)));
  if (empty)
    print(
        fmt::format("used  a model of {}\n"
                    "apply {} in {:.1f} s\n"
                    "left  {}/ with latent.csv, latent_sd.csv and predicted/ ({:.3g} % intervals of {})\n",
                    model_text(fit), io::counted(data.rows(), "sample"), watch.seconds(), common.out,
                    100 * s.interval, s.of == "y" ? "measurements" : "the functions"));
  else
    print_error("bochner: stopped before the end; no table was left\n");
  return interrupt.exit_code();
}

}  // namespace

Verb apply_verb() {
  const auto s = std::make_shared<ApplySettings>();
  return {.name = "apply",
          .summary = "place new samples into a fitted model and predict every view of them, with intervals",
          .example = "bochner apply run/model.bochner --view rna=next_week.csv --out new",
          .details =
              "New samples may lack entries and whole views; each is looked at alone, so the answer does not "
              "depend on\n"
              "the others. Columns are found by name, further ones are ignored. Leaves latent.csv, "
              "latent_sd.csv and\n"
              "predicted/VIEW.csv with VIEW_lo.csv and VIEW_hi.csv for every view of the model.",
          .options = {{.name = "model",
                       .placeholder = "MODEL",
                       .help = "model.bochner of a fit",
                       .target = &s->model,
                       .required = true,
                       .positional = true},
                      {.name = "view",
                       .placeholder = "NAME=TABLE",
                       .help = "new samples, one --view each",
                       .target = &s->views,
                       .required = true},
                      {.name = "interval",
                       .placeholder = "SHARE",
                       .help = "of the predictions that intervals hold",
                       .target = &s->interval,
                       .low = 0.01,
                       .high = 0.9999},
                      {.name = "of",
                       .placeholder = "f|y",
                       .help = "intervals of the function, or of a measurement with noise",
                       .target = &s->of}},
          .out_help = "the folder for the answers",
          .out_default = "new",
          .run = [s](const Job& job) { return run(*s, job); }};
}

}  // namespace bochner::cli
