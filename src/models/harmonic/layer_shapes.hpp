#pragma once
#include <vector>

#include "bochner/models/harmonic/fit.hpp"

namespace bochner {

/// What the kernel of a layer sees of a row.
struct LayerShape {
  Index inputs = 1;     // columns of its inducing points
  Index places = 1;     // windows of an image, 1 without
  Index functions = 1;  // that a hidden layer draws
};

struct LayerShapes {
  std::vector<LayerShape> hidden{};
  LayerShape last{};
};

/// The shapes of all layers of `options` over a table of `inputs` columns. InputError where windows do not fit into their images.
LayerShapes layer_shapes(const HarmonicFitOptions& options, Index inputs);

inline constexpr Index widest_dense = 30;  // outputs of a dense layer, unless it is told
inline constexpr Index usual_maps = 10;    // of convolutions [blomqvist2019]

Patches patches_of(const Window& window, const ImageShape& image);

}  // namespace bochner
