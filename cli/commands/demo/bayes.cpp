#include "bayes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/simulate/latent_views.hpp"
#include "bochner/simulate/missing.hpp"
#include "bochner/tables/csv.hpp"
#include "bochner/tables/read_table.hpp"
#include "cli/commands/fit/mcmc/criteria.hpp"
#include "cli/commands/fit/mcmc/results.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/shell_quote.hpp"
#include "cli/frame/terminal.hpp"
#include "cli/frame/text.hpp"
#include "truth.hpp"

namespace bochner::cli {

namespace {

constexpr double least_rates_r2 = 0.85;  // of the latent: counts of a few events say less than real numbers
constexpr double least_coverage = 0.8;   // of the rates in 90 % intervals

/// A fit against the truth that its counts were made from.
struct RateScores {
  double r2 = 0;               // of the true latent, after the best affine map
  double log_rate_rmse = 0;    // of posterior medians of rates, on the log scale
  double log_column_rmse = 0;  // of the mean of each column
  double coverage90 = 0;       // share of the true rates in their 90 % intervals
};

std::vector<std::string> bayes_demo_files() {
  std::vector<std::string> out{"counts.csv", "counts_truth.csv", "counts_rate_truth.csv", "latent_truth.csv"};
  for (const std::string& file : bayes_files())
    if (file != "meta.csv" && file != "forecast_latent.csv") out.push_back(file);
  return out;
}

/// Two latents for each sample, smooth log rates of them around 1, counts. The functions bend, but do not fold: then the latents
/// are known up to an affine map, and can be compared with the truth.
Simulated make_counts(const DemoSettings& s, const Rng& rng, const Threads& threads) {
  const Matrix X = rng.split("latents").normal(s.samples, 2);
  const ViewRecipe recipe{
      .name = "counts", .kernel = Rbf{.ell = Vector::Constant(2, 2.5), .sigma2 = 2.25}, .M = s.columns};
  Simulated out =
      simulate_views(X, Vector::LinSpaced(s.samples, 0, 1), {recipe}, {}, rng.split("functions"), threads);
  ViewTruth& truth = out.truth.front();
  truth.F.array() += 1;
  truth.mean = emission_mean(PoissonEmission{}, truth.F);
  truth.Y = draw_emission(PoissonEmission{}, truth.F, rng.split("counts"));
  truth.noise_variance = 0;
  View view = out.data.view(0);
  view.Y = truth.Y;
  out.data = with_missing({view}, {.entries = s.missing}, rng.split("missing"));
  return out;
}

/// What a user would say to `bochner fit`.
FitSettings chain_settings(const std::string& out) {
  FitSettings fit;
  fit.inference = "mcmc";
  fit.views.push_back(fmt::format("counts={}/counts.csv:poisson", out));
  fit.frequencies = 30;
  fit.warmup = 500;
  fit.draws = 700;
  return fit;
}

RateScores score_rates(const BayesFit& fit, const RunFolder& run, const Threads& threads) {
  const Matrix rates = in_order_of(fit.ids, read_table(run.path("counts_rate_truth.csv")));
  RateScores out{
      .r2 = affine_r2(fit.latent.mean, in_order_of(fit.ids, read_table(run.path("latent_truth.csv")))).mean};
  const BayesPrediction p = predict(fit.views.front(), fit.X, {}, {.interval = 0.9, .of_function = true},
                                    Rng(fit.seed).split("rates"), threads);
  const Matrix column = rates.colwise().mean().replicate(rates.rows(), 1);
  const auto rmse_of_logs = [&](const Matrix& guess) {
    return std::sqrt((guess.array().log() - rates.array().log()).square().mean());
  };
  out.log_rate_rmse = rmse_of_logs(p.median);
  out.log_column_rmse = rmse_of_logs(column);
  out.coverage90 = (rates.array() >= p.low.array() && rates.array() <= p.high.array()).cast<double>().mean();
  return out;
}

void judge_by_rates(const RateScores& truth, BayesResult& result) {
  std::vector<Warning> warnings = result.verdict.warnings;
  if (!(truth.r2 >= least_rates_r2))
    warnings.push_back({.kind = Warning::Kind::not_settled,
                        .severity = Severity::error,
                        .message = fmt::format("it finds the true latent with R^2 {:.3f} only", truth.r2)});
  if (!(truth.coverage90 >= least_coverage))
    warnings.push_back(
        {.kind = Warning::Kind::coverage,
         .severity = Severity::error,
         .message = fmt::format("its 90 % intervals hold {} of the true rates", percent(truth.coverage90))});
  result.verdict = view_verdict(result.scores, std::move(warnings),
                                fmt::format("It finds the true latent with R^2 {:.3f}.", truth.r2));
}

std::string rates_text(const RateScores& truth) {
  return align({{"against the truth", "", ""},
                {"  R^2 of the latent", fmt::format("{:.3f}", truth.r2), "after the best affine map"},
                {"  error of log rates", short_number(truth.log_rate_rmse),
                 fmt::format("of all entries; column mean {}", short_number(truth.log_column_rmse))},
                {"  in 90 % intervals", percent(truth.coverage90), "of the true rates"}});
}

/// The demo as a run (run/run.hpp): a table of counts, and chains for it. It takes less than a minute: there is nothing to
/// resume.
class BayesDemoTask : public TaskDefaults {
 public:
  BayesDemoTask(const DemoSettings& settings, const Job& command, const Threads& threads)
      : settings_(settings),
        command_(command),
        made_(make_counts(settings, Rng(seed()).split("demo"), threads)) {}

