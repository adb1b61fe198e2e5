#include "evaluate.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/view.hpp"
#include "bochner/tables/atomic_file.hpp"
#include "bochner/tables/read_table.hpp"
#include "cli/frame/aligned.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/resources.hpp"
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
    throw InputError(fmt::format("{}: a latent has a number in every cell, but here {} empty",
                                 printable(spec), gaps == 1 ? "one is" : fmt::format("{} are", gaps)));
  return latent;
}

void print_plan(const Scores& scores, const Common& common, const Threads& threads) {
  constexpr double operations_per_second = 1e9;  // of distances and their sorting, on one core
  const double seconds = scores.operations / operations_per_second / threads.count();
  print(fmt::format("bochner evaluate would compute\n{}in {} on {}{}\n", aligned(scores.rows),
                    about_time(seconds), counted(threads.count(), "thread"),
                    common.out.empty() ? ", and write nothing" : ", and write " + result_path(common.out)));
}

int run(const EvaluateSettings& settings, const Common& common) {
  if (settings.labels.empty() && settings.truth.empty() && settings.data.empty())
    throw InputError(
        "nothing to score the latent against: give --labels FILE:COLUMN, --truth TABLE or --data TABLE");
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
    print(aligned(scores.rows));
  if (!common.out.empty()) {
    if (const std::filesystem::path folder = std::filesystem::path(result_path(common.out)).parent_path();
        !folder.empty())
      make_folder(folder.string());
    write_json(result_path(common.out), scores.json);
  }
  return 0;
}

}  // namespace

Verb evaluate_verb() {
  const auto s = std::make_shared<EvaluateSettings>();
  return {
      .name = "evaluate",
      .summary = "score a latent space against labels, a known truth, or the data it came from",
      .example = "bochner evaluate --latent run/latent.csv --labels samples.csv:type",
      .details =
          "Give any of the tables; samples are joined by id, and those without a label are left out.\n"
          "  --labels  KNN accuracy over shuffled folds: do neighbours in the latent carry the same label?\n"
          "  --truth   R^2 after the best affine map: is the truth a linear function of the latent?\n"
          "  --data    trustworthiness and continuity: are neighbours in the latent neighbours in the data?",
      .options =
          {{.name = "latent",
            .placeholder = "TABLE",
            .help = "the latent space, one row per sample",
            .target = &s->latent,
            .required = true,
            .file = true},
           {.name = "labels",
            .placeholder = "FILE:COLUMN",
            .help = "a class per sample",
            .target = &s->labels,
            .file = true},
           {.name = "truth",
            .placeholder = "TABLE",
            .help = "true latents",
            .target = &s->truth,
            .file = true},
           {.name = "data",
            .placeholder = "TABLE",
            .help = "what the latent was made from",
            .target = &s->data,
            .file = true},
           {.name = "k",
            .placeholder = "N",
            .help = "neighbours that vote on a label",
            .target = &s->k,
            .low = 1},
           {.name = "folds",
            .placeholder = "N",
            .help = "each is predicted from the others",
            .target = &s->folds,
            .low = 2},
           {.name = "neighbours",
            .placeholder = "N",
            .help = "of trustworthiness and continuity",
            .target = &s->neighbours,
            .low = 1},
           {.name = "json", .help = "print JSON instead of a table", .target = &s->json, .recorded = false}},
      .out_placeholder = "PATH",
      .out_help = "also write the scores: to this .json file, or as evaluation.json into this folder",
      .run = [s](const Job& job) { return run(*s, job.common); }};
}

}  // namespace bochner::cli
