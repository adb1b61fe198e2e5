#include "src/models/bayes/level.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "bochner/models/bayes/assess.hpp"
#include "bochner/models/bayes/bayes.hpp"
#include "examples.hpp"

namespace bochner::level_test {
namespace {

using namespace testing::bayes;

TEST(BayesLevel, IsTheJointDensityOfTheLatents) {
  for (const bool dynamic : {false, true}) {
    BayesModel model = make_model({BayesLikelihood::poisson}, dynamic, PathKind::matern12, true);
    BayesState state = draw_prior(model, Rng(1));
    Rng rng(2);
    redraw(model, state, rng);
    BayesState there = state;
    there.X.col(0) = draw_prior(model, Rng(3)).X.col(0);
    if (dynamic) there.paths[1].variance *= 1.7;
    // Without derivatives (matern12) the innovations are a function of the path: no draw is involved.
    const double difference = log_posterior(model, there, Rng(4), Threads(1)).value -
                              log_posterior(model, state, Rng(5), Threads(1)).value;
    const auto direct = [&](const BayesState& s) {
      Vector by_row = Vector::Zero(N);
      add_log_likelihood(model.tables[0], s.views[0].scale, rows_from(0, N),
                         functions_of(model.tables[0], s.views[0], s.X, Threads(1)), by_row);
      double out = by_row.sum();
      for (Index d = 0; d < Q; ++d) {
        if (!dynamic) {
          out -= 0.5 * s.X.col(d).squaredNorm();
          continue;
        }
        const PathPrior& path = s.paths[static_cast<std::size_t>(d)];
        const PathDensity density = path_density(path_steps(path, model.grid), model.grid.sorted(s.X.col(d)));
        out += -0.5 * density.quadratic / path.variance -
               model.priors.path_variance_shape * std::log(path.variance) -
               model.priors.path_variance_scale / path.variance;
      }
      return out;
    };
    EXPECT_NEAR(difference, direct(there) - direct(state), 1e-9);
  }
}

/// Noise that is small where latents are right is what tells their mode from a folded one.
TEST(BayesLevel, KnowsNoiseAndDispersions) {
  for (const BayesLikelihood likelihood : {BayesLikelihood::gaussian, BayesLikelihood::negbinom}) {
    BayesModel model = make_model({likelihood}, false, PathKind::matern32, true);
    BayesState state = draw_prior(model, Rng(1));
    Rng rng(2);
    redraw(model, state, rng);
    BayesState there = state;
    for (double& s : there.views[0].scale) s *= 1 + 0.4 * rng.uniform();
    if (likelihood == BayesLikelihood::negbinom) there.views[0].rate *= 1.3;
    const auto direct = [&](const BayesState& s) {
      const BayesViewState& view = s.views[0];
      const BayesPriors& p = model.priors;
      double out = log_probability(model.tables[0], view.scale,
                                   functions_of(model.tables[0], view, s.X, Threads(1)), Threads(1));
      for (const double x : view.scale)  // densities, times x of the logarithm
        out += likelihood == BayesLikelihood::gaussian
                   ? -p.noise_shape * std::log(x) - p.noise_scale / x
                   : p.dispersion_shape * std::log(view.rate * x) - view.rate * x;
      if (likelihood == BayesLikelihood::negbinom)
        out += p.rate_shape * std::log(view.rate) - p.rate_rate * view.rate;
      return out;
    };
    EXPECT_NEAR(log_posterior(model, there, Rng(4), Threads(1)).value -
                    log_posterior(model, state, Rng(5), Threads(1)).value,
                direct(there) - direct(state), 1e-9);
  }
}

/// Two modes of a normal law in many dimensions, a few of which data hold: the noise of the others is gone, the gap is not.
TEST(BayesLevel, TheIdentityTakesNoiseOffLevels) {
  const Index sweeps = 60, free = 800, held = 10;
  std::vector<Vector> levels, identities;
  for (const double top : {0.0, -12.0}) {
    Rng rng = Rng(1).split(top < 0 ? 1 : 0);
    Vector level(sweeps), identity(sweeps);
    for (Index s = 0; s < sweeps; ++s) {
      const double f = rng.normal(free).squaredNorm(), h = rng.normal(held).squaredNorm();
      level(s) = top - 0.5 * f - 0.5 * h;
      identity(s) = double(free + held) - f - h;
    }
    levels.push_back(level);
    identities.push_back(identity);
  }
  const auto noise = [](const Vector& x) { return std::sqrt((x.array() - x.mean()).square().mean()); };
  EXPECT_GT(noise(levels[0]), 15);
  const std::vector<Vector> better = less_noisy(levels, identities);
  EXPECT_LT(noise(better[0]), 1e-9);
  EXPECT_NEAR(better[0].mean() - better[1].mean(), 12, 1e-9);
  EXPECT_EQ(going_on(better), std::vector<Index>{0});
  EXPECT_EQ(less_noisy(levels, {Vector(), Vector()}), levels);  // an earlier release did not tell
}

/// On average over the posterior, here the prior: nothing is measured.
TEST(BayesLevel, TheIdentityIsZeroOnAverage) {
  for (const bool dynamic : {false, true}) {
    BayesModel model = make_model({BayesLikelihood::poisson}, dynamic, PathKind::matern32, true);
    model.tables[0] = make_bayes_table(BayesLikelihood::poisson, Matrix::Constant(N, J, std::nan("")));
    Vector values(2000);
    for (Index k = 0; k < values.size(); ++k) {
      const Rng rng = Rng(1).split(std::uint64_t(k));
      values(k) = log_posterior(model, draw_prior(model, rng), rng.split("level"), Threads(1)).identity;
    }
    const double sd = std::sqrt((values.array() - values.mean()).square().mean());
    EXPECT_NEAR(values.mean(), 0, 4 * sd / std::sqrt(double(values.size())));
  }
}

TEST(BayesLevel, ChainsGoOnWithinADeviationOfTheBest) {
  const Vector best{{9, 10, 11, 10}}, near{{5.5, 5, 6, 6}}, far{{3, 4, 5, 4}};
  EXPECT_EQ(going_on({far, best, near}), (std::vector<Index>{1, 2}));
  const Vector wide{{0, 20, 0, 20}};  // its mean is that of the best, its deviation 11.5
  EXPECT_EQ(going_on({far, wide, near}), (std::vector<Index>{1, 2, 0}));
  EXPECT_EQ(going_on({Vector(), best}), (std::vector<Index>{0, 1}));  // an earlier release did not tell
}

Matrix levels_at(const std::vector<double>& means, Index draws) {
  Matrix out = Rng(1).normal(static_cast<Index>(means.size()), draws);
  for (std::size_t c = 0; c < means.size(); ++c) out.row(static_cast<Index>(c)).array() += means[c];
  return out;
}

TEST(BayesLevel, LowerChainsAreThoseThatAlsoDisagree) {
  const Matrix levels = levels_at({0, -30, -3, -30}, 100);
  Matrix shared = Rng(2).normal(4, 100);
  EXPECT_TRUE(lower_chains(levels, {shared}).empty());  // all say the same
  shared.row(3).array() += 4;
  EXPECT_EQ(lower_chains(levels, {Matrix(Rng(3).normal(4, 100)), shared}), (std::vector<Index>{3}));
  shared.row(1).array() -= 4;
  shared.row(2).array() += 8;  // elsewhere, and as probable
  EXPECT_EQ(lower_chains(levels, {shared}), (std::vector<Index>{1, 3}));
  EXPECT_TRUE(lower_chains(levels.leftCols(10), {shared.leftCols(10)}).empty());
}

/// Two clusters of rows on a curve: chains that are told to begin with both at one place, or apart.
BayesData two_groups() {
  const Index rows = 40, columns = 8;
  Matrix Y(rows, columns);
  Rng rng(4);
  for (Index n = 0; n < rows; ++n)
    for (Index j = 0; j < columns; ++j) Y(n, j) = std::sin(0.15 * double(n) + double(j)) + 0.1 * rng.normal();
  return {.data = join({make_view("y", Y)}), .axis = {.time = Vector::LinSpaced(rows, 0, 1)}};
}

TEST(BayesLevel, StartsAreThoseThatAreAskedFor) {
  using enum BayesStart;
  EXPECT_EQ(chain_starts({.latent = {.dynamic = true}}), std::vector<BayesStart>{isomap});
  EXPECT_EQ(chain_starts({}), std::vector<BayesStart>{variational});
  for (const BayesStart start : {pca, isomap, spectral, variational, random}) {
    BayesOptions options{.frequencies = 5, .latent = {.dynamic = true}, .chains = 2, .warmup = 4, .draws = 4};
    options.starts = {start, pca};
    EXPECT_EQ(chain_starts(options), (std::vector<BayesStart>{start, pca}));
    const BayesFit fit = fit_bayes(two_groups(), options, 1, Threads(1));
    EXPECT_EQ(fit.chains(), 2);
    EXPECT_TRUE(fit.latent.mean.allFinite());
  }
}

/// A chain that ends somewhere else is not averaged with the others, and is named.
TEST(BayesLevel, ChainsThatAreLeftOutAreSaid) {
  BayesFit fit =
      fit_bayes(two_groups(), {.frequencies = 5, .chains = 3, .warmup = 10, .draws = 8}, 1, Threads(1));
  fit.left_out = {{1, 42.5}};
  EXPECT_EQ(fit.chains(), 2);
  EXPECT_EQ(fit.kept_chains(), (std::vector<Index>{0, 2}));
  bool said = false;
  for (const Warning& warning : bayes_warnings(fit, {}))
    said =
        said || warning.message.find("chain 2 (its mean log posterior is 42.5 below)") != std::string::npos;
  EXPECT_TRUE(said);
}

}  // namespace
}  // namespace bochner::level_test
