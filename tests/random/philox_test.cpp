#include "bochner/random/philox.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace bochner::philox_test {
namespace {

// The Philox4x32-10 lines of Random123's kat_vectors [salmon2011].
TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, BlocksAreSuccessiveCountersAcrossTheCarry) {
  const PhiloxKey key{0xa4093822, 0x299f31d0};
  const Index n = 37;
  std::vector<std::uint64_t> first(n), second(n);
  philox_blocks({0xfffffff0, 0x7, 0x13198a2e, 0x3}, key, n, first.data(), second.data());
  for (Index i = 0; i < n; ++i) {
    const std::uint64_t position = 0x7fffffff0ULL + std::uint64_t(i);
    const PhiloxCounter block =
        philox({std::uint32_t(position), std::uint32_t(position >> 32), 0x13198a2e, 0x3}, key);
    EXPECT_EQ(first[i], block[0] | std::uint64_t(block[1]) << 32) << i;
    EXPECT_EQ(second[i], block[2] | std::uint64_t(block[3]) << 32) << i;
  }
}

}  // namespace
}  // namespace bochner::philox_test
