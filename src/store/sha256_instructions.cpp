#include "sha256_instructions.hpp"

#include <stdexcept>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace bochner::detail {

#if defined(__x86_64__)

bool has_sha256_instructions() {
  static const bool has = [] {
    constexpr unsigned sha = 1U << 29;  // EBX of leaf 7
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __builtin_cpu_supports("sse4.1") && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha) != 0;
  }();
  return has;
}

__attribute__((target("sha,sse4.1"))) void compress_with_instructions(std::array<std::uint32_t, 8>& state,
                                                                      const unsigned char* blocks,
                                                                      std::size_t count) {
  // The instructions hold the state as (f, e, b, a) and (h, g, d, c), lowest first.
  const auto [a, b, c, d, e, f, g, h] = state;
  const auto four = [](std::uint32_t w0, std::uint32_t w1, std::uint32_t w2, std::uint32_t w3) {
    return std::array<std::uint32_t, 4>{w0, w1, w2, w3};
  };
  std::array<std::uint32_t, 4> feba = four(f, e, b, a), hgdc = four(h, g, d, c);
  __m128i s0 = _mm_loadu_si128(reinterpret_cast<const __m128i*>(feba.data()));
  __m128i s1 = _mm_loadu_si128(reinterpret_cast<const __m128i*>(hgdc.data()));
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  for (; count > 0; --count, blocks += 64) {
    const __m128i before0 = s0, before1 = s1;
    __m128i w[16];  // message schedule, four words each
    for (int i = 0; i < 16; ++i) {
      if (i < 4)
        w[i] =
            _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks + 16 * i)), big_endian);
      else
        w[i] = _mm_sha256msg2_epu32(
            _mm_add_epi32(_mm_sha256msg1_epu32(w[i - 4], w[i - 3]), _mm_alignr_epi8(w[i - 1], w[i - 2], 4)),
            w[i - 1]);
      const __m128i k = _mm_loadu_si128(reinterpret_cast<const __m128i*>(sha256_constants.data() + 4 * i));
      const __m128i sum = _mm_add_epi32(w[i], k);
      s1 = _mm_sha256rnds2_epu32(s1, s0, sum);
      s0 = _mm_sha256rnds2_epu32(s0, s1, _mm_shuffle_epi32(sum, 0x0e));
    }
    s0 = _mm_add_epi32(s0, before0);
    s1 = _mm_add_epi32(s1, before1);
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(feba.data()), s0);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(hgdc.data()), s1);
  state = {feba[3], feba[2], hgdc[3], hgdc[2], feba[1], feba[0], hgdc[1], hgdc[0]};
}

#else

bool has_sha256_instructions() { return false; }

void compress_with_instructions(std::array<std::uint32_t, 8>&, const unsigned char*, std::size_t) {
  throw std::logic_error("compress_with_instructions: this processor has none");
}

#endif

}  // namespace bochner::detail
