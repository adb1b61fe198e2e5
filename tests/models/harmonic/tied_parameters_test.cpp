#include "src/models/harmonic/tied_parameters.hpp"

#include <gtest/gtest.h>

#include "bochner/kernels/make_kernel.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::tied_parameters_test {
namespace {

TEST(TiedParameters, LengthScalesAreOneInEachKernel) {
  const AnyKernel k = make_kernel("rbf+matern32*linear", 3, Rng(1));  // (3 + 1) + (3 + 1) + 3
  ASSERT_EQ(parameter_count(k), 11);
  const TiedParameters own = TiedParameters::make(k, false), shared = TiedParameters::make(k, true);
  EXPECT_EQ(own.count, 11);
  EXPECT_EQ(own.gather(parameters(k)), parameters(k));
  EXPECT_EQ(shared.count, 5);
  const Vector free = Rng(2).normal(5), theta = shared.spread(free), d = Rng(3).normal(11);
  EXPECT_EQ(theta(0), theta(2));
  EXPECT_EQ(theta(4), theta(6));
  EXPECT_NE(theta(0), theta(4));
  EXPECT_EQ(shared.gather(theta), free);
  EXPECT_NEAR(shared.pull(d).dot(free), d.dot(theta), 1e-13);  // the adjoint
}

TEST(TiedParameters, FrequenciesOfMixturesStayTheirOwn) {
  const AnyKernel k = make_kernel("sm", 2, Rng(1));
  EXPECT_EQ(TiedParameters::make(k, true).count, parameter_count(k));
}

}  // namespace
}  // namespace bochner::tied_parameters_test
