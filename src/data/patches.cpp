#include "bochner/data/patches.hpp"

#include <algorithm>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/core/printable.hpp"

namespace bochner {
namespace {

Index windows(const Patches& p, Index length) {
  return p.same ? (length + p.stride - 1) / p.stride : (length - p.size) / p.stride + 1;
}

/// Zeros before the first pixel of a side of this length.
Index padding(const Patches& p, Index length) {
  return p.same ? std::max<Index>((windows(p, length) - 1) * p.stride + p.size - length, 0) / 2 : 0;
}

/// f(patch, column of the patch, column of the image) for every pixel that lies inside of the image; the channels of a pixel
/// are the columns that follow.
template <class F>
void for_each_pixel(const Patches& p, const F& f) {
  const Index above = padding(p, p.image.height), left = padding(p, p.image.width), C = p.image.channels;
  for (Index i = 0; i < p.rows(); ++i)
    for (Index j = 0; j < p.cols(); ++j)
      for (Index a = 0; a < p.size; ++a)
        for (Index b = 0; b < p.size; ++b) {
          const Index row = i * p.stride - above + a, col = j * p.stride - left + b;
          if (row >= 0 && row < p.image.height && col >= 0 && col < p.image.width)
            f(i * p.cols() + j, (a * p.size + b) * C, (row * p.image.width + col) * C);
        }
}

}  // namespace

ImageShape parse_image_shape(const std::string& text) {
  constexpr Index largest = 1'000'000;
  std::vector<Index> sides;
  std::string rest = text + "x";
  for (std::size_t end = rest.find('x'); end != std::string::npos; end = rest.find('x')) {
    const auto side = parse_integer<std::uint64_t>(rest.substr(0, end));
    if (!side || *side < 1 || *side > static_cast<std::uint64_t>(largest)) {
      sides.clear();
      break;
    }
    sides.push_back(static_cast<Index>(*side));
    rest.erase(0, end + 1);
  }
  if (sides.size() != 2 && sides.size() != 3)
    throw InputError(
        "the image shape '" + printable(text, 100) +
        "' cannot be read; write height x width or height x width x channels, as in 28x28 or 32x32x3");
  return {sides[0], sides[1], sides.size() == 3 ? sides[2] : 1};
}

std::string to_string(const ImageShape& s) {
  return std::to_string(s.height) + "x" + std::to_string(s.width) + "x" + std::to_string(s.channels);
}

Index Patches::rows() const { return windows(*this, image.height); }
Index Patches::cols() const { return windows(*this, image.width); }
Index Patches::centre(Index channel) const {
  return ((size / 2) * size + size / 2) * image.channels + channel;
}

Matrix Patches::gather(MatrixIn images) const {
  check_size("Patches::gather", "columns of images", images.cols(), "the pixels of an image", image.pixels());
  Matrix out = Matrix::Zero(images.rows() * count(), length());
  for (Index n = 0; n < images.rows(); ++n)
    for_each_pixel(*this, [&](Index patch, Index to, Index from) {
      for (Index c = 0; c < image.channels; ++c) out(n * count() + patch, to + c) = images(n, from + c);
    });
  return out;
}

Matrix Patches::scatter(MatrixIn dpatches) const {
  check_size("Patches::scatter", "columns of dpatches", dpatches.cols(), "the length of a patch", length());
  const Index N = dpatches.rows() / count();
  check_size("Patches::scatter", "rows of dpatches", dpatches.rows(), "a whole number of images",
             N * count());
  Matrix out = Matrix::Zero(N, image.pixels());
  for (Index n = 0; n < N; ++n)
    for_each_pixel(*this, [&](Index patch, Index from, Index to) {
      for (Index c = 0; c < image.channels; ++c) out(n, to + c) += dpatches(n * count() + patch, from + c);
    });
  return out;
}

Matrix Patches::positions() const {
  Matrix out(count(), 2);
  const Index above = padding(*this, image.height), left = padding(*this, image.width);
  for (Index i = 0; i < rows(); ++i)
    for (Index j = 0; j < cols(); ++j)
      out.row(i * cols() + j) << double(i * stride - above), double(j * stride - left);
  return out;
}

void check_patches(const Patches& p) {
  if (p.size < 1 || p.stride < 1) throw InputError("a patch needs a size and a stride of at least 1");
  if (p.size > p.image.height || p.size > p.image.width)
    throw InputError("patches of " + std::to_string(p.size) + " x " + std::to_string(p.size) +
                     " pixels are larger than images of " + std::to_string(p.image.height) + " x " +
                     std::to_string(p.image.width) + "; use smaller patches or fewer layers with strides");
}

ImageShape pooled_shape(const ImageShape& s) { return {s.height / 2, s.width / 2, s.channels}; }

Matrix mean_pool(const ImageShape& s, MatrixIn images) {
  const ImageShape to = pooled_shape(s);
  Matrix out = Matrix::Zero(images.rows(), to.pixels());
  for (Index n = 0; n < images.rows(); ++n)
    for (Index i = 0; i < 2 * to.height; ++i)
      for (Index j = 0; j < 2 * to.width; ++j)
        for (Index c = 0; c < s.channels; ++c)
          out(n, ((i / 2) * to.width + j / 2) * s.channels + c) +=
              0.25 * images(n, (i * s.width + j) * s.channels + c);
  return out;
}

Matrix mean_pool_pullback(const ImageShape& s, MatrixIn dpooled) {
  const ImageShape from = pooled_shape(s);
  Matrix out = Matrix::Zero(dpooled.rows(), s.pixels());
  for (Index n = 0; n < dpooled.rows(); ++n)
    for (Index i = 0; i < 2 * from.height; ++i)
      for (Index j = 0; j < 2 * from.width; ++j)
        for (Index c = 0; c < s.channels; ++c)
          out(n, (i * s.width + j) * s.channels + c) =
              0.25 * dpooled(n, ((i / 2) * from.width + j / 2) * s.channels + c);
  return out;
}

}  // namespace bochner
