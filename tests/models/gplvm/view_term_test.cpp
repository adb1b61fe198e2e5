#include "src/models/gplvm/view_term.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "bochner/core/errors.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "examples.hpp"
#include "tests/support/gradient_check.hpp"
#include "tests/support/slow_evidence.hpp"

namespace bochner::view_term_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Index Q = 2;
using Kind = FeatureSpec::Kind;
using testing::slow_gram;

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
}  // namespace bochner::view_term_test
