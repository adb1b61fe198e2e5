#pragma once
#include <limits>

#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/harmonic/fit.hpp"
#include "bochner/random/rng.hpp"
#include "src/models/harmonic/checkpoint.hpp"

namespace bochner::testing {

using detail::checkpoint_group, detail::harmonic_checkpoint_from, detail::HarmonicCheckpoint;

inline const Threads threads(1);
constexpr Index D = 8;

struct HarmonicKind {
  std::string likelihood = "gaussian";
  bool shared_inducing = false, shared_covariance = false;
};

inline AnyLikelihood odd_likelihood(const std::string& name) {
  AnyLikelihood out = make_likelihood(name, name == "softmax" || name == "robustmax" ? 3 : 2);
  // Values that do not survive a logarithm and back.
  if (auto* gaussian = std::get_if<GaussianNoise>(&out)) gaussian->variance = Vector{{0.1, 1.0 / 3}};
  if (auto* student = std::get_if<StudentT>(&out))
    *student = {.scale = Vector{{0.7, 1.0 / 7}}, .degrees = 3.3};
  if (auto* by_inputs = std::get_if<HeteroscedasticNoise>(&out))
    *by_inputs = {.variance = Vector{{0.1, 1.0 / 3}}, .amplitude = Vector{{0.3, 1.0 / 7}}};
  if (auto* counts = std::get_if<NegativeBinomial>(&out))
    *counts = {.log_rate = Vector{{0.1, -1.0 / 3}}, .size = Vector{{0.3, 1.0 / 7}}};
  if (auto* robust = std::get_if<RobustMax>(&out)) robust->epsilon = 0.01;
  return out;
}

/// Inputs: a circle, a sphere and three plain columns; motions: a rotation (dense) with two that turn signs and swap columns.
inline HarmonicGp example_gp(const HarmonicKind& kind, std::uint64_t seed) {
  const AnyLikelihood likelihood = odd_likelihood(kind.likelihood);
  AnyKernel kernel = make_kernel("matern32+rbf", D, Rng(seed), {});
  const std::vector<Symmetry> symmetries{rotate(D, 0, 1, 3), negate(D, {2, 3, 4}),
                                         permute({0, 1, 2, 3, 4, 6, 5, 7})};
  const Index m = 5, P = latents(likelihood);
  HarmonicGp gp = make_harmonic_gp(kernel, symmetries, Rng(seed + 1).normal(m, D), likelihood,
                                   {.latents = P,
                                    .shared_inducing = kind.shared_inducing,
                                    .shared_covariance = kind.shared_covariance,
                                    .jitter = 1e-7});
  for (std::size_t h = 0; h < gp.mean.size(); ++h) {
    gp.mean[h] = Rng(seed + 10 + h).normal(m, P);
    for (Matrix& F : gp.factor[h]) {
      F = (0.3 * Rng(seed + 20 + h).normal(m, m)).triangularView<Eigen::Lower>();
      F.diagonal().array() += 1;
    }
  }
  for (std::size_t h = 0; h < gp.Z.size(); ++h) gp.Z[h] += 0.1 * Rng(seed + 30 + h).normal(m, D);
  return gp;
}

inline HarmonicFit example_harmonic(const HarmonicKind& kind) {
  HarmonicFit fit{.gp = example_gp(kind, 1), .inputs = {}, .outputs = {}, .outcomes = {}};
  fit.inputs = {.columns = {"hour", "lon", "a", "lat", "b", "c"},
                .circles = {{.column = 0, .period = 24}},
                .spheres = {{.longitude = 1, .latitude = 3}},
                .centre = Vector{{0, 0, 0, 0, 0, 0.1, -3, 7}},
                .scale = Vector{{1, 1, 1, 1, 1, 2, 0.3, 1.0 / 3}}};
  for (Index p = 0; p < outputs(fit.gp.likelihood); ++p) fit.outcomes.push_back("y" + std::to_string(p));
  const auto columns = Index(fit.outcomes.size());
  fit.outputs = {.kind = ScalingKind::standardise,
                 .centre = Vector::Constant(columns, 0.1),
                 .scale = Vector::Constant(columns, 3.3)};
  if (kind.likelihood == "softmax" || kind.likelihood == "robustmax")
    fit.classes = {"cat", "dog", "\xc3\xa4hm"};
  if (kind.likelihood == "bernoulli") fit.classes = {"no", "yes"};
  fit.symmetries = {"translate:hour:3", "negate:x,y,z", "permute:a,b"};
  fit.compared = {{{}, 1, 0.4}, {{"negate", "longitude:4"}, 6, 0.1}};
  fit.rows = 12345;
  fit.steps = 678;
  fit.bound = -1.0 / 3;
  fit.status = Status::converged;
  fit.trace = {{100, -2.5, -2.6}, {200, -1.5, std::numeric_limits<double>::quiet_NaN()}};
  fit.notes = {"one thing", "another"};
  fit.options = {.kernel = "matern32+rbf",
                 .ard = true,
                 .lengthscale = 0.7,
                 .likelihood = kind.likelihood,
                 .degrees = 3.3,
                 .noise = 0.2,
                 .noise_by_inputs = true,
                 .calibrate = false,
                 .symmetries = {"auto"},
                 .circles = fit.inputs.circles,
                 .spheres = fit.inputs.spheres,
                 .scaling = InputScaling::common,
                 .inducing = 5,
                 .shared_inducing = kind.shared_inducing,
                 .shared_covariance = kind.shared_covariance,
                 .learn_kernel = false,
                 .learn_inducing = false,
                 .jitter = 1e-7,
                 .steps = 1000,
                 .batch = 64,
                 .step_size = 0.02,
                 .natural_step = 0.3,
                 .validation = 0.15,
                 .check_every = 50,
                 .patience = 7};
  fit.calibration = {.temperature = fit.classes.empty() ? 1.0 : 1.0 / 3,
                     .noise = Vector::Constant(columns, 1.0 / 7),
                     .spread = Vector::Constant(columns, 0.3)};
  fit.seed = std::numeric_limits<std::uint64_t>::max() - 3;
  return fit;
}

inline Matrix example_table() {
  Matrix out = 10 * Rng(9).normal(12, 6);
  return out.array().min(80).max(-80);
}

inline HarmonicCheckpoint example_checkpoint(bool natural, bool best) {
  HarmonicCheckpoint c{.step = 77, .retries = 2, .cool_from = best ? 60 : -1};
  c.gp = example_gp({"gaussian", false, !best}, 1);
  c.adam = {{.m = Rng(1).normal(3), .v = Rng(2).normal(3), .count = 77}, {}};
  c.adam.push_back({.m = Rng(3).normal(40), .v = Rng(4).normal(40), .count = 75});
  if (natural) {
    c.precision = c.gp.factor;
    c.precision.back().back() *= 1.0 / 3;
  }
  c.smoothed = -0.1;
  c.smoothing_weight = 49.9;
  c.best = -0.7;
  c.best_step = best ? 50 : -1;
  c.best_gp = best ? example_gp({"gaussian", false, false}, 5) : c.gp;
  c.trace = {{50, -0.2, -0.7}, {60, 0.3, std::numeric_limits<double>::infinity()}};
  return c;
}

}  // namespace bochner::testing
