#include "src/models/bayes/moves/amplitude_trial.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "examples.hpp"
#include "src/models/bayes/moves/weights.hpp"

namespace bochner::amplitude_trial_test {
namespace {

using namespace testing::bayes;

/// log N(y | b0, amplitude phi phi' + intercept_sd^2 + noise) of the measured rows of a column, up to a constant.
double log_evidence(const BayesTable& table, const Matrix& Phi, double amplitude, double intercept_sd,
                    double noise, Index j) {
  std::vector<Index> rows;
  for (Index n = 0; n < table.rows(); ++n)
    if (table.seen(n, j) > 0) rows.push_back(n);
  const Matrix own = Phi(rows, Eigen::all), features = own.leftCols(Phi.cols() - 1);
  Matrix S = amplitude * features * features.transpose();
  S.array() += intercept_sd * intercept_sd;
  S.diagonal().array() += noise;
  const Vector y = table.Y.col(j)(rows).array() - table.intercept(j);
  const Eigen::LLT<Matrix> factor(S);
  return -0.5 * y.dot(factor.solve(y)) - Matrix(factor.matrixL()).diagonal().array().log().sum();
}

/// With Gaussian noise the ratio is that of evidences: the weights are integrated out.
TEST(AmplitudeTrial, RatiosAreThoseOfTheEvidence) {
  BayesModel model = make_model({BayesLikelihood::gaussian}, false, PathKind::matern32, true);
  BayesState state = draw_prior(model, Rng(1));
  Rng rng(2);
  redraw(model, state, rng);
  const BayesTable& table = model.tables[0];
  BayesViewState& view = state.views[0];
  const Matrix Phi = bayes_features(view.W, state.X, Threads(1));
  for (const std::uint64_t seed : {3, 4, 5}) {
    Rng own(seed);
    AmplitudeTrial trial = propose_amplitude(view, own);
    ASSERT_NE(trial.amplitude, view.amplitude);
    draw_weights(table, normal_terms(table, view, Phi * view.B, Rng(6), Threads(1)), Phi, 0.7, view, trial,
                 Rng(7), Threads(1));
    for (Index j = 0; j < table.cols(); ++j)
      EXPECT_NEAR(trial.log_ratio(j),
                  log_evidence(table, Phi, trial.amplitude, 0.7, view.scale(j), j) -
                      log_evidence(table, Phi, view.amplitude, 0.7, view.scale(j), j),
                  1e-9);
  }
}

/// What the trial is for: with many weights the amplitude forgets where it was within a few sweeps.
TEST(AmplitudeTrial, ThousandsOfWeightsDoNotHoldTheAmplitude) {
  const Index rows = 60, columns = 20, frequencies = 40;
  BayesModel model{.tables = {}, .Q = 1, .L = frequencies};
  model.priors.frequencies.dirichlet = false;
  BayesTable table = make_bayes_table(BayesLikelihood::poisson, Matrix::Ones(rows, columns));
  model.tables.push_back(table);
  BayesState state = draw_prior(model, Rng(1));
  BayesViewState& view = state.views[0];
  view.W = Rng(2).normal(frequencies, 1);
  view.amplitude = 2;
  view.B = std::sqrt(2.0) * Rng(3).normal(2 * frequencies + 1, columns);
  view.B.bottomRows(1).setConstant(1);
  const Matrix Phi = bayes_features(view.W, state.X, Threads(1));
  Rng counts(4);
  table = draw_table(table, view.scale, Phi * view.B, counts);
  for (const double start : {0.02, 200.0}) {
    view.B.topRows(2 * frequencies) *= std::sqrt(start / view.amplitude);
    view.amplitude = start;
    for (std::uint64_t k = 0; k < 150; ++k) {
      const Rng rng = Rng(5).split(k);
      Rng own = rng.split("trial");
      AmplitudeTrial trial = propose_amplitude(view, own);
      slice_weights(table, Matrix(), Phi, Phi * view.B, 1, view, trial, rng.split("weights"), Threads(1));
      decide(std::move(trial), model.priors, view, own);
    }
    EXPECT_GT(view.amplitude, 0.7);
    EXPECT_LT(view.amplitude, 6);
  }
}

}  // namespace
}  // namespace bochner::amplitude_trial_test
