#include "src/models/gplvm/objective.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "bochner/core/errors.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "tests/support/gradient_check.hpp"
#include "tests/support/slow_evidence.hpp"

namespace bochner::objective_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Index N = 13, Q = 2, inducing = 5;
using Kind = FeatureSpec::Kind;

/// Two views of 13 samples; the second lacks three of them, so that rows must be scattered.
std::vector<Matrix> tables(double holes) {
  std::vector<Matrix> Y{testing::with_missing(Rng(1).normal(N, 4), holes, Rng(2)),
                        testing::with_missing(Rng(3).normal(N, 3), holes, Rng(4))};
  for (Matrix& y : Y)
    for (Index n = 0; n < N; ++n)
      if (y.row(n).array().isNaN().all()) y(n, n % y.cols()) = 0.3;
  for (const Index n : {0, 6, 12}) Y[1].row(n).setConstant(nan);
  return Y;
}

GplvmParameters example(const std::string& kernel, const FeatureSpec& features) {
  GplvmParameters p{.latent = {.mean = Rng(5).normal(N, Q),
                               .sd = (0.3 * Rng(6).normal(N, Q)).array().exp().matrix() * 0.2}};
  for (std::uint64_t v = 0; v < 2; ++v) {
    const AnyKernel plain = make_kernel(kernel, Q, Rng(7).split(v), {.sigma2 = 0.7});
    const AnyKernel moved =
        with_parameters(plain, parameters(plain) + 0.2 * Rng(8).split(v).normal(parameter_count(plain)));
    p.views.push_back({.kernel = moved, .noise_variance = v == 0 ? 0.3 : 0.6});
    if (features.kind == Kind::nystrom) p.views.back().Z = Rng(9).split(v).normal(features.count, Q);
  }
  return p;
}

GplvmObjective objective(const std::string& kernel, const FeatureSpec& features, double holes,
                         std::vector<std::optional<double>> fixed = {std::nullopt, std::nullopt}) {
  const GplvmParameters p = example(kernel, features);
  std::vector<ViewTerm> terms;
  std::uint64_t v = 0;
  for (const Matrix& Y : tables(holes)) {
    terms.emplace_back("view", Y, Rng(10).split(v).normal(Y.rows(), Y.cols()), p.views[v].kernel, features,
                       FloatingPoint::double_precision, Threads(1));
    ++v;
  }
  return {std::move(terms), p, std::move(fixed), Rng(11), Threads(1)};
}

/// k(x_i, z_j), one call each.
Eigen::MatrixXd slow_gram(const AnyKernel& k, const Matrix& X, const Matrix& Z) {
  Eigen::MatrixXd K(X.rows(), Z.rows());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < Z.rows(); ++j) K(i, j) = evaluate(k, X.row(i).transpose(), Z.row(j).transpose());
  return K;
}

/// Analytic against numeric, block by block: a wrong small block must not hide behind a large one.
void expect_every_block(const std::string& kernel, const FeatureSpec& features, double holes, Index step) {
  GplvmObjective f = objective(kernel, features, holes);
  const GplvmParameters p = example(kernel, features);
  const Vector theta = f.pack(p);
  const std::vector<Vector> guesses = f.guesses();
  Vector grad = Vector::Zero(theta.size());
  f(theta, step, grad);
  const auto value = [&](const Vector& t) {
    f.set_guesses(guesses);
    Vector unused = Vector::Zero(t.size());
    return f(t, step, unused);
  };
  const Vector numeric = testing::numerical_gradient(value, theta);
  Index at = 0;
  const auto check = [&](Index size, const std::string& block) {
    const Vector a = grad.segment(at, size), b = numeric.segment(at, size);
    EXPECT_LT(testing::relative_difference(a, b, 1e-6), 2e-6)
        << kernel << ", holes " << holes << ", " << block << "\nanalytic: " << a.transpose()
        << "\nnumeric:  " << b.transpose();
    at += size;
  };
  check(N * Q, "mean");
  check(N * Q, "log sd");
  for (const GplvmParameters::View& view : p.views) {
    check(parameter_count(view.kernel), "kernel");
    check(1, "noise");
    if (view.Z.size() > 0) check(view.Z.size(), "Z");
  }
  EXPECT_EQ(at, theta.size());
}

