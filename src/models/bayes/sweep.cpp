#include "sweep.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/products.hpp"
#include "likelihood.hpp"
#include "moves/covariates.hpp"
#include "moves/frequencies.hpp"
#include "moves/latents.hpp"
#include "moves/parameters.hpp"
#include "moves/path_priors.hpp"
#include "moves/trajectory.hpp"
#include "moves/weights.hpp"

namespace bochner {

namespace {

// Members move one at a time, so that components seldom split or merge, and with them wait the concentration and the scale of the
// latents. These sweeps see frequencies alone and cost next to nothing beside those that see the tables.
constexpr int mixture_sweeps = 8;

// Of sweeps: a trial costs as much as the weights do, and amplitudes need not move in each.
constexpr double trial_share = 0.5;

bool is_poisson(BayesLikelihood likelihood) {
  return likelihood == BayesLikelihood::poisson || is_softmax(likelihood);
}

/// Functions of one view given X: weights, frequencies, their mixture, amplitude, noise or dispersion. Auxiliary variables
/// are drawn first, used while nothing else is touched, and forgotten.
void update_view(const BayesModel& model, const BayesTable& table, MatrixIn X, BayesViewState& view,
                 FrequencyMoves& moves, bool move_amplitude, const Rng& rng, const Compute& compute) {
  const BayesPriors& priors = model.priors;
  const Matrix Phi = bayes_features(view.W, X, table.covariates, compute);
  const Matrix F = multiply<double>(Phi, view.B, compute);
  Rng trial_rng = rng.split("trial of the amplitude");
  AmplitudeTrial trial;
  if (move_amplitude && trial_rng.uniform() < trial_share) trial = propose_amplitude(view, trial_rng);
  if (is_poisson(table.likelihood)) {
    const Matrix offsets = draw_offsets(table, F, rng.split("offsets"), compute);
    slice_weights(table, offsets, Phi, F, priors.intercept_sd, view, trial, rng.split("weights"), compute);
    decide(std::move(trial), priors, view, trial_rng);
    update_poisson_frequencies(table, offsets, X, view, moves, rng.split("frequencies"), compute);
  } else {
    const NormalTerms terms = normal_terms(table, view, F, rng.split("terms"), compute);
    draw_weights(table, terms, Phi, priors.intercept_sd, view, trial, rng.split("weights"), compute);
    decide(std::move(trial), priors, view, trial_rng);
    update_frequencies(table, terms, X, view, moves, rng.split("frequencies"), compute);
  }
  Rng common = rng.split("common");
  draw_common(table, priors.intercept_sd, view, common);
  Rng mixture = rng.split("mixture");
  for (int k = 0; k < mixture_sweeps; ++k)
    view.mixture = update_mixture(std::move(view.mixture), view.W, priors.frequencies, mixture);
  Rng amplitude = rng.split("amplitude");
  if (move_amplitude)
    update_amplitude(table, functions_of(table, view, X, compute), priors, view, amplitude, compute);
  if (view.scale.size() > 0)
    update_scale(table, functions_of(table, view, X, compute), priors, view, rng.split("scale"), compute);
  if (table.likelihood == BayesLikelihood::negbinom)
    slide_dispersions(table, functions_of(table, view, X, compute), priors, view, rng.split("slide"),
                      compute);
}

}  // namespace

BayesState draw_prior(const BayesModel& model, Rng rng) {
  const Index N = model.tables.front().rows(), Q = model.Q, L = model.L;
  BayesState state{.X = rng.normal(N, Q), .views = {}};
  if (model.latent.dynamic) {
    for (Index d = 0; d < Q; ++d) {
      const BayesPriors& p = model.priors;
      const PathPrior path{model.latent.kind, p.ell_median * std::exp(p.log_ell_sd * rng.normal()),
                           p.path_variance_scale / rng.gamma(p.path_variance_shape)};
      const PathStates states = draw_states(path_steps(path, model.grid), rng);
      const Vector x = std::sqrt(path.variance) * states.col(0);
      state.X.col(d) = model.grid.unsorted(x);
      state.paths.push_back(path);
    }
  }
  for (const BayesTable& table : model.tables) {
    BayesViewState view;
    view.mixture = draw_mixture(model.priors.frequencies, L, Q, rng);
    view.W = draw_frequencies(view.mixture, rng);
    view.amplitude = model.priors.amplitude_scale / rng.gamma(model.priors.amplitude_shape);
    const Index C = table.covariates.cols();
    view.B.resize(2 * L + C + 1, table.cols());
    view.B.topRows(2 * L) = (std::sqrt(view.amplitude) * rng.normal(2 * L + 1, table.cols())).topRows(2 * L);
    if (C > 0) view.B.middleRows(2 * L, C) = rng.normal(C, table.cols());
    view.B.bottomRows(1) =
        table.intercept.transpose() + model.priors.intercept_sd * rng.normal(table.cols()).transpose();
    draw_scale(table, model.priors, view, rng);
    state.views.push_back(std::move(view));
  }
  return state;
}

BayesState start_at(const BayesModel& model, const BayesBeginning& beginning, const Rng& rng,
                    const Compute& compute) {
  BayesState state = draw_prior(model, rng);
  state.X = beginning.X;
  for (PathPrior& path : state.paths) path = {model.latent.kind, model.priors.ell_median, 1};
  if (!beginning.paths.empty()) state.paths = beginning.paths;
  for (std::size_t v = 0; v < state.views.size(); ++v) {
    BayesViewState& view = state.views[v];
    if (!beginning.frequency_sd.empty()) {
      const SpectralComponent one{Vector::Zero(model.Q), beginning.frequency_sd[v].asDiagonal()};
      view.mixture = {std::vector<Index>(static_cast<std::size_t>(model.L), 0), {one}, view.mixture.alpha};
      Rng own = rng.split("frequencies").split(v);
      view.W = draw_frequencies(view.mixture, own);
    }
    view.amplitude = 1;
    view.B.setZero();
    view.B.bottomRows(1) = model.tables[v].intercept.transpose();
    if (is_poisson(model.tables[v].likelihood)) {
      // Slices take long ways back from far away; other likelihoods have exact draws.
      const Matrix Phi = bayes_features(view.W, state.X, model.tables[v].covariates, compute);
      const Matrix offsets =
          draw_offsets(model.tables[v], Phi * view.B, rng.split("offsets").split(v), compute);
      view.B =
          likely_weights(model.tables[v], offsets, Phi, model.priors.intercept_sd, view.amplitude, compute);
    }
    if (model.tables[v].likelihood == BayesLikelihood::gaussian) view.scale.setConstant(0.5);
    if (model.tables[v].likelihood == BayesLikelihood::negbinom) {
      view.rate = 1;
      view.scale.setConstant(1);
    }
  }
  return state;
}

void sweep(const BayesModel& model, BayesState& state, BayesMoves& moves, const SweepOptions& options,
           const Rng& rng, const Compute& compute) {
  moves.frequencies.resize(model.tables.size());
  moves.trajectory.tried = false;
  for (std::size_t v = 0; v < model.tables.size(); ++v)
    update_view(model, model.tables[v], state.X, state.views[v], moves.frequencies[v],
                options.move_amplitudes, rng.split("view").split(v), compute);
  if (!options.move_latents) return;
  const TimeGrid* grid = model.latent.dynamic ? &model.grid : nullptr;
  if (grid != nullptr)
    update_paths(state, *grid, model.tables, rng.split("latents"), compute);
  else
    update_rows(state, model.tables, rng.split("latents"), compute);
  Rng along = rng.split("along covariates");
  shift_along_covariates(model, state, along, compute);
  Rng hyper = rng.split("hyper");
  if (grid != nullptr && options.move_paths) update_path_priors(state, *grid, model.priors, hyper);
  if (options.move_paths) update_scale_and_shift(state, grid, model.priors, hyper);
  if (grid != nullptr && options.move_paths) {
    stretch_paths(state, model.priors, hyper);
    bend_paths(state, *grid, model.tables, model.priors, hyper, compute);
  }
  if (!options.move_paths || !options.move_amplitudes) return;
  const double chance = trajectory_chance(model, moves.trajectory);
  if (rng.split("whether").uniform() < chance)
    move_along_trajectory(model, state, moves.trajectory, rng.split("trajectory"), compute);
}

void tune(BayesMoves& moves) {
  for (FrequencyMoves& own : moves.frequencies) {
    if (own.proposed == 0) continue;
    const double rate = double(own.accepted) / double(own.proposed);
    // Towards 0.35, the middle of what one and many dimensions want.
    own = {.step = std::clamp(own.step * std::exp(3 * (rate - 0.35)), 1e-4, 3.0)};
  }
}

void tune(TrajectoryMoves& moves, bool warming) {
  if (warming && moves.tried) moves.tuning.update(moves.acceptance, 0.8);
  moves.step = std::exp(warming ? moves.tuning.log_step : moves.tuning.log_mean);
}

}  // namespace bochner
