#include "kpca.hpp"

#include <fmt/format.h>

#include <memory>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/models/kpca/file.hpp"
#include "bochner/models/kpca/names.hpp"
#include "bochner/run/run_folder.hpp"
#include "bochner/tables/csv.hpp"
#include "cli/commands/apply/answers.hpp"
#include "cli/commands/fit/latent_tables.hpp"
#include "cli/commands/fit/plan.hpp"
#include "cli/frame/aligned.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/interrupt.hpp"
#include "cli/frame/json_file.hpp"
#include "cli/frame/progress.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/shell_word.hpp"
#include "cli/frame/verdict.hpp"
#include "job.hpp"

namespace bochner::cli {

namespace {

const std::vector<std::string> files{
    "latent.csv",          "components.csv", "crossview.csv", "generated_latent.csv",
    "traverse_latent.csv", "metrics.json",   "model.bochner", "log.jsonl"};

Table components_table(const KpcaFit& fit) {
  Table out{.ids = latent_columns(fit.dims()),
            .columns = {"eigenvalue", "explained", "explained_so_far"},
            .values = Matrix(fit.dims(), 3)};
  const Vector explained = fit.explained();
  double sum = 0;
  for (Index j = 0; j < fit.dims(); ++j) {
    sum += explained(j);
    out.values.row(j) << fit.lambda(j), explained(j), sum;
  }
  return out;
}

Table crossview_table(const std::vector<CrossView>& scores) {
  Table out{.columns = {"samples", "r2", "accuracy"}, .values = Matrix(Index(scores.size()), 3)};
  for (std::size_t v = 0; v < scores.size(); ++v) {
    out.ids.push_back(scores[v].view);
    out.values.row(Index(v)) << double(scores[v].samples), scores[v].r2,
        scores[v].accuracy.value_or(std::nan(""));
  }
  return out;
}

/// generated/VIEW.csv at components of our choice.
void write_generated(const KpcaFit& fit, const std::vector<std::string>& ids, const Matrix& h,
                     const std::string& folder, RunFolder& run, const Threads& threads) {
  write_csv(run.path(folder + "_latent.csv"), Table{ids, latent_columns(fit.dims()), scores(fit, h)});
  for (std::size_t v = 0; v < fit.views.size(); ++v)
    write_csv(run.output(folder + "/" + fit.views[v].name + ".csv"),
              Table{ids, fit.views[v].columns, predict_view(fit, Index(v), h, {}, threads)});
}

void write_generated(const KpcaFit& fit, const KpcaSettings& s, std::uint64_t seed, RunFolder& run,
                     const Threads& threads) {
  if (s.samples > 0) {
    std::vector<std::string> ids;
    for (Index i = 1; i <= s.samples; ++i) ids.push_back(fmt::format("sample{}", i));
    write_generated(fit, ids, sample_components(fit, s.samples, Rng(seed).split("generated")), "generated",
                    run, threads);
  }
  if (s.traverse > 0) {
    const Index steps = 9, count = std::min(s.traverse, fit.dims());
    std::vector<std::string> ids;
    Matrix h(count * steps, fit.dims());
    for (Index c = 0; c < count; ++c) {
      h.middleRows(c * steps, steps) = bochner::traverse(fit, c, steps, 2);
      for (Index i = 0; i < steps; ++i)
        ids.push_back(fmt::format("z{} {:+.1f} sd", c + 1, -2 + 4.0 * double(i) / double(steps - 1)));
    }
    write_generated(fit, ids, h, "traverse", run, threads);
  }
}

Json metrics(const KpcaFit& fit, const std::vector<CrossView>& scores, const Verdict& verdict) {
  Json cross = Json::object(), explained = Json::array(), notes = Json::array();
  for (const CrossView& s : scores) {
    cross[s.view] = {{"r2", s.r2}, {"samples", s.samples}};
    if (s.accuracy) cross[s.view]["accuracy"] = *s.accuracy;
  }
  for (const double e : fit.explained()) explained.push_back(e);
  for (const std::string& note : fit.notes) notes.push_back(note);
  Json out{{"components", fit.dims()},        {"solver", to_text(fit.solver)},
           {"explained", explained},          {"steps", fit.steps},
           {"seconds", fit.seconds},          {"crossview", cross},
           {"status", to_string(fit.status)}, {"notes", notes}};
  put_verdict(out, verdict);
  return out;
}

std::string crossview_text(const std::vector<CrossView>& scores) {
  if (scores.empty()) return "";
  std::vector<std::vector<std::string>> rows{{"view from the others", "samples", "R2", "accuracy"}};
  for (const CrossView& s : scores)
    rows.push_back({printable(s.view, 40), fmt::format("{}", s.samples), fmt::format("{:.3f}", s.r2),
                    s.accuracy ? fmt::format("{:.3f}", *s.accuracy) : ""});
  return aligned(rows, false) + "\n";
}

/// What this run will leave beside config.toml and log.jsonl.
std::vector<std::string> files_of(const KpcaJob& job, const KpcaSettings& s) {
  std::vector<std::string> out{"latent.csv", "components.csv", "predicted/", "metrics.json", "model.bochner"};
  if (job.data.view_count() > 1 && s.holdout > 0) out.push_back("crossview.csv");
  if (s.samples > 0) out.push_back("generated/");
  if (s.traverse > 0) out.push_back("traverse/");
  return out;
}

int run(const KpcaSettings& s, const Job& verb_job) {
  const Common& common = verb_job.common;
  const auto say = [&](const std::string& text) {
    if (!common.quiet) print(text);
  };
  check_run_folder(common.out, "kpca");
  const Threads threads = make_threads(common.threads);
  const KpcaJob job = prepare_kpca(s, static_cast<std::uint64_t>(common.seed));
  if (!common.quiet)
    for (const std::string& note : job.notes) print_error("note: " + note + "\n");
  const double bytes = kpca_memory(job.data, job.options);
  const std::string read = fmt::format("{} in {}: {}", counted(job.data.rows(), "sample"),
                                       counted(job.data.view_count(), "view"), views_text(job.data));
  if (common.dry_run) {
    print(fmt::format(
        "bochner kpca would\n"
        "  read   {}\n"
        "  ids    {}\n"
        "  find   {}, solver {}, in up to {} of memory ({} free)\n"
        "  leave  config.toml, log.jsonl, {} in {}/\n",
        read, job.ids, counted(job.options.dims, "component"), to_text(planned_solver(job.data, job.options)),
        human_bytes(bytes), human_bytes(free_memory()), listed(files_of(job, s)), common.out));
    return 0;
  }
  check_memory(bytes, "use --features nystrom:500, or fewer samples");
  const Interrupt interrupt;
  say(fmt::format("read  {}\nids   {}\n", read, job.ids));
  const KpcaFit fit = [&] {
    Progress progress("kpca", "done", 100, !common.quiet);
    return fit_kpca(job.data, job.options, job.seed, threads, [&](double done) {
      progress.update(Index(100 * done), done);
      return !interrupt.asked();
    });
  }();
  if (!common.quiet)
    for (const std::string& note : fit.notes) print_error("note: " + note + "\n");
  say(fmt::format("found {} with {:.1f} % of the variance in feature space, {} in {:.1f} s\n",
                  counted(fit.dims(), "component"), 100 * fit.explained().sum(), to_text(fit.solver),
                  fit.seconds));
  const std::vector<CrossView> scores =
      interrupt.asked() ? std::vector<CrossView>{}
                        : cross_view_scores(job.data, job.options, job.seed, s.holdout, threads);
  const Verdict verdict = kpca_verdict(fit, scores);
  // The folder comes after the work: what the model refuses leaves nothing behind.
  RunFolder run(common.out, "kpca", files, config_text(verb_job));
  run.log(json_line({{"event", "start"},
                     {"verb", "kpca"},
                     {"version", BOCHNER_VERSION},
                     {"threads", threads.count()},
                     {"samples", job.data.rows()},
                     {"views", job.data.view_count()}}));
  write_kpca(run.path("model.bochner"), fit);
  write_csv(run.path("components.csv"), components_table(fit), "component");
  if (!scores.empty()) write_csv(run.path("crossview.csv"), crossview_table(scores), "view");
  const KpcaAnswers answers(fit);
  KpcaAnswers::Files tables(answers, run);
  tables.write(job.data, threads);
  tables.commit();
  write_generated(fit, s, job.seed, run, threads);
  write_json(run.path("metrics.json"), metrics(fit, scores, verdict));
  run.log(json_line({{"event", "end"}, {"seconds", fit.seconds}}));
  say(crossview_text(scores) + wrapped("verdict: " + verdict_text(verdict), 100, 9) +
      fmt::format("left  {}/ with {}\n"
                  "next  bochner apply {} --view {} --out new\n",
                  common.out, listed(files_of(job, s)), shell_word(run.path("model.bochner")),
                  shell_word(fit.views.front().name + "=NEW_TABLE")));
  return exit_code(interrupt, verdict, common);
}

}  // namespace

Verb kpca_verb() {
  const auto s = std::make_shared<KpcaSettings>();
  return {
      .name = "kpca",
      .summary = "kernel PCA of one or several tables, and each view predicted from the others",
      .example =
          "bochner kpca --view rna=rna.csv --view protein=protein.csv --kernel rbf --dims 10 --out run",
      .details =
          "Multi-view kernel PCA (restricted kernel machines): components that all views share, in the "
          "primal\n"
          "or the dual, whichever is smaller. Learns from samples that have every entry of every view, and\n"
          "places the others by the views they have. Leaves latent.csv (scores), components.csv (variance\n"
          "explained), predicted/VIEW.csv (each view from the others) and the model for 'bochner apply'.",
      .options = {{.name = "view",
                   .placeholder = "NAME=TABLE",
                   .help = "a table of measurements, one --view each",
                   .target = &s->views,
                   .required = true,
                   .file = true},
                  {.name = "labels",
                   .placeholder = "FILE:COLUMN",
                   .help = "classes to predict, as one more view",
                   .target = &s->labels,
                   .file = true},
                  {.name = "dims",
                   .placeholder = "S",
                   .help = "components",
                   .target = &s->dims,
                   .low = 1,
                   .high = 1e5},
                  {.name = "kernel",
                   .placeholder = "[NAME=]K",
                   .help = "rbf unless told: linear, poly2, matern32, rbf+linear, ...",
                   .target = &s->kernel},
                  {.name = "lengthscale",
                   .placeholder = "[NAME=]L",
                   .help = "of the kernel, in scaled units; else the median distance",
                   .target = &s->lengthscale},
                  {.name = "features",
                   .placeholder = "[NAME=]HOW",
                   .help = "auto unless told: exact, finite, L, orthogonal:L, nystrom:m, network:F",
                   .target = &s->features},
                  {.name = "solver",
                   .placeholder = "HOW",
                   .help = "primal, dual, primal-stiefel, dual-stiefel",
                   .target = &s->solver},
                  {.name = "weight",
                   .placeholder = "[NAME=]W",
                   .help = "factor of the kernel of a view, 1 unless told",
                   .target = &s->weight},
                  {.name = "balance",
                   .help = "weights that make the views count alike",
                   .target = &s->balance},
                  {.name = "preimage",
                   .placeholder = "[NAME=]HOW",
                   .help = "back to the table: identity, ridge, smoother, fixed-point, gradient",
                   .target = &s->preimage},
                  {.name = "no-scale",
                   .help = "take the columns as they are, not standardised",
                   .target = &s->no_scale},
                  {.name = "holdout",
                   .placeholder = "SHARE",
                   .help = "of the samples, to judge predictions between views by; 0: none",
                   .target = &s->holdout,
                   .low = 0,
                   .high = 0.5},
                  {.name = "samples",
                   .placeholder = "N",
                   .help = "make up so many samples, in generated/",
                   .target = &s->samples,
                   .low = 0,
                   .high = 1e6},
                  {.name = "traverse",
                   .placeholder = "N",
                   .help = "walk along the first N components, in traverse/",
                   .target = &s->traverse,
                   .low = 0,
                   .high = 1e4},
                  {.name = "epochs",
                   .placeholder = "N",
                   .help = "of training network features",
                   .target = &s->epochs,
                   .low = 1,
                   .high = 1e6}},
      .out_help = "the run folder",
      .out_default = "kpca",
      .run = [s](const Job& job) { return run(*s, job); }};
}

}  // namespace bochner::cli
