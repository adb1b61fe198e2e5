#pragma once
#include <string>

#include "bochner/core/types.hpp"

namespace bochner {

/// Images are rows of a table whose columns are pixels: row by row, left to right, the channels of a pixel side by side.
struct ImageShape {
  Index height = 0, width = 0, channels = 1;

  Index pixels() const { return height * width * channels; }
};

/// "28x28" or "32x32x3". InputError for anything else.
ImageShape parse_image_shape(const std::string& text);
std::string to_string(const ImageShape& shape);

/// The square windows of size x size pixels that begin every `stride` pixels. Without padding they lie inside of the image; with
/// padding (`same`) there are ceil(height / stride) x ceil(width / stride) of them, and what lies outside is zero; where the
/// padding is odd, the smaller half comes first.
struct Patches {
  ImageShape image{};
  Index size = 1, stride = 1;
  bool same = false;

  Index rows() const;  // of windows
  Index cols() const;
  Index count() const { return rows() * cols(); }                // P
  Index length() const { return size * size * image.channels; }  // d, of one patch: row, column, channel
  Index centre(Index channel) const;  // the column of a patch that holds its middle pixel

  Matrix gather(MatrixIn images) const;     // N P x d, the patches of an image one after the other
  Matrix scatter(MatrixIn dpatches) const;  // adjoint of gather, N x pixels
  Matrix positions() const;                 // P x 2: row and column at which a window begins, in pixels
};

/// InputError where a window is larger than its image, or has no size or stride.
void check_patches(const Patches& patches);

/// Means over 2 x 2 pixels; an odd last row or column is left out. And its adjoint.
ImageShape pooled_shape(const ImageShape& shape);
Matrix mean_pool(const ImageShape& shape, MatrixIn images);
Matrix mean_pool_pullback(const ImageShape& shape, MatrixIn dpooled);

}  // namespace bochner
