#pragma once
#include <gtest/gtest.h>

#include <cstring>

#include "bochner/models/gplvm/gplvm.hpp"
#include "bochner/simulate/latent_views.hpp"

namespace bochner::testing {

/// One table from the S-curve through an RBF map.
inline Simulated s_curve_table(std::uint64_t seed, Index N, Index M, const MissingOptions& holes = {}) {
  return simulate_views(
      {.curve = {.N = N},
       .views = {{.name = "y", .M = M, .emission = GaussianEmission{.noise_variance = 0.05}}},
       .missing = holes},
      Rng(seed), Threads(1));
}

/// Two tables from the same S-curve.
inline Simulated two_tables(std::uint64_t seed, Index N, Index M, const MissingOptions& holes = {}) {
  return simulate_views(
      {.curve = {.N = N},
       .views = {{.name = "a", .M = M, .emission = GaussianEmission{.noise_variance = 0.05}},
                 {.name = "b", .M = M + 3, .emission = GaussianEmission{.noise_variance = 0.1}}},
       .missing = holes},
      Rng(seed), Threads(1));
}

/// Enough to run every part of a fit: both phases, two starts.
inline GplvmOptions short_options() {
  return {.view = {.kernel = "rbf"}, .steps = 40, .cooling = 12, .restarts = 2};
}

inline bool same_bytes(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 ||
          std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0);
}

inline void expect_same_fit(const GplvmFit& a, const GplvmFit& b) {
  EXPECT_TRUE(same_bytes(a.latent.mean, b.latent.mean));
  EXPECT_TRUE(same_bytes(a.latent.sd, b.latent.sd));
  ASSERT_EQ(a.views.size(), b.views.size());
  for (std::size_t v = 0; v < a.views.size(); ++v) {
    EXPECT_TRUE(same_bytes(parameters(a.views[v].kernel), parameters(b.views[v].kernel)));
    EXPECT_EQ(a.views[v].noise_variance, b.views[v].noise_variance);
    EXPECT_TRUE(same_bytes(a.views[v].Z, b.views[v].Z));
    EXPECT_TRUE(same_bytes(a.views[v].G, b.views[v].G));
    EXPECT_TRUE(same_bytes(a.views[v].W, b.views[v].W));
    EXPECT_EQ(a.views[v].lambda, b.views[v].lambda);
    EXPECT_EQ(a.views[v].noise, b.views[v].noise);
    EXPECT_EQ(a.views[v].amplitude, b.views[v].amplitude);
    EXPECT_EQ(a.views[v].ratio, b.views[v].ratio);
  }
  EXPECT_EQ(a.objective, b.objective);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.jitter, b.jitter);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.start_objectives, b.start_objectives);
  ASSERT_EQ(a.trace.size(), b.trace.size());
  for (std::size_t i = 0; i < a.trace.size(); ++i) {
    EXPECT_EQ(a.trace[i].start, b.trace[i].start);
    EXPECT_EQ(a.trace[i].step, b.trace[i].step);
    EXPECT_EQ(a.trace[i].objective, b.trace[i].objective);
    EXPECT_EQ(a.trace[i].step_size, b.trace[i].step_size);
  }
}

/// k(x_i, z_j), one call each.
inline Eigen::MatrixXd slow_gram(const AnyKernel& k, const Matrix& X, const Matrix& Z) {
  Eigen::MatrixXd K(X.rows(), Z.rows());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < Z.rows(); ++j) K(i, j) = evaluate(k, X.row(i).transpose(), Z.row(j).transpose());
  return K;
}

}  // namespace bochner::testing
