#include "bochner/models/harmonic/hidden_layer.hpp"

namespace bochner {

Index HiddenLayer::inputs() const { return patches ? patches->image.pixels() : map.rows(); }

ImageShape HiddenLayer::image() const {
  const ImageShape drawn{patches->rows(), patches->cols(), functions()};
  return pool ? pooled_shape(drawn) : drawn;
}

Index HiddenLayer::outputs() const { return patches ? image().pixels() : functions(); }

}  // namespace bochner
