#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"
#include "bochner/features/any_feature_map.hpp"
#include "bochner/models/kpca/fit.hpp"

namespace bochner {

/// A view as training sees it: its rows, and its features or its kernel. Weights are inside the features, sqrt(w) phi.
struct KpcaSource {
  std::string name;
  Matrix X;  // n x M, scaled
  double weight = 1;
  std::optional<AnyFeatureMap> map;  // explicit features ...
  std::optional<AnyKernel> kernel;   // ... or this
};

/// Scaled rows, kernels with their length-scales, feature maps drawn.
std::vector<KpcaSource> make_sources(const Dataset& data, const std::vector<Scaling>& scalings,
                                     const std::vector<KpcaViewOptions>& views, const KpcaTraining& training,
                                     const Rng& rng, const Compute& compute);

/// Number of explicit features of all views together; nothing if a view has none.
std::optional<Index> feature_count(const std::vector<KpcaSource>& sources);

/// The same for one view of n samples and M columns, from its options alone.
std::optional<Index> feature_count(const KpcaViewOptions& view, Index n, Index M);

/// sqrt(w) phi(x) of rows, not centred; the source must have a map.
Matrix weighted_features(const AnyFeatureMap& map, double weight, MatrixIn X, const Compute& compute);

/// Eigenvectors and what follows from them.
struct KpcaSolution {
  Vector lambda;              // s
  Matrix H;                   // n x s
  std::vector<Vector> means;  // per view, of its explicit features; else empty
  std::vector<Matrix> U;      // per view, F x s; else empty
  double total_variance = 0;
  Vector row_means;  // n, K 1/n of the sum over views that have a kernel; else empty
  Status status = Status::converged;
  Index steps = 0;
};

/// The four algorithms of [achten2023, Table 1]; `solver` is not automatic. Components without variance are left out.
KpcaSolution solve_kpca(const std::vector<KpcaSource>& sources, Index dims, KpcaSolver solver,
                        const KpcaOptions& options, const Rng& rng, const Compute& compute);

/// Trains the networks among the maps of `sources`, all of which must be explicit, and returns a pre-image network for
/// each of them [achten2023, Alg. 3 with *]. Ends early when `progress` says so.
std::vector<std::optional<AnyFeatureMap>> train_networks(std::vector<KpcaSource>& sources, Index dims,
                                                         const KpcaTraining& training, const Rng& rng,
                                                         const Compute& compute,
                                                         const std::function<bool(double)>& progress);

}  // namespace bochner
