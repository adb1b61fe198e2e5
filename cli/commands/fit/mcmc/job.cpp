#include "job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/models/bayes/draws_file.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/models/bayes/inference_data.hpp"
#include "bochner/models/bayes/names.hpp"
#include "bochner/models/bayes/prior_text.hpp"
#include "cli/commands/fit/job.hpp"
#include "cli/commands/fit/normalise.hpp"
#include "cli/inputs/model_origin.hpp"
#include "cli/inputs/picture_shapes.hpp"
#include "tables.hpp"

namespace bochner::cli {

namespace {

/// Latents of a variational fit, for the samples of the data.
Matrix read_start(const std::string& path, const Dataset& data, Index dims) {
  const AnyFit any = read_fit(path);
  if (!std::holds_alternative<GplvmFit>(any))
    throw InputError(
        fmt::format("--warm-start: {} is a model of {}, but a variational model of 'bochner fit' is required",
                    printable(path), origin_of(any).made_by));
  const auto& fit = std::get<GplvmFit>(any);
  if (fit.dims() != dims)
    throw InputError(fmt::format("--warm-start: the model has {}, but --dims is {}",
                                 counted(fit.dims(), "dimension"), dims));
  std::map<std::string, Index> at;
  for (std::size_t n = 0; n < fit.ids.size(); ++n) at[fit.ids[n]] = static_cast<Index>(n);
  Matrix out(data.rows(), dims);
  for (Index n = 0; n < data.rows(); ++n) {
    const auto found = at.find(data.ids()[static_cast<std::size_t>(n)]);
    if (found == at.end())
      throw InputError(
          fmt::format("--warm-start: sample {} is unknown to the model; fit it to the same samples",
                      quote(data.ids()[static_cast<std::size_t>(n)])));
    out.row(n) = fit.latent.mean.row(found->second);
  }
  return out;
}

BayesOptions options_of(const FitSettings& s, const std::vector<BayesLikelihood>& likelihoods) {
  if (s.dims == 0)
    throw InputError("--dims auto requires --inference variational; give a number of dimensions");
  BayesOptions out{.dims = s.dims,
                   .frequencies = s.frequencies,
                   .chains = s.chains,
                   .warmup = s.warmup,
                   .draws = s.draws,
                   .thin = s.thin};
  if (s.kernel.size() > 1 || (s.kernel.size() == 1 && s.kernel[0] != "dp" && s.kernel[0] != "rbf"))
    throw InputError(
        "--kernel: --inference mcmc learns its kernels: dp (a mixture of any number of Gaussians of "
        "frequencies) or rbf (a single one)");
  out.priors.frequencies.dirichlet = s.kernel.empty() || s.kernel[0] == "dp";
  out.start = s.warm_start.empty() ? parse_bayes_start(s.start) : BayesStart::given;
  if (out.start == BayesStart::given && s.warm_start.empty())
    throw InputError("--start: 'given' requires a model; use --warm-start MODEL");
  for (const std::string& start : s.starts) {
    out.starts.push_back(parse_bayes_start(start));
    if (out.starts.back() == BayesStart::given || out.starts.back() == BayesStart::automatic)
      throw InputError("--starts takes variational, isomap, spectral, pca and random");
  }
  out.latent = {!s.time.empty(), parse_path_kind(s.time_kernel)};
  for (const std::string& text : s.prior) {
    try {
      set_prior(out.priors, text);
    } catch (const InputError& error) {
      throw InputError(fmt::format("--prior: {}", error.what()));
    }
  }
  for (const BayesLikelihood likelihood : likelihoods) out.views.push_back({.likelihood = likelihood});
  return out;
}

/// By what the fit sees, as in the variational model.
void normalise_rows(const FitSettings& s, BayesJob& job) {
  std::vector<std::string> names;
  for (const View& view : job.data.data.views()) names.push_back(view.name);
  const std::vector<bool> normalised = normalised_views(s.normalise, names);
  for (std::size_t v = 0; v < names.size(); ++v)
    if (normalised[v] && job.options.views[v].likelihood != BayesLikelihood::gaussian)
      throw InputError(fmt::format(
          "--normalise: view {} is {}, but only rows of gaussian views can be divided; use --normalise "
          "NAME=rows for those (multinomial counts do not depend on the totals of their rows)",
          quote(names[v]), to_text(job.options.views[v].likelihood)));
  job.factors = fit_row_factors(job.seen.data, normalised);
  if (!job.factors.any()) return;
  job.measured = job.data.data;
  job.data.data = divide_rows(job.data.data, job.factors);
  job.seen.data = divide_rows(job.seen.data, job.factors);
}

}  // namespace

BayesJob prepare_bayes(const FitSettings& s, std::uint64_t seed) {
  BayesTables tables = read_bayes_tables(s);
  check_enough(tables.data);
  check_magnitude(tables.data);
  check_shapes(s.shape, tables.data);
  BayesOptions options = options_of(s, tables.likelihoods);
  BayesJob job{.data = {.data = tables.data,
                        .trials = tables.trials,
                        .exposure = tables.exposure,
                        .exposure_names = tables.exposure_names,
                        .classes = tables.classes,
                        .covariates = tables.covariates,
                        .design = tables.design,
                        .axis = std::move(tables.axis),
                        .start = {}},
               .held_out = held_out_masks(tables.data, s.holdout, seed),
               .seen = {.data = tables.data},
               .options = std::move(options),
               .seed = seed,
               .forecast = s.forecast,
               .meta = std::move(tables.meta),
               .notes = std::move(tables.notes),
               .ids = std::move(tables.ids),
               .kept = std::move(tables.kept)};
  if (job.options.start == BayesStart::given)
    job.data.start = read_start(s.warm_start, job.data.data, s.dims);
  if (s.forecast > 0 && !(make_time_grid(job.data.axis.time, job.data.axis.group).gap.array() > 0).any())
    throw InputError("--forecast: every group has a single sample, so the step between times is unknown");
  job.seen = job.data;
  job.seen.data = hide(job.data.data, job.held_out);
  normalise_rows(s, job);
  return job;
}

void identify(const BayesJob& job, Fingerprint& sum) {
  sum.add(job.tables());
  for (const Matrix& trials : job.data.trials) sum.add(trials);
  for (const Vector& exposure : job.data.exposure) sum.add(Matrix(exposure));
  for (const auto& view : job.data.classes)
    for (const auto& column : view) sum.add(column);
  sum.add(job.data.covariates.names());
  sum.add(job.data.design);
  sum.add(Matrix(job.data.axis.time));
  for (const Index group : job.data.axis.group) sum.add(std::to_string(group));
  sum.add(job.data.start);
}

BayesLearned learn(const BayesJob& job, RunProgress& progress, const Threads& threads) {
  const BayesCheckpointProgress before =
      progress.resume() ? bayes_checkpoint_progress(*progress.resume()) : BayesCheckpointProgress{};
  std::optional<DrawsLog> log;  // made when the model has accepted the data
  const auto draws = [&]() -> DrawsLog& {
    if (!log) log.emplace(progress.folder().path(draws_log), before.draws);
    return *log;
  };
  const auto at_sweep = [&](Index sweep, Index of, double log_density) {
    return RunStep{.objective = "log density", .step = sweep, .of = of, .value = log_density};
  };
  const RunStep first_sweep = at_sweep(0, most_sweeps(job.options), 0);
  const auto flushed = [&](const std::function<ModelGroup()>& checkpoint) {
    return [&draws, &checkpoint] {
      draws().flush();  // a checkpoint knows of no draw that the log has not
      return checkpoint();
    };
  };
  const auto live = [&](const std::function<Matrix()>& latents) {
    return [&] { return LiveLatents{job.data.data.ids(), latents()}; };
  };
  if (before.start_done) progress.step(first_sweep);
  BayesHooks hooks{.resume = progress.resume()};
  hooks.keep_going = [&] { return progress.accepted(); };
  hooks.on_start = [&](const BayesStartProgress& now) {
    const std::vector<BayesStart> starts = chain_starts(job.options);
    const bool dear = std::find(starts.begin(), starts.end(), BayesStart::variational) != starts.end();
    RunStep step = now.done
                       ? first_sweep
                       : RunStep{.what = "start", .step = now.step, .of = now.of, .value = now.objective};
    step.latents = live(now.latents);
    return progress.step(step, flushed(now.checkpoint), now.done && dear);
  };
  hooks.on_draw = [&](const BayesDraw& draw) {
    if (progress.comm().is_first()) draws().add(draw);
  };
  hooks.on_sweep = [&](const BayesProgress& now) {
    RunStep step = at_sweep(now.sweep, now.of, now.log_density);
    step.latents = live(now.latents);
    return progress.step(step, flushed(now.checkpoint));
  };
  BayesLearned out{.fit = with_row_medians(fit_bayes(job.seen, job.options, job.seed,
                                                     {threads, Device::cpu(), progress.comm()}, hooks),
                                           job.factors)};
  if (!progress.comm().is_first()) return out;
  out.effects = covariate_effects(out.fit, draws().draws(out.fit), threads);
  if (out.fit.status == Status::stopped_by_callback) return out;
  const InferenceData data =
      make_inference_data(out.fit, draws().draws(out.fit), job.seen, job.factors, {}, threads);
  write_inference_data(progress.folder().path("draws.nc"), data);
  out.criteria = criteria(*data.pointwise, data.reff, threads);
  return out;
}

BayesResult judge_fit(const BayesJob& job, BayesLearned learned, double seconds, const Threads& threads) {
  BayesResult out{.fit = std::move(learned.fit),
                  .seconds = seconds,
                  .criteria = std::move(learned.criteria),
                  .effects = std::move(learned.effects)};
  std::vector<Warning> warnings;
  if (job.forecast > 0) {
    out.forecast = make_forecast(out.fit, job.data, job.forecast, threads);
    warnings = forecast_warnings(out.fit, job.data.data, out.forecast->views, out.forecast->scores);
  }
  ViewAssessment assessment = assess(out.fit, job.data, job.held_out, threads, std::move(warnings));
  out.scores = std::move(assessment.scores);
  out.verdict = std::move(assessment.verdict);
  out.dimensions = dimensions_of(out.fit, job.seen.data, threads);
  return out;
}

}  // namespace bochner::cli
