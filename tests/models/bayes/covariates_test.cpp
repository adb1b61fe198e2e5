// Covariates that enter f linearly: in the sampler (geweke_test.cpp), in what is predicted, and as they are reported.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/data/labels.hpp"
#include "bochner/models/bayes/covariate_effects.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/models/bayes/pointwise.hpp"
#include "bochner/random/count_draws.hpp"
#include "src/models/bayes/likelihood.hpp"

namespace bochner::bayes_covariates_test {
namespace {

/// One latent, an age and a batch of every sample. Effects of both differ between columns.
struct Described {
  Matrix X;        // N x 1
  Matrix effects;  // 2 x M: per year, and of batch b beside a
  BayesData data;
};

Described described(BayesLikelihood likelihood, Index N, Index M) {
  Rng rng(5);
  Matrix effects(2, M), Y = Matrix::Zero(N, M), C(N, 2);
  const Vector slope = rng.normal(M);
  for (Index m = 0; m < M; ++m) effects.col(m) << 0.03 * rng.normal(), 0.8 * rng.normal();
  std::vector<std::string> ids, age, batch;
  for (Index n = 0; n < N; ++n) {
    C.row(n) << 20 + 60 * rng.uniform(), double(rng.uniform() < 0.4);
    ids.push_back("s" + std::to_string(n));
    age.push_back(label_text(C(n, 0)));
    batch.push_back(C(n, 1) > 0 ? "b" : "a");
  }
  BayesData data{.data = join({make_view("y", Y)})};
  data.covariates = learn_covariates({"age", "batch"}, {age, batch}, ids);
  data.design = encode(data.covariates, {age, batch}, ids);
  // Latents that go with a covariate in the sample share what it explains, and errors of all coefficients with them: here none
  // does, so that coefficients can be counted.
  Matrix X = rng.normal(N, 1);
  Matrix all(N, 3);
  all << Matrix::Ones(N, 1), data.design;
  const Matrix gram = all.transpose() * all;
  X -= all * (gram.inverse() * (all.transpose() * X));
  for (Index n = 0; n < N; ++n)
    for (Index m = 0; m < M; ++m) {
      const double f =
          1 + 0.7 * slope(m) * X(n, 0) + effects(0, m) * (C(n, 0) - 50) + effects(1, m) * C(n, 1);
      Y(n, m) = likelihood == BayesLikelihood::poisson ? double(poisson(std::exp(f), rng))
                                                       : 10 * (f + 0.5 * rng.normal());
    }
  View view = make_view("y", Y);
  view.ids = ids;
  data.data = join({view});
  return {X, effects, data};
}

BayesOptions quick(BayesLikelihood likelihood) {
  return {.dims = 1,
          .frequencies = 10,
          .views = {{.likelihood = likelihood}},
          .chains = 2,
          .warmup = 150,
          .draws = 150,
          .stored = 100,
          .start = BayesStart::pca};
}

class BayesCovariates : public ::testing::TestWithParam<BayesLikelihood> {};
INSTANTIATE_TEST_SUITE_P(Likelihoods, BayesCovariates,
                         ::testing::Values(BayesLikelihood::gaussian, BayesLikelihood::poisson));

/// Effects come back in their units, with honest intervals, and latents are what covariates do not explain.
TEST_P(BayesCovariates, AreFoundBesideTheLatents) {
  const Described truth = described(GetParam(), 250, 20);
  const BayesFit fit = fit_bayes(truth.data, quick(GetParam()), 1, Threads(2));
  const CovariateEffects found = covariate_effects(fit, stored_draws(fit), Threads(1)).at(0);
  const double unit = GetParam() == BayesLikelihood::gaussian ? 10 : 1;  // of the table
  ASSERT_EQ(found.mean.rows(), 2);
  Index inside = 0;
  for (Index c = 0; c < 2; ++c)
    for (Index m = 0; m < 20; ++m) {
      const double expected = unit * truth.effects(c, m);
      inside += expected >= found.low(c, m) && expected <= found.high(c, m);
      EXPECT_NEAR(found.mean(c, m), expected, 5 * found.sd(c, m)) << c << ", " << m;
    }
  EXPECT_GE(inside, 29);  // of 40 in 90 % intervals: 36 expected, with a standard deviation of 1.9
  EXPECT_LT((found.mean - unit * truth.effects).norm(), 0.35 * unit * truth.effects.norm());
  BayesData blind{.data = truth.data.data};
  const BayesFit other = fit_bayes(blind, quick(GetParam()), 1, Threads(2));
  EXPECT_GT(affine_r2(fit.latent.mean, truth.X).mean, 0.9);
  EXPECT_GT(affine_r2(fit.latent.mean, truth.X).mean, affine_r2(other.latent.mean, truth.X).mean + 0.05);
  const auto monitored = [&](const std::string& name) {
    return std::any_of(fit.monitors.begin(), fit.monitors.end(),
                       [&](const BayesMonitor& m) { return m.name.starts_with(name); });
  };
  EXPECT_TRUE(monitored("covariate age of y/"));
  EXPECT_TRUE(monitored("covariate batch=b of y/"));
}

/// f = b + c' gamma + phi' beta, in one draw by hand.
TEST_P(BayesCovariates, AreInPredictionsAndLogLikelihoods) {
  const Described truth = described(GetParam(), 30, 3);
  BayesOptions options = quick(GetParam());
  options.warmup = options.draws = 6;
  options.chains = options.stored = 1;
  const BayesFit fit = fit_bayes(truth.data, options, 1, Threads(1));
  const BayesViewFit& view = fit.views[0];
  const BayesFunctions& draw = view.draws[0];
  ASSERT_EQ(draw.B.rows(), 2 * 10 + 1);
  ASSERT_EQ(draw.covariates.rows(), 2);
  const Matrix F =
      bayes_features(draw.W, fit.X[0], Threads(1)) * draw.B + truth.data.design * draw.covariates;
  const bool counts = GetParam() == BayesLikelihood::poisson;
  const Matrix mean = counts ? Matrix(F.array().exp()) : view.scaling.undo(F);
  const Matrix predicted = predict(view, {fit.X[0]}, known_rows(truth.data, 0), {}, Rng(1), Threads(1)).mean;
  EXPECT_LT((predicted - mean).norm(), 1e-10 * mean.norm());
  const Matrix Y = truth.data.data.view(Index{0}).Y;
  const BayesTable table = make_bayes_table(GetParam(), counts ? Y : view.scaling.apply(Y));
  const double expected = log_probability(table, draw.scale, F, Threads(1)) -
                          (counts ? 0.0 : 30 * view.scaling.scale.array().log().sum());
  const Pointwise all = pointwise(stored_draws(fit), fit, truth.data, {}, {}, Rng(1), Threads(1));
  EXPECT_NEAR(all.views[0].log_likelihood.row(0).sum(), expected, 1e-8 * std::abs(expected));
  // Samples have the covariates of the sample whose latents they have.
  constexpr Index count = 20'000;
  const Matrix drawn = sample_measurements(fit, count, Rng(4)).front();
  for (Index m = 0; m < 3; ++m) {
    const double sd = std::sqrt((drawn.col(m).array() - drawn.col(m).mean()).square().mean() / double(count));
    EXPECT_NEAR(drawn.col(m).mean(), mean.col(m).mean(), 4 * sd);
  }
}

TEST_P(BayesCovariates, PlaceNewSamples) {
  const Described truth = described(GetParam(), 230, 20);
  const IndexVector old = IndexVector::LinSpaced(200, 0, 199), fresh = IndexVector::LinSpaced(30, 200, 229);
  BayesData seen = truth.data;
  seen.data = truth.data.data.take_rows(old);
  seen.design = truth.data.design.topRows(200);
  const BayesFit fit = fit_bayes(seen, quick(GetParam()), 1, Threads(2));
  BayesData rest = truth.data;
  rest.data = truth.data.data.take_rows(fresh);
  rest.design = truth.data.design.bottomRows(30);
  const auto latents = [&] { return summary(embed(fit, rest, Rng(1), Threads(1))).mean; };
  const Matrix with = latents();
  EXPECT_GT(affine_r2(with, truth.X.bottomRows(30)).mean, 0.85);
  // Thirty years more that the entries do not show are made up for by the latents.
  rest.design.col(0).array() += 30 / truth.data.covariates.units()(0);
  EXPECT_GT((latents() - with).norm(), 0.1 * with.norm());
  rest.design = Matrix::Zero(30, 1);
  EXPECT_THROW(latents(), std::invalid_argument);
}

TEST(BayesCovariates, AreInFilesAndCheckpoints) {
  const Described truth = described(BayesLikelihood::poisson, 25, 3);
  BayesOptions options = quick(BayesLikelihood::poisson);
  options.warmup = options.draws = 5;
  options.priors.covariate_sd = 0.7;
  const BayesFit fit = fit_bayes(truth.data, options, 1, Threads(1));
  const BayesFit read = bayes_from(parse_model(format_model(bayes_group(fit)), "model"));
  EXPECT_EQ(format_model(bayes_group(read)), format_model(bayes_group(fit)));
  EXPECT_EQ(read.covariates.names(), (std::vector<std::string>{"age", "batch=b"}));
  EXPECT_EQ(read.options.priors.covariate_sd, 0.7);
  EXPECT_EQ(read.design, truth.data.design);
  BayesFit forged = fit;
  forged.views[0].draws[0].covariates.resize(1, 3);
  EXPECT_THROW(bayes_from(bayes_group(forged)), InputError);
  forged = fit;
  forged.design.conservativeResize(24, 2);
  EXPECT_THROW(bayes_from(bayes_group(forged)), InputError);
  ModelGroup at;
  fit_bayes(truth.data, options, 1, Threads(1), {.on_sweep = [&](const BayesProgress& now) {
              if (now.sweep == 7) at = now.checkpoint();
              return now.sweep < 7;
            }});
  const ModelGroup again = parse_model(format_model(at), "checkpoint");
  const BayesFit resumed = fit_bayes(truth.data, options, 1, Threads(1), {.resume = &again});
  EXPECT_EQ(format_model(bayes_group(resumed)), format_model(bayes_group(fit)));
}

}  // namespace
}  // namespace bochner::bayes_covariates_test
