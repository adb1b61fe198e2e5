#include "bochner/kernels/bessel_ratios.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace bochner::bessel_ratios_test {
namespace {

// mpmath, 60 digits: log(besseli(j, z)) - z and z times its derivative in z.
TEST(HarmonicLogs, MatchBesselFunctions) {
  const double cases[][4] = {{0.01, 0, -0.00997500015624826412, -0.00995000062498958372},
                             {0.01, 3, -17.6967053188760712, 2.99001249998437503},
                             {1, 0, -0.764085641492821351, -0.553610034103465493},
                             {1, 1, -1.57064798749083128, 0.240193723870089741},
                             {1, 7, -14.3459956536244802, 6.06228433267599544},
                             {11.5, 0, -2.1287199157251678, -0.511973694938264187},
                             {11.5, 4, -2.84895745061818795, 0.225713302933811208},
                             {11.5, 30, -32.632758259836383, 20.5662328529091608},
                             {1000, 0, -4.37269111013053533, -0.500125125195719801},
                             {1000, 100, -9.3710271477697378, 4.49239544710513507},
                             {1e6, 0, -7.82669368718674729, -0.500000125000125},
                             {1e6, 2500, -10.9516936220824423, 2.62499811718818067}};
  for (const auto& [z, j, log_c, slope] : cases)
    for (const Index more : {0, 50}) {  // the answer for j does not depend on how far the table goes
      const HarmonicLogs logs = harmonic_logs(z, static_cast<Index>(j) + more);
      EXPECT_NEAR(logs.log_c(static_cast<Index>(j)), log_c, 1e-13 * (1 + std::abs(log_c))) << z << " " << j;
      EXPECT_NEAR(logs.slope(static_cast<Index>(j)), slope, 1e-12 * (1 + std::abs(slope))) << z << " " << j;
    }
}

TEST(HarmonicLaw, SumsToOne) {
  double sum = 0;
  for (int j = 200000; j > 0; --j) sum += std::exp(log_harmonic_law(j)) + std::exp(log_harmonic_law(-j));
  sum += std::exp(log_harmonic_law(0));
  EXPECT_NEAR(sum, 1, 1e-13);  // what is left out is (4 / 200004)^3
}

TEST(HarmonicLaw, IsWhatIsDrawn) {
  Rng rng(1);
  constexpr int draws = 400000;
  std::vector<int> counts(41, 0);  // -20 .. 20
  for (int i = 0; i < draws; ++i) {
    const double j = draw_harmonic(rng);
    ASSERT_EQ(j, std::floor(j));
    if (std::abs(j) <= 20) ++counts[static_cast<std::size_t>(j + 20)];
  }
  double chi2 = 0;
  for (int j = -20; j <= 20; ++j) {
    const double expected = draws * std::exp(log_harmonic_law(j)),
                 count = counts[static_cast<std::size_t>(j + 20)];
    chi2 += (count - expected) * (count - expected) / expected;
  }
  EXPECT_LT(chi2, 41 + 4 * std::sqrt(82.0));
  EXPECT_GT(chi2, 41 - 4 * std::sqrt(82.0));
}

/// The price of the fixed law: E[(c_j / q_j)^2] under q, per dimension.
TEST(HarmonicLaw, CostsAtMostTwiceForLengthScalesAbovePointThree) {
  const auto price = [](double ell) {
    const HarmonicLogs logs = harmonic_logs(1 / (ell * ell), 400);
    double sum = 0;
    for (Index j = 0; j <= 400; ++j)
      sum += (j == 0 ? 1 : 2) * std::exp(2 * logs.log_c(j) - log_harmonic_law(double(j)));
    return sum;
  };
  for (double ell = 0.3; ell < 100; ell *= 1.05) EXPECT_LT(price(ell), 2.05) << ell;
  EXPECT_NEAR(price(1.0), 1.35, 0.02);
  EXPECT_LT(price(0.03), 200);  // and finite below
}

}  // namespace
}  // namespace bochner::bessel_ratios_test
