#include "bochner/infer/cayley_adam.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <stdexcept>

#include "bochner/core/errors.hpp"
#include "bochner/infer/stiefel.hpp"

namespace bochner::cayley_adam_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// tr(X'A X): on St(n, p) largest when the columns of X span the top eigenvectors.
struct TraceOf {
  Matrix A;
  double operator()(const Matrix& X, Matrix& grad) const {
    grad = 2 * A * X;
    return X.cwiseProduct(A * X).sum();
  }
};

/// Symmetric n x n, eigenvalues 10, 9, ..., the top ones in a random basis.
TraceOf random_trace(Index n, std::uint64_t seed) {
  Rng rng(seed);
  const Matrix Q = random_orthonormal(n, n, rng);
  Vector values(n);
  for (Index i = 0; i < n; ++i) values(i) = 10.0 - double(i);
  const Matrix A = Q * values.asDiagonal() * Q.transpose();
  return {0.5 * (A + A.transpose())};
}

Matrix start(Index n, Index p, std::uint64_t seed) {
  Rng rng(seed);
  return random_orthonormal(n, p, rng);
}

/// One step with W as an n x n matrix and the Cayley transform as an n x n solve, as li2020 prints it.
struct SlowTwin {
  Matrix M;
  double v = 0;
  Index count = 0;
  Matrix step(const Matrix& X, const Matrix& G, const CayleyAdamOptions& o) {
    const Index n = X.rows();
    if (count++ == 0) M = Matrix::Zero(n, X.cols());
    M = o.beta1 * M + (1 - o.beta1) * G;
    v = o.beta2 * v + (1 - o.beta2) * G.squaredNorm();
    const double v_hat = v / (1 - std::pow(o.beta2, double(count)));
    const double r = (1 - std::pow(o.beta1, double(count))) * std::sqrt(v_hat + o.eps);
    const Matrix W_hat = M * X.transpose() - 0.5 * X * (X.transpose() * M * X.transpose());
    const Matrix W = (W_hat - W_hat.transpose()) / r;
    M = r * W * X;
    const double a = std::min(o.step, 2 * o.contraction / (W.norm() + o.eps));
    const Matrix I = Matrix::Identity(n, n);
    return (I + 0.5 * a * W).partialPivLu().solve((I - 0.5 * a * W) * X);
  }
};

TEST(CayleyAdam, TakesTheStepsOfTheDenseTwin) {
  const TraceOf f = random_trace(9, 1);
  for (const double size : {2e-3, 0.3, 50.0}) {  // the last one is cut by 2 q / |W|
    const CayleyAdamOptions options{.step = size};
    Matrix X = start(9, 3, 2), slow = X, grad(9, 3);
    CayleyAdamState state;
    SlowTwin twin;
    for (int t = 0; t < 30; ++t) {
      f(X, grad);
      state.step(X, grad, options);
      f(slow, grad);
      slow = twin.step(slow, grad, options);
      ASSERT_LT((X - slow).norm(), 1e-11) << "step size " << size << ", step " << t;
    }
    EXPECT_LT((state.momentum - twin.M).norm(), 1e-9 * twin.M.norm());
    EXPECT_NEAR(state.v, twin.v, 1e-9 * twin.v);
  }
}

TEST(CayleyAdam, WorksWhenTheMatrixIsSquareOrOneColumn) {
  for (const Index p : {1, 5}) {
    const TraceOf f = random_trace(5, 3);
    const CayleyAdamOptions options{.step = 0.2};
    Matrix X = start(5, p, 4), grad(5, p);
    SlowTwin twin;
    f(X, grad);
    // For p = n the trace is constant; an ordinary linear function moves.
    const Matrix G = p == 5 ? Matrix(f.A) : grad;
    const Matrix slow = twin.step(X, G, options);
    CayleyAdamState state;
    state.step(X, G, options);
    EXPECT_LT((X - slow).norm(), 1e-13);
    EXPECT_LT(orthonormality_error(X), 1e-13);
  }
}

TEST(CayleyAdam, FixedPointIterationsApproachTheExactTransform) {
  const TraceOf f = random_trace(9, 1);
  Matrix grad(9, 3);
  const Matrix X = start(9, 3, 2);
  f(X, grad);
  const auto after_one_step = [&](Index iterations) {
    Matrix Y = X;
    CayleyAdamState state;
    // A wide tolerance: what the iteration itself gives, not polished.
    state.step(Y, grad, {.step = 0.2, .fixed_point_iterations = iterations, .orthonormality_tolerance = 0.4});
    return Y;
  };
  const Matrix exact = after_one_step(0);
  double error = (after_one_step(1) - exact).norm();
  EXPECT_GT(error, 1e-5);
  for (Index i = 2; i <= 8; ++i) {
    const double next = (after_one_step(i) - exact).norm();
    EXPECT_LT(next, 0.3 * error) << i;  // the rate is a |W|_2 / 2
    error = next;
  }
  EXPECT_LT((after_one_step(40) - exact).norm(), 1e-14);
}

