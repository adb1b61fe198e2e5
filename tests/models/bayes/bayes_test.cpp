#include "bochner/models/bayes/bayes.hpp"
#include "bochner/models/bayes/file.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/models/bayes/assess.hpp"
#include "bochner/models/bayes/forecast.hpp"
#include "bochner/random/count_draws.hpp"
#include "bochner/simulate/latent_views.hpp"
#include "fit_examples.hpp"

namespace bochner::bayes_test {
namespace {

TEST(BayesLvm, FindsTheLatentsOfCounts) {
  const Simulated truth = counts(250, 60);
  BayesOptions options = quick(BayesLikelihood::poisson);
  options.frequencies = 30;
  options.warmup = 100;
  options.draws = 100;
  const BayesFit fit = fit_bayes({truth.data}, options, 1, Threads(2));
  EXPECT_GT(affine_r2(fit.latent.mean, truth.X).mean, 0.9);
  EXPECT_EQ(fit.X.size(), 20U);
  EXPECT_EQ(fit.draws, 200);
  // Rates are found too: better than the mean of the column by far.
  const BayesPrediction p = predict(fit.views[0], fit.X, {}, {}, Rng(1), Threads(1));
  const Matrix& rate = truth.truth[0].mean;
  const Matrix column = rate.colwise().mean().replicate(rate.rows(), 1);
  EXPECT_LT((p.mean - rate).squaredNorm(), 0.15 * (column - rate).squaredNorm());
}

TEST(BayesLvm, ThreadsDoNotChangeAByte) {
  const Simulated truth = counts(300, 9);  // two blocks of rows
  for (const auto likelihood :
       {BayesLikelihood::poisson, BayesLikelihood::gaussian, BayesLikelihood::negbinom}) {
    BayesOptions options = quick(likelihood);
    options.frequencies = 5;
    options.start = BayesStart::pca;
    options.warmup = options.draws = 10;
    const BayesFit one = fit_bayes({truth.data}, options, 3, Threads(1));
    expect_same(one, fit_bayes({truth.data}, options, 3, Threads(2)));  // chains side by side
    expect_same(one,
                fit_bayes({truth.data}, options, 3, Threads(7)));  // one after the other, all threads each
  }
}

TEST(BayesLvm, SamplesThatAreAlikeHaveOnePosterior) {
  Matrix Y = counts(40, 5).data.view(Index{0}).Y;
  Y.row(7) = Y.row(31) = Y.row(2);
  Y.row(12) = Y.row(2);
  Y(12, 0) = std::nan("");  // something else: it says less
  BayesData data{.data = join({make_view("y", Y)})};
  const BayesFit fit = fit_bayes(data, quick(BayesLikelihood::poisson), 1, Threads(1));
  for (const Index n : {7, 31}) {
    EXPECT_EQ(fit.latent.mean.row(n), fit.latent.mean.row(2));
    EXPECT_EQ(fit.latent.sd.row(n), fit.latent.sd.row(2));
    EXPECT_NE(fit.X[0].row(n), fit.X[0].row(2));  // draws are draws
  }
  EXPECT_NE(fit.latent.mean.row(12), fit.latent.mean.row(2));
  EXPECT_NE(fit.latent.mean.row(3), fit.latent.mean.row(2));
  // The mean over all draws of the three.
  const BayesOptions all = [] {
    BayesOptions o = quick(BayesLikelihood::poisson);
    o.stored = o.chains * o.draws;
    return o;
  }();
  const BayesFit whole = fit_bayes(data, all, 1, Threads(1));
  const LatentPosterior apart = summary(whole.X);
  EXPECT_LT((whole.latent.mean.row(3) - apart.mean.row(3)).norm(), 1e-12);
  const Eigen::RowVectorXd mean = (apart.mean.row(2) + apart.mean.row(7) + apart.mean.row(31)) / 3;
  EXPECT_LT((whole.latent.mean.row(2) - mean).norm(), 1e-12);
  // Over time they are not alike.
  data.axis.time = Vector::LinSpaced(40, 0, 1);
  BayesOptions dynamic = quick(BayesLikelihood::poisson);
  dynamic.latent.dynamic = true;
  const BayesFit paths = fit_bayes(data, dynamic, 1, Threads(1));
  EXPECT_NE(paths.latent.mean.row(7), paths.latent.mean.row(2));
}

TEST(BayesLvm, ResumedRunsHaveTheSameBytes) {
  const Simulated truth = counts(40, 6);
  for (const bool dynamic : {false, true}) {
    BayesOptions options = quick(BayesLikelihood::negbinom);
    options.latent.dynamic = dynamic;
    const BayesData data{.data = truth.data, .axis = {.time = truth.t}};
    const BayesFit whole = fit_bayes(data, options, 3, Threads(1));
    for (const Index stop : {13, 55}) {
      ModelGroup checkpoint;
      const BayesFit part =
          fit_bayes(data, options, 3, Threads(1), {.on_sweep = [&](const BayesProgress& now) {
                      if (now.sweep < stop) return true;
                      checkpoint = now.checkpoint();
                      return false;
                    }});
      EXPECT_EQ(part.status, Status::stopped_by_callback);
      expect_same(whole, fit_bayes(data, options, 3, Threads(1), {.resume = &checkpoint}));
    }
  }
}

TEST(BayesLvm, StartsAreHeardStoppedAndGoneOnWith) {
  const Simulated truth = counts(40, 6);
  BayesOptions options = quick(BayesLikelihood::poisson);
  options.latent.dynamic = true;
  options.start = BayesStart::variational;
  const BayesData data{.data = truth.data, .axis = {.time = truth.t}};
  Index steps = 0, most = 0, ends = 0, sweeps = 0;
  ModelGroup found;
  const BayesFit whole = fit_bayes(data, options, 3, Threads(1),
                                   {.on_start =
                                        [&](const BayesStartProgress& now) {
                                          EXPECT_EQ(ends, 0);
                                          EXPECT_EQ(sweeps, 0);
                                          ends += now.done;
                                          steps += !now.done;
                                          EXPECT_LE(now.step, now.of);
                                          most = std::max(most, now.step);
                                          if (now.done) found = now.checkpoint();
                                          return true;
                                        },
                                    .on_sweep = [&](const BayesProgress&) { return ++sweeps > 0; }});
  EXPECT_EQ(ends, 1);
  EXPECT_GT(steps, 100);
  EXPECT_GE(most, steps);
  // Stopped within: no sweep is made, and the next run goes on from that step.
  for (const Index stop : {Index{7}, steps - 1}) {
    ModelGroup at;
    Index heard = 0;
    sweeps = 0;
    const BayesFit part = fit_bayes(data, options, 3, Threads(1),
                                    {.on_start =
                                         [&](const BayesStartProgress& now) {
                                           if (++heard < stop) return true;
                                           at = now.checkpoint();
                                           return false;
                                         },
                                     .on_sweep = [&](const BayesProgress&) { return ++sweeps > 0; }});
    EXPECT_EQ(part.status, Status::stopped_by_callback);
    EXPECT_EQ(sweeps, 0);
    EXPECT_EQ(heard, stop);
    heard = 0;
    const auto hear = [&](const BayesStartProgress& now) { return heard += !now.done, true; };
    expect_same(whole, fit_bayes(data, options, 3, Threads(1), {.on_start = hear, .resume = &at}));
    EXPECT_EQ(heard, steps - stop);
  }
  // Once it is done, it is not repeated.
  const auto never = [](const BayesStartProgress&) { return ADD_FAILURE(), true; };
  ASSERT_TRUE(bayes_checkpoint_progress(found).start_done);
  expect_same(whole, fit_bayes(data, options, 3, Threads(1), {.on_start = never, .resume = &found}));
  ModelGroup later;
  fit_bayes(data, options, 3, Threads(1), {.on_sweep = [&](const BayesProgress& now) {
              later = now.checkpoint();
              return now.sweep < 5;
            }});
  expect_same(whole, fit_bayes(data, options, 3, Threads(1), {.on_start = never, .resume = &later}));
}

TEST(BayesLvm, FirstGuessesOfTheStartCanBeCutShort) {
  const Simulated truth = counts(40, 6);
  const BayesOptions options = quick(BayesLikelihood::poisson);
  Index asked = 0, heard = 0;
  ModelGroup at;
  const BayesFit part = fit_bayes({truth.data}, options, 3, Threads(1),
                                  {.on_start =
                                       [&](const BayesStartProgress& now) {
                                         at = now.checkpoint();
                                         return ++heard < 1;
                                       },
                                   .keep_going = [&] { return ++asked < 2; }});
  EXPECT_GE(asked, 2);
  EXPECT_EQ(part.status, Status::stopped_by_callback);
  expect_same(fit_bayes({truth.data}, options, 3, Threads(1)),
              fit_bayes({truth.data}, options, 3, Threads(1), {.resume = &at}));
}

TEST(BayesLvm, ConvergedIsWhatTheChainsSay) {
  const Simulated truth = counts(40, 6);
  BayesFit fit = fit_bayes({truth.data}, quick(BayesLikelihood::poisson), 1, Threads(1));
  EXPECT_GT(mixing(fit).worst_rhat, 1.05);  // 30 draws
  EXPECT_EQ(fit.status, Status::iteration_limit);
  EXPECT_STREQ(status_text(fit), "finished");
  fit.monitors = {{"f y/1 of s1", 1.01, 150, 90}, {"log density", 1.04, 80, 70}};
  EXPECT_EQ(judged_status(fit), Status::converged);
  fit.status = judged_status(fit);
  EXPECT_STREQ(status_text(fit), "converged");
  fit.monitors[1].rhat = 1.06;
  EXPECT_EQ(judged_status(fit), Status::iteration_limit);
  fit.monitors[1].rhat = 1.04;
  fit.monitors[0].ess_bulk = 90;  // too few to tell
  EXPECT_EQ(judged_status(fit), Status::iteration_limit);
  fit.monitors.clear();
  EXPECT_EQ(judged_status(fit), Status::iteration_limit);
}

TEST(BayesLvm, HolesAndAbsentViewsDropOut) {
  SCurveViews recipe;
  recipe.curve.N = 250;
  recipe.views = {ViewRecipe{.name = "a", .M = 30},
                  ViewRecipe{.name = "b", .M = 40, .emission = PoissonEmission{}}};
  recipe.missing = {.samples = 0.2, .entries = 0.2};
  const Simulated truth = simulate_views(recipe, Rng(2), Threads(1));
  BayesOptions options = quick(BayesLikelihood::gaussian, 2);
  options.views[1].likelihood = BayesLikelihood::poisson;
  options.warmup = options.draws = 100;
  const BayesFit fit = fit_bayes({truth.data}, options, 1, Threads(2));
  EXPECT_GT(affine_r2(fit.latent.mean, truth.X).mean, 0.75);
  for (std::size_t v = 0; v < 2; ++v) {
    const Matrix& Y = truth.data.view(Index(v)).Y;
    const BayesPrediction p = predict(fit.views[v], fit.X, {Y}, {.interval = 0.9}, Rng(1), Threads(2));
    double inside = 0, holes = 0, error = 0, of_mean = 0;
    const Matrix& whole = truth.truth[v].Y;
    for (Index n = 0; n < Y.rows(); ++n)
      for (Index m = 0; m < Y.cols(); ++m) {
        if (!std::isnan(Y(n, m))) continue;
        ++holes;
        inside += whole(n, m) >= p.low(n, m) && whole(n, m) <= p.high(n, m);
        error += std::pow(whole(n, m) - p.mean(n, m), 2);
        of_mean += std::pow(whole(n, m) - whole.col(m).mean(), 2);
      }
    EXPECT_LT(error, 0.8 * of_mean) << v;
    EXPECT_GT(inside / holes, 0.83) << v;
    EXPECT_LT(inside / holes, v == 0 ? 0.97 : 0.995) << v;  // intervals of small counts hold more than asked
  }
}

TEST(BayesLvm, LogDensitiesAreThoseOfTheLaws) {
  // One draw, functions that are constants: everything is known.
  BayesViewFit view{.name = "y", .columns = {"a", "b"}, .draws = {}};
  view.scaling = fit_scaling(Matrix::Random(4, 2), ScalingKind::none);
  Matrix B = Matrix::Zero(3, 2);
  B.row(2) << 0.3, -0.5;
  view.draws = {{.W = Matrix::Zero(1, 2), .B = B, .scale = Vector{{0.7, 2}}}};
  const std::vector<Matrix> X{Matrix::Zero(1, 2)};
  const Matrix Y{{1, 2}};
  const auto both = [&](BayesLikelihood likelihood) {
    view.likelihood = likelihood;
    view.trials = 4;
    return Vector(log_density(view, X, Y, {}, Threads(1)).row(0).transpose());
  };
  const Vector gaussian = both(BayesLikelihood::gaussian), poisson = both(BayesLikelihood::poisson),
               negbinom = both(BayesLikelihood::negbinom), binomial = both(BayesLikelihood::binomial);
  EXPECT_NEAR(gaussian(1), -0.5 * (std::log(2 * pi * 2) + 2.5 * 2.5 / 2), 1e-12);
  EXPECT_NEAR(poisson(0), 0.3 - std::exp(0.3), 1e-12);
  EXPECT_NEAR(poisson(1), 2 * -0.5 - std::exp(-0.5) - std::log(2.0), 1e-12);
  // NB(1; r, p) = r p (1 - p)^r
  const double p = 1 / (1 + std::exp(-0.3));
  EXPECT_NEAR(negbinom(0), std::log(0.7 * p) + 0.7 * std::log(1 - p), 1e-12);
  EXPECT_NEAR(binomial(0), std::log(4 * p) + 3 * std::log(1 - p), 1e-12);
}

/// Every entry has its own number of trials, from 1 to 100: predictions are judged by it.
TEST(BayesLvm, BinomialEntriesHaveTrialsOfTheirOwn) {
  Rng rng(5);
  const Matrix x = rng.normal(80, 1);
  Matrix Y(80, 12), trials(80, 12);
  for (Index n = 0; n < 80; ++n)
    for (Index m = 0; m < 12; ++m) {
      trials(n, m) = double(1 + rng.below(100));
      Y(n, m) = double(binomial(Index(trials(n, m)), 1 / (1 + std::exp(-(m % 2 ? 2 : -2) * x(n, 0))), rng));
    }
  BayesOptions options = quick(BayesLikelihood::binomial);
  options.dims = 1;
  BayesData data{.data = join({make_view("y", Y)}), .trials = {trials}};
  Rng pick(6);
  const std::vector<BoolMatrix> held_out{held_out_mask(Y, 0.2, pick)};
  const BayesData whole = data;
  data.data = hide(data.data, held_out);
  const BayesFit fit = fit_bayes(data, options, 1, Threads(2));
  const std::vector<ViewScores> scores = held_out_scores(whole, held_out, fit, {}, Rng(1), Threads(2));
  EXPECT_LT(scores[0].rmse.model, 0.5 * scores[0].rmse.column_mean);
  EXPECT_GT(scores[0].log_density, -4);
  EXPECT_NEAR(scores[0].coverage90, 0.9, 0.08);
}

/// A row of which little was counted leaves its total open; one without any gets an average one.
TEST(BayesLvm, MultinomialRowsAreAsLargeAsWhatWasCounted) {
  BayesViewFit view{
      .name = "y", .columns = {"a", "b", "c"}, .likelihood = BayesLikelihood::multinomial, .draws = {}};
  view.total = 90;
  view.draws = {{.W = Matrix::Zero(1, 1), .B = Matrix::Zero(3, 3), .scale = {}}};
  const double nan = std::nan("");
  const Matrix known{{1000, nan, nan}, {nan, nan, nan}, {0, 0, nan}};
  const std::vector<Matrix> X{Matrix::Zero(3, 1)};
  const BayesPrediction p = predict(view, X, {known}, {}, Rng(1), Threads(1));
  EXPECT_NEAR(p.mean(0, 1), 1000, 40);
  EXPECT_NEAR(p.mean(1, 1), 30, 1e-9);
  EXPECT_LT(p.mean(2, 2), 1);
  EXPECT_GT(p.y_variance(0, 1), 1.9 * p.mean(0, 1));  // u is not known either
  Matrix truth = Matrix::Constant(3, 3, nan);
  truth(2, 2) = 4;
  EXPECT_TRUE(std::isfinite(log_density(view, X, truth, {known}, Threads(1))(2, 2)));
}

TEST(BayesLvm, PathsGoOnPastTheLastTime) {
  SCurveViews recipe;
  recipe.curve.N = 80;
  recipe.views[0].M = 15;
  const Simulated truth = simulate_views(recipe, Rng(4), Threads(1));
  BayesOptions options = quick(BayesLikelihood::gaussian);
  options.latent = {true, PathKind::matern52};
  const BayesFit fit = fit_bayes({.data = truth.data, .axis = {.time = truth.t}}, options, 1, Threads(1));
  const std::vector<Matrix> ahead = forecast(fit, 5, 0.1, Rng(1));
  ASSERT_EQ(ahead.size(), fit.X.size());
  EXPECT_EQ(ahead[0].rows(), 5);
  const Matrix sd = summary(ahead).sd;
  EXPECT_LT(sd.row(0).mean(), sd.row(4).mean());  // the further the less is known
}

TEST(BayesLvm, RefusesWhatDoesNotFit) {
  const Simulated truth = counts(20, 4);
  BayesOptions options = quick(BayesLikelihood::binomial);
  EXPECT_THROW(fit_bayes({truth.data}, options, 1, Threads(1)), std::invalid_argument);  // no trials
  options = quick(BayesLikelihood::poisson);
  options.latent.dynamic = true;
  EXPECT_THROW(fit_bayes({truth.data}, options, 1, Threads(1)), std::invalid_argument);  // no times
  options = quick(BayesLikelihood::bernoulli);
  EXPECT_THROW(fit_bayes({truth.data}, options, 1, Threads(1)), std::domain_error);  // counts above one
  Matrix half = truth.data.view(Index{0}).Y;
  half(0, 0) = 0.5;
  EXPECT_THROW(fit_bayes({truth.data.with_values({half})}, quick(BayesLikelihood::poisson), 1, Threads(1)),
               std::domain_error);
}

}  // namespace
}  // namespace bochner::bayes_test
