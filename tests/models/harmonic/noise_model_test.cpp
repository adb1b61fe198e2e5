#include <gtest/gtest.h>

#include <cmath>

#include "bochner/likelihoods/predictive.hpp"
#include "bochner/models/harmonic/assess.hpp"
#include "bochner/models/harmonic/distribution.hpp"
#include "bochner/models/harmonic/fit.hpp"
#include "bochner/random/count_draws.hpp"
#include "bochner/random/rng.hpp"
#include "src/models/harmonic/answers/calibrate.hpp"

namespace bochner::harmonic_noise_model_test {
namespace {

const Threads threads(1);

const HarmonicFitOptions quick{.inducing = 25, .steps = 500, .batch = 200, .check_every = 50};

/// "by inputs": gaussian, and then the noise as a function of the inputs.
HarmonicFit fitted(const Matrix& X, const Matrix& Y, const std::string& likelihood, bool calibrate = true) {
  HarmonicFitOptions options = quick;
  options.noise_by_inputs = likelihood == "by inputs";
  options.likelihood = options.noise_by_inputs ? "gaussian" : likelihood;
  options.calibrate = calibrate;
  HarmonicNames names{.inputs = {"a", "b"}, .outcomes = {"y"}};
  if (likelihood == "softmax") names.classes = {"u", "v", "w"};
  return fit_harmonic(memory_rows(X, Y), names, options, 1, threads);
}

double nll(const HarmonicFit& fit, const Matrix& X, const Matrix& Y) {
  return -log_density(fit, X, Y, threads).mean();
}

double covered(const HarmonicFit& fit, const Matrix& X, const Matrix& Y) {
  return covered_share(fit, latent_draws(fit, X, threads), Y, 0.9, threads).mean();
}

/// y = 10 + 5 (sin(2 a) + exp(a / 2 - 1) e): the noise grows along the first input from sd 0.14 to 1 in units of 5.
struct Fan {
  Matrix X, Y;
  Vector sd;
  explicit Fan(std::uint64_t seed, Index N = 1200)
      : X(4 * Rng(seed).uniform(2 * N).reshaped<Eigen::RowMajor>(N, 2).array() - 2), Y(N, 1), sd(N) {
    Rng rng(seed + 1);
    for (Index n = 0; n < N; ++n) {
      sd(n) = 5 * std::exp(X(n, 0) / 2 - 1);
      Y(n, 0) = 10 + 5 * std::sin(2 * X(n, 0)) + sd(n) * rng.normal();
    }
  }
};

void expect_noise_of_a_fan(const std::string& likelihood) {
  SCOPED_TRACE(likelihood);
  const Fan in(1, 3000), out(3);
  const HarmonicFit by_inputs = fitted(in.X, in.Y, likelihood), constant = fitted(in.X, in.Y, "gaussian");
  const HarmonicPrediction p = predict(by_inputs, out.X, threads);
  ASSERT_EQ(p.f.mean.cols(), 1);
  const Vector sd = (p.y.variance - p.f.variance).cwiseSqrt().col(0);
  EXPECT_LT((sd.array().log() - out.sd.array().log()).abs().mean(), 0.15);
  // The truth is a normal of known sd: within 0.1 nats of it, where one sd for all rows is further away.
  const Matrix truth = out.sd.array().log() + 0.5 * std::log(2 * pi) + 0.5;
  EXPECT_LT(nll(by_inputs, out.X, out.Y), truth.mean() + 0.1);
  EXPECT_GT(nll(constant, out.X, out.Y), truth.mean() + 0.1);
  EXPECT_NEAR(covered(by_inputs, out.X, out.Y), 0.9, 3 * std::sqrt(0.09 / 300 + 0.09 / 1200));
  // Rows whose noise is least and largest are covered alike; with one sd they are not.
  for (const bool low : {true, false}) {
    std::vector<Index> rows;
    for (Index n = 0; n < out.X.rows(); ++n)
      if ((out.X(n, 0) < -1) == low && std::abs(out.X(n, 0)) > 1) rows.push_back(n);
    // Three standard errors of the shares that 300 validation rows and these rows say.
    const double slack = 3 * std::sqrt(0.09 / 300 + 0.09 / double(rows.size()));
    EXPECT_NEAR(covered(by_inputs, out.X(rows, Eigen::all), out.Y(rows, Eigen::all)), 0.9, slack);
    EXPECT_GT(std::abs(covered(constant, out.X(rows, Eigen::all), out.Y(rows, Eigen::all)) - 0.9), slack);
  }
}

TEST(NoiseModel, LearnsNoiseThatDependsOnTheInputs) {
  for (const char* likelihood : {"heteroscedastic", "by inputs"}) expect_noise_of_a_fan(likelihood);
}

// f is learned first: the noise leaves its posterior alone, to the last byte.
TEST(NoiseModel, LearnedAfterwardsLeavesTheMeanAlone) {
  const Fan in(1), out(3);
  const HarmonicFit by_inputs = fitted(in.X, in.Y, "by inputs"), constant = fitted(in.X, in.Y, "gaussian");
  ASSERT_TRUE(std::holds_alternative<HeteroscedasticNoise>(by_inputs.gp.likelihood));
  ASSERT_EQ(by_inputs.gp.latents(), 2);
  const HarmonicPrediction p = predict(by_inputs, out.X, threads), c = predict(constant, out.X, threads);
  EXPECT_EQ(by_inputs.gp.mean.front().leftCols(1), constant.gp.mean.front());
  EXPECT_EQ(by_inputs.gp.factor.front().front(), constant.gp.factor.front().front());
  EXPECT_LT((p.y.mean - c.y.mean).norm(), 1e-12 * c.y.mean.norm());
  EXPECT_LT((p.f.variance - c.f.variance).norm(), 1e-9 * c.f.variance.norm());
}

TEST(NoiseModel, ThreadsChangeNothing) {
  const Fan in(1, 1200);
  HarmonicFitOptions options = quick;
  options.noise_by_inputs = true;
  options.steps = 200;
  const HarmonicNames names{.inputs = {"a", "b"}, .outcomes = {"y"}};
  const auto fit = [&](int count) {
    return fit_harmonic(memory_rows(in.X, in.Y), names, options, 1, Threads(count));
  };
  const HarmonicFit one = fit(1), three = fit(3);
  ASSERT_TRUE(std::holds_alternative<HeteroscedasticNoise>(one.gp.likelihood));
  EXPECT_EQ(parameters(one.gp.likelihood), parameters(three.gp.likelihood));
  EXPECT_EQ(one.gp.mean.front(), three.gp.mean.front());
  EXPECT_EQ(one.calibration.spread, three.calibration.spread);
}

TEST(NoiseModel, DrawsAndQuantilesAreThoseOfTheDensity) {
  const Fan in(1, 600);
  const HarmonicFit fit = fitted(in.X, in.Y, "heteroscedastic");
  const Matrix x{{1.5, 0.3}, {-1.5, 0.2}};
  const HarmonicPrediction p = predict(fit, x, threads);
  constexpr Index S = 4000;
  Matrix draws(S, 2);
  const std::vector<Matrix> y = sample_outcomes(fit, x, S, Rng(5), threads);
  for (Index s = 0; s < S; ++s) draws.row(s) = y[static_cast<std::size_t>(s)].transpose();
  const std::vector<Matrix> q = predict_quantiles(fit, p.draws, {0.05, 0.5, 0.95}, threads);
  for (Index n = 0; n < 2; ++n) {
    for (const auto& [level, at] : {std::pair{0.05, 0}, {0.5, 1}, {0.95, 2}}) {
      const double share =
          double((draws.col(n).array() <= q[static_cast<std::size_t>(at)](n, 0)).count()) / S;
      EXPECT_NEAR(share, level, 4 * std::sqrt(level * (1 - level) / S));
    }
  }
  // The slope of the distribution function is the density.
  const Matrix at = p.y.mean + 0.6 * p.y.variance.cwiseSqrt(), h = 1e-3 * p.y.variance.cwiseSqrt();
  const auto F = [&](const Matrix& t) {
    return cumulative(fit.gp.likelihood, p.draws, fit.outputs.apply(t), threads);
  };
  const Matrix slope = (F(at + h) - F(at - h)).array() / (2 * h.array());
  const Matrix density = log_density(fit, x, at, threads).array().exp();
  EXPECT_LT(((slope - density).array() / density.array()).abs().maxCoeff(), 1e-5);
}

// Noise that is the same everywhere but has heavy tails (t with 3 degrees): the spread of the log variance takes them up.
TEST(NoiseModel, TakesUpHeavyTails) {
  const auto heavy = [](std::uint64_t seed, Index N) {
    Fan d(seed, N);
    Rng rng(seed + 7);
    for (Index n = 0; n < d.Y.rows(); ++n)
      d.Y(n, 0) = std::sin(2 * d.X(n, 0)) + 0.3 * rng.normal() / std::sqrt(rng.chi_squared(3) / 3);
    return d;
  };
  const Fan in = heavy(1, 3000), out = heavy(3, 1200);
  const HarmonicFit tails = fitted(in.X, in.Y, "by inputs"), normal = fitted(in.X, in.Y, "gaussian");
  EXPECT_LT(nll(tails, out.X, out.Y), nll(normal, out.X, out.Y) - 0.03);
  // Three standard errors of the shares that 300 validation rows and 1,200 others say.
  EXPECT_NEAR(covered(tails, out.X, out.Y), 0.9, 3 * std::sqrt(0.09 / 300 + 0.09 / 1200));
  EXPECT_GT(tails.calibration.spread(0), 0.2);
}

// Validation rows whose residuals are twice as large as the model says: the factor is 4, within its standard error.
TEST(Calibration, FindsTheFactorOfTheNoise) {
  const Fan in(1, 400);
  const HarmonicFit raw = fitted(in.X, in.Y, "gaussian", false);
  EXPECT_EQ(raw.calibration.noise.size(), 0);
  const Index N = 1500;
  HarmonicFit fit = raw;
  const double variance = std::get<GaussianNoise>(raw.gp.likelihood).variance(0);
  const Matrix Y = 2 * std::sqrt(variance) * Rng(9).normal(N, 1);
  const std::vector<LatentMarginals> f{{Matrix::Zero(N, 1), Matrix::Zero(N, 1)}};
  calibrate(fit, f, Y, threads);
  EXPECT_NEAR(std::log(fit.calibration.noise(0)), std::log(4.0), 4 * std::sqrt(2.0 / double(N)) + 0.01);
  EXPECT_DOUBLE_EQ(std::get<GaussianNoise>(fit.gp.likelihood).variance(0),
                   variance * fit.calibration.noise(0));
  // Rows without weight have no part: the other half says 1.
  Matrix weighted(N, 2);
  weighted.col(0) = Y.col(0);
  weighted.col(0).tail(N / 2) /= 2;
  weighted.col(1) << Vector::Zero(N - N / 2), Vector::Constant(N / 2, 2);
  fit = raw;
  calibrate(fit, f, weighted, threads);
  EXPECT_NEAR(std::log(fit.calibration.noise(0)), 0, 4 * std::sqrt(4.0 / double(N)) + 0.01);
  weighted.col(1).setZero();
  fit = raw;
  calibrate(fit, f, weighted, threads);
  EXPECT_EQ(fit.calibration.noise(0), 1);
  // Intervals that hold every row, as those of noise that is far too large do, say how much too large they are.
  for (const double ratio : {0.2, 0.35}) {
    fit = raw;
    calibrate(fit, f, ratio / 2 * Y, threads);
    EXPECT_NEAR(std::log(fit.calibration.noise(0)), 2 * std::log(ratio), 0.35) << ratio;
  }
  // A few rows say nothing.
  fit = raw;
  calibrate(fit, {{Matrix::Zero(15, 1), Matrix::Zero(15, 1)}}, Y.topRows(15), threads);
  EXPECT_EQ(fit.calibration.noise(0), 1);
}

// Classes drawn from softmax(f) where the model says f / 3: the temperature is a third.
TEST(Calibration, FindsTheTemperature) {
  const Index N = 1500;
  const Matrix f = 2 * Rng(4).normal(N, 3);
  Rng rng(6);
  Matrix Y(N, 1);
  for (Index n = 0; n < N; ++n) Y(n, 0) = double(rng.categorical_log(f.row(n).transpose()));
  HarmonicFit fit = fitted(Rng(1).normal(60, 2), Y.topRows(60), "softmax", false);
  calibrate(fit, {{f / 3, Matrix::Zero(N, 3)}}, Y, threads);
  EXPECT_NEAR(std::log(fit.calibration.temperature), -std::log(3.0), 0.15);
  LatentMarginals one{Matrix{{3, 0, 1}}, Matrix{{9, 0, 1}}};
  fit.calibration.temperature = 2;
  apply_calibration(fit, one);
  EXPECT_EQ(one.mean, (Matrix{{1.5, 0, 0.5}}));
  EXPECT_EQ(one.variance, (Matrix{{2.25, 0, 0.25}}));
}

// Parts of f add up to f, divided by the temperature as f is.
TEST(Calibration, PartsOfClassesAddUp) {
  const Matrix X = Rng(1).normal(80, 2);
  Matrix Y(80, 1);
  for (Index n = 0; n < 80; ++n) Y(n, 0) = X(n, 0) > 0 ? 1 + double(X(n, 1) > 0) : 0;
  HarmonicFitOptions options = quick;
  options.steps = 40;
  options.likelihood = "softmax";
  options.symmetries = {"negate"};
  HarmonicFit fit =
      fit_harmonic(memory_rows(X, Y), {.inputs = {"a", "b"}, .outcomes = {"y"}, .classes = {"u", "v", "w"}},
                   options, 1, threads);
  fit.calibration.temperature = 2;
  const HarmonicPrediction p = predict(fit, X, threads);
  Matrix sum = Matrix::Zero(80, 3);
  for (const LatentMarginals& part : predict_parts(fit, X, threads)) sum += part.mean;
  EXPECT_LT((sum - p.f.mean).norm(), 1e-10 * p.f.mean.norm());
}

// Counts that scatter more than Poisson's: NB of size 2.
TEST(NegativeBinomialFit, IntervalsHoldOverdispersedCounts) {
  const auto counts = [](std::uint64_t seed) {
    Fan d(seed);
    Rng rng(seed + 3);
    for (Index n = 0; n < d.Y.rows(); ++n)
      d.Y(n, 0) = double(negative_binomial(2, std::exp(2 + std::sin(2 * d.X(n, 0))) / 2, rng));
    return d;
  };
  const Fan in = counts(1), out = counts(3);
  const HarmonicFit poisson = fitted(in.X, in.Y, "poisson"), negbinom = fitted(in.X, in.Y, "negbinom");
  EXPECT_LT(nll(negbinom, out.X, out.Y), nll(poisson, out.X, out.Y) - 0.5);
  EXPECT_LT(covered(poisson, out.X, out.Y), 0.75);
  EXPECT_NEAR(covered(negbinom, out.X, out.Y), 0.9, 0.03);
  EXPECT_NEAR(std::log(std::get<NegativeBinomial>(negbinom.gp.likelihood).size(0)), std::log(2.0), 0.35);
  const HarmonicPrediction p = predict(negbinom, out.X, threads);
  double off = 0;  // f_mean is the log of the rate
  for (Index n = 0; n < out.X.rows(); ++n)
    off += std::abs(p.f.mean(n, 0) - 2 - std::sin(2 * out.X(n, 0))) / double(out.X.rows());
  EXPECT_LT(off, 0.2);
}

/// Too few validation rows to judge coverage: the rows that were learned from do, and only against noise that is too small.
TEST(NoiseModel, SmallTablesAreWidenedByTheRowsThatTheyLearnedFrom) {
  int wider = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    Rng rng(seed);
    const Matrix X = rng.normal(60, 2), Y = rng.normal(60, 1), fresh = rng.normal(40, 2);
    const HarmonicFit plain = fitted(X, Y, "gaussian", false), fit = fitted(X, Y, "gaussian");
    const double before = std::get<GaussianNoise>(plain.gp.likelihood).variance(0),
                 after = std::get<GaussianNoise>(fit.gp.likelihood).variance(0),
                 factor = fit.calibration.noise(0);
    EXPECT_GE(factor, 1) << seed;
    EXPECT_NEAR(after, factor * before, 1e-9 * after) << seed;
    EXPECT_EQ(predict(fit, fresh, threads).f.mean, predict(plain, fresh, threads).f.mean) << seed;
    wider += factor > 1.01;
  }
  EXPECT_GT(wider, 0);
}

}  // namespace
}  // namespace bochner::harmonic_noise_model_test
