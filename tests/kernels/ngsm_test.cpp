#include "bochner/kernels/ngsm.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "block_checks.hpp"
#include "bochner/kernels/spectral_mixture.hpp"

namespace bochner::ngsm_test {
namespace {

using namespace testing;

static_assert(SpectralKernel<NgSm>);

NgSm example(Index R, Index D) {
  Rng rng(std::uint64_t(100 * R + D));
  return {.alpha = (0.3 * rng.normal(R)).array().exp(),
          .mu1 = rng.normal(R, D),
          .mu2 = rng.normal(R, D),
          .sd1 = (0.3 * rng.normal(R, D)).array().exp(),
          .sd2 = (0.3 * rng.normal(R, D)).array().exp(),
          .rho = (0.8 * rng.normal(R)).array().tanh()};
}

const NgSm two{.alpha = Vector{{0.8, 0.5}},
               .mu1 = Matrix{{1.2, -0.6}, {0.3, 2.0}},
               .mu2 = Matrix{{0.9, 0.4}, {-0.5, 1.4}},
               .sd1 = Matrix{{0.5, 0.9}, {1.1, 0.3}},
               .sd2 = Matrix{{0.7, 0.6}, {0.4, 0.8}},
               .rho = Vector{{0.6, -0.35}}};
const Vector x{{0.7, -0.4}}, y{{-0.2, 0.9}};

// Gauss-Hermite quadrature (80 x 80 nodes per dimension, numpy) of
// alpha_r / 4 Re (e^{i w1'x} + e^{i w2'x}) (e^{-i w1'y} + e^{-i w2'y}) over the correlated pairs.
TEST(NgSm, IsTheTransformOfItsDensityOfPairs) { EXPECT_NEAR(two(x, y), -0.01555822875015758, 1e-14); }

TEST(NgSm, EqualHalvesWithFullCorrelationAreTheSpectralMixture) {
  NgSm k = example(2, 3);
  k.mu2 = k.mu1;
  k.sd2 = k.sd1;
  k.rho.setOnes();
  const SpectralMixture sm{.alpha = k.alpha, .mu = k.mu1, .sd = k.sd1};
  const Matrix X = Rng(1).normal(9, 3), Z = Rng(2).normal(11, 3);
  EXPECT_LT((block_gram(k, X, Z) - slow_gram(sm, X, Z)).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(NgSm, AtTheOriginIsTheSumOfWeights) { EXPECT_NEAR(two(Vector::Zero(2), Vector::Zero(2)), 1.3, 1e-15); }

TEST(NgSm, ParametersGoThereAndBack) {
  const Vector theta = two.parameters();
  ASSERT_EQ(theta.size(), 20);
  const std::vector<std::string> names = two.parameter_names();
  ASSERT_EQ(names.size(), 20u);
  EXPECT_EQ(names[8], "mu2[2,1]");
  EXPECT_EQ(theta(8), two.mu2(1, 0));
  EXPECT_EQ(names[19], "atanh rho[2]");
  EXPECT_NEAR(theta(19), std::atanh(-0.35), 1e-15);
  const NgSm back = two.with_parameters(theta);
  EXPECT_LT((back.alpha - two.alpha).norm() + (back.mu1 - two.mu1).norm() + (back.mu2 - two.mu2).norm() +
                (back.sd1 - two.sd1).norm() + (back.sd2 - two.sd2).norm() + (back.rho - two.rho).norm(),
            1e-15);
}

TEST(NgSm, GradientsOfAPair) {
  expect_pair_gradients(two, x, y);
  expect_pair_gradients(two, x, x);
  expect_pair_gradients(example(3, 4), 0.5 * Rng(1).normal(4), 0.5 * Rng(2).normal(4));
}

TEST(NgSm, BlocksMatchPairs) {
  expect_blocks_match_pairs(two, Rng(1).normal(13, 2),
                            Rng(2).normal(301, 2));  // crosses a tile, ends unevenly
  expect_blocks_match_pairs(example(1, 1), Rng(1).normal(5, 1), Rng(2).normal(8, 1));
  expect_blocks_match_pairs(example(4, 3), Rng(1).normal(9, 3), Rng(2).normal(17, 3));
}

/// The features of [yang2025, Thm. 2] for one pair of frequencies, component r: their product has mean k_r(x, y).
double one_draw(const NgSm& k, Index r, const Vector& e1, const Vector& e2, const Vector& a,
                const Vector& b) {
  const double apart = std::sqrt(1 - k.rho(r) * k.rho(r));
  const Vector w1 = k.mu1.row(r).transpose().array() + k.sd1.row(r).transpose().array() * e1.array();
  const Vector w2 = k.mu2.row(r).transpose().array() +
                    k.sd2.row(r).transpose().array() * (k.rho(r) * e1 + apart * e2).array();
  return 0.25 * k.alpha(r) *
         ((std::cos(w1.dot(a)) + std::cos(w2.dot(a))) * (std::cos(w1.dot(b)) + std::cos(w2.dot(b))) +
          (std::sin(w1.dot(a)) + std::sin(w2.dot(a))) * (std::sin(w1.dot(b)) + std::sin(w2.dot(b))));
}

/// Eq. 39 as printed: rho multiplies Sigma_c = rho diag(sd1 sd2) once more.
double as_printed(NgSm k, const Vector& a, const Vector& b) {
  k.rho = k.rho.cwiseAbs2();
  return k(a, b);
}

// Correction to [yang2025, Eq. 35, 36 and 39].
TEST(NgSm, IsTheMeanOfItsFeaturesAndThePrintedFormulaIsNot) {
  for (const double rho : {0.6, -0.6}) {
    const NgSm k{.alpha = Vector{{1.3}},
                 .mu1 = Matrix{{0.4, -0.3, 0.2}},
                 .mu2 = Matrix{{-0.2, 0.5, 0.3}},
                 .sd1 = Matrix{{0.9, 0.7, 0.8}},
                 .sd2 = Matrix{{0.6, 1.0, 0.5}},
                 .rho = Vector{{rho}}};
    const Vector a{{0.9, 0.8, -0.6}}, b{{0.7, 1.0, -0.8}};
    const Index draws = 200'000;
    Rng rng(11);
    const Matrix E1 = rng.normal(draws, 3), E2 = rng.normal(draws, 3);
    Vector c(draws);
    for (Index l = 0; l < draws; ++l) c(l) = one_draw(k, 0, E1.row(l), E2.row(l), a, b);
    const double se = std::sqrt((c.array() - c.mean()).square().mean() / double(draws));
    EXPECT_NEAR(c.mean(), k(a, b), 4 * se);
    EXPECT_GT(std::abs(c.mean() - as_printed(k, a, b)), 40 * se);
  }
}

// exp(-|u|^2/2) exp(-|v|^2/2) exp(rho u'v), the product form of the damping, is 0 * inf for these inputs.
TEST(NgSm, LargeInputsNeitherOverflowNorVanish) {
  NgSm k = two;
  k.rho(0) = 1 - 1e-9;
  k.sd2.row(0) = k.sd1.row(0);
  for (const double scale : {40.0, 1e3, 1e5}) {
    const Matrix X = scale * Rng(1).normal(6, 2), Z = X + 0.3 * Rng(2).normal(6, 2);
    const Matrix G = block_gram(k, X, Z);
    for (Index i = 0; i < 6; ++i) {
      for (Index j = 0; j < 6; ++j) {
        long double exact = 0,
                    phases = 0;  // sums of squares in extended precision, and the sizes of what is rounded
        for (Index r = 0; r < 2; ++r) {
          const auto term = [&](const Matrix& sa, const Matrix& ma, const Matrix& sb, const Matrix& mb,
                                long double rho) {
            long double q = 0, phase = 0;
            for (Index d = 0; d < 2; ++d) {
              const long double u = (long double)sa(r, d) * X(i, d), v = (long double)sb(r, d) * Z(j, d);
              q += (u - rho * v) * (u - rho * v) + (1 - rho * rho) * v * v;
              phase += (long double)ma(r, d) * X(i, d) - (long double)mb(r, d) * Z(j, d);
              phases +=
                  std::abs(ma(r, d) * X(i, d)) + std::abs(mb(r, d) * Z(j, d)) + std::abs(u) + std::abs(v);
            }
            return std::exp(-q / 2) * std::cos(phase);
          };
          exact += k.alpha(r) / 4 *
                   (term(k.sd1, k.mu1, k.sd2, k.mu2, k.rho(r)) + term(k.sd2, k.mu2, k.sd1, k.mu1, k.rho(r)) +
                    term(k.sd1, k.mu1, k.sd1, k.mu1, 1) + term(k.sd2, k.mu2, k.sd2, k.mu2, 1));
        }
        EXPECT_NEAR(G(i, j), double(exact), 2.3e-16 * double(phases)) << scale;
      }
      EXPECT_GT(std::abs(G(i, i)), 1e-3);
    }
    expect_blocks_match_pairs(k, X, Z, 1e-13 * scale);
  }
}

TEST(NgSm, IsPositiveSemidefiniteForBothSignsOfRho) {
  const Matrix X = Rng(7).normal(60, 3);
  for (const double rho : {-0.95, -0.3, 0.0, 0.4, 0.99}) {
    NgSm k = example(2, 3);
    k.rho.setConstant(rho);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(Eigen::MatrixXd(block_gram(k, X, X)));
    EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-10) << rho;
  }
}

TEST(NgSm, FrequenciesComeInCorrelatedPairs) {
  Rng rng(4);
  const SpectralNoise noise = two.draw_noise(6, Directions::independent, rng);
  const Frequencies f = two.frequencies(noise);
  ASSERT_EQ(f.count(), 12);
  ASSERT_TRUE(f.paired());
  EXPECT_NEAR(f.Omega1(2, 1), -0.6 + 0.9 * noise.E1(2, 1), 1e-15);
  EXPECT_NEAR(f.Omega2(2, 1), 0.4 + 0.6 * (0.6 * noise.E1(2, 1) + 0.8 * noise.E2(2, 1)), 1e-15);
  EXPECT_NEAR(f.amplitude(9), std::sqrt(0.5 / 24), 1e-15);
}

TEST(NgSm, FrequenciesPullback) {
  expect_frequencies_pullback(two, Directions::independent);
  expect_frequencies_pullback(example(3, 3), Directions::orthogonal);
}

TEST(NgSm, SaturatedCorrelationStaysFinite) {
  Vector theta = two.parameters();
  theta.tail(2) << 40, -40;  // tanh rounds to 1 and -1
  const NgSm k = two.with_parameters(theta);
  EXPECT_EQ(k.rho(0), 1);
  expect_blocks_match_pairs(k, Rng(1).normal(5, 2), Rng(2).normal(6, 2));
  Rng rng(3);
  const SpectralNoise noise = k.draw_noise(4, Directions::independent, rng);
  EXPECT_TRUE(k.frequencies_pullback(noise, k.frequencies(noise)).allFinite());
}

TEST(NgSm, ShapesAreChecked) {
  NgSm wrong = two;
  wrong.mu2 = Matrix::Ones(3, 2);
  Matrix K(2, 2);
  EXPECT_THROW(wrong.gram_block(Matrix::Zero(2, 2), Matrix::Zero(2, 2), K), std::invalid_argument);
  EXPECT_THROW(two.with_parameters(Vector::Zero(9)), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::ngsm_test