TEST(CayleyAdam, FindsTheTopEigenspace) {
  const Index n = 20, s = 3;
  const TraceOf f = random_trace(n, 5);
  const auto r = maximize(f, start(n, s, 6),
                          CayleyAdamOptions{.step = 0.5, .max_iterations = 3000, .gradient_tolerance = 1e-9});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_NEAR(r.value, 10 + 9 + 8, 1e-12);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(f.A);
  const Matrix U = eigen.eigenvectors().rightCols(s);
  EXPECT_LT((r.theta * r.theta.transpose() - U * U.transpose()).norm(), 1e-8);
  EXPECT_LT(orthonormality_error(r.theta), 1e-12);
  // Rotated to the eigenvectors of X'AX, the columns are the eigenvectors of A.
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> small(r.theta.transpose() * f.A * r.theta);
  EXPECT_LT((small.eigenvalues() - eigen.eigenvalues().tail(s)).norm(), 1e-10);
}

TEST(CayleyAdam, MinimizeFindsTheBottomEigenspace) {
  const TraceOf f = random_trace(8, 7);
  const auto r = minimize(f, start(8, 2, 8), CayleyAdamOptions{.step = 0.3, .max_iterations = 3000});
  EXPECT_NEAR(r.value, 3 + 4, 1e-9);
}

TEST(CayleyAdam, SolvesProcrustes) {
  // |X - B|^2 on St(n, p) is least at the polar factor of B: a function whose gradient vanishes nowhere near
  // zero.
  Rng rng(9);
  const Matrix B = random_orthonormal(10, 4, rng) + 0.5 * rng.normal(10, 4);
  const auto f = [&](const Matrix& X, Matrix& grad) {
    grad = 2 * (X - B);
    return (X - B).squaredNorm();
  };
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(B, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Matrix polar = svd.matrixU() * svd.matrixV().transpose();
  const auto r =
      minimize(f, random_orthonormal(10, 4, rng),
               CayleyAdamOptions{.step = 0.5, .max_iterations = 5000, .gradient_tolerance = 1e-10});
  EXPECT_LT((r.theta - polar).norm(), 1e-8);
}

TEST(CayleyAdam, StaysOrthonormalOverThousandsOfSteps) {
  // Noise instead of a gradient: the walk never comes to rest.
  for (const Index iterations : {0, 1, 5}) {
    Matrix X = start(30, 6, 10);
    CayleyAdamState state;
    Rng rng(11);
    double worst = 0;
    for (int t = 0; t < 5000; ++t) {
      state.step(X, rng.normal(30, 6), {.step = 0.5, .fixed_point_iterations = iterations});
      worst = std::max(worst, orthonormality_error(X));
    }
    EXPECT_LT(worst, 1e-12) << iterations;
    EXPECT_GT((X - start(30, 6, 10)).norm(), 1.0);
  }
}

TEST(CayleyAdam, ResumedRunHasTheBytesOfAnUninterruptedOneOnAnyNumberOfThreads) {
  const TraceOf f = random_trace(300, 12);
  const StochasticStiefelObjective noisy = [&](const Matrix& X, Index step, Matrix& grad) {
    const double v = f(X, grad);
    grad += 0.5 * Rng(13).split(std::uint64_t(step)).normal(X.rows(), X.cols());
    return v;
  };
  const CayleyAdamOptions options{.step = 0.05, .schedule = CosineStep{}, .max_iterations = 40};
  const auto whole = maximize(noisy, start(300, 4, 14), options);
  for (const int count : {2, 7}) {
    const Threads threads(count);
    CayleyAdamRun run{.theta = start(300, 4, 14)};
    maximize(
        noisy, run, options, [](const Iteration& it) { return it.number < 17; }, threads);
    EXPECT_EQ(run.iteration, 18);
    CayleyAdamRun loaded = run;
    const auto rest = maximize(noisy, loaded, options, {}, threads);
    EXPECT_EQ(rest.theta, whole.theta);
    EXPECT_EQ(rest.value, whole.value);
  }
}

TEST(CayleyAdam, NanStepsBackToTheBestState) {
  const TraceOf f = random_trace(6, 15);
  Index calls = 0;
  const auto poisoned = [&](const Matrix& X, Matrix& grad) {
    const double v = f(X, grad);
    return calls++ == 12 ? nan : v;
  };
  CayleyAdamOptions options{.step = 0.5, .max_iterations = 2000};
  const auto recovered = maximize(poisoned, start(6, 2, 16), options);
  EXPECT_EQ(recovered.retries, 1);
  EXPECT_NEAR(recovered.value, 10 + 9, 1e-8);
  calls = 0;
  options.max_retries = 0;
  const auto stopped = maximize(poisoned, start(6, 2, 16), options);
  options.max_iterations = 12;
  const auto clean = maximize(f, start(6, 2, 16), options);
  EXPECT_EQ(stopped.status, Status::not_finite);
  EXPECT_EQ(stopped.theta, clean.theta);
  EXPECT_EQ(stopped.value, clean.value);
}

TEST(CayleyAdam, RefusesAStartThatIsNotOrthonormal) {
  const TraceOf f = random_trace(6, 17);
  EXPECT_THROW(minimize(f, Matrix::Ones(6, 2), CayleyAdamOptions{}), std::domain_error);
  EXPECT_THROW(minimize(f, Matrix::Identity(2, 6), CayleyAdamOptions{}), std::invalid_argument);
  EXPECT_THROW(minimize(f, Matrix::Identity(6, 2), CayleyAdamOptions{.contraction = 0}), std::domain_error);
  Matrix nearly = start(6, 2, 18);
  nearly(0, 0) += 1e-8;
  const auto r = minimize(f, nearly, CayleyAdamOptions{.max_iterations = 1});
  EXPECT_LT(orthonormality_error(r.theta), 1e-13);
}

}  // namespace
}  // namespace bochner::cayley_adam_test
