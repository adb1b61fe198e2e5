#include "bochner/models/harmonic/fit.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/core/counted.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/symmetry/symmetry_spec.hpp"
#include "src/likelihoods/likelihood_rows.hpp"
#include "src/linalg/k_means.hpp"
#include "src/linalg/median_distance.hpp"
#include "survey.hpp"
#include "train.hpp"

namespace bochner {
namespace {

constexpr Index start_rows = 10000;    // that inducing points and length-scales start from
constexpr Index compared_rows = 3000;  // [sun2021, Sec. 6.3]
constexpr Index most_validation = 10000;

/// Numbers with noise are standardised; counts, classes and 0/1 are what they are.
bool scales_outcomes(const AnyLikelihood& likelihood) {
  return std::holds_alternative<GaussianNoise>(likelihood) || std::holds_alternative<StudentT>(likelihood);
}

AnyLikelihood starting_likelihood(const HarmonicFitOptions& options, const HarmonicNames& names) {
  const bool classes = options.likelihood == "softmax" || options.likelihood == "robustmax";
  AnyLikelihood out =
      make_likelihood(options.likelihood, Index(classes ? names.classes.size() : names.outcomes.size()));
  if (auto* noise = std::get_if<GaussianNoise>(&out)) noise->variance.setConstant(options.noise);
  if (auto* student = std::get_if<StudentT>(&out)) {
    student->degrees = options.degrees;
    student->scale.setConstant(std::sqrt(options.noise));
  }
  return out;
}

/// Symmetries must leave the kernel alone wherever learning takes it, not only where it starts.
void check_while_learning(const AnyKernel& kernel, const TiedParameters& tied,
                          const std::vector<Symmetry>& symmetries, MatrixIn X, Rng rng) {
  check_symmetries(kernel, symmetries, X);
  const Vector free = tied.gather(parameters(kernel)) + 0.3 * rng.normal(tied.count);
  check_symmetries(with_parameters(kernel, tied.spread(free)), symmetries, X);
}

void check_options(const RowSource& data, const HarmonicNames& names, const HarmonicFitOptions& o) {
  check_at_least("fit_harmonic", "rows", data.rows, 2);
  check_size("fit_harmonic", "names of inputs", Index(names.inputs.size()), "columns of X", data.inputs);
  check_size("fit_harmonic", "names of outcomes", Index(names.outcomes.size()), "columns of Y",
             data.outcomes);
  check_at_least("fit_harmonic", "inducing", o.inducing, 1);
  check_at_least("fit_harmonic", "steps", o.steps, 1);
  check_at_least("fit_harmonic", "batch", o.batch, 1);
  check_at_least("fit_harmonic", "check_every", o.check_every, 1);
  check_positive("fit_harmonic", "step_size", o.step_size);
  check_positive("fit_harmonic", "noise", o.noise);
  check_between("fit_harmonic", "natural_step", o.natural_step, 0, 1);
  check_between("fit_harmonic", "validation", o.validation, 0, 0.9);
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
  return !chooses_symmetries(options) && mixes_columns(options.symmetries) ? InputScaling::common
                                                                           : InputScaling::standardise;
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
                  .seed = seed};
  Survey seen = survey(data, names.outcomes, fit.gp.likelihood, resolve_scaling(options),
                       scales_outcomes(fit.gp.likelihood), fit.inputs);
  fit.outputs = std::move(seen.outputs);
  if (auto* counts = std::get_if<Poisson>(&fit.gp.likelihood))
    counts->log_rate = seen.outcome_means.cwiseMax(1e-3).array().log();
  const Index apart = std::min(most_validation, Index(options.validation * double(data.rows)));
  Batches batches(scaled(data, fit.inputs, fit.outputs),
                  {.batch = options.batch, .validation = apart, .memory = options.row_memory},
                  rng.split("batches"));
  fit.rows = batches.rows();

