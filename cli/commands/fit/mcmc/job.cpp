#include "job.hpp"

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <map>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/models/bayes/draws_file.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/models/bayes/names.hpp"
#include "bochner/models/gplvm/file.hpp"
#include "bochner/store/sha256.hpp"
#include "cli/commands/fit/job.hpp"
#include "cli/frame/progress.hpp"
#include "cli/frame/stopwatch.hpp"
#include "tables.hpp"

namespace bochner::cli {

namespace {

/// Latents of a variational fit, for the samples of the data.
Matrix read_start(const std::string& path, const Dataset& data, Index dims) {
  const GplvmFit fit = read_gplvm(path);
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
          fmt::format("--warm-start: the model has not seen sample {}; fit it to the same samples",
                      quote(data.ids()[static_cast<std::size_t>(n)])));
    out.row(n) = fit.latent.mean.row(found->second);
  }
  return out;
}

BayesOptions options_of(const FitSettings& s, const std::vector<BayesLikelihood>& likelihoods) {
  BayesOptions out{.dims = s.dims,
                   .frequencies = s.frequencies,
                   .chains = s.chains,
                   .warmup = s.warmup,
                   .draws = s.draws,
                   .thin = s.thin};
  if (s.kernel.size() > 1 || (s.kernel.size() == 1 && s.kernel[0] != "dp" && s.kernel[0] != "rbf"))
    throw InputError(
        "--kernel: --model bayes learns its kernels, from a mixture of any number (dp) or one Gaussian of "
        "frequencies (rbf)");
  out.priors.frequencies.dirichlet = s.kernel.empty() || s.kernel[0] == "dp";
  out.start = s.warm_start.empty() ? parse_bayes_start(s.start) : BayesStart::given;
  if (out.start == BayesStart::given && s.warm_start.empty())
    throw InputError("--start: 'given' needs a model to begin from; use --warm-start MODEL");
  out.latent = {!s.time.empty(), parse_path_kind(s.time_kernel)};
  for (const BayesLikelihood likelihood : likelihoods) out.views.push_back({.likelihood = likelihood});
  return out;
}

void feed(Sha256& sum, const std::string& text) {
  sum.update(fmt::format("{}:", text.size()));
  sum.update(text);
}

void feed(Sha256& sum, const Matrix& values) {
  const Matrix Y = values.array().isNaN().select(std::numeric_limits<double>::quiet_NaN(), values);
  feed(sum, fmt::format("{} x {}", Y.rows(), Y.cols()));
  sum.update({reinterpret_cast<const char*>(Y.data()), static_cast<std::size_t>(Y.size()) * sizeof(double)});
}

}  // namespace

BayesJob prepare_bayes(const FitSettings& s, std::uint64_t seed) {
  BayesTables tables = read_bayes_tables(s);
  check_enough(tables.data);
  check_magnitude(tables.data);
  BayesJob job{.data = {.data = tables.data,
                        .trials = tables.trials,
                        .classes = tables.classes,
                        .time = tables.time,
                        .group = tables.group,
                        .start = {}},
               .held_out = held_out_masks(tables.data, s.holdout, seed),
               .seen = {.data = tables.data},
               .options = options_of(s, tables.likelihoods),
               .seed = seed,
               .forecast = s.forecast,
               .meta = std::move(tables.meta),
               .notes = std::move(tables.notes),
               .ids = std::move(tables.ids)};
  if (job.options.start == BayesStart::given)
    job.data.start = read_start(s.warm_start, job.data.data, s.dims);
  if (s.forecast > 0 && !(make_time_grid(job.data.time, job.data.group).gap.array() > 0).any())
    throw InputError("--forecast: every group has one sample, so there is no step to go on by");
  job.seen = job.data;
  job.seen.data = hide(job.data.data, job.held_out);
  return job;
}

std::string fingerprint(const BayesJob& job, const std::string& config) {
  Sha256 sum;
  feed(sum, config);
  for (const std::string& id : job.data.data.ids()) feed(sum, id);
  for (const View& view : job.data.data.views()) {
    feed(sum, view.name);
    for (const std::string& column : view.columns) feed(sum, column);
    feed(sum, view.Y);
  }
  for (const Matrix& trials : job.data.trials) feed(sum, trials);
  for (const auto& view : job.data.classes)
    for (const auto& column : view)
      for (const std::string& name : column) feed(sum, name);
  feed(sum, Matrix(job.data.time));
  for (const Index group : job.data.group) feed(sum, std::to_string(group));
  feed(sum, job.data.start);
  return sum.hex();
}

BayesResult run_bayes(const BayesJob& job, const BayesCheckpoints& checkpoints, const std::string& draws_file,
                      const Interrupt& interrupt, const ProgressOptions& shown, const Threads& threads) {
  const Stopwatch watch;
  const bool has_chains = checkpoints.begin && !checkpoints.begin->chains.empty();
  const Index before =
      has_chains ? checkpoints.begin->chains.front().monitored.rows() * job.options.chains : 0;
  DrawsLog log(checkpoints.draws, before);
  BayesHooks hooks;
  if (checkpoints.begin) hooks.resume = &*checkpoints.begin;
  double saved_at = 0;
  const auto save = [&](const std::function<BayesCheckpoint()>& checkpoint) {
    log.flush();
    write_model(checkpoints.path, checkpoint_group(checkpoint(), checkpoints.job));
    saved_at = watch.seconds();
  };
  const auto sample = [&] {
    const Index sweeps = job.options.warmup + job.options.draws * job.options.thin;
    std::optional<Progress> progress;  // of the start, then of the sweeps, whose time left it must not spoil
    const auto begin_sweeps = [&] {
      progress.reset();
      progress.emplace("fit", "log density", sweeps, shown);
    };
    if (checkpoints.begin && checkpoints.begin->beginning) begin_sweeps();
    hooks.keep_going = [&] { return !interrupt.asked(); };
    hooks.on_start = [&](const BayesStartProgress& now) {
      if (!progress) progress.emplace("start", "bound", now.of, shown);
      if (now.done)
        begin_sweeps();
      else
        progress->update(now.step, now.objective);
      const bool stop = interrupt.asked(), dear = job.options.start == BayesStart::variational;
      if (stop || (now.done && dear) || watch.seconds() - saved_at >= checkpoints.seconds)
        save(now.checkpoint);
      return !stop;
    };
    hooks.on_draw = [&](const BayesDraw& draw) { log.add(draw); };
    hooks.on_sweep = [&](const BayesProgress& now) {
      progress->update(now.sweep, now.log_density);
      const bool stop = interrupt.asked();
      if (stop || watch.seconds() - saved_at >= checkpoints.seconds) save(now.checkpoint);
      return !stop;
    };
    return fit_bayes(job.seen, job.options, job.seed, threads, hooks);
  };
  BayesResult out{.fit = sample()};
  out.seconds = watch.seconds();
  if (out.fit.status != Status::stopped_by_callback) log.finish(draws_file, out.fit);
  std::vector<Warning> warnings;
  if (job.forecast > 0) {
    out.forecast = make_forecast(out.fit, job.data, job.forecast, threads);
    warnings = forecast_warnings(out.fit, job.data.data, out.forecast->views, out.forecast->scores);
  }
  ViewAssessment assessment = assess(out.fit, job.data, job.held_out, threads, std::move(warnings));
  out.scores = std::move(assessment.scores);
  out.verdict = std::move(assessment.verdict);
  return out;
}

}  // namespace bochner::cli
