#include "src/models/gplvm/continuation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/kernels/make_kernel.hpp"
#include "examples.hpp"
#include "src/models/gplvm/start.hpp"

namespace bochner::continuation_test {
namespace {

const std::vector<std::string> mixtures{"sm", "ngsm", "bsm"};

/// What the mixtures are released from: another length scale in every dimension.
Rbf simple_kernel(Index Q) { return {.ell = Vector{{0.6, 1.7, 3.1}}.head(Q), .sigma2 = 0.8}; }

AnyKernel mixture(const std::string& name, Index Q, Index R) {
  return make_kernel(name, Q, Rng(1), {.sigma2 = 0.5, .components = R});
}

/// Latents as a fit has them, one of them far out.
Matrix latents(Index Q) {
  Matrix X = Rng(2).normal(50, Q);
  X.row(7) *= 4 / X.row(7).norm();
  return X;
}

/// The parameters of each component: theta lists R weights first, matrices R x Q row by row, a correlation for each last.
std::vector<Vector> by_component(const std::string& name, const Vector& theta, Index Q, Index R) {
  const Index matrices = name == "sm" ? 2 : name == "ngsm" ? 4 : 3, correlations = name == "sm" ? 0 : 1;
  EXPECT_EQ(theta.size(), R * (1 + matrices * Q + correlations));
  std::vector<Vector> out;
  for (Index r = 0; r < R; ++r) {
    Vector one(1 + matrices * Q + correlations);
    one(0) = theta(r);
    for (Index m = 0; m < matrices; ++m) one.segment(1 + m * Q, Q) = theta.segment(R + (m * R + r) * Q, Q);
    if (correlations) one(one.size() - 1) = theta(R + matrices * R * Q + r);
    out.push_back(one);
  }
  return out;
}

TEST(SimpleForm, IsASquaredExponentialOfTheSameVariance) {
  for (const std::string& name : mixtures) {
    const std::optional<AnyKernel> simple = simple_form(mixture(name, 3, 4));
    ASSERT_TRUE(simple) << name;
    EXPECT_EQ(kernel_name(*simple), "rbf");
    EXPECT_EQ(input_dims(*simple), 3);
    EXPECT_NEAR(std::get<Rbf>(*simple).sigma2, 0.5, 1e-12);
  }
  for (const char* name : {"rbf", "matern32", "linear", "rbf+linear", "gibbs"})
    EXPECT_FALSE(simple_form(make_kernel(name, 3, Rng(1)))) << name;
}

TEST(SameKernel, HasTheGramMatrixOfTheSimpleOne) {
  for (const std::string& name : mixtures)
    for (const Index Q : {2, 3})
      for (const Index R : {1, 2, 4})
        for (const double size : {0.1, 1.0, 5.0}) {  // latents that fill little or much of the length scales
          SCOPED_TRACE(name + ", Q = " + std::to_string(Q) + ", R = " + std::to_string(R));
          const Matrix X = size * latents(Q);
          const AnyKernel simple = simple_kernel(Q), same = same_kernel(simple, mixture(name, Q, R), X, 0.01);
          EXPECT_EQ(kernel_name(same), name);
          EXPECT_EQ(parameter_count(same), parameter_count(mixture(name, Q, R)));
          EXPECT_TRUE(parameters(same).allFinite()) << "it must have a place in theta";
          const Matrix K = gram(simple, X, Threads(1)), L = gram(same, X, Threads(1));
          EXPECT_LT((L - K).cwiseAbs().maxCoeff(), 0.01 * K.maxCoeff());
          EXPECT_LT(((L - K).array() / K.array().max(1e-6 * 0.8)).abs().maxCoeff(), 0.01) << "of each value";
          if (name == "sm") {
            EXPECT_LT((L - K).cwiseAbs().maxCoeff(), 1e-13) << "stationary: no difference";
          }
        }
}

TEST(MovedApart, KeepsTheGramMatrixNear) {
  for (const std::string& name : mixtures)
    for (const Index Q : {2, 3})
      for (const Index R : {1, 2, 4}) {
        SCOPED_TRACE(name + ", Q = " + std::to_string(Q) + ", R = " + std::to_string(R));
        const Matrix X = latents(Q);
        const AnyKernel same = same_kernel(simple_kernel(Q), mixture(name, Q, R), X, 0.01),
                        apart = moved_apart(same, X);
        EXPECT_EQ(kernel_name(apart), name);
        EXPECT_EQ(parameter_count(apart), parameter_count(same));
        const Matrix K = gram(same, X, Threads(1)), L = gram(apart, X, Threads(1));
        EXPECT_LT((L - K).norm(), 0.1 * K.norm());
        EXPECT_LT((L - K).cwiseAbs().maxCoeff(), 0.1 * K.maxCoeff());
        EXPECT_LT((L - K).diagonal().cwiseAbs().maxCoeff(), 0.02 * K.maxCoeff());
        EXPECT_GT((L - K).norm(), 1e-4 * K.norm()) << "it has moved";
      }
}

TEST(MovedApart, MakesNoTwoComponentsEqual) {
  for (const std::string& name : mixtures)
    for (const Index Q : {2, 3})
      for (const Index R : {1, 2, 4, 20}) {
        SCOPED_TRACE(name + ", Q = " + std::to_string(Q) + ", R = " + std::to_string(R));
        const Matrix X = latents(Q);
        const AnyKernel apart = moved_apart(same_kernel(simple_kernel(Q), mixture(name, Q, R), X, 0.01), X);
        const std::vector<Vector> parts = by_component(name, parameters(apart), Q, R);
        for (std::size_t r = 0; r < parts.size(); ++r) {
          // No mean frequency is zero, and none has the other of its pair: both would stay so.
          EXPECT_GT(parts[r].segment(1, Q).cwiseAbs().minCoeff(), 0);
          if (name != "sm") {
            EXPECT_GT((parts[r].segment(1, Q) - parts[r].segment(1 + Q, Q)).norm(), 1e-3);
          }
          for (std::size_t s = 0; s < r; ++s) EXPECT_GT((parts[r] - parts[s]).norm(), 1e-3) << r << s;
        }
      }
}

/// The gradient of the bound of a small table with respect to the parameters of a kernel.
Vector kernel_gradient(const AnyKernel& kernel, const Matrix& X, const Dataset& data) {
  const std::vector<GplvmViewOptions> views{{.kernel = kernel_name(kernel)}};
  const ScaledData scaled = scale_views(data, views);
  const GplvmParameters at{.latent = {X, Matrix::Constant(X.rows(), X.cols(), 0.05)},
                           .views = {{.kernel = kernel, .noise_variance = 0.3, .Z = Matrix(0, X.cols())}}};
  GplvmObjective objective =
      make_objective(scaled.data, {scaled.data.view(0).Y}, views, {.kind = FeatureSpec::Kind::exact},
                     FloatingPoint::double_precision, at, Rng(3), Threads(1));
  Vector theta = objective.start(), grad(theta.size()), sum = Vector::Zero(theta.size());
  for (Index step = 0; step < 8; ++step) {
    objective(theta, step, grad);
    sum += grad / 8;
  }
  return sum.segment(objective.offsets()[0], parameter_count(kernel));
}

// At the kernel that equals the simple one the components have one gradient, and would be one for ever.
TEST(MovedApart, GivesEveryComponentAGradientOfItsOwn) {
  const Index Q = 2;
  const Simulated truth = testing::s_curve_table(1, 50, 8);
  Matrix X = truth.X;
  whiten_columns(X);
  for (const std::string& name : mixtures)
    for (const Index R : {2, 4}) {
      SCOPED_TRACE(name + ", R = " + std::to_string(R));
      const AnyKernel same = same_kernel(simple_kernel(Q), mixture(name, Q, R), X, 0.01),
                      apart = moved_apart(same, X);
      const std::vector<Vector> together = by_component(name, kernel_gradient(same, X, truth.data), Q, R),
                                own = by_component(name, kernel_gradient(apart, X, truth.data), Q, R);
      const double size = own[0].norm();
      for (std::size_t r = 0; r < own.size(); ++r) {
        EXPECT_LT((together[r] - together[0]).norm(), 1e-9 * together[0].norm());
        EXPECT_LT(together[r].segment(1, Q).norm(), 1e-6 * together[r].norm()) << "mean frequencies stay 0";
        EXPECT_GT(own[r].segment(1, Q).cwiseAbs().minCoeff(), 1e-3 * size) << "and here they do not";
        if (name != "sm") {
          EXPECT_GT((own[r].segment(1, Q) - own[r].segment(1 + Q, Q)).norm(), 1e-4 * size)
              << "pairs separate";
        }
        for (std::size_t s = 0; s < r; ++s) EXPECT_GT((own[r] - own[s]).norm(), 0.02 * size) << r << s;
      }
    }
}

}  // namespace
}  // namespace bochner::continuation_test
