// The linear kernel makes the latent variable model dual probabilistic PCA, whose maxima are known in closed form
// [lawrence2005], [li2024, Thm. 3.1, Prop. 3.2, 3.3].
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <cmath>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/evidence/kernel_evidence.hpp"
#include "bochner/infer/lbfgs.hpp"
#include "bochner/kernels/gram.hpp"
#include "bochner/kernels/linear.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "tests/support/gradient_check.hpp"
#include "tests/support/slow_evidence.hpp"

namespace bochner::linear_test {
namespace {

constexpr Index N = 14, M = 40, Q = 3;

Matrix example() {
  const Vector size{{3.0, 2.0, 1.2}};
  return Rng(1).normal(N, Q) * size.asDiagonal() * Rng(2).normal(Q, M) / std::sqrt(double(Q)) +
         0.5 * Rng(3).normal(N, M);
}

/// Eigenvalues of Y Y' / M from the largest down, and their vectors.
struct Spectrum {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  explicit Spectrum(const Matrix& Y) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
        Eigen::MatrixXd(Y * Y.transpose() / double(Y.cols())));
    values = solver.eigenvalues().reverse();
    vectors = solver.eigenvectors().rowwise().reverse();
  }
  double discarded_mean() const { return values.tail(N - Q).mean(); }
  Matrix solution(double sigma2) const {
    return vectors.leftCols(Q) * (values.head(Q).array() - sigma2).max(0.0).sqrt().matrix().asDiagonal();
  }
};

/// log p(Y | X X' + sigma2 I), with gradient in X row by row and, when it is free, in log sigma2.
struct DualPpca {
  Observations<double> Y{example(), Threads(1)};
  Linear kernel{.weight = Vector::Ones(Q)};
  std::optional<double> fixed;

  double operator()(const Vector& theta, Vector& grad) const {
    const Matrix X = testing::unflat(theta.head(N * Q), N, Q);
    const double sigma2 = fixed ? *fixed : std::exp(theta(N * Q));
    const Matrix K = gram(kernel, X, Threads(1));
    const KernelEvidence e = kernel_evidence(K, Y, sigma2, true, Threads(1));
    grad.head(N * Q) = testing::flat(gram_pullback(kernel, X, K, e.dL_dK, Threads(1)).dX);
    if (!fixed) grad(N * Q) = e.dsigma2 * sigma2;
    return e.value;
  }
  Vector theta(const Matrix& X, double sigma2) const {
    Vector out(N * Q + (fixed ? 0 : 1));
    out.head(N * Q) = testing::flat(X);
    if (!fixed) out(N * Q) = std::log(sigma2);
    return out;
  }
  OptimizeResult climb(std::uint64_t seed, double sigma2 = 1) const {
    return maximize(
        Objective(*this), theta(Rng(seed).normal(N, Q), sigma2),
        LbfgsOptions{.max_iterations = 5000, .gradient_tolerance = 1e-7, .value_tolerance = 1e-15});
  }
};

Eigen::VectorXd singular_values(const Matrix& X) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(Eigen::MatrixXd(X)).singularValues();
}

TEST(DualPpca, ClosedFormIsStationaryAndAMaximum) {
  const Spectrum spectrum(example());
  const double sigma2 = spectrum.discarded_mean();
  const DualPpca f;
  const Vector best = f.theta(spectrum.solution(sigma2), sigma2);
  Vector grad(best.size());
  const double value = f(best, grad);
  EXPECT_LT(grad.norm(), 1e-8 * std::abs(value));

  // the value itself, from the eigenvalues alone
  const double log_det = spectrum.values.head(Q).array().log().sum() + double(N - Q) * std::log(sigma2);
  EXPECT_NEAR(value, -0.5 * double(M) * (double(N) * log_2pi + log_det + double(N)), 1e-9 * std::abs(value));

  Rng rng(4);
  for (int i = 0; i < 200; ++i) {
    const double size = i % 2 == 0 ? 0.01 : 0.3;
    EXPECT_LT(f(best + size * rng.normal(best.size()), grad), value);
  }
}

