#include "job.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/data/held_out_views.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/gplvm/calibrate.hpp"
#include "bochner/models/gplvm/cost.hpp"
#include "bochner/models/gplvm/cross_view.hpp"
#include "bochner/models/gplvm/file.hpp"
#include "bochner/models/gplvm/held_out_latents.hpp"
#include "bochner/run/resume.hpp"
#include "bochner/tables/read_table.hpp"
#include "cli/frame/resources.hpp"
#include "cli/inputs/label_view.hpp"
#include "cli/inputs/meta_table.hpp"
#include "cli/inputs/picture_shapes.hpp"
#include "hints.hpp"
#include "most_variable.hpp"
#include "normalise.hpp"

namespace bochner::cli {

namespace {

/// Random features need a spectral density to draw from.
void check_spectra(const GplvmOptions& options, const Dataset& data) {
  const std::vector<GplvmViewOptions> views = options_by_view(options, data.view_count());
  const bool random = resolve(options.features, shape_of(data), views).kind == FeatureSpec::Kind::random;
  for (Index v = 0; v < data.view_count(); ++v) {
    const GplvmViewOptions& own = views[static_cast<std::size_t>(v)];
    const AnyKernel kernel = make_kernel(own.kernel, options.dims, Rng(0), {.components = own.components});
    if (random && !has_spectrum(kernel) && !std::holds_alternative<BivariateSm>(kernel))
      throw InputError(
          fmt::format("view {}: the kernel {} has no random features; use --features nystrom, or exact for "
                      "at most a few thousand samples",
                      quote(data.view(v).name), quote(own.kernel)));
  }
}

/// The views that are tables: all but the labels, which come last.
std::vector<std::string> table_names(std::vector<std::string> names, const FitSettings& s) {
  if (!s.labels.empty()) names.pop_back();
  return names;
}

}  // namespace

void check_enough(const Dataset& data) {
  for (Index v = 0; v < data.view_count(); ++v)
    if (data.observed(v) == 0)
      throw InputError(
          fmt::format("view {}: all values are missing; omit the view", quote(data.view(v).name)));
  if (data.rows() < 3)
    throw InputError(fmt::format("a latent space requires at least 3 samples, but there {} {}",
                                 data.rows() == 1 ? "is" : "are", data.rows()));
}

void check_magnitude(const Dataset& data) {
  for (const View& view : data.views())
    for (Index n = 0; n < view.rows(); ++n)
      for (Index m = 0; m < view.cols(); ++m)
        if (std::abs(view.Y(n, m)) > most_magnitude)
          throw InputError(
              fmt::format("view {}, sample {}, column {}: {:g} is too large to be squared (the limit is "
                          "1e150); rescale the column",
                          quote(view.name), quote(view.ids[static_cast<std::size_t>(n)]),
                          quote(view.columns[static_cast<std::size_t>(m)]), view.Y(n, m)));
}

FitJob prepare_fit(Dataset data, const FitSettings& s, std::uint64_t seed) {
  std::vector<std::string> names, notes;
  for (const View& view : data.views()) names.push_back(view.name);
  check_enough(data);
  check_magnitude(data);
  if (const auto empty = static_cast<Index>(data.empty_rows().size()); empty > 0)
    notes.push_back(fmt::format("{} missing from every view: the latent is the prior",
                                empty == 1 ? "1 sample is" : fmt::format("{} samples are", empty)));
  const GplvmOptions options = model_options(s, names);
  check_spectra(options, data);
  std::vector<BoolMatrix> masks =
      held_out_entries_and_views(data, s.holdout, seed, s.labels.empty() ? "" : label_view_name);
  Dataset seen = hide(data, masks);
  std::vector<bool> normalised = normalised_views(s.normalise, table_names(names, s));
  normalised.resize(names.size(), false);
  // By what the fit sees: the size of a row must not tell about entries that are hidden.
  RowFactors factors = fit_row_factors(seen, normalised);
  std::optional<Dataset> measured;
  if (factors.any()) {
    measured = data;
    data = divide_rows(data, factors);
    seen = divide_rows(seen, factors);
  }
  return {.data = std::move(data),
          .held_out = std::move(masks),
          .seen = std::move(seen),
          .options = options,
          .auto_dims = s.dims == 0,
          .label_view = s.labels.empty() ? "" : label_view_name,
          .seed = seed,
          .notes = std::move(notes),
          .factors = std::move(factors),
          .measured = std::move(measured)};
}

FitJob prepare_fit(const FitSettings& s, std::uint64_t seed) {
  std::vector<ViewSpec> specs;
  std::vector<std::string> names, notes;
  for (const std::string& word : s.views) specs.push_back(split_view(word));
  for (const ViewSpec& spec : specs) names.push_back(spec.name);
  if (!s.labels.empty()) names = with_label_view(std::move(names));
  model_options(s, names);  // complains before the tables are read
  const std::vector<std::string> own = table_names(names, s);
  normalised_views(s.normalise, own);
  const std::vector<std::optional<Index>> counts =
      most_variable_of(s.most_variable, own, std::vector<bool>(own.size(), false));
  std::vector<ViewTable> tables = read_view_tables_without_words(specs, Likelihoods::refused, {}, notes);
  std::vector<TextTable> words;
  for (ViewTable& t : tables) words.push_back(std::move(t.words));
  const std::string ids = ids_text(tables);
  LabelledViews all = views_with_labels(std::move(tables), s.labels, notes);
  Dataset data = join(std::move(all.views));
  const KeptColumns kept = choose_columns(data, counts);
  if (!kept.text.empty()) data = data.take_columns(kept.columns);
  check_shapes(s.shape, data);
  FitJob job = prepare_fit(std::move(data), s, seed);
  job.kept = kept.text;
  for (std::string& hint : hint_notes(job.tables(), job.factors, job.label_view))
    notes.push_back(std::move(hint));
  job.meta = s.meta.empty() ? words_as_meta(words, job.data.ids(), all.ids_generated)
                            : read_meta(s.meta, job.data.ids(), all.ids_generated, notes);
  job.notes.insert(job.notes.begin(), notes.begin(), notes.end());
  job.ids = ids;
  return job;
}

void choose_device(FitJob& job, const std::string& device, Index threads) {
  const Device asked = device.empty() ? Device::cpu() : Device::parse(device);
  if (asked.is_cpu()) return;
  job.device = bochner::choose_device(job.seen, job.options, {make_threads(threads), asked});
  if (asked.is_automatic())
    job.notes.push_back(job.device.reason.empty()
                            ? "--device auto: the fit runs on a card"
                            : "--device auto: the fit runs on the processor: " + job.device.reason);
}

void choose_dimensions(FitJob& job, RunProgress& progress, const Compute& compute) {
  if (!job.auto_dims) return;
  DimsChoice choice = choose_dims(
      job.seen, job.options, job.options.dims, job.seed, compute,
      [&](Index dims) {
        const bool go_on = progress.step({.what = "dims",
                                          .objective = "dimensions",
                                          .step = dims,
                                          .of = job.options.dims,
                                          .value = static_cast<double>(dims)});
        return go_on ||
               progress.resume() != nullptr;  // a checkpoint fits the number of the whole search alone
      },
      job.label_view);
  job.dims_stopped = choice.stopped;
  job.options.dims = choice.dims;
  job.tried = std::move(choice.trials);
}

GplvmFit learn(const FitJob& job, RunProgress& progress, const Compute& compute) {
  const Index of = job.options.steps * resolve_restarts(job.options, shape_of(job.data));
  progress.step({.of = of});  // the first guesses take time too
  GplvmHooks hooks{.resume = progress.resume()};
  hooks.keep_going = [&] { return progress.accepted(); };
  hooks.on_step = [&](const GplvmProgress& now) {
    return progress.step({.step = now.step.start * job.options.steps + now.step.step,
                          .of = of,
                          .value = now.step.objective,
                          .latents =
                              [&] {
                                return LiveLatents{job.data.ids(), now.latents()};
                              }},
                         // another search may find another number of dimensions
                         job.dims_stopped ? gplvm_checkpoint_of_the_beginning : now.checkpoint);
  };
  GplvmFit fit = with_row_medians(fit_gplvm(job.seen, job.options, job.seed, compute, hooks), job.factors);
  fit.label_view = job.label_view;
  const Dataset shown = hide(job.data, split_held_out(job.data, job.held_out).views);
  const Compute own(compute.threads);  // every process learns them all
  return with_cross_views(std::move(fit), shown, own, [&](Index done, Index predictors) {
    const RunStep now{.what = "cross-view",
                      .objective = "predictors",
                      .step = done,
                      .of = predictors,
                      .value = static_cast<double>(done)};
    if (progress.step(now)) return true;
    // Resumed from the last step that was kept, or from the beginning where there is none.
    if (progress.comm().is_first() && !std::filesystem::exists(progress.folder().path(checkpoint_file)))
      progress.step(now, gplvm_checkpoint_of_the_beginning);
    return false;
  });
}

FitResult judge_fit(const FitJob& job, GplvmFit fit, double seconds, const Threads& threads) {
  FitResult out{calibrated(std::move(fit), job.data, job.held_out, threads), seconds};
  ViewAssessment assessment = assess(out.fit, job.data, job.held_out, threads);
  out.scores = std::move(assessment.scores);
  out.absent = std::move(assessment.absent);
  out.verdict = std::move(assessment.verdict);
  out.fit = with_held_out(std::move(out.fit), job.data, job.held_out, threads);
  out.dimensions = dimensions_of(out.fit, job.seen, threads);
  return out;
}

}  // namespace bochner::cli
