#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/features/feature_spec.hpp"

namespace bochner {

/// The features that views can have. Automatic is chosen by the predicted cost of a step (cost.hpp); random frequencies are
/// drawn afresh every step; inducing latents of nystrom come with the trace correction [titsias2009].
inline constexpr FeatureKinds gplvm_feature_kinds{};

/// How the columns of a view are scaled before they meet the model.
enum class ViewScaling {
  automatic,    // whole_view, or standardise where columns seem to have different units (start.cpp)
  none,         // as they are
  centre,       // minus their means
  standardise,  // to unit variance each
  whole_view    // minus their means, all divided by one number
};

/// The numbers in which products of random features and inducing latents are made; the exact kernel is always in double.
enum class FloatingPoint {
  automatic,  // single for large tables, as long as the noise variance is at least 0.001 of that of the view
  double_precision,
  single_precision
};

/// What one view has of its own.
struct GplvmViewOptions {
  std::string kernel = "ngsm";  // what make_kernel understands
  Index components = 2;         // R, of the mixtures
  ViewScaling scaling = ViewScaling::automatic;
  /// Noise variance of the scaled view; learned when absent, as it should be.
  std::optional<double> fixed_noise{};
  double first_noise = 0.5;  // where learning it begins
};

struct GplvmOptions {
  Index dims = 2;           // Q
  GplvmViewOptions view{};  // of every view ...
  /// ... but those that have their own, in the order of the data.
  std::vector<std::optional<GplvmViewOptions>> own{};
  FeatureSpec features{};
  FloatingPoint precision = FloatingPoint::automatic;

  Index steps = 5000;       // at most, for each start
  double step_size = 0.1;   // of Adam
  Index cooling = 150;      // steps at the end with falling step size; at most a quarter of `steps`
  Index patience = 80;      // cool down once the objective has been flat for so many steps
  double tolerance = 3e-3;  // flat: it gains less than this, per measured entry, in `patience` steps
  bool race = true;  // try several first guesses for a few steps; false starts at the principal components
  /// Starts of the optimiser, of which the best bound is kept; 0: one to six, the cheaper a step, the more (cost.hpp).
  Index restarts = 0;
};

}  // namespace bochner
