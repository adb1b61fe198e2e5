#pragma once
#include "bochner/core/rng.hpp"
#include "bochner/core/threads.hpp"
#include "bochner/io/table.hpp"
#include "bochner/kernels/rbf.hpp"
#include "demo.hpp"

namespace bochner::cli {

/// What the tables of the demo are made from: y_p(x) = offset_p + f_p(x) + N(0, noise_sd^2), f_p ~ GP(0, kernel),
/// x uniform on [-3, 3]^2.
struct DemoTruth {
  Rbf kernel{.ell = Vector{{0.8, 1.6}}, .sigma2 = 1.0};
  Vector offset = Vector{{10, -5}};
  double noise_sd = 0.2;
};

/// Five tables as a user would have them: samples to learn from, with holes, and new ones to be judged by.
struct DemoTables {
  Table inputs;       // samples x 2
  Table targets;      // samples x 2, noisy, with holes; every sample keeps at least one
  Table new_inputs;   // new_samples x 2
  Table new_targets;  // new_samples x 2, noisy
  Table new_truth;    // new_samples x 2, without the noise
};

DemoTables make_demo_tables(const DemoSettings& settings, const DemoTruth& truth, const Rng& rng,
                            const Threads& threads);

}  // namespace bochner::cli
