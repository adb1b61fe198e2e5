#include "bochner/models/latent/latent_faults.hpp"

#include <gtest/gtest.h>

#include "bochner/random/rng.hpp"

namespace bochner::latent_faults_test {
namespace {

TEST(LatentFaults, CollapsedDuplicatedHomogeneous) {
  LatentPosterior latent{Rng(1).normal(200, 4), Matrix::Constant(200, 4, 0.1)};
  EXPECT_TRUE(latent_faults(latent).collapsed.empty());
  EXPECT_TRUE(latent_faults(latent).duplicated.empty());
  EXPECT_FALSE(latent_faults(latent).homogeneous);

  latent.mean.col(1) = 5 + 0.04 * Rng(2).normal(200).array();  // far away, but all in one place
  latent.mean.col(3) =
      3 - 2 * latent.mean.col(0).array() + 0.1 * Rng(3).normal(200).array();  // the first, turned round
  LatentFaults faults = latent_faults(latent);
  EXPECT_EQ(faults.collapsed, std::vector<Index>{1});
  ASSERT_EQ(faults.duplicated.size(), 1u);
  EXPECT_EQ(faults.duplicated[0], std::pair(Index{0}, Index{3}));

  latent.mean.col(1) = 0.06 * Rng(2).normal(200);  // little, but something
  latent.sd.col(2).setConstant(0.95);              // the prior everywhere
  EXPECT_EQ(latent_faults(latent).collapsed, std::vector<Index>{2});
  latent.sd(17, 2) = 0.5;  // but for one sample
  EXPECT_TRUE(latent_faults(latent).collapsed.empty());
  latent.mean.setZero();
  EXPECT_TRUE(latent_faults(latent).homogeneous);
  EXPECT_TRUE(latent_faults(latent).duplicated.empty());
}

}  // namespace
}  // namespace bochner::latent_faults_test
