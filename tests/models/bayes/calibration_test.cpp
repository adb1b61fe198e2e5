// Simulation-based calibration [talts2018]: with states from the prior and tables from the states, the rank of the truth
// among draws of a chain that begins somewhere else is uniform.

#include <gtest/gtest.h>

#include <boost/math/special_functions/gamma.hpp>

#include "examples.hpp"

namespace bochner::calibration_test {
namespace {

using namespace testing::bayes;

constexpr Index simulations = 400, draws = 19, thin = 8, burn_in = 120;

/// Chi-squared p-values of the ranks of each quantity.
std::vector<double> calibrate(const BayesModel& like,
                              const std::function<Vector(const BayesModel&, const BayesState&)>& f,
                              double distort = 0) {
  const Rng root(11);
  Matrix counts;  // quantities x ranks
  for (Index i = 0; i < simulations; ++i) {
    Rng rng = root.split(std::uint64_t(i));
    BayesModel model = like;
    const BayesState truth = draw_prior(model, rng.split("truth"));
    redraw(model, truth, rng);
    const Vector target = f(model, truth);
    if (counts.size() == 0) counts = Matrix::Zero(target.size(), draws + 1);
    BayesModel believed = model;
    believed.tables[0].Y += distort * believed.tables[0].seen;
    BayesState state = draw_prior(model, rng.split("start"));
    BayesMoves moves{.frequencies = {{.step = 0.7}}, .trajectory = {.step = 0.3}};
    IndexVector rank = IndexVector::Zero(target.size());
    for (Index s = 0; s < burn_in + draws * thin; ++s) {
      sweep(believed, state, moves, {}, rng.split("sweep").split(std::uint64_t(s)), Threads(1));
      if (s < burn_in || (s - burn_in) % thin != thin - 1) continue;
      const Vector now = f(model, state);
      for (Index q = 0; q < target.size(); ++q) rank(q) += now(q) < target(q);
    }
    for (Index q = 0; q < target.size(); ++q) counts(q, rank(q)) += 1;
  }
  std::vector<double> out;
  const double expected = double(simulations) / double(draws + 1);
  for (Index q = 0; q < counts.rows(); ++q)
    out.push_back(boost::math::gamma_q(0.5 * double(draws),
                                       0.5 * (counts.row(q).array() - expected).square().sum() / expected));
  return out;
}

Vector quantities(const BayesModel& model, const BayesState& state) {
  const BayesViewState& view = state.views[0];
  const Matrix F = functions_of(model.tables[0], view, state.X, Threads(1));
  std::vector<double> out{F(0, 0), F(1, 0), F(2, 1), F(3, 1) - F(0, 1), view.amplitude};  // (1, 0) is a hole
  if (view.scale.size() > 0) {
    out.push_back(view.scale(0));
    out.push_back(view.scale(1));
  }
  if (state.paths.empty()) return Eigen::Map<Vector>(out.data(), Index(out.size()));
  // Dimensions may change places: the shorter and the longer length-scale, the smaller and the larger variance.
  const auto [ell, other_ell] = std::minmax(state.paths[0].ell, state.paths[1].ell);
  const auto [variance, other_variance] = std::minmax(state.paths[0].variance, state.paths[1].variance);
  for (const double value : {ell, other_ell, variance, other_variance}) out.push_back(value);
  return Eigen::Map<Vector>(out.data(), Index(out.size()));
}

class BayesCalibration : public ::testing::TestWithParam<std::tuple<BayesLikelihood, bool>> {};

TEST_P(BayesCalibration, RanksOfTheTruthAreUniform) {
  const auto [likelihood, dynamic] = GetParam();
  for (const double p : calibrate(make_model({likelihood}, dynamic, PathKind::matern32, true), quantities))
    EXPECT_GT(p, 0.001);
}

INSTANTIATE_TEST_SUITE_P(
    Likelihoods, BayesCalibration,
    ::testing::Combine(::testing::Values(BayesLikelihood::gaussian, BayesLikelihood::poisson,
                                         BayesLikelihood::negbinom, BayesLikelihood::binomial,
                                         BayesLikelihood::bernoulli, BayesLikelihood::multinomial,
                                         BayesLikelihood::categorical),
                       ::testing::Values(false, true)));

TEST(BayesCalibration, ShiftedDataAreFound) {
  const std::vector<double> p =
      calibrate(make_model({BayesLikelihood::gaussian}, false, PathKind::matern32, true), quantities, 0.5);
  EXPECT_LT(*std::min_element(p.begin(), p.end()), 1e-6);
}

}  // namespace
}  // namespace bochner::calibration_test