TEST(GplvmObjective, GradientOfTheExactKernel) {
  for (const char* kernel : {"ngsm", "sm", "rbf", "matern32", "bsm", "linear"})
    for (const double holes : {0.0, 0.3}) expect_every_block(kernel, {.kind = Kind::exact}, holes, 3);
}

TEST(GplvmObjective, GradientOfRandomFeatures) {
  for (const char* kernel : {"ngsm", "sm", "rbf", "matern32", "bsm"})
    for (const Directions directions : {Directions::independent, Directions::orthogonal})
      for (const double holes : {0.0, 0.3})
        expect_every_block(kernel, {.kind = Kind::random, .count = 4, .directions = directions}, holes, 2);
}

TEST(GplvmObjective, GradientOfInducingLatents) {
  for (const char* kernel : {"ngsm", "sm", "rbf", "matern32", "bsm"})
    for (const double holes : {0.0, 0.3})
      expect_every_block(kernel, {.kind = Kind::nystrom, .count = inducing}, holes, 0);
}

TEST(GplvmObjective, GradientWithMoreFeaturesThanSamples) {
  expect_every_block("rbf", {.kind = Kind::random, .count = 20}, 0, 1);
  expect_every_block("rbf", {.kind = Kind::random, .count = 20}, 0.3, 1);
  expect_every_block("matern32", {.kind = Kind::nystrom, .count = 20}, 0, 1);
}

TEST(GplvmObjective, ValueIsTheDenseOneAtTheSameDraw) {
  for (const char* kernel : {"ngsm", "sm", "rbf", "matern32", "bsm", "linear"}) {
    GplvmObjective f = objective(kernel, {.kind = Kind::exact}, 0);
    const GplvmParameters p = example(kernel, {.kind = Kind::exact});
    const std::vector<Matrix> Y = tables(0);
    EXPECT_EQ(f.observed(), N * 4 + (N - 3) * 3);
    for (const Index step : {0, 1, 4, 5, 1001}) {
      Rng draws = Rng(11).split("latents").split(static_cast<std::uint64_t>(step / 2));
      Matrix X = p.latent.mean;
      double expected = 0;
      for (Index n = 0; n < N; ++n)
        for (Index q = 0; q < Q; ++q) {
          const double m = p.latent.mean(n, q), s = p.latent.sd(n, q);
          X(n, q) += (step % 2 == 0 ? 1 : -1) * s * draws.normal();
          expected -= 0.5 * (m * m + s * s - 1 - std::log(s * s));
        }
      for (std::size_t v = 0; v < 2; ++v)
        expected +=
            testing::slow_evidence(slow_gram(p.views[v].kernel, X, X), Y[v], p.views[v].noise_variance);
      Vector grad = Vector::Zero(f.pack(p).size());
      EXPECT_NEAR(f(f.pack(p), step, grad) * double(f.observed()), expected, 1e-8 * std::abs(expected))
          << kernel << " step " << step;
    }
  }
}

TEST(GplvmObjective, PackAndUnpackAreInverse) {
  const FeatureSpec features{.kind = Kind::nystrom, .count = inducing};
  const GplvmObjective f = objective("ngsm", features, 0);
  const GplvmParameters p = example("ngsm", features), back = f.unpack(f.pack(p));
  EXPECT_LT((back.latent.mean - p.latent.mean).norm(), 1e-14);
  EXPECT_LT((back.latent.sd - p.latent.sd).norm(), 1e-14);
  for (std::size_t v = 0; v < 2; ++v) {
    EXPECT_LT((parameters(back.views[v].kernel) - parameters(p.views[v].kernel)).norm(), 1e-13);
    EXPECT_NEAR(back.views[v].noise_variance, p.views[v].noise_variance, 1e-14);
    EXPECT_EQ(back.views[v].Z, p.views[v].Z);
  }
}

