#include "bochner/compute/loopback.hpp"
#include "fit_examples.hpp"

// Chains that several processes share.
namespace bochner::bayes_test {
namespace {

TEST(BayesLvm, ProcessesDoNotChangeAByte) {
  const Simulated truth = counts(300, 9);
  for (const auto likelihood : {BayesLikelihood::poisson, BayesLikelihood::gaussian}) {
    BayesOptions options = quick(likelihood);
    options.frequencies = 5;
    options.start = BayesStart::pca;
    options.warmup = options.draws = 10;
    const BayesFit one = fit_bayes({truth.data}, options, 3, Threads(2));
    for (const Index ranks : {2, 3, 5})
      run_loopback(ranks, [&](const Communicator& comm) {
        expect_same(one, fit_bayes({truth.data}, options, 3, {Threads(2), Device::cpu(), comm}));
      });
  }
}

/// Chains that are compared, replaced by copies of others and warmed up until they have settled: all that a chain carries.
TEST(BayesLvm, ProcessesDoNotChangeAByteOfChainsThatAreSelected) {
  const Simulated truth = counts(40, 6);
  BayesOptions options = quick(BayesLikelihood::negbinom);
  options.latent.dynamic = true;
  options.frequencies = 4;
  options.warmup = until_settled;
  options.draws = 10;
  options.starts = {BayesStart::pca, BayesStart::random, BayesStart::isomap, BayesStart::random};
  const BayesData data{.data = truth.data, .axis = {.time = truth.t}};
  const BayesFit one = fit_bayes(data, options, 3, Threads(1));
  for (const Index ranks : {2, 3})
    run_loopback(ranks, [&](const Communicator& comm) {
      const BayesFit shared = fit_bayes(data, options, 3, {Threads(1), Device::cpu(), comm});
      expect_same(one, shared);
      EXPECT_EQ(one.options.warmup, shared.options.warmup);
    });
}

}  // namespace
}  // namespace bochner::bayes_test
