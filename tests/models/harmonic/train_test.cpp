#include "src/models/harmonic/train.hpp"

#include <gtest/gtest.h>

#include "bochner/random/rng.hpp"
#include "tests/support/gradient_check.hpp"
#include "twin.hpp"

namespace bochner::train_test {
namespace {

using namespace testing;

const AnyKernel kernel = Rbf{.ell = Vector::Constant(2, 1.2), .sigma2 = 1.3};
const AnyLikelihood noise = GaussianNoise{.variance = Vector{{0.2, 0.4}}};

struct Parameters {
  HarmonicGp gp;
  TiedParameters tied;

  Vector flat_all() const {
    std::vector<Vector> parts{tied.gather(parameters(gp.kernel)),
                              parameters(gp.likelihood),
                              flat(gp.Z[0]),
                              flat(gp.mean[0]),
                              flat(gp.factor[0][0]),
                              flat(gp.factor[0][1])};
    Index size = 0;
    for (const Vector& p : parts) size += p.size();
    Vector out(size);
    Index at = 0;
    for (const Vector& p : parts) out.segment(at, p.size()) = p, at += p.size();
    return out;
  }

  HarmonicGp with(const Vector& v) const {
    HarmonicGp out = gp;
    const Index m = gp.inducing();
    Index at = 0;
    const auto next = [&](Index size) -> Vector {
      at += size;
      return v.segment(at - size, size);
    };
    out.kernel = with_parameters(gp.kernel, tied.spread(next(tied.count)));
    out.likelihood = with_parameters(gp.likelihood, next(2));
    out.Z[0] = unflat(next(m * 2), m, 2);
    out.mean[0] = unflat(next(m * 2), m, 2);
    for (Matrix& F : out.factor[0]) F = unflat(next(m * m), m, m).triangularView<Eigen::Lower>();
    return out;
  }
};

// One group is the sparse variational GP of [hensman2013]: the same numbers after each step of Adam as a program that knows
// nothing but the textbook's bound and differences of it.
TEST(HarmonicTrain, OneGroupIsSvgpStepForStep) {
  const Index N = 14, m = 4;
  const Matrix X = Rng(1).normal(N, 2), Y = Rng(2).normal(N, 2), Z = Rng(3).normal(m, 2);
  const TiedParameters tied = TiedParameters::make(kernel, true);
  const Parameters start{make_harmonic_gp(kernel, {}, Z, noise, {.latents = 2, .jitter = 1e-6}), tied};

  // by hand [kingma2015, Alg. 1]
  Vector theta = start.flat_all(), first = Vector::Zero(theta.size()), second = first;
  const auto bound = [&](const Vector& v) {
    const HarmonicGp gp = start.with(v);
    const SlowHarmonic slow = slow_harmonic(gp, X);
    return expected_log(gp.likelihood, Y, slow.mean, slow.variance).rows.sum() - slow.kl;
  };
  const Index taken = 4;
  for (Index t = 1; t <= taken; ++t) {
    const Vector g = numerical_gradient(bound, theta);
    first = 0.9 * first + 0.1 * g;
    second = 0.999 * second + 0.001 * g.cwiseAbs2();
    const double a = 1 - std::pow(0.9, double(t)), b = 1 - std::pow(0.999, double(t));
    for (Index i = 0; i < theta.size(); ++i)
      if (std::abs(g(i)) > 1e-10)  // what lies above the diagonal of a factor has no gradient but rounding
        theta(i) += 0.05 * (first(i) / a) / (std::sqrt(second(i) / b) + 1e-8);
  }

  Batches batches(memory_rows(X, Y), {.batch = N}, Rng(4));
  const HarmonicFitOptions options{
      .steps = 100, .step_size = 0.05, .natural_step = 0, .validation = 0, .check_every = 1000};
  HarmonicTrained trained =
      train_harmonic(start.gp, {{tied, Vector::Ones(2)}}, batches, options, Rng(5), Threads(2),
                     {.on_step = [&](const HarmonicProgress& at) { return at.step < taken; }});
  EXPECT_EQ(trained.status, Status::stopped_by_callback);
  EXPECT_EQ(trained.steps, taken);
  const Vector got = Parameters{trained.gp, tied}.flat_all(),
               expected = Parameters{start.with(theta), tied}.flat_all();
  EXPECT_LT((got - expected).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_GT((got - start.flat_all()).cwiseAbs().maxCoeff(), 0.1);
}

TEST(HarmonicTrain, StepSizesNeverGrow) {
  for (const Index from : {-1, 0, 10, 70, 149}) {
    const Cooling cooling{.steps = 300, .check_every = 10, .from = from};
    EXPECT_LE(cooling.end(), 300);
    double last = 1;
    for (Index step = 0; step < cooling.end(); ++step) {
      EXPECT_LE(cooling.factor(step), last);
      last = cooling.factor(step);
    }
    EXPECT_LT(last, 0.1);
    EXPECT_EQ(cooling.factor(std::max<Index>(cooling.begin() - 1, 0)), 1);
  }
}

TEST(HarmonicTrain, EndsSoonerWhenNothingIsGained) {
  const Matrix X = Rng(1).normal(300, 2), Y = Rng(2).normal(300, 2);  // nothing to learn
  Batches batches(memory_rows(X, Y), {.batch = 100, .validation = 100}, Rng(4));
  const HarmonicGp start = make_harmonic_gp(kernel, {}, Rng(3).normal(5, 2), noise, {.latents = 2});
  const HarmonicFitOptions options{.steps = 4000, .check_every = 10, .patience = 5};
  const HarmonicTrained trained =
      train_harmonic(start, {{TiedParameters::make(kernel, true), Vector::Ones(2)}}, batches, options, Rng(5),
                     Threads(1), {});
  EXPECT_EQ(trained.status, Status::converged);
  EXPECT_LT(trained.steps, 2000);
  double best = -1e300;
  for (const HarmonicStep& s : trained.trace) best = std::max(best, s.validation);
  const LatentMarginals f = predict_latent(trained.gp, batches.validation_X(), Threads(1));
  const Matrix density = log_predictive(trained.gp.likelihood, batches.validation_Y(), f.mean, f.variance);
  EXPECT_NEAR(density.rowwise().sum().mean(), best, 1e-12);
}

TEST(HarmonicTrain, BreakdownsAreSteppedBackFrom) {
  // A step size that blows the kernel up at once: the bound is not finite, and half the step is tried, and half of that ..
  const Matrix X = Rng(1).normal(30, 2), Y = Rng(2).normal(30, 2);
  Batches batches(memory_rows(X, Y), {.batch = 30}, Rng(4));
  const HarmonicGp start = make_harmonic_gp(kernel, {}, Rng(3).normal(5, 2), noise, {.latents = 2});
  const HarmonicTrained wild = train_harmonic(
      start, {{TiedParameters::make(kernel, true), Vector::Ones(2)}}, batches,
      {.steps = 30, .step_size = 2000, .validation = 0, .check_every = 5}, Rng(5), Threads(1), {});
  EXPECT_TRUE(predict_latent(wild.gp, X, Threads(1)).mean.allFinite());
}

}  // namespace
}  // namespace bochner::train_test
