// Exposures of counts: means are proportional to them, in the sampler and in all that is predicted.

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/models/bayes/pointwise.hpp"
#include "bochner/random/count_draws.hpp"
#include "src/models/bayes/likelihood.hpp"

namespace bochner::exposure_test {
namespace {

using enum BayesLikelihood;

/// Counts over two latents; library sizes differ by factors of up to a hundred.
struct Sized {
  Matrix X, rate;  // N x 2, and N x M: means of a unit of exposure
  Vector exposure;
  BayesData data;
};

Sized sized(BayesLikelihood likelihood, Index N, Index M, double spread = 1.2) {
  constexpr double r = 4;
  Rng rng(3);
  const Matrix X = rng.normal(N, 2);
  Matrix rate(N, M);
  Vector exposure(N);
  const Matrix W = 0.4 * rng.normal(M, 2);
  const Vector phase = 6 * rng.normal(M), b = 0.7 * rng.normal(M);
  Matrix Y(N, M);
  for (Index n = 0; n < N; ++n) {
    exposure(n) = 1000 * std::exp(spread * rng.normal());
    for (Index m = 0; m < M; ++m) {
      const double f = b(m) + 1.2 * std::sin(W.row(m).dot(X.row(n)) + phase(m)) - std::log(500.0);
      rate(n, m) = (likelihood == negbinom ? r : 1) * std::exp(f);
      const double odds = exposure(n) * std::exp(f);
      Y(n, m) =
          double(likelihood == negbinom ? negative_binomial(r, odds, rng) : bochner::poisson(odds, rng));
    }
  }
  return {X,
          rate,
          exposure,
          {.data = join({make_view("y", Y)}), .exposure = {exposure}, .exposure_names = {"size"}}};
}

BayesOptions quick(BayesLikelihood likelihood) {
  return {.frequencies = 15,
          .views = {{.likelihood = likelihood}},
          .chains = 2,
          .warmup = 100,
          .draws = 40,
          .stored = 20,
          .start = BayesStart::pca};
}

/// By hand: y = 3 at f = 0.5 with an exposure of 4 has the mean mu = 4 e^0.5; a negative binomial one of shape r = 2 has the
/// odds mu and the mean 2 mu.
TEST(BayesExposure, MultipliesTheMean) {
  const Vector exposure{{4, 0.25}};
  const Matrix Y{{3, std::nan("")}, {1, 7}}, F{{0.5, 9}, {-1, 2}};
  const auto log_poisson = [](double y, double mu) { return y * std::log(mu) - mu - std::lgamma(y + 1); };
  const BayesTable counts = make_bayes_table(poisson, Y, Matrix(), {}, exposure);
  EXPECT_NEAR(log_probability(counts, Vector(), F, Threads(1)),
              log_poisson(3, 4 * std::exp(0.5)) + log_poisson(1, 0.25 * std::exp(-1)) +
                  log_poisson(7, 0.25 * std::exp(2)),
              1e-12);
  const auto log_negbinom = [](double y, double r, double mu) {  // with mean mu and variance mu + mu^2 / r
    return std::lgamma(y + r) - std::lgamma(r) - std::lgamma(y + 1) + y * std::log(mu / (mu + r)) +
           r * std::log(r / (mu + r));
  };
  const BayesTable over = make_bayes_table(negbinom, Y, Matrix(), {}, exposure);
  EXPECT_NEAR(log_probability(over, Vector{{2, 5}}, F, Threads(1)),
              log_negbinom(3, 2, 2 * 4 * std::exp(0.5)) + log_negbinom(1, 2, 2 * 0.25 * std::exp(-1)) +
                  log_negbinom(7, 5, 5 * 0.25 * std::exp(2)),
              1e-12);
  // Intercepts are about rates: four counted over both exposures, seven where one was measured.
  EXPECT_NEAR(counts.intercept(0), std::log(4 / 4.25), 1e-14);
  EXPECT_NEAR(counts.intercept(1), std::log(7 / 0.25), 1e-14);
  EXPECT_EQ(first_alike({make_bayes_table(poisson, Matrix{{1}, {1}}, Matrix(), {}, Vector{{1, 2}})}),
            (std::vector<Index>{0, 1}));
}

TEST(BayesExposure, IsRefusedWhereItMakesNoSense) {
  const Matrix Y{{3}, {1}};
  EXPECT_THROW(make_bayes_table(gaussian, Y, Matrix(), {}, Vector{{1, 2}}), std::invalid_argument);
  EXPECT_THROW(make_bayes_table(poisson, Y, Matrix(), {}, Vector{{1, 2, 3}}), std::invalid_argument);
  for (const double wrong : {0.0, -1.0, std::nan(""), double(INFINITY)})
    EXPECT_THROW(make_bayes_table(poisson, Y, Matrix(), {}, Vector{{1, wrong}}), std::domain_error);
}

class BayesExposures : public ::testing::TestWithParam<BayesLikelihood> {};
INSTANTIATE_TEST_SUITE_P(Likelihoods, BayesExposures, ::testing::Values(poisson, negbinom));

/// Latents and rates are found behind counts of very different library sizes as well as where sizes are all the same, and without
/// exposures they are not.
TEST_P(BayesExposures, AreNoPartOfWhatIsLearned) {
  const Sized truth = sized(GetParam(), 200, 40);
  const BayesFit fit = fit_bayes(truth.data, quick(GetParam()), 1, Threads(2));
  const double with = affine_r2(fit.latent.mean, truth.X).mean;
  BayesData blind{.data = truth.data.data};
  const BayesFit other = fit_bayes(blind, quick(GetParam()), 1, Threads(2));
  const double without = affine_r2(other.latent.mean, truth.X).mean;
  const Sized alike = sized(GetParam(), 200, 40, 0);
  const double best =
      affine_r2(fit_bayes({alike.data.data}, quick(GetParam()), 1, Threads(2)).latent.mean, alike.X).mean;
  EXPECT_GT(with, best - 0.05) << "where all exposures are one";
  EXPECT_GT(with, without + 0.3);
  // At one exposure for all rows the mean is the rate times that.
  const BayesKnown at_one{.Y = {}, .trials = {}, .exposure = Vector::Constant(200, 500)};
  const BayesPrediction p = predict(fit.views[0], fit.X, at_one, {}, Rng(1), Threads(1));
  const Matrix log_error = (p.mean.array() / 500).log() - truth.rate.array().log(),
               log_rate = truth.rate.array().log();
  EXPECT_LT(std::sqrt(log_error.squaredNorm() / double(log_error.size())), 0.25);
  EXPECT_LT(std::abs(log_error.mean()), 0.05);
}

/// The model says nothing but mean = exposure * rate: ten times the exposure has ten times the mean.
TEST_P(BayesExposures, ScalePredictionsAndSamples) {
  const Sized truth = sized(GetParam(), 60, 5);
  BayesOptions options = quick(GetParam());
  options.warmup = 20;
  const BayesFit fit = fit_bayes(truth.data, options, 1, Threads(1));
  const BayesViewFit& view = fit.views[0];
  const auto mean_at = [&](const Vector& exposure) {
    return predict(view, fit.X, {.Y = {}, .trials = {}, .exposure = exposure}, {}, Rng(1), Threads(1)).mean;
  };
  const Matrix own = mean_at(truth.exposure);
  EXPECT_LT((mean_at(10 * truth.exposure) - 10 * own).norm(), 1e-9 * own.norm());
  std::vector<double> sorted(truth.exposure.begin(), truth.exposure.end());
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(view.typical_exposure, sorted[30]);
  EXPECT_LT(
      (predict(view, fit.X, {}, {}, Rng(1), Threads(1)).mean - mean_at(Vector::Constant(60, sorted[30])))
          .norm(),
      1e-9 * own.norm());
  // Samples have the exposure of the sample whose latents they have.
  constexpr Index count = 40'000;
  const Matrix drawn = sample_measurements(fit, count, Rng(4)).front();
  for (Index m = 0; m < 5; ++m) {
    const double sd = std::sqrt((drawn.col(m).array() - drawn.col(m).mean()).square().mean() / double(count));
    EXPECT_NEAR(drawn.col(m).mean(), own.col(m).mean(), 4 * sd);
  }
}

/// log p of an entry in one draw, against the formula.
TEST_P(BayesExposures, AreInPointwiseLogLikelihoods) {
  const Sized truth = sized(GetParam(), 30, 3);
  BayesOptions options = quick(GetParam());
  options.warmup = 5;
  options.draws = 5;
  const BayesFit fit = fit_bayes(truth.data, options, 1, Threads(1));
  const Pointwise all = pointwise(stored_draws(fit), fit, truth.data, {}, {}, Rng(1), Threads(1));
  const Matrix F = bayes_features(fit.views[0].draws[0].W, fit.X[0], Threads(1)) * fit.views[0].draws[0].B;
  const BayesTable table =
      make_bayes_table(GetParam(), truth.data.data.view(Index{0}).Y, Matrix(), {}, truth.exposure);
  const double expected = log_probability(table, fit.views[0].draws[0].scale, F, Threads(1));
  EXPECT_NEAR(all.views[0].log_likelihood.row(0).sum(), expected, 1e-8 * std::abs(expected));
}

/// New samples are placed by their counts relative to their exposures.
TEST_P(BayesExposures, PlaceNewSamples) {
  const Sized truth = sized(GetParam(), 220, 40);
  const IndexVector old = IndexVector::LinSpaced(200, 0, 199), fresh = IndexVector::LinSpaced(20, 200, 219);
  const BayesData seen{.data = truth.data.data.take_rows(old), .exposure = {truth.exposure(old)}};
  const BayesFit fit = fit_bayes(seen, quick(GetParam()), 1, Threads(2));
  const auto r2 = [&](const Vector& exposure) {
    const BayesData rest{.data = truth.data.data.take_rows(fresh), .exposure = {exposure}};
    Matrix latent(220, 2);
    latent << fit.latent.mean, summary(embed(fit, rest, Rng(1), Threads(1))).mean;
    return affine_r2(latent.bottomRows(20), truth.X.bottomRows(20)).mean;
  };
  EXPECT_GT(r2(truth.exposure(fresh)), 0.8);
  EXPECT_GT(r2(truth.exposure(fresh)), r2(Vector::Constant(20, truth.exposure.mean())) + 0.1);
}

TEST(BayesExposure, IsInModelFilesAndCheckedThere) {
  const Sized truth = sized(poisson, 20, 3);
  BayesOptions options = quick(poisson);
  options.warmup = options.draws = 4;
  const BayesFit fit = fit_bayes(truth.data, options, 1, Threads(1));
  const ModelGroup group = parse_model(format_model(bayes_group(fit)), "model");
  const BayesFit read = bayes_from(group);
  EXPECT_EQ(read.views[0].exposure, truth.exposure);
  EXPECT_EQ(read.views[0].exposure_name, "size");
  EXPECT_EQ(read.views[0].typical_exposure, fit.views[0].typical_exposure);
  const auto forged = [&](const Vector& exposure) {
    BayesFit wrong = fit;
    wrong.views[0].exposure = exposure;
    return bayes_group(wrong);
  };
  EXPECT_THROW(bayes_from(forged(Vector::Ones(19))), InputError);
  EXPECT_THROW(bayes_from(forged(Vector::Zero(20))), InputError);
  BayesFit wrong = fit;
  wrong.views[0].likelihood = bernoulli;
  EXPECT_THROW(bayes_from(bayes_group(wrong)), InputError);
}

}  // namespace
}  // namespace bochner::exposure_test