TEST(GplvmObjective, FixedNoiseStays) {
  GplvmObjective free = objective("rbf", {.kind = Kind::exact}, 0);
  GplvmObjective fixed = objective("rbf", {.kind = Kind::exact}, 0, {0.3, std::nullopt});
  const Vector theta = free.pack(example("rbf", {.kind = Kind::exact}));
  const Index at = 2 * N * Q + 3;  // noise of the first view, after its two length-scales and variance
  Vector a = Vector::Zero(theta.size()), b = a, moved = theta;
  EXPECT_NEAR(free(theta, 0, a), fixed(theta, 0, b), 1e-14);
  EXPECT_NE(a(at), 0.0);
  EXPECT_EQ(b(at), 0.0);
  EXPECT_NE(b(at + 4), 0.0);  // the second view's is free
  moved(at) += 1;
  EXPECT_EQ(fixed(moved, 0, a), fixed(theta, 0, b));
  EXPECT_EQ(fixed.unpack(moved).views[0].noise_variance, 0.3);
}

// ---- one view -------------------------------------------------------------------------------------------------

/// log p(Y | K) of complete tables, and the sparse bound with Q = K(X, Z) K(Z, Z)^-1 K(Z, X).
double slow_sparse(const AnyKernel& k, const Matrix& X, const Matrix& Z, const Matrix& Y, double sigma2) {
  Eigen::MatrixXd Kzz = slow_gram(k, Z, Z);
  Kzz.diagonal().array() += 1e-6 * Kzz.diagonal().mean();
  const Eigen::MatrixXd Kxz = slow_gram(k, X, Z), Qxx = Kxz * Kzz.ldlt().solve(Kxz.transpose());
  double missed = 0;
  for (Index n = 0; n < X.rows(); ++n)
    missed += evaluate(k, X.row(n).transpose(), X.row(n).transpose()) - Qxx(n, n);
  return testing::slow_evidence(Qxx, Y, sigma2) - double(Y.cols()) * missed / (2 * sigma2);
}

ViewEvidence evidence(const Matrix& Y, const AnyKernel& k, const FeatureSpec& features, const Matrix& Z,
                      const Matrix& X, double sigma2) {
  ViewTerm term("view", Y, Matrix::Zero(Y.rows(), Y.cols()), k, features, FloatingPoint::double_precision,
                Threads(1));
  return term.evaluate(k, sigma2, Z, X, 0, Rng(12), Threads(1));
}

TEST(GplvmViewTerm, InducingLatentsGiveTheSparseBound) {
  for (const Index rows : {10, 40})
    for (const Index columns : {2, 30}) {  // every form of the evidence
      const Matrix X = Rng(20).normal(rows, Q), Y = Rng(21).normal(rows, columns), Z = Rng(22).normal(8, Q);
      for (const char* kernel : {"rbf", "ngsm"}) {
        const AnyKernel k = make_kernel(kernel, Q, Rng(23));
        const double expected = slow_sparse(k, X, Z, Y, 0.2);
        EXPECT_NEAR(evidence(Y, k, {.kind = Kind::nystrom, .count = 8}, Z, X, 0.2).value, expected,
                    1e-7 * std::abs(expected))
            << kernel << " " << rows << " x " << columns;
      }
    }
}

