#pragma once
#include <string>

#include "bochner/core/types.hpp"
#include "bochner/kernels/frequencies.hpp"

namespace bochner {

/// How the kernel of a view enters a model: through features, or as it is.
struct FeatureSpec {
  enum class Kind {
    automatic,  // what suits the kernel and the number of samples; the model resolves it
    exact,      // the kernel itself: N x N, no approximation
    finite,     // the kernel's own finite map: linear, affine, poly
    random,     // random Fourier features of the kernel's spectrum
    nystrom,    // inducing points
    network     // a trainable network; the kernel is not used
  };
  Kind kind = Kind::automatic;
  Index count =
      0;  // frequencies (of each component), inducing points or outputs of the network; 0: the model decides
  Directions directions = Directions::independent;  // of random frequencies
  bool operator==(const FeatureSpec&) const = default;
};

/// What a model can use beside auto, exact, random and nystrom.
struct FeatureKinds {
  bool finite = false, network = false;
};

// Features as the string that the command line, configuration and model files have for them: "auto", "exact", "finite",
// "random", "300" (random, so many frequencies), "orthogonal", "orthogonal:300", "nystrom", "nystrom:500", "network",
// "network:32" (outputs). Also read: "random:300", and "fourier" for "random".
std::string to_text(const FeatureSpec& features);

/// InputError with the strings that are possible if `text` is none of them, or if the model has no such features.
FeatureSpec parse_features(const std::string& text, const FeatureKinds& possible);

}  // namespace bochner
