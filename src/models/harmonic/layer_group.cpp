#include "layer_group.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/kernels/kernel_group.hpp"
#include "entries.hpp"
#include "src/store/entries.hpp"
#include "src/symmetry/motion_group.hpp"

namespace bochner::detail {

namespace {

ModelGroup patches_group(const Patches& patches) {
  ModelGroup out;
  out.set("image", to_string(patches.image)).set("size", patches.size).set("stride", patches.stride);
  out.set("same", patches.same);
  return out;
}

Patches patches_from(const ModelGroup& g) {
  const Patches out{parse_image_shape(g.text("image")), count_from(g, "size"), count_from(g, "stride"),
                    g.flag("same")};
  check_patches(out);
  return out;
}

ModelGroup layer_group(const HiddenLayer& layer) {
  // A new member does not compile until it is written.
  const auto& [kernel, motions, weights, Z, mean, factor, output_factor, map, jitter, patches, pool] = layer;
  ModelGroup out;
  out.set("kernel", kernel_group(kernel)).set("motions", motions_group(motions)).set("weights", weights);
  set_each(out, "Z", Z);
  set_each(out, "mean", mean);
  set_each(out, "factor", factor);
  set_each(out, "output_factor", output_factor);
  out.set("map", map).set("jitter", jitter).set("pool", pool).set("convolution", patches.has_value());
  if (patches) out.set("patches", patches_group(*patches));
  return out;
}

HiddenLayer layer_from(const ModelGroup& g) {
  const Matrix& map = g.matrix("map");
  const Index d = map.rows(), R = map.cols(), m = g.matrix("Z_0").rows(), H = g.matrix("weights").rows();
  if (d < 1 || R < 1 || m < 1 || H < 1)
    throw InputError(fmt::format("{}: the layer has no inputs, functions or inducing points", g.where()));
  HiddenLayer out{.kernel = kernel_from(g.group("kernel"), d),
                  .motions = motions_from(g.group("motions"), d)};
  out.weights = matrix_from(g, "weights", H, static_cast<Index>(out.motions.size()));
  out.Z = each_from(g, "Z", H, m, d);
  out.mean = each_from(g, "mean", H, m, R);
  out.factor = each_from(g, "factor", H, m, m);
  out.output_factor = each_from(g, "output_factor", H, R, R);
  out.map = matrix_from(g, "map", d, R);
  out.jitter = jitter_from(g);
  out.pool = g.flag("pool");
  if (g.flag("convolution")) {
    out.patches = patches_from(g.group("patches"));
    check_length(g, "map", d, out.patches->length());
  }
  if (out.pool && (!out.patches || out.patches->rows() < 2 || out.patches->cols() < 2))
    throw InputError(fmt::format("{}: only images of at least 2 x 2 pixels can be pooled", g.where()));
  return out;
}

}  // namespace

ModelGroup hidden_group(const std::vector<HiddenLayer>& hidden) {
  ModelGroup out;
  out.set("count", hidden.size());
  for (std::size_t i = 0; i < hidden.size(); ++i) out.set(place(i), layer_group(hidden[i]));
  return out;
}

std::vector<HiddenLayer> hidden_from(const ModelGroup& group) {
  std::vector<HiddenLayer> out;
  const Index count = count_from(group, "count");
  for (Index i = 0; i < count; ++i) {
    HiddenLayer layer = layer_from(group.group(place(static_cast<std::size_t>(i))));
    if (!out.empty() && layer.inputs() != out.back().outputs())
      throw InputError(fmt::format("{}: layer {} takes {} columns, but the one below it gives {}",
                                   group.where(), i + 1, layer.inputs(), out.back().outputs()));
    out.push_back(std::move(layer));
  }
  return out;
}

ModelGroup patch_sum_group(const PatchSum& sum) {
  return ModelGroup{}.set("patches", patches_group(sum.patches)).set("weight", sum.weight);
}

PatchSum patch_sum_from(const ModelGroup& group) {
  PatchSum out{patches_from(group.group("patches")), group.vector("weight")};
  check_length(group, "weight", out.weight.size(), out.patches.count());
  if (!out.weight.allFinite())
    throw InputError(fmt::format("{}: the weights of patches are not finite", group.where()));
  return out;
}

}  // namespace bochner::detail
