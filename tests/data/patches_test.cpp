#include "bochner/data/patches.hpp"

#include <gtest/gtest.h>

#include "bochner/core/errors.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::patches_test {
namespace {

/// Pixel (row, column, channel) of an image, zero outside.
double pixel(const ImageShape& s, const Matrix& images, Index n, Index row, Index col, Index c) {
  if (row < 0 || col < 0 || row >= s.height || col >= s.width) return 0;
  return images(n, (row * s.width + col) * s.channels + c);
}

std::vector<Patches> cases() {
  std::vector<Patches> out;
  for (const ImageShape& image : {ImageShape{7, 9, 2}, ImageShape{8, 6, 1}})
    for (Index size = 1; size <= 5; ++size)
      for (Index stride = 1; stride <= 3; ++stride)
        for (const bool same : {false, true}) out.push_back({image, size, stride, same});
  return out;
}

TEST(Patches, AreTheWindowsOfTheImage) {
  for (const Patches& p : cases()) {
    const Matrix images = Rng(1).normal(3, p.image.pixels());
    const Matrix rows = p.gather(images), starts = p.positions();
    ASSERT_EQ(rows.rows(), 3 * p.count());
    ASSERT_EQ(rows.cols(), p.length());
    for (Index n = 0; n < 3; ++n)
      for (Index k = 0; k < p.count(); ++k)
        for (Index a = 0; a < p.size; ++a)
          for (Index b = 0; b < p.size; ++b)
            for (Index c = 0; c < p.image.channels; ++c)
              ASSERT_EQ(rows(n * p.count() + k, (a * p.size + b) * p.image.channels + c),
                        pixel(p.image, images, n, Index(starts(k, 0)) + a, Index(starts(k, 1)) + b, c))
                  << p.size << " " << p.stride << " " << p.same;
  }
}

TEST(Patches, ScatterIsTheAdjointOfGather) {
  for (const Patches& p : cases()) {
    const Matrix images = Rng(2).normal(2, p.image.pixels()), rows = Rng(3).normal(2 * p.count(), p.length());
    EXPECT_NEAR(p.gather(images).cwiseProduct(rows).sum(), images.cwiseProduct(p.scatter(rows)).sum(), 1e-10);
  }
}

TEST(Patches, PaddingIsThatOfTensorFlow) {
  const Patches even{{32, 32, 3}, 4, 1, true}, odd{{32, 32, 3}, 5, 1, true}, inside{{32, 32, 3}, 5, 3, false};
  EXPECT_EQ(even.positions()(0, 0), -1);  // 1 before, 2 after
  EXPECT_EQ(odd.positions()(0, 0), -2);
  EXPECT_EQ(even.count(), 1024);
  EXPECT_EQ(inside.rows(), 10);
  EXPECT_EQ(inside.centre(1), (2 * 5 + 2) * 3 + 1);
  EXPECT_EQ(even.centre(0), (2 * 4 + 2) * 3);
}

TEST(Patches, PoolingIsAMeanAndItsAdjoint) {
  const ImageShape odd{5, 6, 2};
  const Matrix images = Rng(4).normal(2, odd.pixels()), pooled = mean_pool(odd, images);
  ASSERT_EQ(pooled.cols(), 2 * 3 * 2);
  double sum = 0;
  for (const Index row : {2, 3})
    for (const Index col : {4, 5}) sum += pixel(odd, images, 1, row, col, 1);
  EXPECT_NEAR(pooled(1, (1 * 3 + 2) * 2 + 1), sum / 4, 1e-15);
  const Matrix d = Rng(5).normal(2, pooled.cols());
  EXPECT_NEAR(pooled.cwiseProduct(d).sum(), images.cwiseProduct(mean_pool_pullback(odd, d)).sum(), 1e-12);
}

TEST(Patches, ShapesAreReadAndRefused) {
  EXPECT_EQ(to_string(parse_image_shape("28x28")), "28x28x1");
  EXPECT_EQ(parse_image_shape("32x30x3").width, 30);
  for (const char* wrong : {"", "28", "28x", "x28", "28x28x3x1", "0x4", "28X28", "-1x4", "3x4x1.0"})
    EXPECT_THROW(parse_image_shape(wrong), InputError) << wrong;
  EXPECT_THROW(check_patches({{4, 8, 1}, 5, 1, false}), InputError);
  EXPECT_THROW(check_patches({{8, 8, 1}, 3, 0, false}), InputError);
}

}  // namespace
}  // namespace bochner::patches_test
