// Joint distribution tests [geweke2004] of the sampler: draws of (state, table) from the prior against draws by a chain that
// alternates a sweep over the state with a fresh table. They agree if and only if every update leaves the posterior
// invariant. Many short chains that begin in the prior give independent draws and honest standard errors.

#include <gtest/gtest.h>

#include <cmath>

#include "examples.hpp"
#include "src/models/bayes/moves/covariates.hpp"
#include "src/models/bayes/moves/path_priors.hpp"
#include "src/models/bayes/moves/trajectory.hpp"
#include "src/models/bayes/moves/weights.hpp"

namespace bochner::geweke_test {
namespace {

using namespace testing::bayes;

Vector test_functions(const BayesModel& model, const BayesState& state) {
  std::vector<double> out;
  const Matrix T = state.X.array().tanh();
  for (Index d = 0; d < Q; ++d) {
    out.push_back(T(0, d));
    out.push_back(std::log1p(state.X.col(d).squaredNorm()));
    out.push_back(T(0, d) * T(2, d));
    out.push_back(T(4, d) * T(5, d));
  }
  out.push_back((T.row(0) - T.row(1)).squaredNorm());
  out.push_back(T(3, 0) * T(3, 1));
  for (const PathPrior& path : state.paths) {
    out.push_back(std::log(path.ell));
    out.push_back(std::log(path.ell) * std::log(path.ell));
    out.push_back(std::log(path.variance));
    out.push_back(std::log(path.variance) * T(0, 0) * T(0, 0));
  }
  for (std::size_t v = 0; v < model.tables.size(); ++v) {
    const BayesViewState& view = state.views[v];
    const Matrix F = functions_of(model.tables[v], view, state.X, Threads(1)), Y = model.tables[v].Y;
    out.push_back(view.mixture.alpha);
    out.push_back(double(view.mixture.components.size()));
    out.push_back(std::tanh(view.W(0, 0)));
    out.push_back(std::tanh(view.W(0, 0)) * std::tanh(view.W(1, 0)));
    out.push_back(std::log(view.W.squaredNorm()));
    out.push_back(std::log(view.mixture.of(0).L(0, 0)));
    out.push_back(std::tanh(view.mixture.of(0).mean(1)));
    out.push_back(std::log(view.amplitude));
    out.push_back(std::log(view.amplitude) * std::log(view.amplitude));
    out.push_back(std::tanh(view.B(0, 0)));
    out.push_back(std::tanh(view.B(0, 0)) * std::tanh(view.B(L, 0)));
    out.push_back(view.B(view.B.rows() - 1, 0));
    out.push_back(view.B(view.B.rows() - 1, 1) * view.B(view.B.rows() - 1, 1));
    if (view.B.rows() > 2 * L + 1) {  // coefficients of covariates
      const double c = view.B(2 * L, 0), d = view.B(2 * L + 1, 1);
      for (const double value : {c, d, c * c, c * d, c * std::tanh(F(0, 0)), d * std::tanh(Y(2, 1) / 3)})
        out.push_back(value);
    }
    out.push_back(std::log(view.B.squaredNorm()));
    for (const Index j : {0, 1}) {
      out.push_back(std::tanh(F(0, j)));
      out.push_back(std::tanh(F(0, j)) * std::tanh(F(2, j)));
      out.push_back(std::tanh(F(3, j)) * std::tanh(Y(3, j) / 3));
      out.push_back(std::log1p(Y.col(j).squaredNorm()));
      out.push_back(std::tanh(F(0, j)) * T(0, 0) * std::tanh(view.B(1, j)));
    }
    if (view.scale.size() > 0) {
      out.push_back(std::log(view.scale(0)));
      out.push_back(std::log(view.scale(0)) * std::log(view.scale(1)));
      out.push_back(std::log(view.scale(1)) * std::tanh(Y(2, 1) / 3));
      out.push_back(std::log(view.rate));
    }
  }
  return Eigen::Map<Vector>(out.data(), Index(out.size()));
}

struct Moments {
  Vector sum, squares;
  double n = 0;
  void add(const Vector& x) {
    if (n == 0) sum = squares = Vector::Zero(x.size());
    sum += x;
    squares += x.cwiseAbs2();
    ++n;
  }
  Vector mean() const { return sum / n; }
  Vector mean_variance() const { return (squares / n - mean().cwiseAbs2()) / n; }
};

/// One update, or all.
using Update = std::function<void(const BayesModel&, BayesState&, BayesMoves&, const Rng&)>;

void whole_sweep(const BayesModel& model, BayesState& state, BayesMoves& moves, const Rng& rng) {
  sweep(model, state, moves, {}, rng, Threads(1));
}

/// z of every test function. `distort` may spoil the model that the chain believes in.
Vector z_scores(BayesModel model, Index chains, Index steps,
                const std::function<void(BayesModel&)>& distort = {}, const Update& update = whole_sweep) {
  const Rng root(7);
  Moments prior, chain;
  for (Index c = 0; c < chains; ++c) {
    Rng rng = root.split("prior").split(std::uint64_t(c));
    const BayesState state = draw_prior(model, rng.split("state"));
    redraw(model, state, rng);
    prior.add(test_functions(model, state));
  }
  BayesModel believed = model;
  if (distort) distort(believed);
  for (Index c = 0; c < chains; ++c) {
    Rng rng = root.split("chain").split(std::uint64_t(c));
    BayesState state = draw_prior(model, rng.split("state"));
    BayesMoves moves{.frequencies = std::vector<FrequencyMoves>(model.tables.size(), {.step = 0.7}),
                     .trajectory = {.step = 0.3}};
    for (Index s = 0; s < steps; ++s) {
      redraw(believed, state, rng);
      update(believed, state, moves, rng.split("sweep").split(std::uint64_t(s)));
    }
    redraw(believed, state, rng);
    chain.add(test_functions(believed, state));
  }
  const Vector z = (prior.mean() - chain.mean()).array() /
                   (prior.mean_variance() + chain.mean_variance()).array().max(1e-300).sqrt();
  return z;
}

void expect_invariant(const BayesModel& model, const Update& update = whole_sweep) {
  const Vector z = z_scores(model, 4000, 3, {}, update);
  Index worst = 0;
  EXPECT_LT(z.cwiseAbs().maxCoeff(&worst), 4) << "function " << worst << " of " << z.transpose();
}

class BayesGeweke : public ::testing::TestWithParam<BayesLikelihood> {};

TEST_P(BayesGeweke, StaticSweepLeavesThePosteriorInvariant) {
  expect_invariant(make_model({GetParam()}, false, PathKind::matern32, true));
}

TEST_P(BayesGeweke, DynamicSweepLeavesThePosteriorInvariant) {
  expect_invariant(make_model({GetParam()}, true, PathKind::matern32, true));
}

INSTANTIATE_TEST_SUITE_P(Likelihoods, BayesGeweke,
                         ::testing::Values(BayesLikelihood::gaussian, BayesLikelihood::poisson,
                                           BayesLikelihood::negbinom, BayesLikelihood::binomial,
                                           BayesLikelihood::bernoulli, BayesLikelihood::multinomial,
                                           BayesLikelihood::categorical));

/// Rows with exposures of very different sizes.
BayesModel with_exposures(BayesModel model) {
  for (BayesTable& table : model.tables) table.offset = Vector{{0, 1.2, -0.7, 0.4, -1.5, 0.9}};
  return model;
}

TEST(BayesGeweke, CountsWithExposures) {
  using enum BayesLikelihood;
  for (const BayesLikelihood likelihood : {poisson, negbinom})
    for (const bool dynamic : {false, true})
      expect_invariant(with_exposures(make_model({likelihood}, dynamic, PathKind::matern32, true)));
}

TEST(BayesGeweke, WrongExposuresAreFound) {
  using enum BayesLikelihood;
  for (const BayesLikelihood likelihood : {poisson, negbinom}) {
    const BayesModel model = with_exposures(make_model({likelihood}, false, PathKind::matern32, true));
    // The sampler forgets them, the tables have them.
    const Update wrong = [](const BayesModel& m, BayesState& state, BayesMoves& moves, const Rng& rng) {
      BayesModel without = m;
      without.tables[0].offset *= 0;
      whole_sweep(without, state, moves, rng);
    };
    EXPECT_GT(z_scores(model, 4000, 3, {}, wrong).cwiseAbs().maxCoeff(), 6);
  }
}

/// A number and an indicator, rows that share neither.
BayesModel with_covariates(BayesModel model) {
  const Matrix design{{0.5, 0}, {-1.2, 1}, {0.3, 1}, {1.4, 0}, {-0.6, 0}, {-0.4, 1}};
  for (BayesTable& table : model.tables) table.covariates = 0.8 * design;
  return model;
}

class BayesGewekeCovariates : public ::testing::TestWithParam<BayesLikelihood> {};

TEST_P(BayesGewekeCovariates, SweepsLeaveThePosteriorInvariant) {
  for (const bool dynamic : {false, true})
    expect_invariant(with_covariates(make_model({GetParam()}, dynamic, PathKind::matern32, true)));
}

INSTANTIATE_TEST_SUITE_P(Likelihoods, BayesGewekeCovariates,
                         ::testing::Values(BayesLikelihood::gaussian, BayesLikelihood::poisson,
                                           BayesLikelihood::negbinom, BayesLikelihood::binomial,
                                           BayesLikelihood::multinomial, BayesLikelihood::categorical));

TEST(BayesGeweke, WrongCovariatesAreFound) {
  using enum BayesLikelihood;
  for (const BayesLikelihood likelihood : {gaussian, binomial}) {
    const BayesModel model = with_covariates(make_model({likelihood}, false, PathKind::matern32, true));
    const auto worst = [&](const std::function<void(BayesModel&)>& distort) {
      const Update wrong = [&](const BayesModel& m, BayesState& state, BayesMoves& moves, const Rng& rng) {
        BayesModel other = m;
        distort(other);
        whole_sweep(other, state, moves, rng);
      };
      return z_scores(model, 4000, 3, {}, wrong).cwiseAbs().maxCoeff();
    };
    // A wrong prior: coefficients of a design of another scale. (Signs do not matter to the joint law.)
    EXPECT_GT(worst([](BayesModel& m) { m.tables[0].covariates *= 1.5; }), 6);
    // Of other rows.
    EXPECT_GT(worst([](BayesModel& m) {
                m.tables[0].covariates = m.tables[0].covariates.colwise().reverse().eval();
              }),
              6);
  }
}

TEST(BayesGeweke, OtherPathsAndOneGaussianOfFrequencies) {
  for (const PathKind kind : {PathKind::matern12, PathKind::matern52, PathKind::random_walk})
    expect_invariant(make_model({BayesLikelihood::gaussian}, true, kind, false));
}

/// Beyond 2,000 dispersions are updated by other means.
TEST(BayesGeweke, LargeCountsAreSampledAsWell) {
  BayesModel model = make_model({BayesLikelihood::negbinom}, false, PathKind::matern32, true);
  model.tables[0].intercept.array() += 8;
  expect_invariant(model);
}

TEST(BayesGeweke, SeveralViewsShareTheLatents) {
  expect_invariant(
      make_model({BayesLikelihood::gaussian, BayesLikelihood::poisson}, false, PathKind::matern32, true));
}

void trajectory(const BayesModel& model, BayesState& state, BayesMoves& moves, const Rng& rng) {
  move_along_trajectory(model, state, moves.trajectory, rng, Threads(1));
}

void bend(const BayesModel& model, BayesState& state, BayesMoves&, const Rng& rng) {
  Rng own = rng;
  bend_paths(state, model.grid, model.tables, model.priors, own, Threads(1));
}

void stretch(const BayesModel& model, BayesState& state, BayesMoves&, const Rng& rng) {
  Rng own = rng;
  stretch_paths(state, model.priors, own);
}

/// Length-scales with the variances integrated out, and the variances given them.
void length_scales(const BayesModel& model, BayesState& state, BayesMoves&, const Rng& rng) {
  Rng own = rng;
  update_path_priors(state, model.grid, model.priors, own);
}

/// Weights with the trial of another amplitude.
void amplitude_trial(const BayesModel& model, BayesState& state, BayesMoves&, const Rng& rng) {
  const BayesTable& table = model.tables[0];
  BayesViewState& view = state.views[0];
  const Matrix Phi = bayes_features(view.W, state.X, table.covariates, Threads(1)), F = Phi * view.B;
  Rng own = rng.split("trial");
  AmplitudeTrial trial = propose_amplitude(view, own);
  const double sd = model.priors.intercept_sd;
  if (table.likelihood == BayesLikelihood::poisson || is_softmax(table.likelihood))
    slice_weights(table, draw_offsets(table, F, rng.split("offsets"), Threads(1)), Phi, F, sd, view, trial,
                  rng.split("weights"), Threads(1));
  else
    draw_weights(table, normal_terms(table, view, F, rng.split("terms"), Threads(1)), Phi, sd, view, trial,
                 rng.split("weights"), Threads(1));
  decide(std::move(trial), model.priors, view, own);
}

TEST(BayesGeweke, AmplitudesWithTheirWeightsAlone) {
  using enum BayesLikelihood;
  for (const BayesLikelihood likelihood : {gaussian, poisson, negbinom, multinomial})
    expect_invariant(make_model({likelihood}, false, PathKind::matern32, true), amplitude_trial);
  for (const BayesLikelihood likelihood : {gaussian, poisson})
    expect_invariant(with_covariates(make_model({likelihood}, false, PathKind::matern32, true)),
                     amplitude_trial);
  const BayesModel model = make_model({poisson}, false, PathKind::matern32, true);
  const auto worst = [&](const std::function<void(BayesModel&)>& distort) {
    return z_scores(model, 4000, 20, distort, amplitude_trial).cwiseAbs().maxCoeff();
  };
  EXPECT_GT(worst([](BayesModel& m) { m.priors.amplitude_shape += 2; }), 6);
  EXPECT_GT(worst([](BayesModel& m) { m.priors.amplitude_scale *= 1.5; }), 6);
}

void along(const BayesModel& model, BayesState& state, BayesMoves&, const Rng& rng) {
  Rng own = rng;
  shift_along_covariates(model, state, own, Threads(1));
}

/// Moves that others could make up for, alone.
TEST(BayesGeweke, MovesOfPathsAndTrajectoriesAlone) {
  using enum BayesLikelihood;
  expect_invariant(make_model({poisson}, false, PathKind::matern32, true), trajectory);
  expect_invariant(make_model({negbinom}, true, PathKind::matern52, true), trajectory);
  const BayesModel paths = make_model({poisson}, true, PathKind::matern32, true);
  for (const auto& move : {bend, stretch, length_scales}) expect_invariant(paths, move);
  expect_invariant(with_covariates(make_model({poisson}, true, PathKind::matern32, true)), trajectory);
  for (const bool dynamic : {false, true})
    expect_invariant(with_covariates(make_model({poisson, gaussian}, dynamic, PathKind::matern32, true)),
                     along);
}

/// A move alone leaves what it must: one that is wrong in a prior, in the times, in the table or in its measure does not.
TEST(BayesGeweke, WrongMovesOfPathsAreFound) {
  const BayesModel model = make_model({BayesLikelihood::poisson}, true, PathKind::matern32, true);
  const auto worst = [&](const Update& move, const std::function<void(BayesModel&)>& distort) {
    const Update wrong = [&](const BayesModel& m, BayesState& state, BayesMoves& moves, const Rng& rng) {
      BayesModel other = m;
      distort(other);
      move(other, state, moves, rng);
    };
    return z_scores(model, 4000, 20, {}, wrong).cwiseAbs().maxCoeff();
  };
  const auto median = [](BayesModel& m) { m.priors.ell_median *= 1.4; };
  const auto times = [](BayesModel& m) { m.grid.gap *= 2; };
  EXPECT_GT(worst(bend, median), 6);
  EXPECT_GT(worst(bend, times), 6);
  EXPECT_GT(worst(bend, [](BayesModel& m) { m.tables[0].Y.setZero(); }), 6);
  EXPECT_GT(worst(stretch, [](BayesModel& m) { m.priors.path_variance_shape += 2; }), 6);
  EXPECT_GT(worst(stretch, [](BayesModel& m) { m.priors.frequencies.scale *= 2; }), 6);
  EXPECT_GT(worst(length_scales, median), 6);
  EXPECT_GT(worst(length_scales, times), 6);
  EXPECT_GT(worst(length_scales, [](BayesModel& m) { m.priors.path_variance_scale *= 1.5; }), 6);
  // A wrong measure: paths and functions are stretched by another factor than the variance.
  EXPECT_GT(worst(
                [](const BayesModel& m, BayesState& state, BayesMoves&, const Rng& rng) {
                  Rng own = rng;
                  stretch_paths(state, m.priors, own);
                  for (PathPrior& path : state.paths) path.variance *= 1.02;
                },
                [](BayesModel&) {}),
            6);
}

TEST(BayesGeweke, WrongTrajectoriesAreFound) {
  const BayesModel model = make_model({BayesLikelihood::poisson}, true, PathKind::matern32, true);
  const auto worst = [&](const std::function<void(BayesModel&)>& distort) {
    return z_scores(model, 4000, 20, distort, trajectory).cwiseAbs().maxCoeff();
  };
  EXPECT_GT(worst([](BayesModel& m) { m.priors.amplitude_shape += 2; }), 6);
  EXPECT_GT(worst([](BayesModel& m) { m.priors.frequencies.scale *= 2; }), 6);
  EXPECT_GT(worst([](BayesModel& m) { m.grid.gap *= 2; }), 6);
}

/// The test can fail: priors that the sampler has wrong in one place are found.
TEST(BayesGeweke, WrongConditionalsAreFound) {
  const auto worst = [](BayesLikelihood likelihood, bool dynamic,
                        const std::function<void(BayesModel&)>& distort) {
    return z_scores(make_model({likelihood}, dynamic, PathKind::matern32, true), 4000, 3, distort)
        .cwiseAbs()
        .maxCoeff();
  };
  using enum BayesLikelihood;
  EXPECT_GT(worst(gaussian, false, [](BayesModel& m) { m.priors.noise_shape += 1; }), 6);
  EXPECT_GT(worst(poisson, false, [](BayesModel& m) { m.priors.amplitude_shape += 1; }), 6);
  EXPECT_GT(worst(negbinom, false, [](BayesModel& m) { m.priors.dispersion_shape += 0.5; }), 6);
  EXPECT_GT(worst(binomial, false, [](BayesModel& m) { m.tables[0].intercept.array() += 0.1; }), 6);
  EXPECT_GT(worst(multinomial, true, [](BayesModel& m) { m.priors.ell_median *= 1.25; }), 6);
  EXPECT_GT(worst(gaussian, true, [](BayesModel& m) { m.grid.gap *= 1.6; }), 6);
}

}  // namespace
}  // namespace bochner::geweke_test