TEST(DualPpca, EveryClimbEndsThere) {
  const Spectrum spectrum(example());
  const double sigma2 = spectrum.discarded_mean();
  const DualPpca f;
  Vector grad(N * Q + 1);
  const double value = f(f.theta(spectrum.solution(sigma2), sigma2), grad);
  for (const std::uint64_t seed : {11, 12, 13}) {
    const OptimizeResult result = f.climb(seed);
    EXPECT_NEAR(result.value, value, 1e-8 * std::abs(value));
    EXPECT_NEAR(std::exp(result.theta(N * Q)), sigma2, 1e-4 * sigma2);
    const Matrix X = testing::unflat(result.theta.head(N * Q), N, Q), truth = spectrum.solution(sigma2);
    EXPECT_LT((X * X.transpose() - truth * truth.transpose()).norm(),
              1e-4 * (truth * truth.transpose()).norm());
  }
}

TEST(DualPpca, TooMuchFixedNoiseCollapsesDimensions) {
  const Spectrum spectrum(example());
  for (Index kept = 0; kept < Q; ++kept) {  // noise between the eigenvalues kept and kept + 1
    const double sigma2 =
        kept == 0 ? 1.5 * spectrum.values(0) : 0.5 * (spectrum.values(kept - 1) + spectrum.values(kept));
    DualPpca f;
    f.fixed = sigma2;
    Vector grad(N * Q);
    const Matrix solution = spectrum.solution(sigma2);
    const double value = f(f.theta(solution, sigma2), grad);
    EXPECT_LT(grad.norm(), 1e-8 * std::abs(value));
    for (const std::uint64_t seed : {21, 22}) {
      const OptimizeResult result = f.climb(seed);
      EXPECT_NEAR(result.value, value, 1e-7 * std::abs(value));
      const Eigen::VectorXd found = singular_values(testing::unflat(result.theta, N, Q));
      for (Index q = 0; q < Q; ++q) {
        if (q < kept)
          EXPECT_NEAR(found(q), std::sqrt(spectrum.values(q) - sigma2), 1e-3)
              << kept << " kept, dimension " << q;
        else
          EXPECT_LT(found(q), 1e-3) << kept << " kept, dimension " << q;
      }
    }
  }
}

TEST(DualPpca, TheFittedModelFindsThePrincipalSubspace) {
  const Matrix truth = Rng(41).normal(80, 2);
  const Matrix Y = truth * Rng(42).normal(2, 12) + 0.3 * Rng(43).normal(80, 12);
  const GplvmFit fit =
      fit_gplvm(join({make_view("y", Y)}),
                {.view = {.kernel = "linear", .scaling = ViewScaling::centre}, .steps = 400, .restarts = 1},
                1, Threads(1));
  EXPECT_GT(affine_r2(fit.latent.mean, truth).mean, 0.98);
  EXPECT_NEAR(fit.views[0].noise_variance, 0.09, 0.15 * 0.09);
}

TEST(DualPpca, TheFittedModelCollapsesUnderFixedNoise) {
  // All of the noise that a table can have is no room for latents: they return to the prior.
  const Matrix Y = Rng(41).normal(60, 2) * Rng(42).normal(2, 8) + 0.3 * Rng(43).normal(60, 8);
  const auto fit = [&](std::optional<double> noise) {
    return fit_gplvm(join({make_view("y", Y)}),
                     {.view = {.kernel = "linear", .scaling = ViewScaling::whole_view, .fixed_noise = noise},
                      .steps = 400,
                      .restarts = 1},
                     1, Threads(1));
  };
  const GplvmFit learned = fit({}), fixed = fit(30.0);
  EXPECT_EQ(fixed.views[0].noise_variance, 30.0);
  EXPECT_GT(learned.latent.mean.cwiseAbs2().mean(), 0.5);
  EXPECT_LT(learned.latent.sd.maxCoeff(), 0.6);
  EXPECT_LT(fixed.latent.mean.cwiseAbs2().mean(), 0.05);
  EXPECT_GT(fixed.latent.sd.minCoeff(), 0.8);
}

}  // namespace
}  // namespace bochner::linear_test
