#pragma once
#include <cmath>
#include <cstdint>

#include "host_device.hpp"

namespace bochner::scalar {

/// Block `position` of the stream of `key`: Philox4x32-10 [salmon2011] in the layout of random/rng.cpp.
struct RandomBlock {
  std::uint64_t first, second;
};
BOCHNER_HOST_DEVICE RandomBlock random_block(std::uint64_t key, std::uint64_t position) {
  std::uint32_t c0 = std::uint32_t(position), c1 = std::uint32_t(position >> 32), c2 = 0, c3 = 0;
  std::uint32_t k0 = std::uint32_t(key), k1 = std::uint32_t(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t(0xD2511F53u) * c0, b = std::uint64_t(0xCD9E8D57u) * c2;
    c0 = std::uint32_t(b >> 32) ^ c1 ^ k0;
    c1 = std::uint32_t(b);
    c2 = std::uint32_t(a >> 32) ^ c3 ^ k1;
    c3 = std::uint32_t(a);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {c0 | std::uint64_t(c1) << 32, c2 | std::uint64_t(c3) << 32};
}

/// 52 random bits k -> (k + 1/2) 2^-52, exactly.
BOCHNER_HOST_DEVICE double open_unit(std::uint64_t bits) { return (double(bits >> 12) + 0.5) * 0x1p-52; }

/// Box-Muller [box1958] as in random/rng_bulk.cpp, from the same bits; log, sin and cos of this device may differ from
/// those of the processor in their last digit.
struct NormalPair {
  double first, second;
};
BOCHNER_HOST_DEVICE NormalPair normal_pair(std::uint64_t key, std::uint64_t position) {
  const RandomBlock block = random_block(key, position);
  const double radius = std::sqrt(-2 * std::log(open_unit(block.first)));
  const double angle = 2 * 3.14159265358979323846 * open_unit(block.second);
#ifdef __CUDA_ARCH__
  double sine, cosine;
  sincos(angle, &sine, &cosine);
  return {radius * cosine, radius * sine};
#else
  return {radius * std::cos(angle), radius * std::sin(angle)};
#endif
}

}  // namespace bochner::scalar
