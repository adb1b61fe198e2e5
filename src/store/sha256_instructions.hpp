#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace bochner::detail {

/// The rounds of SHA-256 [fips180-4, Sec. 4.2.2].
extern const std::array<std::uint32_t, 64> sha256_constants;

/// Whether this processor has instructions for SHA-256: five times as fast, and model files of wide tables are hundreds of
/// megabytes.
bool has_sha256_instructions();

/// Sha256 of `count` blocks of 64 bytes with these instructions; only where there are some.
void compress_with_instructions(std::array<std::uint32_t, 8>& state, const unsigned char* blocks,
                                std::size_t count);

}  // namespace bochner::detail
