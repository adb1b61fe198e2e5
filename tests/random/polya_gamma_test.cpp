#include "bochner/random/polya_gamma.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/support/goodness_of_fit.hpp"

namespace bochner::polya_gamma_test {
namespace {

struct Case {
  double shape, tilt;
  std::array<double, 15> sixteenths;  // quantiles of PG(shape, tilt) at 1/16 .. 15/16
};

// Quantiles by inversion of the Laplace transform, solved for x by bisection, in Python: for shape < 1
// mpmath's Talbot contour with 40 nodes and 30 digits, else the trapezoidal rule on a vertical line. Where
// both apply they agree to 12 digits. The density that the sampler uses appears nowhere in it.
const std::vector<Case> cases = {
    {0.3,
     0,
     {{0.005896250954, 0.008391389912, 0.01098049091, 0.01388712502, 0.01727969754, 0.02134786679,
       0.02633972773, 0.03260339104, 0.04065056263, 0.05126549233, 0.06570544647, 0.0861019149, 0.1163963247,
       0.1652378912, 0.2602587163}}},
    {0.3,
     2,
     {{0.005596059353, 0.007833652744, 0.0100970726, 0.0125791725, 0.01541038351, 0.0187276987, 0.02270330922,
       0.02757310089, 0.03367891612, 0.0415418104, 0.05200172702, 0.06651121301, 0.08784242956, 0.1222265033,
       0.1895172817}}},
    {0.3,
     20,
     {{0.002855313544, 0.003469256591, 0.003981160742, 0.004458853846, 0.004929276506, 0.005408698176,
       0.005910263011, 0.006447231803, 0.007035361364, 0.007695788515, 0.008459870225, 0.009379095899,
       0.01054933579, 0.01218603274, 0.01498145531}}},
    {1,
     0,
     {{0.05388887804, 0.07205089762, 0.08900707555, 0.1062259576, 0.1243815687, 0.1439639376, 0.1654459256,
       0.1893739191, 0.2164581663, 0.2477049337, 0.2846539412, 0.329873019, 0.3881697295, 0.4703341532,
       0.6107951393}}},
    {1,
     2,
     {{0.04752584228, 0.06187361075, 0.07486553169, 0.08777182495, 0.1011568789, 0.1154167129, 0.1309214836,
       0.1480872763, 0.1674424496, 0.1897219447, 0.2160360902, 0.2482226323, 0.2897093394, 0.3481781248,
       0.4481301685}}},
    {1,
     20,
     {{0.01484017082, 0.01667634808, 0.01808011808, 0.01930778977, 0.02045272202, 0.02156441921,
       0.02267665092, 0.02381798955, 0.02501770624, 0.02631108859, 0.02774692684, 0.02940174902,
       0.03141355741, 0.03408438794, 0.03835740046}}},
    {7.5,
     0,
     {{1.121259434, 1.266979203, 1.376651567, 1.471293711, 1.558486454, 1.642171748, 1.724954591, 1.80894969,
       1.896232057, 1.989212748, 2.091135178, 2.206989075, 2.345644382, 2.526274721, 2.807909322}}},
    {7.5,
     2,
     {{0.8871523951, 0.9923969299, 1.071371738, 1.13940156, 1.201996568, 1.262013765, 1.321335111,
       1.381483015, 1.443946365, 1.51045064, 1.583312881, 1.66609387, 1.76511958, 1.894059805, 2.094989603}}},
    {7.5,
     20,
     {{0.1561089625, 0.1631463405, 0.1681622078, 0.1723304725, 0.1760569271, 0.1795426971, 0.1829124692,
       0.1862596268, 0.189668172, 0.1932284188, 0.1970549593, 0.2013173218, 0.2063094032, 0.2126556147,
       0.2222487362}}},
    {300,
     0,
     {{69.66855771, 70.95657349, 71.85107204, 72.58043792, 73.22227194, 73.81427792, 74.37918108, 74.93334803,
       75.49081423, 76.06595436, 76.67627466, 77.34690982, 78.12054842, 79.08653733, 80.51188166}}},
    {300,
     2,
     {{53.30204691, 54.22485028, 54.86557775, 55.38794013, 55.84755516, 56.27144156, 56.67588092, 57.07259581,
       57.47163552, 57.88328836, 58.32007992, 58.79998963, 59.35354867, 60.0446515, 61.06422234}}},
    {300,
     20,
     {{7.291646606, 7.342910076, 7.378277586, 7.406977951, 7.432133593, 7.455254515, 7.477244953, 7.498750213,
       7.520317327, 7.542499688, 7.565963972, 7.591659594, 7.621190028, 7.657897964, 7.711736487}}},
    {300,
     7,
     {{20.39611368, 20.6378606, 20.80530209, 20.94157039, 21.0612953, 21.1715715, 21.27666404, 21.37963349,
       21.48309262, 21.5897045, 21.70269886, 21.82669841, 21.96953769, 22.14759001, 22.40972033}}},
    {31,
     0,
     {{6.103594798, 6.470771876, 6.733229199, 6.951709921, 7.14726555, 7.330351626, 7.507463597, 7.683477041,
       7.862787195, 8.050127805, 8.251511748, 8.475838687, 8.738536772, 9.072370809, 9.576574104}}},
    {0.01,
     0,
     {{7.181352877e-06, 1.057378419e-05, 1.430703016e-05, 1.875476073e-05, 2.429018571e-05, 3.142250009e-05,
       4.092836228e-05, 5.407623949e-05, 7.307617658e-05, 0.0001020787122, 0.0001496598883, 0.0002359917802,
       0.000418392977, 0.000918442678, 0.003336896883}}},
    {0.01,
     2,
     {{7.166608185e-06, 1.054368871e-05, 1.425491696e-05, 1.867012738e-05, 2.415647114e-05, 3.121288003e-05,
       4.059773305e-05, 5.354508208e-05, 7.219565287e-05, 0.0001005479259, 0.0001468049332, 0.0002300719983,
       0.00040384633, 0.0008699019127, 0.003009868217}}},
    {2.5,
     200,
     {{0.005661264888, 0.005800149842, 0.005897405302, 0.005977191433, 0.006047761391, 0.006113149757,
       0.006175809513, 0.00623752908, 0.006299865873, 0.006364440765, 0.006433255414, 0.006509213641,
       0.006597282754, 0.006707913876, 0.006872494488}}},
    {29.5,
     5,
     {{2.430589307, 2.538945385, 2.616018125, 2.679963807, 2.737050831, 2.790380535, 2.841870217, 2.892950053,
       2.94490021, 2.999090216, 3.057250492, 3.121933041, 3.197551962, 3.293467965, 3.437998888}}},
    {30.5,
     5,
     {{2.52072718, 2.631206415, 2.709739653, 2.774867327, 2.832987682, 2.887264714, 2.93965308, 2.991609436,
       3.044436176, 3.099525073, 3.158633061, 3.224349585, 3.301151575, 3.39853005, 3.545188719}}},
    {1e4,
     0,
     {{2468.775524, 2476.540512, 2481.87731, 2486.195949, 2489.972342, 2493.436029, 2496.723955, 2499.933334,
       2503.146012, 2506.444176, 2509.92618, 2513.731377, 2518.094294, 2523.502595, 2531.404945}}},
    {1e4,
     2,
     {{1881.632584, 1887.19186, 1891.012565, 1894.104276, 1896.807738, 1899.287294, 1901.640987, 1903.938413,
       1906.238165, 1908.599072, 1911.091534, 1913.815293, 1916.938205, 1920.809296, 1926.465364}}},
};

TEST(PolyaGamma, HasTheRightMomentsAndDistribution) {
  const Rng root(1);
  const Index n = 100'000;
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::Message() << "shape " << c.shape << ", tilt " << c.tilt);
    Rng rng = root.split(std::uint64_t(&c - cases.data()));
    const Vector w = testing::sample(n, [&] { return polya_gamma(c.shape, c.tilt, rng); });
    EXPECT_GT(w.minCoeff(), 0);
    testing::expect_moments(w, pg_mean(c.shape, c.tilt), pg_variance(c.shape, c.tilt));
    std::vector<double> counts(16);
    for (const double x : w)
      ++counts[std::upper_bound(c.sixteenths.begin(), c.sixteenths.end(), x) - c.sixteenths.begin()];
    testing::expect_counts(counts, std::vector<double>(16, 1.0 / 16));
  }
}

