// Updates given X are sums over rows, which are taken in blocks. Tables of several blocks in another order of rows must
// give the same draws: what a block forgets, or takes twice, shows.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "src/models/bayes/likelihood.hpp"
#include "src/models/bayes/moves/frequencies.hpp"
#include "src/models/bayes/moves/latents.hpp"
#include "src/models/bayes/moves/parameters.hpp"
#include "src/models/bayes/moves/path_priors.hpp"
#include "src/models/bayes/moves/weights.hpp"
#include "src/models/bayes/sweep.hpp"

namespace bochner::rows_test {
namespace {

constexpr Index N = 700, J = 90, Q = 2, L = 8;  // blocks of 182 and of 256 rows, columns in groups of 4

struct Case {
  BayesModel model;
  BayesState state;
  std::vector<Index> order;  // another one of the rows
};

Case make_case(BayesLikelihood likelihood) {
  Matrix Y = Matrix::Constant(N, J, 2);
  for (Index n = 0; n < N; n += 5) Y(n, n % J) = std::nan("");
  Case out;
  out.model = {.Q = Q, .L = L};
  out.model.tables = {make_bayes_table(likelihood, Y, Matrix::Constant(1, 1, 9))};
  out.state = draw_prior(out.model, Rng(3));
  Rng rng(4);
  out.model.tables[0] =
      draw_table(out.model.tables[0], out.state.views[0].scale,
                 functions_of(out.model.tables[0], out.state.views[0], out.state.X, Threads(1)), rng);
  out.order.resize(N);
  std::iota(out.order.begin(), out.order.end(), 0);
  for (Index n = N - 1; n > 0; --n)
    std::swap(out.order[static_cast<std::size_t>(n)], out.order[static_cast<std::size_t>(rng.below(n + 1))]);
  return out;
}

BayesTable reordered(BayesTable t, const std::vector<Index>& order) {
  const auto turn = [&](Matrix& M) {
    if (M.size() > 0) M = Matrix(M(order, Eigen::all));
  };
  turn(t.Y);
  turn(t.seen);
  turn(t.trials);
  turn(t.totals);
  return t;
}

void expect_same(const BayesViewState& a, const BayesViewState& b) {
  EXPECT_LT((a.W - b.W).norm(), 1e-6 * a.W.norm());
  EXPECT_LT((a.B - b.B).norm(), 1e-6 * a.B.norm());
}

class BayesRows : public ::testing::TestWithParam<BayesLikelihood> {};

TEST_P(BayesRows, OrderDoesNotMatterToWeightsAndFrequencies) {
  const Case c = make_case(GetParam());
  const BayesTable &t = c.model.tables[0], turned = reordered(t, c.order);
  const Matrix X = c.state.X, X_turned = X(c.order, Eigen::all);
  const Threads threads(2);
  FrequencyMoves moves{.step = 0.02}, moves_turned = moves;
  AmplitudeTrial none;
  BayesViewState view = c.state.views[0], view_turned = view;
  const Matrix Phi = bayes_features(view.W, X, threads), F = Phi * view.B,
               Phi_turned = Phi(c.order, Eigen::all), F_turned = F(c.order, Eigen::all);
  if (t.likelihood == BayesLikelihood::poisson || is_softmax(t.likelihood)) {
    const Matrix offsets = draw_offsets(t, F, Rng(5), threads);
    const Matrix offsets_turned = offsets.size() > 0 ? Matrix(offsets(c.order, Eigen::all)) : offsets;
    slice_weights(t, offsets, Phi, F, 1, view, none, Rng(6), threads);
    slice_weights(turned, offsets_turned, Phi_turned, F_turned, 1, view_turned, none, Rng(6), threads);
    expect_same(view, view_turned);
    view_turned.B = view.B;
    update_poisson_frequencies(t, offsets, X, view, moves, Rng(7), threads);
    update_poisson_frequencies(turned, offsets_turned, X_turned, view_turned, moves_turned, Rng(7), threads);
  } else {
    const NormalTerms terms = normal_terms(t, view, F, Rng(5), threads);
    const NormalTerms terms_turned{terms.Omega(c.order, Eigen::all), terms.K(c.order, Eigen::all)};
    draw_weights(t, terms, Phi, 1, view, none, Rng(6), threads);
    draw_weights(turned, terms_turned, Phi_turned, 1, view_turned, none, Rng(6), threads);
    expect_same(view, view_turned);
    view_turned.B = view.B;
    update_frequencies(t, terms, X, view, moves, Rng(7), threads);
    update_frequencies(turned, terms_turned, X_turned, view_turned, moves_turned, Rng(7), threads);
  }
  EXPECT_EQ(moves.accepted, moves_turned.accepted);
  EXPECT_GT(moves.accepted, 0);
  expect_same(view, view_turned);
  EXPECT_GT((view.B - c.state.views[0].B).norm(), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Likelihoods, BayesRows,
                         ::testing::Values(BayesLikelihood::gaussian, BayesLikelihood::poisson,
                                           BayesLikelihood::negbinom, BayesLikelihood::binomial,
                                           BayesLikelihood::multinomial));

/// Thousands beside zeros under a large amplitude, with offsets of the same size: least squares of logarithms do not see the
/// zeros, and their rates come out as 1e30.
struct Wild {
  BayesTable table;
  Matrix offsets, X;
  BayesViewState view;

  Wild() {
    constexpr Index rows = 80, functions = 25;
    Rng rng(1);
    X = rng.normal(rows, 2);
    view.W = 0.7 * rng.normal(functions, 2);
    view.mixture = {std::vector<Index>(functions, 0), {{Vector::Zero(2), 0.7 * Matrix::Identity(2, 2)}}, 1};
    view.amplitude = 5000;
    const Matrix Phi = bayes_features(view.W, X, Threads(1));
    const Vector common = Phi.leftCols(2 * functions) * (70 * rng.normal(2 * functions));
    Matrix Y(rows, 3);
    offsets.resize(rows, 3);
    for (Index n = 0; n < rows; ++n) {
      offsets.row(n).setConstant(common(n) + 0.5 * rng.normal());
      for (Index j = 0; j < 3; ++j) Y(n, j) = rng.uniform() < 0.2 ? 0 : std::round(3000 * rng.uniform());
    }
    table = make_bayes_table(BayesLikelihood::poisson, Y);
    view.B = Matrix::Zero(2 * functions + 1, 3);
    view.B.row(2 * functions) = table.intercept.transpose();
  }

  /// The mean over entries of log p(y | f) under its maximum at f = log y.
  double below_best() const {
    const auto y = table.Y.array();
    const Matrix f = functions_of(table, view, X, Threads(1)) + offsets;
    const auto best = y * y.max(1).log() - y;
    return (best - (y * f.array() - f.array().exp())).mean();
  }
  void start() {
    view.B =
        likely_weights(table, offsets, bayes_features(view.W, X, Threads(1)), 1, view.amplitude, Threads(1));
  }
  void move_weights(int k) {
    const Matrix Phi = bayes_features(view.W, X, Threads(1));
    AmplitudeTrial none;
    slice_weights(table, offsets, Phi, Phi * view.B, 1, view, none, Rng(2).split(std::uint64_t(k)),
                  Threads(1));
  }
};

TEST(BayesWeights, MoveWhereCountsAreWild) {
  Wild wild;
  const double far = wild.below_best();
  EXPECT_GT(far, 1e12);
  for (int k = 0; k < 30; ++k) wild.move_weights(k);
  EXPECT_LT(wild.below_best(), 1e-6 * far);  // on the way back
  wild.start();
  const double near = wild.below_best();
  EXPECT_LT(near, 1000);  // smooth functions are no zeros beside thousands, but they come as close as this
  for (int k = 0; k < 30; ++k) wild.move_weights(k);
  EXPECT_NEAR(wild.below_best(), near, 1);
}

TEST(BayesFrequencies, AreNotAcceptedByRoundingWhereCountsAreWild) {
  Wild wild;
  wild.start();
  const double settled = wild.below_best();
  FrequencyMoves moves{.step = 0.3};
  for (int k = 0; k < 30; ++k) {
    update_poisson_frequencies(wild.table, wild.offsets, wild.X, wild.view, moves,
                               Rng(3).split(std::uint64_t(k)), Threads(1));
    ASSERT_TRUE(wild.view.B.allFinite());
    ASSERT_LT(wild.below_best(), settled + 10);  // of 240 entries; the posterior takes no such steps
  }
}

TEST(BayesLikelihood, FunctionsMayBeAnythingWhereACountIsMissing) {
  const double nan = std::nan("");
  const Matrix Y{{3, nan}, {nan, 2}};
  const BayesTable t = make_bayes_table(BayesLikelihood::poisson, Y);
  const Matrix F{{1.0, 1e4}, {-1e4, 0.5}};  // exp(1e4) is infinite
  Vector by_row = Vector::Zero(2);
  add_log_likelihood(t, Vector::Ones(2), {0, 1}, F, by_row);
  EXPECT_NEAR(by_row(0), 3 * 1.0 - std::exp(1.0), 1e-14);  // log p(y | f) without the constant
  EXPECT_NEAR(by_row(1), 2 * 0.5 - std::exp(0.5), 1e-14);
}

TEST(BayesTable, FindsRowsThatAreAlike) {
  Matrix Y{{1, 2}, {0, 1}, {1, 2}, {-0.0, 1}, {1, 2}}, Z{{3}, {4}, {3}, {4}, {3}};
  const BayesTable y = make_bayes_table(BayesLikelihood::gaussian, Y),
                   z = make_bayes_table(BayesLikelihood::poisson, Z);
  EXPECT_EQ(first_alike({y, z}), (std::vector<Index>{0, 1, 0, 1, 0}));
  const Matrix trials{{5}, {5}, {6}, {5}, {5}};
  const BayesTable b = make_bayes_table(BayesLikelihood::binomial, Z, trials);
  EXPECT_EQ(first_alike({y, b}), (std::vector<Index>{0, 1, 2, 1, 0}));
  Z(4, 0) = std::nan("");  // not measured is not the same as anything else
  EXPECT_EQ(first_alike({y, make_bayes_table(BayesLikelihood::poisson, Z)}),
            (std::vector<Index>{0, 1, 0, 1, 4}));
}

TEST(BayesRowsOfSums, NoiseAndAmplitudeAreOfAllRows) {
  const Case c = make_case(BayesLikelihood::gaussian);
  const BayesTable &t = c.model.tables[0], turned = reordered(t, c.order);
  BayesViewState view = c.state.views[0], view_turned = view;
  const Matrix F = functions_of(t, view, c.state.X, Threads(1)), F_turned = F(c.order, Eigen::all);
  Rng one(8), two(8);
  update_amplitude(t, F, c.model.priors, view, one, Threads(2));
  update_amplitude(turned, F_turned, c.model.priors, view_turned, two, Threads(2));
  EXPECT_NEAR(view.amplitude, view_turned.amplitude, 1e-9 * view.amplitude);
  update_scale(t, F, c.model.priors, view, Rng(9), Threads(2));
  update_scale(turned, F_turned, c.model.priors, view_turned, Rng(9), Threads(2));
  EXPECT_LT((view.scale - view_turned.scale).norm(), 1e-9 * view.scale.norm());
  // Inverse gamma of half a sum of squares: 700 rows leave little to chance.
  const Matrix E = (t.Y - F).cwiseProduct(t.seen);
  for (Index j = 0; j < J; ++j)
    EXPECT_NEAR(view.scale(j), E.col(j).squaredNorm() / t.measured(j), 0.3 * view.scale(j));
}

}  // namespace
}  // namespace bochner::rows_test
