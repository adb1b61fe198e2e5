#include "feature_sizes.hpp"

#include <algorithm>
#include <bit>

#include "bochner/backend/engine.hpp"

namespace bochner {
namespace {

using Size = Slice::Size;

constexpr Size most_lanes = 16;  // measured: as fast as one product, and it fixes the order of the sum
constexpr Size fewest_in_lane = 32;
constexpr Size most_pieces = 512;  // of the rows, for sums of the pullback

Size power_of_two(Size n) {
  return static_cast<Size>(std::bit_ceil(static_cast<std::size_t>(std::max<Size>(n, 1))));
}

/// More lanes than most where a product has too few tiles to occupy a card evenly, and the rows for it.
Size lanes_of(Size N, Size rows, Size cols) {
  constexpr Size many_rows = 4096, evenly = 512;  // in a lane; blocks of a product
  const Size tiles = ((rows + 127) / 128) * ((cols + 63) / 64);
  Size lanes = 1;
  while (N / (2 * lanes) >= (lanes < most_lanes ? fewest_in_lane : many_rows) &&
         (lanes < most_lanes || tiles * lanes < evenly))
    lanes *= 2;
  return lanes;
}

}  // namespace

Size aligned(Size cols) { return (cols + 7) / 8 * 8; }

Size bands_of(Size N, Size rows, Size cols) {  // measured
  constexpr double large = 1e9;                // multiplications
  if (rows >= 1024) return 4;
  return double(N) * double(rows) * double(cols) >= large ? 2 : 1;
}

FeatureSizes::FeatureSizes(Size n, Size m, bool complete, Size j, Size d)
    : N(n),
      M(m),
      J(j),
      D(d),
      F(2 * j),
      lanes(lanes_of(n, 2 * j, m + (complete ? 2 : 4) * j)),
      rows((n + lanes - 1) / lanes * lanes),
      phi(aligned(F)),
      table(aligned(m)),
      stride((complete ? 1 : 2) * (phi + table)),
      pieces(power_of_two(std::min(most_pieces, (n + 15) / 16))),
      tiles(power_of_two((j + Engine::fourier_piece - 1) / Engine::fourier_piece)) {}

}  // namespace bochner
