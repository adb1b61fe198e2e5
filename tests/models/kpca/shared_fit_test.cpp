#include <gtest/gtest.h>

#include "bochner/compute/loopback.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/models/kpca/kpca.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::kpca_shared_fit_test {
namespace {

TEST(KpcaShared, EverySolverHasTheBytesOfOneProcess) {
  const Matrix A = Rng(1).normal(1200, 4), B = Rng(2).normal(1200, 3);
  const Dataset data = join({make_view("a", A), make_view("b", B)});
  for (const KpcaSolver solver :
       {KpcaSolver::primal, KpcaSolver::primal_stiefel, KpcaSolver::dual, KpcaSolver::dual_stiefel}) {
    KpcaOptions options;
    options.dims = 3;
    options.solver = solver;
    if (solver == KpcaSolver::primal || solver == KpcaSolver::primal_stiefel)
      options.view.features = {.kind = FeatureSpec::Kind::random, .count = 150};
    const KpcaFit one = fit_kpca(data, options, 1, Threads(2));
    for (const Index ranks : {2, 3, 5})
      run_loopback(ranks, [&](const Communicator& comm) {
        const KpcaFit own = fit_kpca(data, options, 1, {Threads(1), Device::cpu(), comm});
        EXPECT_EQ(own.H, one.H) << comm.name();
        EXPECT_EQ(own.lambda, one.lambda);
        EXPECT_EQ(own.views[0].G, one.views[0].G);
      });
  }
}

}  // namespace
}  // namespace bochner::kpca_shared_fit_test
