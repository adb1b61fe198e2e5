#include "bochner/models/harmonic/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/core/counted.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/symmetry/symmetry_spec.hpp"
#include "deep.hpp"
#include "outcome_scale.hpp"
#include "src/linalg/k_means.hpp"
#include "src/linalg/median_distance.hpp"
#include "src/models/harmonic/answers/calibrate.hpp"
#include "src/models/harmonic/answers/left_out.hpp"
#include "src/models/harmonic/answers/noise_function.hpp"
#include "src/symmetry/indicator_scale.hpp"
#include "start.hpp"
#include "survey.hpp"
#include "train.hpp"

namespace bochner {
namespace {

constexpr Index start_rows = 10000;    // that inducing points and length-scales start from
constexpr Index compared_rows = 3000;  // [sun2021, Sec. 6.3]
constexpr Index most_validation = 10000, fewest_validation = 500;
constexpr double start_amplitude = 0.5;  // of the log noise variance
constexpr double check_share =
    0.6;  // rows that a check draws, of those that the steps between checks learn from

AnyLikelihood starting_likelihood(const HarmonicFitOptions& options, const HarmonicNames& names) {
  const bool classes = options.likelihood == "softmax" || options.likelihood == "robustmax";
  AnyLikelihood out =
      make_likelihood(options.likelihood, Index(classes ? names.classes.size() : names.outcomes.size()));
  if (auto* noise = std::get_if<GaussianNoise>(&out)) noise->variance.setConstant(options.noise);
  if (auto* noise = std::get_if<HeteroscedasticNoise>(&out)) {
    noise->variance.setConstant(options.noise);
    noise->amplitude.setConstant(start_amplitude);
  }
  if (auto* student = std::get_if<StudentT>(&out)) {
    student->degrees = options.degrees;
    student->scale.setConstant(std::sqrt(options.noise));
  }
  return out;
}

void check_options(const RowSource& data, const HarmonicNames& names, const HarmonicFitOptions& o) {
  check_at_least("fit_harmonic", "rows", data.rows, 2);
  check_size("fit_harmonic", "names of inputs", Index(names.inputs.size()), "columns of X", data.inputs);
  if (!names.encoding.columns.empty())
    check_size("fit_harmonic", "columns of the encoding", names.encoding.width(), "columns of X",
               data.inputs);
  check_size("fit_harmonic", "names of outcomes", Index(names.outcomes.size()), "columns of Y",
             data.outcomes);
  if (names.weights.size() > 0) {
    check_size("fit_harmonic", "weights", names.weights.size(), "rows", data.rows);
    check_finite("fit_harmonic", "weights", names.weights);
    check_non_negative("fit_harmonic", "the smallest weight", names.weights.minCoeff());
    check_positive("fit_harmonic", "the sum of the weights", names.weights.sum());
  }
  check_at_least("fit_harmonic", "inducing", o.inducing, 0);
  check_at_least("fit_harmonic", "steps", o.steps, 0);
  check_positive("fit_harmonic", "minutes", o.minutes);
  check_at_least("fit_harmonic", "batch", o.batch, 1);
  check_at_least("fit_harmonic", "check_every", o.check_every, 1);
  check_non_negative("fit_harmonic", "step_size", o.step_size);
  check_at_least("fit_harmonic", "draws", o.draws, 1);
  for (const Index m : o.hidden_inducing) check_at_least("fit_harmonic", "hidden_inducing", m, 1);
  check_positive("fit_harmonic", "noise", o.noise);
  check_between("fit_harmonic", "natural_step", o.natural_step, 0, 1);
  check_between("fit_harmonic", "validation", o.validation, 0, 0.9);
  check_layers(o, data.inputs);
}

/// The weights as one more column of the outcomes (src/likelihoods/likelihood_rows.hpp), of mean 1.
RowSource weighted(RowSource rows, const Vector& weights) {
  if (weights.size() == 0) return rows;
  const Vector relative = weights / weights.mean();
  return {rows.rows, rows.inputs, rows.outcomes + 1, [rows, relative](Index begin, MatrixOut X, MatrixOut Y) {
            Matrix y(Y.rows(), rows.outcomes);
            rows.read(begin, X, y);
            Y.leftCols(rows.outcomes) = y;
            Y.col(rows.outcomes) = relative.segment(begin, Y.rows());
          }};
}

/// The cheapest of the best: fewest groups among those that miss at most a twentieth more than the best.
const SymmetryScore& choose(const std::vector<SymmetryScore>& scores) {
  double least = scores.front().missed;
  for (const SymmetryScore& s : scores) least = std::min(least, s.missed);
  const SymmetryScore* chosen = nullptr;
  for (const SymmetryScore& s : scores)
    if (s.missed <= 1.05 * least && (chosen == nullptr || s.groups < chosen->groups)) chosen = &s;
  return *chosen;
}

}  // namespace

std::vector<SymmetryScore> compare_symmetries(const AnyKernel& kernel, MatrixIn X,
                                              const std::vector<std::string>& columns, Index m, bool ard,
                                              const Rng& rng, const Compute& compute) {
  const TiedParameters tied = TiedParameters::make(kernel, !ard);
  std::vector<std::vector<std::string>> candidates{{}, {"negate"}};
  for (const char* directions : {"axes", "pca"})
    for (Index J = 2; J <= std::min<Index>(3, X.cols()); ++J)
      candidates.push_back({std::string("negate:") + directions + ":" + std::to_string(J)});
  const Matrix some = X.topRows(std::min(compared_rows, X.rows()));
  const Matrix Z = k_means(some, std::min(m, some.rows()), rng.split("k-means"), compute);
  const AnyLikelihood noise = make_likelihood("gaussian", 1);
  const double prior = diagonal(kernel, some).sum();
  std::vector<SymmetryScore> out;
  for (const std::vector<std::string>& words : candidates) {
    const std::vector<Symmetry> symmetries = make_symmetries(words, columns, some);
    try {
      check_while_learning(kernel, tied, symmetries, some, rng.split("stir"));
    } catch (const InputError&) {
      continue;  // not a symmetry of this kernel
    }
    const HarmonicGp gp = make_harmonic_gp(kernel, symmetries, Z, noise, {});
    out.push_back({words, gp.groups(), nystrom_trace_error(gp, some, compute) / prior});
  }
  return out;
}

namespace {

bool chooses_symmetries(const HarmonicFitOptions& options) {
  return options.symmetries == std::vector<std::string>{"auto"};
}

/// The scaling that `automatic` stands for: motions that mix columns need one scale for all of them.
InputScaling resolve_scaling(const HarmonicFitOptions& options) {
  if (options.scaling != InputScaling::automatic) return options.scaling;
  if (parse_layers(options.layers).images()) return InputScaling::pixels;
  return !chooses_symmetries(options) && mixes_columns(options.symmetries) ? InputScaling::common
                                                                           : InputScaling::standardise;
}

/// Rows to validate by: few enough that the checks cost less than the steps between them, whatever a step costs.
Index validation_rows(const HarmonicFitOptions& options, Index rows) {
  const Index draws = parse_layers(options.layers).hidden.empty() ? 1 : validation_draws;
  const double steps_learn_from = double(options.check_every) * double(std::min(options.batch, rows));
  const Index most =
      std::clamp(Index(check_share * steps_learn_from / double(draws)), fewest_validation, most_validation);
  return std::min(most, Index(options.validation * double(rows)));
}

HarmonicFitOptions with_step(HarmonicFitOptions options) {
  constexpr double shallow = 0.02, deep = 0.01;
  if (options.step_size == 0)
    options.step_size = parse_layers(options.layers).hidden.empty() ? shallow : deep;
  return options;
}

/// Nats that noise by inputs must gain on the validation rows for each outcome: one for each number more that they choose or could.
constexpr double worth = 2;

/// What validation rows say of the fit: their log predictive density; calibrated, if it is to be.
double judge(HarmonicFit& fit, const Batches& batches, const Rng& rng, const Compute& compute) {
  const std::vector<LatentMarginals> draws =
      predict_draws(fit.gp, batches.validation_X(), fit.options.draws, rng.split("predict"), compute);
  return fit.options.calibrate ? calibrate(fit, draws, batches.validation_Y(), compute)
                               : validation_density(fit, draws, batches.validation_Y(), compute);
}

constexpr Index most_left_out = 2000;

/// Of a small table: the rows that it learned from, each predicted from the others, beside the validation rows. Hyperparameters
/// have seen these rows, so intervals that look too narrow are, and those that look too wide need not be: noise only grows.
void calibrate_by_left_out(HarmonicFit& fit, const Batches& batches, const Compute& compute) {
  const auto* noise = std::get_if<GaussianNoise>(&fit.gp.likelihood);
  if (noise == nullptr || !fit.gp.hidden.empty() || fit.gp.groups() > 1 || !batches.in_memory() ||
      batches.rows() > most_left_out)
    return;
  Matrix X, Y;
  batches.learned_from(X, Y);
  const LeftOut learned =
      left_out(*noise, predict_latent(fit.gp, X, compute), nystrom_residuals(fit.gp, X, compute), Y);
  const LatentMarginals apart = predict_latent(fit.gp, batches.validation_X(), compute);
  const Index all = X.rows() + batches.validation_X().rows();
  LatentMarginals f{Matrix(all, apart.mean.cols()), Matrix(all, apart.mean.cols())};
  f.mean << learned.f.mean, apart.mean;
  f.variance << learned.f.variance, apart.variance;
  Matrix judged(all, Y.cols());
  judged << learned.Y, batches.validation_Y();
  GaussianNoise grown = *noise;
  calibrate(fit, {f}, judged, compute);
  grown.variance = grown.variance.cwiseMax(std::get<GaussianNoise>(fit.gp.likelihood).variance);
  fit.gp.likelihood = std::move(grown);
  fit.calibration.noise = fit.calibration.noise.cwiseMax(1);
}

/// After learning: noise that depends on the inputs, if asked for and if validation rows agree, and their calibration.
void judge_noise(HarmonicFit& fit, Batches& batches, const Rng& rng, const Compute& compute) {
  const bool validates = batches.validation_X().rows() > 0;
  const Index P = outputs(fit.gp.likelihood);
  // Functions of the noise would each need a covariance of their own.
  const bool varies = fit.options.noise_by_inputs &&
                      std::holds_alternative<GaussianNoise>(fit.gp.likelihood) &&
                      fit.status != Status::stopped_by_callback && !(fit.options.shared_covariance && P > 1);
  HarmonicFit varying = fit;
  const double constant =
      validates && (varies || fit.options.calibrate) ? judge(fit, batches, rng, compute) : 0;
  if (!varies) return;
  auto gp = learn_noise_function(varying.gp, batches, fit.steps, rng.split("noise"), compute);
  if (!gp) return;
  varying.gp = std::move(*gp);
  if (!validates || judge(varying, batches, rng, compute) > constant + worth * double(P))
    fit = std::move(varying);
}

void settle_noise(HarmonicFit& fit, Batches& batches, const Rng& rng, const Compute& compute) {
  judge_noise(fit, batches, rng, compute);
  const Index apart = batches.validation_X().rows();
  if (fit.options.calibrate && apart > 0 && apart < fewest_to_calibrate)
    calibrate_by_left_out(fit, batches, compute);
}

}  // namespace

HarmonicFit fit_harmonic(const RowSource& data, const HarmonicNames& names, const HarmonicFitOptions& options,
                         std::uint64_t seed, const Compute& compute, const HarmonicHooks& hooks) {
  check_options(data, names, options);
  const Rng rng = Rng(seed).split("harmonic");
  HarmonicFit fit{.gp = {.kernel = Rbf{}, .likelihood = starting_likelihood(options, names)},
                  .inputs = {.columns = names.inputs, .circles = options.circles, .spheres = options.spheres},
                  .outputs = {},
                  .outcomes = names.outcomes,
                  .classes = names.classes,
                  .symmetries = options.symmetries,
                  .options = options,
                  .seed = seed,
                  .encoding = names.encoding};
  Survey seen = survey(data, names.outcomes, fit.gp.likelihood, resolve_scaling(options),
                       scales_outcomes(fit.gp.likelihood), fit.inputs);
  if (resolve_scaling(options) == InputScaling::standardise) scale_indicators(fit.encoding, fit.inputs);
  fit.outputs = std::move(seen.outputs);
  if (is_count(fit.gp.likelihood)) {
    Vector theta = parameters(fit.gp.likelihood);
    theta.head(data.outcomes) = seen.outcome_means.cwiseMax(1e-3).array().log();
    fit.gp.likelihood = with_parameters(fit.gp.likelihood, theta);
  }
  const Index apart = validation_rows(options, data.rows);
  Batches batches(weighted(scaled(data, fit.inputs, fit.outputs), names.weights),
                  {.batch = options.batch, .validation = apart, .memory = options.row_memory},
                  rng.split("batches"));
  fit.rows = batches.rows();

  const std::vector<std::string> columns = fit.inputs.names();
  const Matrix some = batches.some_inputs(start_rows);
  const Index groups =
      chooses_symmetries(options) ? most_compared_groups : harmonic_groups(options, columns, some);
  fit.options = with_effort(options, data.rows, some.cols(), latents(fit.gp.likelihood), groups);
  if (chooses_symmetries(options)) {
    const double ell =
        options.lengthscale > 0 ? options.lengthscale : median_distance(some, rng.split("distances"));
    const AnyKernel kernel = make_kernel(options.kernel, some.cols(), rng.split("kernel"), {.ell = ell});
    fit.compared = compare_symmetries(kernel, some, columns, fit.options.inducing,
                                      options.ard.value_or(false), rng.split("compare"), compute);
    fit.symmetries = choose(fit.compared).words;
  }
  HarmonicStart start =
      start_harmonic(fit.options, fit.gp.likelihood, fit.symmetries, columns, some, rng, compute);
  fit.notes = std::move(start.notes);
  // Symmetries were compared for the value as it was given: with another one, a refit would choose among others.
  if (!chooses_symmetries(options)) fit.options.ard = start.ard;
  HarmonicTrained trained = train_harmonic(std::move(start.gp), start.learning, batches,
                                           with_step(fit.options), rng.split("train"), compute, hooks);
  if (trained.steps == 0)
    throw NumericalError(
        "fit_harmonic: the bound is not finite at the start; look for extreme values in the tables");
  fit.gp = std::move(trained.gp);
  fit.steps = trained.steps;
  fit.bound = trained.bound;
  fit.status = trained.status;
  fit.trace = std::move(trained.trace);
  settle_noise(fit, batches, rng, compute);
  return fit;
}

void check_layers(const HarmonicFitOptions& options, Index inputs) {
  const LayerPlan plan = parse_layers(options.layers);
  if (options.hidden_inducing.size() > plan.hidden.size())
    throw InputError(fmt::format("there are numbers of inducing points for {}, but only {}",
                                 counted(Index(options.hidden_inducing.size()), "hidden layer"),
                                 counted(Index(plan.hidden.size()), "hidden layer")));
  if (chooses_symmetries(options) && (!plan.hidden.empty() || plan.images()))
    throw InputError("symmetries are compared for one GP of one layer only; name one, or leave it out");
  if (!plan.images()) {
    if (!options.image.empty())
      throw InputError(
          "the shape of an image was given, but no layer looks at images; use the layer patches:5, or a conv "
          "layer");
    return;
  }
  if (options.image.empty())
    throw InputError("layers of windows need the shape of the images, such as 28x28 or 32x32x3");
  const ImageShape image = parse_image_shape(options.image);
  if (image.pixels() != inputs)
    throw InputError(fmt::format("images of {} have {}, but the table has {}", to_string(image),
                                 counted(image.pixels(), "number"), counted(inputs, "input column")));
}

}  // namespace bochner
