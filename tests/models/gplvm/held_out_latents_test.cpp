#include "bochner/models/gplvm/held_out_latents.hpp"

#include <gtest/gtest.h>

#include "bochner/data/held_out.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "tests/models/gplvm/examples.hpp"

namespace bochner::held_out_latents_test {
namespace {

TEST(GplvmHeldOutLatents, SamplesThatLostMuchKnowAllOfTheirEntriesAgain) {
  const Index N = 60;
  const Dataset data = testing::two_tables(4, N, 20).data;
  std::vector<BoolMatrix> masks{BoolMatrix::Constant(N, 20, false), BoolMatrix::Constant(N, 23, false)};
  masks[0](3, 7) = true;                      // 1 of 43: stays
  masks[0].row(5).head(5).setConstant(true);  // 5 of 43: more than a tenth
  masks[1].row(8).setConstant(true);          // a whole view
  const GplvmFit fit =
      fit_gplvm(hide(data, masks), {.view = {.kernel = "rbf"}, .steps = 150, .restarts = 1}, 1, Threads(2));
  const GplvmFit after = with_held_out(fit, data, masks, Threads(2));
  const LatentPosterior all = embed(fit, data, Threads(1));
  for (Index n = 0; n < N; ++n) {
    const LatentPosterior& expected = n == 5 || n == 8 ? all : fit.latent;
    EXPECT_EQ(after.latent.mean.row(n), expected.mean.row(n)) << n;
    EXPECT_EQ(after.latent.sd.row(n), expected.sd.row(n)) << n;
  }
  EXPECT_NE(after.latent.mean.row(8), fit.latent.mean.row(8));
  EXPECT_EQ(with_held_out(fit, data, {}, Threads(1)).latent.mean, fit.latent.mean);  // nothing was held out
}

}  // namespace
}  // namespace bochner::held_out_latents_test
