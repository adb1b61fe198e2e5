#include "bochner/models/bayes/pointwise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/models/bayes/inference_data.hpp"
#include "bochner/models/bayes/spectrum.hpp"
#include "bochner/tables/hdf5.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::pointwise_test {
namespace {

using namespace testing;
using enum BayesLikelihood;

const std::vector<BayesLikelihood> all_likelihoods{gaussian,  poisson,     negbinom,   binomial,
                                                   bernoulli, multinomial, categorical};

/// A view of every likelihood, with missing values.
BayesData example_data() {
  constexpr Index N = 15;
  Rng rng(1);
  std::vector<View> views;
  std::vector<Matrix> trials;
  std::vector<std::vector<std::vector<std::string>>> classes;
  for (const BayesLikelihood likelihood : all_likelihoods) {
    const Index top = likelihood == bernoulli ? 2 : likelihood == categorical ? 3 : 6;
    Matrix Y(N, 4);
    for (Index n = 0; n < N; ++n)
      for (Index m = 0; m < 4; ++m)
        Y(n, m) = likelihood == gaussian ? 100 + 7 * rng.normal() : double(rng.below(top));
    Y(2, 1) = Y(4, 3) = std::nan("");
    Y.row(7).setConstant(std::nan(""));
    views.push_back(make_view("v" + std::to_string(views.size()), Y));
    trials.push_back(likelihood == binomial ? Matrix(Matrix::Constant(1, 1, 9)) : Matrix());
    classes.emplace_back();
    if (likelihood == categorical) classes.back().assign(4, {"a", "b", "c"});
  }
  return {.data = join(std::move(views)), .trials = trials, .classes = classes};
}

BayesOptions example_options(const std::vector<BayesLikelihood>& likelihoods) {
  BayesOptions o{
      .frequencies = 5, .chains = 2, .warmup = 10, .draws = 12, .stored = 24, .start = BayesStart::pca};
  for (const BayesLikelihood likelihood : likelihoods) o.views.push_back({.likelihood = likelihood});
  return o;
}

struct Example {
  BayesData data = example_data();
  BayesFit fit = fit_bayes(data, example_options(all_likelihoods), 1, Threads(2));
  Pointwise at(const PointwiseOptions& options = {}) const {
    return pointwise(stored_draws(fit), fit, data, {}, options, Rng(3), Threads(2));
  }
};

/// All measurements together are the log density of the draw, but for the units of Gaussian tables, which the sampler scales.
TEST(Pointwise, LogLikelihoodsSumToTheLogDensityOfTheDraw) {
  const Example e;
  const Pointwise p = e.at();
  double units = 0;
  for (const Index m : p.views[0].column) units += std::log(e.fit.views[0].scaling.scale(m));
  for (Index c = 0; c < 2; ++c)
    for (Index d = 0; d < 12; ++d) {
      double sum = units;
      for (const PointwiseView& view : p.views) sum += view.log_likelihood.row(c * 12 + d).sum();
      EXPECT_NEAR(sum, e.fit.log_density(c, d), 1e-7 * std::abs(sum)) << c << " " << d;
    }
}

TEST(Pointwise, IsAboutMeasuredEntriesAlone) {
  const Example e;
  const Pointwise p = e.at();
  EXPECT_TRUE(p.complete());
  for (std::size_t v = 0; v < p.views.size(); ++v) {
    const PointwiseView& view = p.views[v];
    ASSERT_EQ(view.row.size(), 15U * 4 - 6) << v;
    for (std::size_t i = 0; i < view.row.size(); ++i)
      EXPECT_NEAR(view.observed(static_cast<Index>(i)),
                  e.data.data.view(static_cast<Index>(v)).Y(view.row[i], view.column[i]), 1e-12);
    EXPECT_EQ(view.by_row(), all_likelihoods[v] == multinomial);
    EXPECT_TRUE(view.log_likelihood.allFinite());
    if (all_likelihoods[v] == gaussian) {
      EXPECT_NEAR(view.predictive.mean(), 100, 5);  // in units of the table
      continue;
    }
    EXPECT_GE(view.predictive.minCoeff(), 0);
    EXPECT_EQ(view.predictive, Matrix(view.predictive.array().round()));
  }
  EXPECT_LE(p.views[3].predictive.maxCoeff(), 9);  // trials
  EXPECT_LE(p.views[4].predictive.maxCoeff(), 1);
  EXPECT_LE(p.views[6].predictive.maxCoeff(), 2);  // classes
  // Counts of a multinomial row have the total of what was measured there.
  const PointwiseView& counts = p.views[5];
  EXPECT_EQ(counts.log_likelihood.cols(), 14);
  EXPECT_NEAR(counts.predictive.row(3).sum(), counts.observed.sum(), 1e-9);
}

TEST(Pointwise, RowsInOtherUnitsHaveDensitiesThere) {
  const Example e;
  RowFactors factors{.by_view = {Vector::Constant(15, 10.0)}, .medians = {10.0}};
  const Pointwise plain = e.at();
  const Pointwise p = pointwise(stored_draws(e.fit), e.fit, e.data, factors, {}, Rng(3), Threads(1));
  EXPECT_NEAR(p.views[0].log_likelihood(0, 0), plain.views[0].log_likelihood(0, 0) - std::log(10.0), 1e-10);
  EXPECT_NEAR(p.views[0].predictive(0, 0), 10 * plain.views[0].predictive(0, 0), 1e-9);
  EXPECT_NEAR(p.views[0].observed(0), 10 * plain.views[0].observed(0), 1e-9);
}

TEST(Pointwise, KeepsToItsMemory) {
  const Example e;
  const Index entries = 7 * 54;
  const Pointwise thinned = e.at({.most = 8 * entries, .fewest_draws = 8});
  EXPECT_EQ(thinned.draws, (std::vector<Index>{2, 5, 8, 11}));
  EXPECT_TRUE(thinned.complete());
  const Pointwise p = e.at({.most = 4 * entries, .fewest_draws = 8});
  EXPECT_EQ(p.draws.size(), 4U);
  EXPECT_FALSE(p.complete());
  for (const PointwiseView& view : p.views) {
    EXPECT_LE(view.predictive.cols(), 29) << view.view;
    EXPECT_GE(view.predictive.cols(), 20) << view.view;
    EXPECT_EQ(view.measured, 54);
  }
  TempFolder folder;
  write_inference_data(folder.file("a.nc"),
                       {.fit = e.fit, .draws = stored_draws(e.fit), .pointwise = p, .seen = &e.data});
  EXPECT_NE(slurp(folder.file("a.nc")).find("of 54 measured entries were chosen at random"),
            std::string::npos);
  EXPECT_EQ(read_hdf5(folder.file("a.nc"), "/log_likelihood/draw").values(0, 0), 2);
}

TEST(InferenceData, HasTheSameBytesForAnyNumberOfThreads) {
  const Example e;
  TempFolder folder;
  for (const int threads : {1, 3}) {
    const InferenceData data =
        make_inference_data(e.fit, stored_draws(e.fit), e.data, {}, {}, Threads(threads));
    EXPECT_GT(data.reff, 0);
    write_inference_data(folder.file(std::to_string(threads)), data);
    EXPECT_EQ(criteria(*data.pointwise, data.reff, Threads(threads)).size(), 7U);
  }
  EXPECT_EQ(slurp(folder.file("1")), slurp(folder.file("3")));
  EXPECT_THROW(write_inference_data(folder.file("none/a.nc"), {.fit = e.fit, .draws = stored_draws(e.fit)}),
               std::exception);
}

/// The kernel of the mixture is what its frequencies give: mean of amplitude cos(w'(x - y)) over many of them.
TEST(SpectralPosterior, IsTheKernelOfFrequenciesFromTheMixture) {
  BayesViewFit view{.name = "a", .draws = {{.W = Matrix::Constant(2, 2, 3.0), .B = Matrix(5, 1)}}};
  SpectralDraw& s = view.draws[0].spectrum;
  s = {.weights = Vector{{0.7, 0.3}}, .means = Matrix(2, 2), .covariances = Matrix(2, 4), .amplitude = 2};
  s.means << 0, 0, 1.5, -2;
  s.covariances << 0.5, 0.2, 0.2, 0.4, 0.1, 0, 0, 0.3;
  const SpectralPosterior p = spectral_posterior(view, 5);  // distances 0, 1, 2, ..
  Rng rng(1);
  constexpr Index draws = 200'000;
  for (Index q = 0; q < 2; ++q) {
    Vector cosines(draws);
    for (Index i = 0; i < draws; ++i) {
      const Index k = rng.uniform() < 0.7 ? 0 : 1;
      const double w = s.means(k, q) + std::sqrt(s.covariances(k, 3 * q)) * rng.normal();
      cosines(i) = 2 * std::cos(w);
    }
    const double se = std::sqrt((cosines.array() - cosines.mean()).square().mean() / double(draws));
    EXPECT_NEAR(p.kernel.median(1, q), cosines.mean(), 4 * se);
    EXPECT_EQ(p.kernel.median(0, q), 2);
    EXPECT_GT(p.density.median(0, q), 0);
  }
  EXPECT_EQ(p.components.median, 2);
}

/// Frequencies are turned with the latents, and so are the components that they belong to.
TEST(SpectralPosterior, ComponentsAreInTheFrameOfTheFrequencies) {
  const Example e;
  for (const BayesFunctions& draw : e.fit.views[0].draws) {
    const SpectralDraw& s = draw.spectrum;
    EXPECT_NEAR(s.weights.sum(), 1, 1e-12);
    for (Index k = 1; k < s.components(); ++k) EXPECT_LE(s.weights(k), s.weights(k - 1));
    for (Index k = 0; k < s.components(); ++k) {
      EXPECT_NEAR(s.covariances(k, 1), s.covariances(k, 2), 1e-12);
      EXPECT_GT(s.covariances(k, 0) * s.covariances(k, 3), s.covariances(k, 1) * s.covariances(k, 2));
    }
  }
}

}  // namespace
}  // namespace bochner::pointwise_test