  const std::vector<std::string> columns = fit.inputs.names();
  const Matrix some = batches.some_inputs(start_rows);
  const double ell =
      options.lengthscale > 0 ? options.lengthscale : median_distance(some, rng.split("distances"));
  const AnyKernel kernel = make_kernel(options.kernel, some.cols(), rng.split("kernel"), {.ell = ell});
  const TiedParameters tied = TiedParameters::make(kernel, !options.ard);
  if (chooses_symmetries(options)) {
    fit.compared = compare_symmetries(kernel, some, columns, options.inducing, options.ard,
                                      rng.split("compare"), compute);
    fit.symmetries = choose(fit.compared).words;
  }
  const std::vector<Symmetry> symmetries = make_symmetries(fit.symmetries, columns, some);
  if (!symmetries.empty()) check_while_learning(kernel, tied, symmetries, some, rng.split("stir"));
  const Matrix Z = k_means(some, std::min(options.inducing, some.rows()), rng.split("k-means"), compute);
  if (Z.rows() < options.inducing)
    fit.notes.push_back("there " + std::string(Z.rows() == 1 ? "is " : "are ") +
                        counted(Z.rows(), "different row") + " to put inducing points on, fewer than the " +
                        std::to_string(options.inducing) + " asked for");
  HarmonicGp start = make_harmonic_gp(kernel, symmetries, Z, fit.gp.likelihood,
                                      {.latents = latents(fit.gp.likelihood),
                                       .shared_inducing = options.shared_inducing,
                                       .shared_covariance = options.shared_covariance,
                                       .jitter = options.jitter});
  HarmonicTrained trained = train_harmonic(std::move(start), tied, ell / std::sqrt(double(some.cols())),
                                           batches, options, compute, hooks);
  if (trained.steps == 0)
    throw NumericalError(
        "fit_harmonic: the bound is not finite at the start; look for extreme values in the tables");
  fit.gp = std::move(trained.gp);
  fit.steps = trained.steps;
  fit.bound = trained.bound;
  fit.status = trained.status;
  fit.trace = std::move(trained.trace);
  return fit;
}

HarmonicPrediction predict(const HarmonicFit& fit, MatrixIn X, const Compute& compute) {
  HarmonicPrediction out{
      .f = predict_latent(fit.gp, fit.inputs.apply(X), compute), .y = {}, .probabilities = {}};
  if (has_probabilities(fit.gp.likelihood)) {
    out.probabilities = probabilities(fit.gp.likelihood, out.f.mean, out.f.variance, compute);
    return out;
  }
  out.y = outcome(fit.gp.likelihood, out.f.mean, out.f.variance);
  out.y = {fit.outputs.undo(out.y.mean), fit.outputs.undo_variance(out.y.variance)};
  out.f = {fit.outputs.undo(out.f.mean), fit.outputs.undo_variance(out.f.variance)};
  if (const auto* counts = std::get_if<Poisson>(&fit.gp.likelihood))
    out.f.mean.rowwise() += counts->log_rate.transpose();
  return out;
}

std::vector<LatentMarginals> predict_parts(const HarmonicFit& fit, MatrixIn X, const Compute& compute) {
  std::vector<LatentMarginals> out = predict_parts(fit.gp, fit.inputs.apply(X), compute);
  if (scales_outcomes(fit.gp.likelihood))
    for (LatentMarginals& part : out)
      part = {fit.outputs.undo_sd(part.mean), fit.outputs.undo_variance(part.variance)};
  return out;
}

Matrix log_density(const HarmonicFit& fit, MatrixIn X, MatrixIn Y, const Compute& compute) {
  const LatentMarginals f = predict_latent(fit.gp, fit.inputs.apply(X), compute);
  Matrix out = log_predictive(fit.gp.likelihood, fit.outputs.apply(Y), f.mean, f.variance, compute);
  if (scales_outcomes(fit.gp.likelihood))
    out.rowwise() -= fit.outputs.scale.array().log().matrix().transpose();
  return out;
}

double harmonic_memory(Index rows, Index inputs, Index latents, Index groups,
                       const HarmonicFitOptions& options) {
  const double m = double(std::min(options.inducing, rows)), H = double(groups),
               C = options.shared_covariance ? 1 : double(latents);
  // q(v) with its natural or Adam state, gradients, the state to fall back to and the best one; Gram matrices and factors.
  const double squares = H * m * m * (C * 8 + 4);
  const double table = std::min(options.row_memory / 8, double(rows) * double(inputs + latents));
  return 8 * (squares + table + H * double(options.batch) * m * (3 + C));
}

}  // namespace bochner
