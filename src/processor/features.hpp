#pragma once
#include <cstdint>

namespace bochner::processor {

/// What a compiler may use of a processor on its own account: vector and bit instructions. Instructions for ciphers, hashes
/// and random numbers are left out, for no compiler writes them unasked.
struct Feature {
  const char* name;     // of the compiler's macro, as in __AVX2__; a dot stands for _
  int level;            // of x86-64-v<level>, the first that has it; 4 for those of no level
  std::uint32_t leaf;   // of CPUID
  std::uint32_t sub;    // its subleaf
  char register_name;   // a, b, c or d, for eax to edx
  int bit;              // in that register
  std::uint64_t state;  // bits of XCR0: the registers that the operating system must save for it
};

inline constexpr std::uint64_t none = 0, ymm = 0x6, zmm = 0xe6;

// cmake/processor.cmake takes the names from these lines: one feature a line.
inline constexpr Feature features[] = {
    {"sse3", 2, 1, 0, 'c', 0, none},
    {"ssse3", 2, 1, 0, 'c', 9, none},
    {"sse4.1", 2, 1, 0, 'c', 19, none},
    {"sse4.2", 2, 1, 0, 'c', 20, none},
    {"popcnt", 2, 1, 0, 'c', 23, none},
    {"movbe", 3, 1, 0, 'c', 22, none},
    {"avx", 3, 1, 0, 'c', 28, ymm},
    {"fma", 3, 1, 0, 'c', 12, ymm},
    {"f16c", 3, 1, 0, 'c', 29, ymm},
    {"avx2", 3, 7, 0, 'b', 5, ymm},
    {"bmi", 3, 7, 0, 'b', 3, none},
    {"bmi2", 3, 7, 0, 'b', 8, none},
    {"lzcnt", 3, 0x80000001, 0, 'c', 5, none},
    {"avx512f", 4, 7, 0, 'b', 16, zmm},
    {"avx512dq", 4, 7, 0, 'b', 17, zmm},
    {"avx512cd", 4, 7, 0, 'b', 28, zmm},
    {"avx512bw", 4, 7, 0, 'b', 30, zmm},
    {"avx512vl", 4, 7, 0, 'b', 31, zmm},
    {"avx512ifma", 4, 7, 0, 'b', 21, zmm},
    {"avx512vbmi", 4, 7, 0, 'c', 1, zmm},
    {"avx512vbmi2", 4, 7, 0, 'c', 6, zmm},
    {"avx512vnni", 4, 7, 0, 'c', 11, zmm},
    {"avx512bitalg", 4, 7, 0, 'c', 12, zmm},
    {"avx512vpopcntdq", 4, 7, 0, 'c', 14, zmm},
    {"avx512fp16", 4, 7, 0, 'd', 23, zmm},
    {"avx512bf16", 4, 7, 1, 'a', 5, zmm},
    {"avxvnni", 4, 7, 1, 'a', 4, ymm},
    {"gfni", 4, 7, 0, 'c', 8, none},
    {"xop", 4, 0x80000001, 0, 'c', 11, ymm},
    {"fma4", 4, 0x80000001, 0, 'c', 16, ymm},
    {"tbm", 4, 0x80000001, 0, 'c', 21, none},
};

}  // namespace bochner::processor
