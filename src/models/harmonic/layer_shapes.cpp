#include "layer_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/core/counted.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {

Patches patches_of(const Window& window, const ImageShape& image) {
  const Patches out{.image = image, .size = window.size, .stride = window.stride, .same = window.same};
  check_patches(out);
  return out;
}

LayerShapes layer_shapes(const HarmonicFitOptions& options, Index inputs) {
  const LayerPlan plan = parse_layers(options.layers);
  LayerShapes out;
  ImageShape image{};
  if (plan.images()) image = parse_image_shape(options.image);
  for (const HiddenPlan& p : plan.hidden) {
    if (!p.window) {
      out.hidden.push_back({inputs, 1, p.functions > 0 ? p.functions : std::min(inputs, widest_dense)});
      inputs = out.hidden.back().functions;
      continue;
    }
    const Patches patches = patches_of(*p.window, image);
    out.hidden.push_back({patches.length(), patches.count(), p.functions > 0 ? p.functions : usual_maps});
    image = {.height = patches.rows(), .width = patches.cols(), .channels = out.hidden.back().functions};
    if (p.pool) image = pooled_shape(image);
    inputs = image.pixels();
  }
  out.last.inputs = inputs;
  if (plan.last) {
    const Patches patches = patches_of(*plan.last, image);
    out.last = {patches.length() + 2, patches.count(), 1};
  }
  return out;
}

void check_layers(const HarmonicFitOptions& options, Index inputs) {
  const LayerPlan plan = parse_layers(options.layers);
  if (options.hidden_inducing.size() > plan.hidden.size())
    throw InputError(fmt::format("there are numbers of inducing points for {}, but only {}",
                                 counted(Index(options.hidden_inducing.size()), "hidden layer"),
                                 counted(Index(plan.hidden.size()), "hidden layer")));
  if (options.symmetries == std::vector<std::string>{"auto"} && (!plan.hidden.empty() || plan.images()))
    throw InputError("symmetries are compared for one GP of one layer only; name one, or leave it out");
  if (!plan.images()) {
    if (!options.image.empty())
      throw InputError(
          "the shape of an image was given, but no layer looks at images; use the layer patches:5, or a conv "
          "layer");
    return;
  }
  if (options.image.empty())
    throw InputError("layers of windows need the shape of the images, such as 28x28 or 32x32x3");
  const ImageShape image = parse_image_shape(options.image);
  if (image.pixels() != inputs)
    throw InputError(fmt::format("images of {} have {}, but the table has {}", to_string(image),
                                 counted(image.pixels(), "number"), counted(inputs, "input column")));
}

}  // namespace bochner