TEST(GplvmViewTerm, InducingLatentsAtAllSamplesAreTheExactKernel) {
  const Matrix X = Rng(20).normal(30, Q), Y = Rng(21).normal(30, 3);
  for (const char* kernel : {"rbf", "ngsm", "sm", "matern32"}) {
    const AnyKernel k = make_kernel(kernel, Q, Rng(23));
    const double exact = evidence(Y, k, {.kind = Kind::exact}, Matrix(), X, 0.2).value;
    EXPECT_NEAR(evidence(Y, k, {.kind = Kind::nystrom, .count = 30}, X, X, 0.2).value, exact,
                1e-5 * std::abs(exact))
        << kernel;
    double before = -std::numeric_limits<double>::infinity();
    for (const Index m : {2, 5, 10, 20}) {  // more inducing latents never loosen the bound
      const double bound = evidence(Y, k, {.kind = Kind::nystrom, .count = m}, X.topRows(m), X, 0.2).value;
      EXPECT_LT(bound, exact) << kernel << " " << m;
      EXPECT_GT(bound, before) << kernel << " " << m;
      before = bound;
    }
  }
}

TEST(GplvmViewTerm, RandomFeaturesAreTheirGramMatrix) {
  const double sigma2 = 0.25;
  for (const Index rows : {12, 60})
    for (const Index columns : {2, 40})
      for (const Directions directions : {Directions::independent, Directions::orthogonal})
        for (const char* kernel : {"rbf", "sm", "ngsm"}) {
          const Matrix X = Rng(30).normal(rows, Q), Y = Rng(31).normal(rows, columns);
          const AnyKernel k = make_kernel(kernel, Q, Rng(23));
          const FeatureSpec features{.kind = Kind::random, .count = 10, .directions = directions};
          Rng rng(12);
          const Frequencies w = frequencies(k, draw_noise(k, 10, directions, rng));
          Eigen::MatrixXd Phi(rows, 2 * w.count());
          for (Index n = 0; n < rows; ++n)
            for (Index j = 0; j < w.count(); ++j) {
              const double a = X.row(n).dot(w.Omega1.row(j));
              double c = std::cos(a), s = std::sin(a);
              if (w.paired()) {
                const double b = X.row(n).dot(w.Omega2.row(j));
                c += std::cos(b);
                s += std::sin(b);
              }
              Phi(n, j) = w.amplitude(j) * c;
              Phi(n, w.count() + j) = w.amplitude(j) * s;
            }
          const double expected = testing::slow_evidence(Phi * Phi.transpose(), Y, sigma2);
          EXPECT_NEAR(evidence(Y, k, features, Matrix(), X, sigma2).value, expected,
                      1e-8 * std::abs(expected))
              << kernel << " " << rows << " x " << columns;
        }
}

TEST(GplvmViewTerm, ManyRandomFeaturesApproachTheExactKernel) {
  const Matrix X = Rng(30).normal(20, Q), Y = Rng(31).normal(20, 3);
  for (const char* kernel : {"rbf", "sm", "ngsm", "bsm", "matern32"}) {
    const AnyKernel k = make_kernel(kernel, Q, Rng(23));
    const double exact = evidence(Y, k, {.kind = Kind::exact}, Matrix(), X, 0.5).value;
    EXPECT_NEAR(evidence(Y, k, {.kind = Kind::random, .count = 20000}, Matrix(), X, 0.5).value, exact,
                0.02 * std::abs(exact))
        << kernel;
  }
}

struct Holes {
  static constexpr Index rows = 18, columns = 4;
  double sigma2 = 0.3;
  Matrix Y = testing::with_missing(Rng(31).normal(rows, columns), 0.3, Rng(32));
  Matrix X = Rng(30).normal(rows, Q), guess = Rng(33).normal(rows, columns);
  AnyKernel kernel = make_kernel("rbf", Q, Rng(23));
  Eigen::MatrixXd K, S;
  double exact = 0;
  Holes() {
    for (Index n = 0; n < rows; ++n)
      if (Y.row(n).array().isNaN().all()) Y(n, 0) = 1;
    K = S = slow_gram(kernel, X, X);
    S.diagonal().array() += sigma2;
    exact = testing::slow_evidence(K, Y, sigma2);
  }
  ViewEvidence evaluate(ViewTerm& term) const {
    return term.evaluate(kernel, sigma2, X, X, 0, Rng(1), Threads(1));
  }
};

