#include "bochner/likelihoods/softmax.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "bochner/random/rng.hpp"

namespace bochner::softmax_test {
namespace {

Matrix cell(double x) { return Matrix::Constant(1, 1, x); }

// numpy: trapezoids in all three dimensions (201 to 401 nodes each over 18 standard deviations, one where v = 0) of
// logsumexp, softmax and softmax (1 - softmax) / 2.
struct Pin {
  Vector mean, var;
  double log_sum;
  Vector probability, dvar;
};

TEST(Softmax, PinnedIntegralsOfThreeClasses) {
  const Vector m{{0.3, -0.5, 1.2}};
  const Pin pins[] = {{m, Vector{{0.5, 1.5, 0.8}}, 1.873730942867702,
                       Vector{{0.2683257988613891, 0.16376312082222555, 0.5679110803163854}},
                       Vector{{0.08226062419446367, 0.05449579092549611, 0.09794364167934823}}},
                      {m, Vector{{0, 0, 0}}, 1.6632642101630861,
                       Vector{{0.2558243481193928, 0.11494928933645028, 0.6292263625441571}},
                       Vector{{0.09518912551434026, 0.05086797510874766, 0.11665027361180304}}},
                      {m, Vector{{0.01, 0, 4}}, 2.025172764492698,
                       Vector{{0.29028825901950267, 0.1303653983381448, 0.5793463426423525}},
                       Vector{{0.08017725406936353, 0.052057348215069424, 0.07412227884561759}}},
                      {m, Vector{{25, 9, 16}}, 4.044185361796117,
                       Vector{{0.35689785269619634, 0.21823465875942683, 0.4248674885443769}},
                       Vector{{0.030654768037867403, 0.02979194490569043, 0.035616949436329454}}},
                      {Vector{{1, -2, 0.5}}, Vector{{0.05, 0.03, 0.1}}, 1.522376446023121,
                       Vector{{0.599541874987231, 0.030432762194327556, 0.37002536281844145}},
                       Vector{{0.11637200900215351, 0.014724670766498695, 0.11283733638409603}}}};
  for (const Pin& p : pins)
    for (const Index y : {0, 2}) {
      const ExpectedLog e = Softmax{3}.expected_log(cell(double(y)), p.mean.transpose(), p.var.transpose());
      EXPECT_NEAR(e.rows(0), p.mean(y) - p.log_sum, 1e-10);
      EXPECT_LT((e.dmean.transpose() + p.probability - Vector::Unit(3, y)).norm(), 1e-10);
      EXPECT_LT((e.dvar.transpose() + p.dvar).norm(), 2e-10);
      EXPECT_NEAR(Softmax{3}.log_predictive(cell(double(y)), p.mean.transpose(), p.var.transpose())(0, 0),
                  std::log(p.probability(y)), 1e-10);
    }
}

// Two classes depend on d = f_1 - f_0 ~ N(m, v) alone, however v is shared. mpmath, 40 digits: E log(1 + e^d),
// E[1 / (1 + e^-d)] and E[p (1 - p) / 2]. The shares meet every way of smoothing: none, narrow, fine and
// coarse lattices.
TEST(Softmax, TwoClassesShareTheVarianceAnyhow) {
  const double pins[][5] = {{0.7, 0.3, 1.1356518008645745, 0.65820327815113054, 0.1056928083252238},
                            {-2, 8, 0.56830350049028115, 0.27393780477501257, 0.049921023787723216},
                            {1, 50, 3.4390346417404406, 0.55450845348546287, 0.027083816951239288}};
  for (const auto& [m, v, softplus, p, half] : pins)
    for (const double share : {0.0, 1e-9, 0.01, 0.039, 0.0401, 0.08, 0.1, 0.15, 0.2, 0.3})
      for (const double origin : {0.0, -3.25, 1000.5}) {
        const Matrix M{{origin, origin + m}}, V{{share, v - share}};
        const ExpectedLog e = Softmax{2}.expected_log(cell(0), M, V);
        EXPECT_NEAR(e.rows(0), -softplus, 1e-10) << v << ", " << share;
        EXPECT_NEAR(e.dmean(0, 1), -p, 1e-10);
        EXPECT_NEAR(e.dmean(0, 0), p, 1e-10);
        EXPECT_NEAR(e.dvar(0, 0), -half, 1e-10);
        EXPECT_NEAR(e.dvar(0, 1), -half, 1e-10);
      }
}

// max_c (f_c + G_c) has the mean of logsumexp(f) plus Euler's constant, and picks class c with its probability.
TEST(Softmax, TheGumbelIdentityBySimulation) {
  const Matrix M{{0.4, -0.3, 1.0, 0.0}}, V{{2.0, 0.1, 0.7, 4.0}};
  const Index draws = 400'000;
  const Matrix Z = Rng(5).normal(draws, 4);
  Rng rng(6);
  Vector top(draws), last(draws);
  for (Index k = 0; k < draws; ++k) {
    Vector f = M.row(0).transpose() + V.row(0).cwiseSqrt().transpose().cwiseProduct(Z.row(k).transpose());
    for (Index c = 0; c < 4; ++c) f(c) -= std::log(rng.exponential());  // a standard Gumbel
    Index best;
    top(k) = f.maxCoeff(&best);
    last(k) = best == 3;
  }
  const auto se = [&](const Vector& x) {
    return std::sqrt((x.array() - x.mean()).square().mean() / double(draws));
  };
  const double log_sum = 1.0 - Softmax{4}.expected_log(cell(2), M, V).rows(0);
  EXPECT_NEAR(top.mean() - 0.57721566490153286, log_sum, 4 * se(top));
  EXPECT_NEAR(last.mean(), Softmax{4}.probabilities(M, V)(0, 3), 4 * se(last));
}

// The same shift of all means, exact in binary, changes nothing.
TEST(Softmax, LargeMeans) {
  const Matrix M{{0.25, -1.5, 2.0}}, V{{0.01, 0.5, 3.0}};
  const Matrix far = M.array() + std::ldexp(1.0, 40);
  const ExpectedLog e = Softmax{3}.expected_log(cell(1), M, V), f = Softmax{3}.expected_log(cell(1), far, V);
  EXPECT_NEAR(f.rows(0), e.rows(0), 1e-10);
  EXPECT_LT((f.dmean - e.dmean).norm(), 1e-10);
  EXPECT_LT((f.dvar - e.dvar).norm(), 1e-10);
}

TEST(Softmax, ProbabilitiesSumToOne) {
  for (const double sd : {0.0, 1e-5, 0.1, 0.2, 0.35, 0.6, 1.0, 3.0, 5.0, 30.0, 400.0}) {
    const Matrix M = std::max(1.0, sd) * Rng(8).normal(5, 6);
    const Matrix V = sd * sd * Rng(9).normal(5, 6).array().sin().square();
    const Vector sums = Softmax{6}.probabilities(M, V).rowwise().sum();
    EXPECT_LT((sums.array() - 1).abs().maxCoeff(), 1e-10) << "sd " << sd;
  }
}

// logsumexp(f) is within log K of max(f).
TEST(Softmax, EnormousVariances) {
  for (const double s : {1e3, 1e6}) {
    const Matrix M{{0, 0.5 * s}}, V{{s * s, s * s}};  // f_1 - f_0 ~ N(s / 2, 2 s^2)
    const double t = 0.5 / std::sqrt(2.0), up = 0.5 * std::erfc(-t / std::sqrt(2.0));
    const double density = std::exp(-0.5 * t * t) / std::sqrt(2 * pi);
    const ExpectedLog e = Softmax{2}.expected_log(cell(0), M, V);
    EXPECT_NEAR(e.rows(0) / s, -(0.5 * up + std::sqrt(2.0) * density), 2e-5);  // -E max(f_1 - f_0, 0)
    EXPECT_NEAR(e.dmean(0, 1), -up, 1e-5);
    EXPECT_NEAR(e.dvar(0, 1) * s, -0.5 * density / std::sqrt(2.0), 1e-5);
  }
}

// A class that is certain to lose: its probability is E exp(f_y) E[1 / sum of the others], though it is far below the
// rounding of the others; below even that, log_predictive is the bound and stays finite.
TEST(Softmax, ProbabilitiesOfLosers) {
  const double v = 0.5;
  const Matrix V{{v, 0.0, 0.0}};
  for (const double m : {-10.0, -25.0, -40.0, -300.0}) {
    const Matrix M{{m, 0.0, 0.5}};
    // p = E[x / (x + s)] = E[x] / s - E[x^2] / s^2 + .., x = exp(f), s = 1 + e^0.5
    const double s = 1 + std::exp(0.5), second = std::exp(m + 1.5 * v) / s;
    EXPECT_NEAR(Softmax{3}.log_predictive(cell(0), M, V)(0, 0), m + v / 2 - std::log(s) - second, 1e-7) << m;
  }
  const Matrix M{{-2000.0, 0.0, 0.5}};
  EXPECT_NEAR(Softmax{3}.log_predictive(cell(0), M, V)(0, 0), -2000 - std::log(1 + std::exp(0.5)), 0.3);
  EXPECT_NEAR(Softmax{3}.expected_log(cell(1), M, V).rows(0), -std::log(1 + std::exp(0.5)), 1e-10);
}

TEST(Softmax, OutcomesAreClassNumbers) {
  const Softmax l{3};
  try {
    l.check_outcomes(Matrix{{0}, {2}, {3}});
    FAIL();
  } catch (const std::domain_error& e) {
    EXPECT_STREQ(e.what(),
                 "Softmax: row 3, column 1 of Y is 3, but must be a class number, whole and between 0 and 2");
  }
  EXPECT_THROW(l.check_outcomes(cell(-1)), std::domain_error);
  EXPECT_THROW(l.check_outcomes(cell(0.5)), std::domain_error);
  EXPECT_THROW(Softmax{1}.probabilities(cell(0), cell(1)), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::softmax_test
