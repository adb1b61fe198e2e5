#include "bochner/models/harmonic/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/assess/prediction_scores.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/models/gp/gp_regression.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::fit_test {
namespace {

const Threads threads(2);
const double nan = std::numeric_limits<double>::quiet_NaN();

HarmonicNames names(Index inputs, Index outcomes) {
  HarmonicNames out;
  for (Index i = 1; i <= inputs; ++i) out.inputs.push_back("x" + std::to_string(i));
  for (Index i = 1; i <= outcomes; ++i) out.outcomes.push_back("y" + std::to_string(i));
  return out;
}

/// f of two inputs, in odd units, with noise of sd 0.2 of its range.
struct Data {
  Matrix X, F, Y;
};
Data waves(Index N, std::uint64_t seed) {
  Data d{4 * Rng(seed).uniform(2 * N).reshaped<Eigen::RowMajor>(N, 2).array() - 2, Matrix(N, 2),
         Matrix(N, 2)};
  d.X.col(1) = 30 * d.X.col(1).array() + 500;
  for (Index n = 0; n < N; ++n) {
    const double a = d.X(n, 0), b = (d.X(n, 1) - 500) / 30;
    d.F.row(n) << 100 + 20 * std::sin(1.5 * a) * std::cos(b), 0.01 * (a * a - b);
  }
  const Matrix noise = Rng(seed + 1).normal(N, 2);
  d.Y.col(0) = d.F.col(0) + 4 * noise.col(0);
  d.Y.col(1) = d.F.col(1) + 0.002 * noise.col(1);
  return d;
}

const HarmonicFitOptions quick{
    .inducing = 40, .steps = 400, .batch = 100, .step_size = 0.03, .check_every = 50};

TEST(HarmonicFit, LearnsFunctionsAndNoiseInTheUnitsOfTheTable) {
  const Data in = waves(1500, 1), out = waves(400, 3);
  for (const auto& symmetries : {std::vector<std::string>{}, std::vector<std::string>{"negate:pca:2"}}) {
    HarmonicFitOptions options = quick;
    options.symmetries = symmetries;
    const HarmonicFit fit = fit_harmonic(memory_rows(in.X, in.Y), names(2, 2), options, 1, threads);
    EXPECT_EQ(fit.gp.groups(), symmetries.empty() ? 1 : 4);
    const HarmonicPrediction p = predict(fit, out.X, threads);
    EXPECT_LT(rmse(out.F.col(0), p.f.mean.col(0)), 1.5);
    EXPECT_LT(rmse(out.F.col(1), p.f.mean.col(1)), 0.001);
    const auto& noise = std::get<GaussianNoise>(fit.gp.likelihood);
    EXPECT_NEAR(std::sqrt(noise.variance(0)) * fit.outputs.scale(0), 4, 0.5);
    EXPECT_NEAR(std::sqrt(noise.variance(1)) * fit.outputs.scale(1), 0.002, 0.0004);
    EXPECT_NEAR(gaussian_coverage(out.Y, p.y.mean, p.y.variance, 0.9), 0.9, 0.04);
    // log densities are those of the Gaussian predictive, in table units
    EXPECT_NEAR(log_density(fit, out.X, out.Y, threads).mean(),
                log_predictive_density(out.Y, p.y.mean, p.y.variance), 1e-9);
    const std::vector<LatentMarginals> parts = predict_parts(fit, out.X, threads);
    Matrix sum = fit.outputs.centre.transpose().replicate(400, 1);
    for (const LatentMarginals& part : parts) sum += part.mean;
    EXPECT_LT((sum - p.f.mean).norm(), 1e-8 * sum.norm());
  }
}

TEST(HarmonicFit, HolesInOutcomesAreLeftOut) {
  Data in = waves(1200, 5);
  const Data out = waves(300, 7);
  for (Index n = 0; n < 1200; ++n) in.Y(n, n % 2) = nan;
  const HarmonicFit fit = fit_harmonic(memory_rows(in.X, in.Y), names(2, 2), quick, 1, threads);
  const Matrix mean = predict(fit, out.X, threads).f.mean;
  EXPECT_LT(rmse(out.F.col(0), mean.col(0)), 2);
  EXPECT_LT(rmse(out.F.col(1), mean.col(1)), 0.0015);
}

TEST(HarmonicFit, CountsAndClasses) {
  const Index N = 1500;
  const Matrix X = 2 * Rng(1).normal(2 * N, 2);
  Rng rng(2);
  Matrix count(2 * N, 1), binary(2 * N, 1), third(2 * N, 1), heavy(2 * N, 1);
  Vector rate(2 * N);
  for (Index n = 0; n < 2 * N; ++n) {
    const double f = std::sin(X(n, 0)) + 0.5 * X(n, 1);
    rate(n) = std::exp(f);
    double left = rate(n), k = -1;  // Poisson by waiting times
    for (; left > 0; ++k) left -= rng.exponential();
    count(n, 0) = k;
    binary(n, 0) = f > 0;
    third(n, 0) = f > 0.7 ? 2 : f > -0.7 ? 1 : 0;
    heavy(n, 0) = f + 0.1 * rng.normal() / std::sqrt(rng.chi_squared(3) / 3);
  }
  const auto fitted = [&](const std::string& likelihood, const Matrix& Y, std::vector<std::string> classes) {
    HarmonicFitOptions options = quick;
    options.likelihood = likelihood;
    HarmonicNames all = names(2, 1);
    all.classes = std::move(classes);
    return fit_harmonic(memory_rows(X.topRows(N), Y.topRows(N)), all, options, 1, threads);
  };
  const Matrix X_new = X.bottomRows(N);
  const auto right = [&](const Matrix& probabilities, const Matrix& Y) {
    double sum = 0;
    for (Index n = 0; n < N; ++n) {
      Index c = 0;
      probabilities.row(n).maxCoeff(&c);
      sum += double(c) == Y(N + n, 0);
    }
    return sum / double(N);
  };
  const HarmonicPrediction counts = predict(fitted("poisson", count, {}), X_new, threads);
  // a constant rate is off by 0.9 in the mean, and q(f) has a standard deviation of about 0.2
  EXPECT_LT((counts.y.mean.col(0).array().log() - rate.tail(N).array().log()).abs().mean(), 0.2);
  EXPECT_NEAR(counts.f.variance.cwiseSqrt().mean(), 0.2, 0.08);
  const HarmonicPrediction two = predict(fitted("bernoulli", binary, {"no", "yes"}), X_new, threads);
  double correct = 0;
  for (Index n = 0; n < N; ++n) correct += (two.probabilities(n, 0) > 0.5) == (binary(N + n, 0) > 0.5);
  EXPECT_GT(correct / double(N), 0.96);
  EXPECT_GT(right(predict(fitted("softmax", third, {"a", "b", "c"}), X_new, threads).probabilities, third),
            0.93);
  EXPECT_GT(right(predict(fitted("robustmax", third, {"a", "b", "c"}), X_new, threads).probabilities, third),
            0.93);
  const HarmonicPrediction t = predict(fitted("student", heavy, {}), X_new, threads);
  EXPECT_LT((t.f.mean.col(0).array() - rate.tail(N).array().log()).abs().mean(), 0.05);
}

TEST(HarmonicFit, LargeCounts) {
  const Index N = 1000;
  const Matrix X = 2 * Rng(1).normal(2 * N, 1);
  Rng rng(2);
  Matrix Y(2 * N, 1), rate(2 * N, 1);
  for (Index n = 0; n < 2 * N; ++n) {
    rate(n, 0) = 100 * std::exp(0.8 * std::sin(X(n, 0)));
    double left = rate(n, 0), k = -1;
    for (; left > 0; ++k) left -= rng.exponential();
    Y(n, 0) = k;
  }
  HarmonicFitOptions options = quick;
  options.likelihood = "poisson";
  const HarmonicFit fit =
      fit_harmonic(memory_rows(X.topRows(N), Y.topRows(N)), names(1, 1), options, 1, threads);
  const HarmonicPrediction p = predict(fit, X.bottomRows(N), threads);
  EXPECT_LT(rmse(rate.bottomRows(N), p.y.mean), 8);  // sd of a count 10, of the rates 60
  EXPECT_LT((p.f.mean.array() - rate.bottomRows(N).array().log()).abs().mean(), 0.05);
}

TEST(HarmonicFit, SharedCovariance) {
  const Data in = waves(1000, 31), out = waves(300, 33);
  HarmonicFitOptions options = quick;
  options.shared_covariance = true;
  const HarmonicFit fit = fit_harmonic(memory_rows(in.X, in.Y), names(2, 2), options, 1, threads);
  EXPECT_EQ(fit.gp.factor.front().size(), 1u);
  const Matrix mean = predict(fit, out.X, threads).f.mean;
  EXPECT_LT(rmse(out.F.col(0), mean.col(0)), 2);
  EXPECT_LT(rmse(out.F.col(1), mean.col(1)), 0.001);
}

TEST(HarmonicFit, WithAllRowsAsInducingPointsItIsTheExactGp) {
  const Data in = waves(60, 9), out = waves(20, 11);
  HarmonicFitOptions options = quick;
  options.inducing = 60;
  options.learn_kernel = options.learn_inducing = false;
  options.validation = 0;
  options.natural_step = 1;
  options.steps = 400;
  options.jitter = 1e-12;
  options.kernel = "rbf";
  const HarmonicFit fit = fit_harmonic(memory_rows(in.X, in.Y.leftCols(1)), names(2, 1), options, 1, threads);
  const double noise = std::get<GaussianNoise>(fit.gp.likelihood).variance(0);
  const GpFit exact = GpRegression{fit.gp.kernel, noise}.fit(
      fit.inputs.apply(in.X), fit.outputs.apply(in.Y.leftCols(1)), {.learn = false}, Rng(1), threads);
  const Predictive p = exact.predict(fit.inputs.apply(out.X), threads);
  const HarmonicPrediction q = predict(fit, out.X, threads);
  EXPECT_LT((fit.outputs.undo(p.mean) - q.f.mean).cwiseAbs().maxCoeff(), 0.02);
  EXPECT_LT((fit.outputs.undo_variance(p.f_variance) - q.f.variance).cwiseAbs().maxCoeff(), 0.05);
}

TEST(HarmonicFit, ResumedRunsHaveTheBytesOfUninterruptedOnes) {
  const Data in = waves(500, 13);
  for (const double natural : {0.1, 0.0}) {
    HarmonicFitOptions options = quick;
    options.steps = 60;
    options.check_every = 10;
    options.natural_step = natural;
    options.symmetries = {"negate"};
    const RowSource source = memory_rows(in.X, in.Y);
    const HarmonicFit whole = fit_harmonic(source, names(2, 2), options, 5, threads);
    for (const Index stop : {7, 30, 41}) {
      ModelGroup kept;
      fit_harmonic(source, names(2, 2), options, 5, threads, {.on_step = [&](const HarmonicProgress& at) {
                     if (at.step < stop) return true;
                     kept = at.checkpoint();
                     return false;
                   }});
      const HarmonicFit resumed =
          fit_harmonic(source, names(2, 2), options, 5, Threads(7), {.resume = &kept});
      EXPECT_EQ(resumed.gp.Z, whole.gp.Z);
      EXPECT_EQ(resumed.gp.mean, whole.gp.mean);
      EXPECT_EQ(resumed.gp.factor, whole.gp.factor);
      EXPECT_EQ(resumed.bound, whole.bound);
      EXPECT_EQ(resumed.trace.size(), whole.trace.size());
    }
  }
}

TEST(HarmonicFit, SymmetriesThatLearningWouldBreakAreRefused) {
  const Data in = waves(200, 15);
  HarmonicFitOptions options = quick;
  options.symmetries = {"negate:pca:2"};
  options.ard = true;  // the kernel starts with equal length-scales, and would leave them
  EXPECT_THROW(fit_harmonic(memory_rows(in.X, in.Y), names(2, 2), options, 1, threads), InputError);
  options.symmetries = {"negate:axes:2"};
  options.steps = 5;
  EXPECT_EQ(fit_harmonic(memory_rows(in.X, in.Y), names(2, 2), options, 1, threads).gp.groups(), 4);
}

// The second column says nothing: with length-scales of its own it need not be looked at.
TEST(HarmonicFit, ColumnsHaveTheirLengthScalesWhereSymmetriesAllowIt) {
  const Data in = waves(200, 16);
  HarmonicFitOptions options = quick;
  options.steps = 20;
  const auto fit = [&] { return fit_harmonic(memory_rows(in.X, in.Y), names(2, 2), options, 1, threads); };
  const auto differ = [](const HarmonicFit& f) {
    const Vector theta = parameters(f.gp.kernel);
    return theta(0) != theta(1);
  };
  EXPECT_TRUE(differ(fit()) && fit().options.ard == true);
  options.symmetries = {"negate:axes:2"};
  EXPECT_TRUE(differ(fit()));
  options.symmetries = {"negate:pca:2"};
  EXPECT_TRUE(!differ(fit()) && fit().options.ard == false);
  options.symmetries = {};
  options.ard = false;
  EXPECT_FALSE(differ(fit()));
}

TEST(HarmonicFit, PointsAndStepsFollowTheRowsAndTheTime) {
  const HarmonicFitOptions options;
  const auto chosen = [&](Index rows, double minutes, Index latents) {
    HarmonicFitOptions asked = options;
    asked.minutes = minutes;
    return with_effort(asked, rows, 10, latents, 1);
  };
  const HarmonicFitOptions small = chosen(3000, 3, 1), large = chosen(250000, 3, 1),
                           longer = chosen(250000, 30, 1);
  EXPECT_EQ(small.inducing, 500);
  EXPECT_EQ(small.steps, 2000);
  EXPECT_EQ(chosen(400, 3, 1).inducing, 360);  // a tenth is for validation
  EXPECT_GT(large.inducing, small.inducing);
  EXPECT_GE(large.steps, 2000);
  EXPECT_EQ(longer.inducing, 1000);
  EXPECT_GT(longer.steps, 5 * large.steps / 2);
  EXPECT_LE(double(longer.steps * longer.batch), 50.0 * 250000);
  EXPECT_LT(chosen(3000, 3, 10).inducing, small.inducing);  // ten covariances
  const HarmonicFitOptions tiny = chosen(3000, 0.01, 10);
  EXPECT_GE(tiny.inducing, 50);
  EXPECT_GE(tiny.steps, 200);
  HarmonicFitOptions told = options;
  told.inducing = 77;
  told.steps = 33;
  EXPECT_EQ(with_effort(told, 250000, 10, 1, 8).inducing, 77);
  EXPECT_EQ(with_effort(told, 250000, 10, 1, 8).steps, 33);
  HarmonicFitOptions deep = options;
  deep.layers = {"2"};
  EXPECT_LT(with_effort(deep, 250000, 10, 1, 1).inducing, large.inducing + 1);
}

TEST(HarmonicFit, AutoComparesSymmetries) {
  const Data in = waves(800, 17);
  HarmonicFitOptions options = quick;
  options.symmetries = {"auto"};
  options.steps = 5;
  const HarmonicFit fit = fit_harmonic(memory_rows(in.X, in.Y), names(2, 2), options, 1, threads);
  ASSERT_EQ(fit.compared.size(), 4u);  // nothing, all columns, by axes, by principal directions
  EXPECT_TRUE(fit.compared.front().words.empty());
  double least = 1, none = fit.compared.front().missed;
  for (const SymmetryScore& s : fit.compared) least = std::min(least, s.missed);
  EXPECT_LT(least, none);
  EXPECT_FALSE(fit.symmetries.empty());
  EXPECT_GT(fit.gp.groups(), 1);
  options.ard = true;  // leaves out what length-scales of their own would break
  for (const SymmetryScore& s :
       fit_harmonic(memory_rows(in.X, in.Y), names(2, 2), options, 1, threads).compared)
    EXPECT_TRUE(s.words.empty() || s.words.front().find("pca") == std::string::npos);
}

TEST(HarmonicFit, BadTablesAreOneMessage) {
  Data in = waves(50, 19);
  const auto sentence = [&](const HarmonicFitOptions& options, const Matrix& X,
                            const Matrix& Y) -> std::string {
    try {
      fit_harmonic(memory_rows(X, Y), names(X.cols(), Y.cols()), options, 1, threads);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  Matrix holes = in.X;
  holes(17, 1) = nan;
  EXPECT_NE(sentence(quick, holes, in.Y).find("row 18, column 'x2'"), std::string::npos);
  HarmonicFitOptions poisson = quick;
  poisson.likelihood = "poisson";
  EXPECT_NE(sentence(poisson, in.X, -in.Y).find("poisson"), std::string::npos);
  Matrix empty = in.Y;
  empty.col(1).setConstant(nan);
  EXPECT_NE(sentence(quick, in.X, empty).find("'y2'"), std::string::npos);
  EXPECT_NE(sentence(quick, 1e200 * in.X, in.Y).find("'x1'"), std::string::npos);
  HarmonicFitOptions linear = quick;
  linear.kernel = "linear";
  EXPECT_NE(sentence(linear, 0 * in.X, in.Y).find("zero"), std::string::npos);
  HarmonicFitOptions nothing = quick;
  nothing.likelihood = "cauchy";
  EXPECT_NE(sentence(nothing, in.X, in.Y).find("gaussian"), std::string::npos);
}

TEST(HarmonicFit, ConstantInputsAndFewRows) {
  Data in = waves(20, 21);
  in.X.col(1).setConstant(3);
  const HarmonicFit fit = fit_harmonic(memory_rows(in.X, in.Y), names(2, 2), quick, 1, threads);
  EXPECT_FALSE(fit.notes.empty());  // fewer rows than inducing points
  EXPECT_TRUE(predict(fit, in.X, threads).y.mean.allFinite());
}

}  // namespace
}  // namespace bochner::fit_test