  std::string plan(const Threads&) const {
    const FitSettings fit = chain_settings(command_.common.out);
    return fmt::format(
        "bochner demo --bayes would\n"
        "  make   a view of Poisson counts, {} samples and {} columns, {:.0f} % missing\n"
        "  draw   {} of {} after {} of warm-up\n"
        "  write  {} and imputed/ in {}/\n",
        settings_.samples, settings_.columns, 100 * settings_.missing, counted(fit.chains, "chain"),
        counted(fit.draws, "draw"), counted(fit.warmup, "sweep"), join_list(bayes_demo_files()),
        command_.common.out);
  }
  std::vector<std::string> files() const {
    std::vector<std::string> out = bayes_demo_files();
    out.push_back(draws_log);
    return out;
  }
  std::vector<std::string> resumed_files() const { return {draws_log}; }
  std::string summary() const {
    return fmt::format("made  {} in {}/: Poisson counts in {}\n", counted(made_.data.rows(), "sample"),
                       command_.common.out, counted(settings_.columns, "column"));
  }
  Json facts() const { return {{"samples", made_.data.rows()}, {"views", 1}}; }
  void fit(RunProgress& progress, const Threads& threads) {
    write_demo_tables(made_, progress.folder());
    const Table truth = read_table(progress.folder().path("counts_truth.csv"));
    write_csv(progress.folder().path("counts_rate_truth.csv"),
              Table{truth.ids, truth.columns, made_.truth.front().mean});
    // From here on the demo knows what a user would: a table in a file.
    job_ = prepare_bayes(chain_settings(command_.common.out), seed());
    const Stopwatch watch;
    BayesLearned learned = learn(*job_, progress, threads);
    result_ = judge_fit(*job_, std::move(learned), watch.seconds(), threads);
    truth_ = score_rates(result_->fit, progress.folder(), threads);
    judge_by_rates(truth_, *result_);
  }
  std::string status() const { return stop_reason(result_->fit); }
  std::string fitted() const {
    const MixingSummary m = mixing(result_->fit);
    const BayesOptions& o = job_->options;
    return fmt::format(
        "fit   {} of {} after {} of warm-up: {:.1f} s, {}\n"
        "mixed {} of {} quantities have an R-hat up to 1.05; predictions are worth {:.0f} or more "
        "independent "
        "draws\n\n",
        counted(o.chains, "chain"), counted(o.draws, "draw"), counted(o.warmup, "sweep"), result_->seconds,
        status(), m.quantities - m.apart, m.quantities, m.lowest_ess());
  }
  void write(RunFolder& run, const Threads& threads) {
    write_results(*job_, *result_, run, threads);
    Json metrics = metrics_json(*result_);
    metrics["truth"] = {
        {"r2", truth_.r2}, {"log_rate_rmse", truth_.log_rate_rmse}, {"coverage90", truth_.coverage90}};
    write_json(run.path("metrics.json"), metrics);
  }
  std::string verdict() const { return to_string(result_->verdict.kind); }
  std::string report(const RunFolder& run) const {
    return criteria_text(result_->criteria) + scores_text(result_->scores) + "\n" + rates_text(truth_) +
           "\n" + verdict_lines(result_->verdict) +
           fmt::format(
               "\nWrote {}/ with latent.csv, imputed/, draws.nc, kernel.json, metrics.json, model.bochner, "
               "the "
               "table and its truth\nNext, in Python: arviz.from_netcdf(\"{}\")\n",
               command_.common.out, run.path("draws.nc"));
  }

 private:
  std::uint64_t seed() const { return static_cast<std::uint64_t>(command_.common.seed); }

  const DemoSettings& settings_;
  const Job& command_;
  Simulated made_;
  std::optional<BayesJob> job_;
  std::optional<BayesResult> result_;
  RateScores truth_;
};

}  // namespace

int run_bayes_demo(const DemoSettings& s, const Job& job) {
  return run_command(job, [&] { return BayesDemoTask(s, job, make_threads(job.common.threads)); });
}

}  // namespace bochner::cli
