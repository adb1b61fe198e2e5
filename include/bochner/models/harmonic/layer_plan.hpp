#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/data/patches.hpp"

namespace bochner {

/// Windows of an image: data/patches.hpp without the image.
struct Window {
  Index size = 1, stride = 1;
  bool same = false;
};

/// What a hidden layer shall be, before anything is known of its inputs.
struct HiddenPlan {
  std::optional<Window> window{};  // a convolution; without it all inputs of a row are seen at once
  Index functions = 0;             // R; 0: as many as inputs, at most 30, or 10 maps of a convolution
  bool pool = false;
};

/// The layers of a deep GP from the inputs up; the last one, which the likelihood sees, is a GP or a sum over patches.
struct LayerPlan {
  std::vector<HiddenPlan> hidden{};
  std::optional<Window> last{};

  bool images() const;  // whether a layer takes its inputs for an image
};

/// Layers from words, as the command line has them:
///
///   2                                         a GP of one layer has 1, and N have N - 1 dense ones below the last
///   dense[:WIDTH]                             every function sees all inputs
///   conv:SIZE[:STRIDE[:MAPS]][:same][:pool2]  every function sees windows of SIZE x SIZE pixels
///   patches:SIZE[:STRIDE][:same]              last: the mean over windows of a GP on a window and its place
///
/// InputError for what cannot be read or follows in no order: nothing after `patches`, no `conv` after `dense`.
LayerPlan parse_layers(const std::vector<std::string>& words);

/// What the kernel of a layer sees of a row.
struct LayerShape {
  Index inputs = 1;  // columns of its inducing points
  Index places = 1;  // windows of an image, 1 without
  Index functions =
      1;  // that a hidden layer draws: of a dense one at most 30 by default, of convolutions 10 maps [blomqvist2019]
};

struct LayerShapes {
  std::vector<LayerShape> hidden{};
  LayerShape last{};
};

/// The shapes of all layers over a table of `inputs` columns, which are images of the shape `image` where a layer looks at
/// images. InputError where windows do not fit into their images.
LayerShapes layer_shapes(const LayerPlan& plan, const std::string& image, Index inputs);

/// The windows of an image; InputError where they do not fit.
Patches patches_of(const Window& window, const ImageShape& image);

}  // namespace bochner
