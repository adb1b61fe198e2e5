#include "evaluate.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/view.hpp"
#include "bochner/tables/atomic_file.hpp"
#include "bochner/tables/read_table.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/run_options.hpp"
#include "cli/frame/text.hpp"
#include "scores.hpp"

namespace bochner::cli {

namespace {

/// A file of its own, or evaluation.json in a folder: metrics.json there belongs to the run.
std::string result_path(const std::string& out) {
  if (out.ends_with(".json")) return out;
  return (std::filesystem::path(out) / "evaluation.json").string();
}

Table read_latent(const std::string& spec) {
  Table latent = read_table(spec);
  if (const Index gaps = latent.values.size() - count_observed(latent.values); gaps > 0)
    throw InputError(
        fmt::format("{}: latents must not have missing values, but {} empty; leave these samples out",
                    printable(spec), gaps == 1 ? "1 cell is" : fmt::format("{} cells are", gaps)));
  return latent;
}

void print_plan(const Scores& scores, const Common& common, const Threads& threads) {
  constexpr double operations_per_second = 1e9;  // of distances and their sorting, on one core
  const double seconds = scores.operations / operations_per_second / threads.count();
  print(fmt::format("bochner evaluate would compute\n{}in {} on {}{}\n", align(scores.rows),
                    about_time(seconds), counted(threads.count(), "thread"),
                    common.out.empty() ? ", and write nothing" : ", and write " + result_path(common.out)));
}

int run(const EvaluateSettings& settings, const Common& common) {
  if (settings.labels.empty() && settings.truth.empty() && settings.data.empty())
    throw InputError(
        "nothing to score the latents against; use --labels FILE:COLUMN, --truth TABLE or --data TABLE");
  const Threads threads = make_threads(common.threads);
  Scores scores{.latent_name = printable(settings.latent),
                .latent = read_latent(settings.latent),
                .dry_run = common.dry_run,
                .seed = static_cast<std::uint64_t>(common.seed)};
  scores.json = {
      {"latent", settings.latent}, {"samples", scores.latent.rows()}, {"dimensions", scores.latent.cols()}};
  if (!settings.labels.empty()) score_labels(settings, scores, threads);
  if (!settings.truth.empty()) score_truth(settings, scores);
  if (!settings.data.empty()) score_neighbourhoods(settings, scores, threads);

  if (!common.quiet)
    for (const std::string& note : scores.notes) print_error("note: " + note + "\n");
  if (common.dry_run) {
    print_plan(scores, common, threads);
    return 0;
  }
  if (settings.json)
    print(json_text(scores.json));
  else if (!common.quiet)
    print(align(scores.rows));
  if (!common.out.empty()) {
    if (const std::filesystem::path folder = std::filesystem::path(result_path(common.out)).parent_path();
        !folder.empty())
      make_folder(folder.string());
    write_json(result_path(common.out), scores.json);
  }
  return 0;
}

std::vector<Option> input_options(EvaluateSettings& s) {
  return {{.name = "latent",
           .placeholder = "TABLE",
           .help = "Latent space, one row per sample",
           .target = &s.latent,
           .group = Group::input,
           .required = true,
           .file = true,
           .positional = true},
          {.name = "labels",
           .placeholder = "FILE:COLUMN",
           .help = "Class label of each sample",
           .target = &s.labels,
           .group = Group::input,
           .file = true},
          {.name = "truth",
           .placeholder = "TABLE",
           .help = "True latents",
           .target = &s.truth,
           .group = Group::input,
           .file = true},
          {.name = "data",
           .placeholder = "TABLE",
           .help = "Data from which the latent space was computed",
           .target = &s.data,
           .group = Group::input,
           .file = true}};
}

std::vector<Option> score_options(EvaluateSettings& s) {
  return {{.name = "k",
           .placeholder = "N",
           .help = "Number of neighbours for label prediction",
           .target = &s.k,
           .group = Group::evaluation,
           .low = 1},
          {.name = "folds",
           .placeholder = "N",
           .help = "Number of cross-validation folds for label prediction",
           .target = &s.folds,
           .group = Group::evaluation,
           .low = 2},
          {.name = "neighbours",
           .placeholder = "N",
           .help = "Number of neighbours for trustworthiness and continuity",
           .target = &s.neighbours,
           .group = Group::evaluation,
           .low = 1},
          {.name = "json",
           .help = "Print JSON instead of a table",
           .target = &s.json,
           .group = Group::output,
           .recorded = false}};
}

}  // namespace

Command evaluate_command() {
  const auto s = std::make_shared<EvaluateSettings>();
  return {
      .name = "evaluate",
      .summary = "Score a latent space against labels, known latents, or the original data",
      .example = "bochner evaluate run/latent.csv --labels samples.csv:type",
      .details =
          "At least one of these tables is required; samples are joined by id, and those without a label "
          "are omitted.\n"
          "  --labels  Accuracy of KNN, logistic regression and a linear SVM in shuffled cross-validation:\n"
          "            do neighbours in the latent space share labels, and do lines separate them?\n"
          "  --truth   R^2 after the best affine map: is the truth a linear function of the latents?\n"
          "  --data    Trustworthiness and continuity: are neighbours in the latent space neighbours in "
          "the data?",
      .options = concatenate({input_options(*s), score_options(*s)}),
      .out_placeholder = "PATH",
      .out_help = "Also write the scores to this .json file, or to evaluation.json in this folder",
      .run = [s](const Job& job) { return run(*s, job.common); }};
}

}  // namespace bochner::cli
