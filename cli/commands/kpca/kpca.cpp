#include "kpca.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/models/kpca/file.hpp"
#include "bochner/models/kpca/names.hpp"
#include "bochner/run/run_folder.hpp"
#include "bochner/run/write_rows.hpp"
#include "bochner/tables/csv.hpp"
#include "cli/commands/apply/answers.hpp"
#include "cli/commands/fit/latent_tables.hpp"
#include "cli/commands/fit/plan.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/terminal.hpp"
#include "cli/frame/text.hpp"
#include "cli/frame/verdict.hpp"
#include "job.hpp"
#include "options.hpp"

namespace bochner::cli {

namespace {

const std::vector<std::string> kpca_files{"latent.csv",           "components.csv",      "crossview.csv",
                                          "generated_latent.csv", "traverse_latent.csv", "meta.csv",
                                          "metrics.json",         "model.bochner",       "log.jsonl"};

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

/// The rows of a view that belong to these samples.
Matrix rows_of(const View& view, const std::vector<std::string>& ids) {
  std::unordered_map<std::string, Index> at;
  for (std::size_t n = 0; n < view.ids.size(); ++n) at.emplace(view.ids[n], Index(n));
  std::vector<Index> rows;
  for (const std::string& id : ids) rows.push_back(at.at(id));
  return view.Y(rows, Eigen::all);
}

/// Columns by the sum of their squared correlations with the columns of Z, which are uncorrelated: the share of their variance
/// that a linear function of Z explains. The largest first.
std::vector<Index> columns_near(const Matrix& Y, const Matrix& Z) {
  const Matrix z = (Z.rowwise() - Z.colwise().mean()).colwise().normalized();
  const Matrix y = Y.rowwise() - Y.colwise().mean();
  const Vector near = (z.transpose() * y).colwise().squaredNorm().transpose().array() /
                      y.colwise().squaredNorm().transpose().array().max(1e-300);
  std::vector<Index> out(static_cast<std::size_t>(Y.cols()));
  std::iota(out.begin(), out.end(), Index{0});
  std::stable_sort(out.begin(), out.end(), [&](Index a, Index b) { return near(a) > near(b); });
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

Json metrics(const KpcaFit& fit, double seconds, const std::vector<CrossView>& scores,
             const Verdict& verdict) {
  Json cross = Json::object(), explained = Json::array(), notes = Json::array();
  for (const CrossView& s : scores) {
    cross[s.view] = {{"r2", s.r2}, {"samples", s.samples}};
    if (s.accuracy) cross[s.view]["accuracy"] = *s.accuracy;
  }
  for (const double e : fit.explained()) explained.push_back(e);
  for (const std::string& note : fit.notes) notes.push_back(note);
  Json out{{"components", fit.dims()},
           {"solver", to_text(fit.solver)},
           {"explained", explained},
           {"steps", fit.steps},
           {"seconds", seconds},
           {"crossview", cross},
           {"status", to_string(fit.status)},
           {"notes", notes}};
  put_verdict(out, verdict);
  return out;
}

/// columns/VIEW.csv: the columns of each view that vary most with the components, at most 200, by which samples can be coloured
/// and compared in the report; as they were measured.
void write_columns(const KpcaJob& job, const KpcaFit& fit, RunFolder& run, const Threads& threads) {
  constexpr Index most = 200;
  const Matrix Z = scores(fit, fit.H);
  for (const View& view : job.data.views()) {
    std::vector<Index> chosen = columns_near(rows_of(view, fit.ids), Z);
    if (Index(chosen.size()) > most) chosen.resize(most);
    std::sort(chosen.begin(), chosen.end());
    std::vector<std::string> names;
    for (const Index m : chosen) names.push_back(view.columns[static_cast<std::size_t>(m)]);
    write_table(run.output("columns/" + view.name + ".csv"), view.ids, names, view.Y(Eigen::all, chosen),
                threads);
  }
}

std::string crossview_text(const std::vector<CrossView>& scores) {
  if (scores.empty()) return "";
  std::vector<std::vector<std::string>> rows{{"view from the others", "samples", "R2", "accuracy"}};
  for (const CrossView& s : scores)
    rows.push_back({printable(s.view, 40), fmt::format("{}", s.samples), fmt::format("{:.3f}", s.r2),
                    s.accuracy ? fmt::format("{:.3f}", *s.accuracy) : ""});
  return align(rows, false) + "\n";
}

/// What this run will leave beside config.toml and log.jsonl.
std::vector<std::string> files_of(const KpcaJob& job, const KpcaSettings& s) {
  std::vector<std::string> out{"latent.csv", "components.csv", "predicted/", "metrics.json", "model.bochner"};
  if (job.data.view_count() > 1 && s.holdout > 0) out.push_back("crossview.csv");
  if (job.meta) out.push_back("meta.csv");
  out.push_back("columns/");
  if (s.samples > 0) out.push_back("generated/");
  if (s.traverse > 0) out.push_back("traverse/");
  return out;
}

/// Kernel PCA as a run (run/run.hpp). It takes seconds, or a minute: there is nothing to resume.
class KpcaTask : public TaskDefaults {
 public:
  KpcaTask(const KpcaSettings& settings, const Job& command)
      : settings_(settings),
        job_(prepare_kpca(settings, static_cast<std::uint64_t>(command.common.seed))),
        command_(command) {}

  std::vector<std::string> notes() const { return job_.notes; }
  std::string plan(const Threads&) const {
    return "bochner kpca would\n" + tables_text(job_.data, job_.ids, "  read   ", "  ids    ") +
           fmt::format(
               "  find   {}, solver {}, in up to {} of memory ({} free)\n"
               "  write  config.toml, log.jsonl, {} in {}/\n",
               counted(job_.options.dims, "component"), to_text(planned_solver(job_.data, job_.options)),
               human_bytes(memory().bytes), human_bytes(free_memory()), join_list(files_of(job_, settings_)),
               command_.common.out);
  }
  MemoryNeed memory() const {
    return {kpca_memory(job_.data, job_.options), "use --features nystrom:500, or fewer samples"};
  }
  std::vector<std::string> files() const { return kpca_files; }
  std::string summary() const { return tables_text(job_.data, job_.ids, "read  ", "ids   "); }
  Json facts() const { return {{"samples", job_.data.rows()}, {"views", job_.data.view_count()}}; }
  void fit(RunProgress& progress, const Threads& threads) {
    const Stopwatch watch;
    fit_ = fit_kpca(
        job_.data, job_.options, job_.seed, {threads, Device::cpu(), progress.comm()}, [&](double done) {
          return progress.step(
              {.what = "kpca", .objective = "done", .step = Index(100 * done), .of = 100, .value = done});
        });
    seconds_ = watch.seconds();
    if (const bool stopped = progress.stop_asked(); !stopped && progress.comm().is_first())
      scores_ = cross_view_scores(job_.data, job_.options, job_.seed, settings_.holdout, threads);
    if (!progress.comm().is_first()) return;
    verdict_ = kpca_verdict(*fit_, scores_, job_.data.rows());
  }
  std::string status() const { return status_text(fit_->status); }
  std::vector<std::string> fit_notes() const { return fit_->notes; }
  std::string fitted() const {
    return fmt::format("found {} with {:.1f} % of the variance in feature space, {} in {:.1f} s\n",
                       counted(fit_->dims(), "component"), 100 * fit_->explained().sum(),
                       to_text(fit_->solver), seconds_);
  }
  void write(RunFolder& run, const Threads& threads) {
    write_kpca(run.path("model.bochner"), *fit_);
    write_csv(run.path("components.csv"), components_table(*fit_), "component");
    if (!scores_.empty()) write_csv(run.path("crossview.csv"), crossview_table(scores_), "view");
    const KpcaAnswers answers(*fit_);
    KpcaAnswers::Files tables(answers, run);
    tables.write(answers.answer(job_.data, threads), threads);
    tables.commit();
    if (job_.meta) write_csv(run.path("meta.csv"), *job_.meta);
    write_columns(job_, *fit_, run, threads);
    write_generated(*fit_, settings_, job_.seed, run, threads);
    write_json(run.path("metrics.json"), metrics(*fit_, seconds_, scores_, verdict_));
  }
  std::string verdict() const { return to_string(verdict_.kind); }
  std::string report(const RunFolder& run) const {
    return crossview_text(scores_) + verdict_lines(verdict_) +
           fmt::format("Wrote {}/ with {}\n", run.folder(), join_list(files_of(job_, settings_))) +
           apply_hint(run, fit_->views.front().name);
  }

 private:
  const KpcaSettings& settings_;
  KpcaJob job_;
  const Job& command_;
  std::optional<KpcaFit> fit_;
  double seconds_ = 0;  // of the fit
  std::vector<CrossView> scores_;
  Verdict verdict_;
};

int run(const KpcaSettings& s, const Job& job) {
  return run_command(job, [&] { return KpcaTask(s, job); });
}

}  // namespace

Command kpca_command() {
  const auto s = std::make_shared<KpcaSettings>();
  return {.name = "kpca",
          .summary = "Run kernel PCA on one or several tables, and predict each view from the others",
          .example = "bochner kpca rna.csv protein.csv --kernel rbf --dims 10 --out run",
          .details =
              "Multi-view kernel PCA (restricted kernel machines): components shared by all views, computed "
              "in the\n"
              "primal or the dual, whichever is smaller. Fits the samples that are complete in every view "
              "and embeds\n"
              "the others from the views they have. Writes latent.csv (scores), components.csv (explained "
              "variance),\n"
              "predicted/VIEW.csv (each view predicted from the others) and the model for 'bochner apply'.",
          .options = kpca_options(*s),
          .out_help = "Run folder",
          .out_default = "kpca",
          .shares = true,
          .run = [s](const Job& job) { return run(*s, job); }};
}

}  // namespace bochner::cli
