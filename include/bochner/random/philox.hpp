#pragma once
#include <array>
#include <cstdint>

#include "bochner/core/types.hpp"

namespace bochner {

// Philox4x32-10 [salmon2011]: a keyed bijection of 128-bit counters that looks random. Rng is built on it;
// code that must draw the same numbers elsewhere (a GPU, another language) needs only this function and the
// layout in rng.cpp.

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

PhiloxCounter philox(const PhiloxCounter& counter, const PhiloxKey& key);

/// Blocks for `count` successive counters, whose words 0 and 1 hold a 64-bit number that is incremented and
/// whose words 2 and 3 stay: first[i] = output words 1:0 and second[i] = output words 3:2 of block i, as
/// 64-bit words.
void philox_blocks(const PhiloxCounter& start, const PhiloxKey& key, Index count, std::uint64_t* first,
                   std::uint64_t* second);

}  // namespace bochner