// E exp(-t w) = cosh^b(z/2) / cosh^b(sqrt(z^2/4 + t/2)) [polson2013, Eq. 5], also for shapes between the
// cases above.
TEST(PolyaGamma, HasTheRightLaplaceTransform) {
  const auto log_cosh = [](double x) { return x + std::log1p(std::exp(-2 * x)) - std::log(2.0); };
  Rng rng(2);
  for (const double b : {0.05, 0.8, 3.0, 12.6, 29.99, 30.01, 80.0, 2000.0})
    for (const double z : {0.0, 0.7, -3.0, 12.0}) {
      const double t = 1 / std::sqrt(pg_variance(b, z));
      const Vector e =
          testing::sample(20'000, [&] { return std::exp(-t * (polya_gamma(b, z, rng) - pg_mean(b, z))); });
      const double exact = std::exp(t * pg_mean(b, z) +
                                    b * (log_cosh(std::abs(z) / 2) - log_cosh(std::sqrt(z * z / 4 + t / 2))));
      const double se = std::sqrt((e.array() - e.mean()).square().mean() / double(e.size()));
      EXPECT_NEAR(e.mean(), exact, 4 * se) << "shape " << b << ", tilt " << z;
    }
}

/// The definition as an infinite sum of gammas, cut after 300 terms; the rest is replaced by its mean.
double slow_polya_gamma(double b, double z, Rng& rng) {
  double sum = 0, mean = 0;
  for (int k = 1; k <= 300; ++k) {
    const double weight = 1 / (2 * pi * pi * (k - 0.5) * (k - 0.5) + z * z / 2);
    sum += rng.gamma(b) * weight;
    mean += b * weight;
  }
  return sum + b * std::tanh(z / 2) / (2 * z) - mean;
}

TEST(PolyaGamma, AgreesWithItsDefinitionAsASumOfGammas) {
  const double shapes_and_tilts[][2] = {{0.6, 0.5}, {2.7, 3.3}, {35, 1}};
  Rng rng(3);
  for (const auto& [b, z] : shapes_and_tilts) {
    SCOPED_TRACE(b);
    testing::expect_same_distribution(
        testing::sample(100'000, [&, b = b, z = z] { return polya_gamma(b, z, rng); }),
        testing::sample(10'000, [&, b = b, z = z] { return slow_polya_gamma(b, z, rng); }));
  }
}

// The series draws up to shape 30, the saddle point from there on. Fed with the same random numbers the two accept the
// same proposals but for a few in a thousand, so their difference is far less noisy than either.
TEST(PolyaGamma, TheTwoAlgorithmsMeet) {
  const Rng root(7);
  const Index n = 50'000;
  for (const double z : {0.0, 1.5, 6.0}) {
    Vector difference(n), difference_of_squares(n);
    const double mean = pg_mean(30, z), sd = std::sqrt(pg_variance(30, z));
    for (Index i = 0; i < n; ++i) {
      Rng one = root.split(std::uint64_t(i)), other = one;
      const double a = (polya_gamma(30, z, one) - mean) / sd;
      const double b = (polya_gamma(std::nextafter(30.0, 31.0), z, other) - mean) / sd;
      difference(i) = a - b;
      difference_of_squares(i) = a * a - b * b;
    }
    for (const Vector& d : {difference, difference_of_squares}) {
      const double se = std::sqrt(d.squaredNorm()) / double(n);
      EXPECT_LT(se, 1e-3) << "the draws are paired";
      EXPECT_NEAR(d.mean(), 0, 4 * se) << "tilt " << z;
    }
  }
}

TEST(PolyaGamma, MomentsInClosedFormAreStableForEveryTilt) {
  EXPECT_DOUBLE_EQ(pg_mean(3, 0), 0.75);
  EXPECT_DOUBLE_EQ(pg_variance(3, 0), 0.125);
  for (const double z : {1e-300, 1e-9, 1e-4, 0.28, 0.2829, 0.5, 2.0, 20.0, 200.0, 1e4}) {
    const long double Z = z, half = std::tanh(Z / 2);
    const long double mean = half / (2 * Z);
    // (sinh z - z) / (4 z^3 cosh^2(z/2)) with sinh z / cosh^2(z/2) = 2 tanh(z/2); Taylor where that cancels.
    const long double variance =
        z < 1e-3 ? 1 / 24.0L - Z * Z / 120 : (2 * half - Z * (1 - half * half)) / (4 * Z * Z * Z);
    EXPECT_NEAR(pg_mean(2.5, z) / double(2.5L * mean), 1, 1e-14) << z;
    EXPECT_NEAR(pg_variance(2.5, z) / double(2.5L * variance), 1, 1e-11) << z;
    EXPECT_EQ(pg_mean(2.5, z), pg_mean(2.5, -z));
    EXPECT_EQ(pg_variance(2.5, z), pg_variance(2.5, -z));
  }
}

TEST(PolyaGamma, IsPositiveAndFiniteAtTheEdges) {
  Rng rng(4);
  for (const double b : {1e-6, 0.01, 1.0, 30.0, 31.0, 1e4, 1e7})
    for (const double z : {0.0, 1e-300, 1e-5, 0.2828, 55.0, 59.99, 60.01, 200.0, 1e6, 1e100})
      for (int i = 0; i < 100; ++i) {
        const double w = polya_gamma(b, z, rng);
        EXPECT_TRUE(w > 0 && std::isfinite(w)) << "shape " << b << ", tilt " << z << ": " << w;
      }
}

TEST(PolyaGamma, DependsOnTheTiltThroughItsSizeOnly) {
  for (const double b : {0.3, 4.0, 50.0}) {
    Rng a(5), c(5);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(polya_gamma(b, 1.5, a), polya_gamma(b, -1.5, c));
  }
}

TEST(PolyaGamma, WrongArgumentsThrow) {
  Rng rng(6);
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -2.0, inf, std::nan("")}) {
    EXPECT_THROW(polya_gamma(bad, 1, rng), std::domain_error) << bad;
    EXPECT_THROW(pg_mean(bad, 1), std::domain_error) << bad;
    EXPECT_THROW(pg_variance(bad, 1), std::domain_error) << bad;
  }
  EXPECT_THROW(polya_gamma(1, inf, rng), std::domain_error);
  EXPECT_THROW(pg_mean(1, std::nan("")), std::domain_error);
}

}  // namespace
}  // namespace bochner::polya_gamma_test