TEST(GplvmViewTerm, FewHolesHaveTheirExactEvidence) {
  const Holes h;
  Matrix expected = h.Y;  // the mean of what is missing given all that is not
  for (Index m = 0; m < h.columns; ++m) {
    std::vector<Index> measured, missing;
    for (Index n = 0; n < h.rows; ++n) (std::isnan(h.Y(n, m)) ? missing : measured).push_back(n);
    const Eigen::MatrixXd C = h.S(measured, measured), across = h.K(missing, measured);
    const Eigen::VectorXd y = h.Y.col(m)(measured);
    expected.col(m)(missing) = Vector(across * C.inverse() * y);
  }
  for (const Kind kind : {Kind::exact, Kind::nystrom}) {
    ViewTerm term("view", h.Y, h.guess, h.kernel, {.kind = kind, .count = h.rows},
                  FloatingPoint::double_precision, Threads(1));
    const double tolerance = kind == Kind::exact ? 1e-9 : 1e-4;
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(h.evaluate(term).value, h.exact, tolerance * std::abs(h.exact)) << i;
      EXPECT_LT((term.filled() - expected).norm(), 10 * tolerance) << i;
    }
  }
}

// In single precision they have a bound. It rises as they are filled in.
TEST(GplvmViewTerm, HolesAreABoundThatRises) {
  const Holes h;
  const auto bound = [&](const Matrix& filled) {
    Eigen::MatrixXd B = Eigen::MatrixXd::Identity(h.rows, h.rows);
    double observed = 0;
    for (Index n = 0; n < h.rows; ++n) {
      const double measured = double((!h.Y.row(n).array().isNaN()).count());
      B.col(n) += h.K.col(n) * (measured / double(h.columns)) / h.sigma2;
      observed += measured;
    }
    return -0.5 * (observed * std::log(2 * pi * h.sigma2) + double(h.columns) * std::log(B.determinant()) +
                   (filled.transpose() * h.S.inverse() * filled).trace());
  };
  ViewTerm term("view", h.Y, h.guess, h.kernel, {.kind = Kind::nystrom, .count = h.rows},
                FloatingPoint::single_precision, Threads(1));
  constexpr double tolerance = 1e-4;
  double before = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < 20; ++i) {
    const Matrix filled = term.filled();
    EXPECT_LT(h.Y.array().isNaN().select(0.0, h.Y - filled).norm(), 1e-6);
    const double value = h.evaluate(term).value;
    EXPECT_NEAR(value, bound(filled), tolerance * std::abs(h.exact));
    EXPECT_GE(value, before - tolerance * std::abs(h.exact));
    EXPECT_LE(value, h.exact);
    before = value;
    // and the missing entries have moved to the posterior mean of f
    const Matrix F = h.K * h.S.inverse() * filled;
    const Matrix expected = h.Y.array().isNaN().select(F, h.Y);
    EXPECT_LT((term.filled() - expected).norm(), 10 * tolerance);
  }
  EXPECT_GT(before, h.exact - 0.1 * std::abs(h.exact));
}

TEST(GplvmViewTerm, LeavesOutEmptyRowsAndColumnsThatSayNothing) {
  Matrix Y = Rng(31).normal(9, 5);
  Y.col(1).setConstant(4);    // does not vary
  Y.col(3).setConstant(nan);  // was not measured
  Y.row(2).setConstant(nan);
  Y.row(5).setConstant(nan);
  Y(5, 1) = 4;  // nothing but the constant
  const AnyKernel k = make_kernel("rbf", Q, Rng(23));
  ViewTerm term("view", Y, Matrix::Zero(9, 5), k, {.kind = Kind::exact}, FloatingPoint::double_precision,
                Threads(1));
  EXPECT_EQ(term.columns(), (std::vector<Index>{0, 2, 4}));
  EXPECT_EQ(term.rows(), (std::vector<Index>{0, 1, 3, 4, 6, 7, 8}));
  EXPECT_EQ(term.observed(), 21);
  EXPECT_EQ(term.filled(), Matrix(Y(term.rows(), term.columns())));
}

