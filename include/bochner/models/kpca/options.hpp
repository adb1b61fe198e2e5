#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/data/scaling.hpp"
#include "bochner/features/feature_spec.hpp"

namespace bochner {

/// The features that views can have. Automatic is finite if the kernel has a finite map that is smaller than the sample,
/// else exact; random or nystrom beyond 50,000 samples.
inline constexpr FeatureKinds kpca_feature_kinds{.finite = true, .network = true};

/// From a point of feature space back to the view. smoother, fixed_point and gradient are for the kernel itself.
enum class Preimage {
  automatic,  // identity for linear kernels, the network for networks, ridge for the rest
  identity,   // the features are the columns
  smoother,  // mean of the training rows that are nearest in feature space, weighted by their predicted kernel values
  fixed_point,  // [mika1999], rbf only
  ridge,        // learned: linear in the components, penalty by generalised cross-validation
  gradient,     // the nearest point of the image of the kernel, by L-BFGS
  network       // learned with the network features
};

/// What one view has of its own.
struct KpcaViewOptions {
  std::string kernel = "rbf";  // what make_kernel understands
  double lengthscale = 0;      // 0: the median distance between samples
  FeatureSpec features{};
  ScalingKind scaling = ScalingKind::standardise;
  double weight = 1;  // factor of the kernel
  Preimage preimage = Preimage::automatic;
  bool classes =
      false;  // columns stand for classes, 1 for the one that a sample belongs to and 0 for the others
};

enum class KpcaSolver {
  automatic,       // primal if every view has explicit features and there are fewer of them than samples
                   // [achten2023, Fig. 1]; an eigensolver but for networks
  primal,          // [achten2023, Alg. 1]: eigenvectors of the covariance of features
  dual,            // Alg. 2: eigenvectors of the Gram matrix
  primal_stiefel,  // Alg. 3: Cayley-Adam
  dual_stiefel     // Alg. 4
};

/// Joint training of network features and pre-images [achten2023, Alg. 3 with *; pandey2022].
struct KpcaTraining {
  Index epochs = 200;
  Index batch = 200;            // samples of a step
  double step = 3e-3;           // of Adam for the networks; those of Cayley-Adam are a third of it
  double reconstruction = 1.0;  // weight of the error in the views, against that in feature space
  Index hidden = 64;            // units between inputs and features, and back
};

struct KpcaOptions {
  Index dims = 2;          // s
  KpcaViewOptions view{};  // of every view ...
  /// ... but those that have their own, in the order of the data.
  std::vector<std::optional<KpcaViewOptions>> own{};
  KpcaSolver solver = KpcaSolver::automatic;
  KpcaTraining training{};
  /// Of samples that lack views: directions of the components that the present views hold less than this share of are left at
  /// zero. What the views say of a direction is divided by their share, noise and all, so that a small one throws samples far
  /// out.
  double unseen = 1e-3;
  double keep_bytes = 4e9;  // Gram matrices up to this size are kept, larger ones made anew for every product
  double tolerance = 1e-10;      // of the eigenpairs
  Index stiefel_steps = 20'000;  // of Cayley-Adam, at most
};

}  // namespace bochner