TEST(GplvmViewTerm, Refusals) {
  const Matrix Y = Rng(31).normal(9, 2), guess = Matrix::Zero(9, 2);
  const AnyKernel linear = make_kernel("linear", Q, Rng(1));
  try {
    ViewTerm("genes", Y, guess, linear, {.kind = Kind::random, .count = 4}, FloatingPoint::double_precision,
             Threads(1));
    FAIL() << "a linear kernel has no random frequencies";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("genes"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("linear"), std::string::npos);
  }
  EXPECT_THROW(ViewTerm("genes", Matrix::Constant(9, 2, 3.0), guess, linear, {.kind = Kind::exact},
                        FloatingPoint::double_precision, Threads(1)),
               InputError);
}

TEST(GplvmViewTerm, SinglePrecisionIsClose) {
  const Matrix X = Rng(30).normal(40, Q), Y = testing::with_missing(Rng(31).normal(40, 6), 0.1, Rng(5));
  const AnyKernel k = make_kernel("ngsm", Q, Rng(23));
  const FeatureSpec features{.kind = Kind::random, .count = 10};
  ViewEvidence e[2];
  for (const bool single : {false, true}) {
    ViewTerm term("view", Y, Matrix::Zero(40, 6), k, features,
                  single ? FloatingPoint::single_precision : FloatingPoint::double_precision, Threads(1));
    e[single] = term.evaluate(k, 0.3, Matrix(), X, 0, Rng(12), Threads(1));
  }
  EXPECT_NEAR(e[1].value, e[0].value, 1e-5 * std::abs(e[0].value));
  EXPECT_NEAR(e[1].dsigma2, e[0].dsigma2, 1e-4 * std::abs(e[0].dsigma2));
  EXPECT_LT((e[1].dX - e[0].dX).norm(), 1e-4 * e[0].dX.norm());
  EXPECT_LT((e[1].dtheta - e[0].dtheta).norm(), 1e-4 * e[0].dtheta.norm());
  EXPECT_NE(e[1].value, e[0].value);
}

TEST(GplvmViewTerm, LargeTablesAreInSinglePrecisionUnlessTheNoiseIsTiny) {
  const Index rows = 300, cols = 600;
  const Matrix X = Rng(30).normal(rows, Q), Z = X,
               Y = testing::with_missing(Rng(31).normal(rows, cols), 0.1, Rng(5));
  const AnyKernel k = make_kernel("rbf", Q, Rng(23));
  const auto values = [&](FloatingPoint precision, Index count) {
    ViewTerm term("view", Y, Matrix::Zero(rows, cols), k, {.kind = Kind::nystrom, .count = count}, precision,
                  Threads(2));
    std::vector<double> out;
    for (const double sigma2 : {5e-4, 0.3, 5e-4})
      out.push_back(
          term.evaluate(k, sigma2, Z.topRows(count), X, Index(out.size()), Rng(12), Threads(2)).value);
    return out;
  };
  const std::vector<double> fine = values(FloatingPoint::double_precision, rows),
                            chosen = values(FloatingPoint::automatic, rows);
  EXPECT_EQ(chosen[0], fine[0]);
  EXPECT_NE(chosen[1], fine[1]);
  EXPECT_NEAR(chosen[1], fine[1], 1e-5 * std::abs(fine[1]));
  EXPECT_NEAR(chosen[2], fine[2], 1e-5 * std::abs(fine[2]));  // in double again, guesses from single
  EXPECT_EQ(values(FloatingPoint::automatic, 20), values(FloatingPoint::double_precision, 20));
}

}  // namespace
}  // namespace bochner::objective_test
