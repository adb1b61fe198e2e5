#include "processor.hpp"

#include <gtest/gtest.h>

#include <string>

#include "features.hpp"
#include "required_features.hpp"

namespace bochner::processor::processor_test {
namespace {

// Intel's Nehalem of 2008 (x86-64-v2) and Haswell of 2013 (x86-64-v3), as QEMU defines them (target/i386/cpu.c).
Registers nehalem(std::uint32_t leaf, std::uint32_t) {
  if (leaf == 1) return {.a = 0x106a3, .b = 0, .c = 0x00982201, .d = 0x078bfbff};
  return {};
}
Registers haswell(std::uint32_t leaf, std::uint32_t sub) {
  if (leaf == 1) return {.a = 0x306c4, .b = 0, .c = 0x7ffa3203, .d = 0x078bfbff};
  if (leaf == 7 && sub == 0) return {.a = 0, .b = 0x00000fb9, .c = 0, .d = 0};
  if (leaf == 0x80000001) return {.a = 0, .b = 0, .c = 0x21, .d = 0x2c100800};
  return {};
}
std::uint64_t saves_ymm() { return 7; }
std::uint64_t saves_xmm() { return 3; }
std::uint64_t never() {
  ADD_FAILURE() << "XCR0 was asked of a processor that has none";
  return 0;
}

const char* const v2[] = {"sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", nullptr};
const char* const v3[] = {"sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "movbe", "avx",
                          "fma",  "f16c",  "avx2",   "bmi",    "bmi2",   "lzcnt", nullptr};
const char* const v4[] = {"avx2", "avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl", nullptr};

std::string message(const Processor& processor, const char* const* required) {
  char out[1024] = "";
  const bool any = lacks(processor, required, "program", "x", "-D", out, sizeof out);
  EXPECT_EQ(any, *out != '\0');
  return out;
}

TEST(Processor, RunsWhatItHas) {
  EXPECT_EQ(message({nehalem, never}, v2), "");
  EXPECT_EQ(message({haswell, saves_ymm}, v2), "");
  EXPECT_EQ(message({haswell, saves_ymm}, v3), "");
}

TEST(Processor, NamesWhatIsMissingAndTheLevelThatRuns) {
  EXPECT_EQ(message({nehalem, never}, v3),
            "bochner: this program was built for other processors (BOCHNER_ARCH=x), and this processor lacks "
            "movbe, avx, fma, f16c, avx2, bmi, bmi2, lzcnt; build with -DBOCHNER_ARCH=x86-64-v2");
  EXPECT_EQ(message({haswell, saves_ymm}, v4),
            "bochner: this program was built for other processors (BOCHNER_ARCH=x), and this processor lacks "
            "avx512f, avx512dq, avx512cd, avx512bw, avx512vl; build with -DBOCHNER_ARCH=x86-64-v3");
}

TEST(Processor, AVectorThatTheSystemDoesNotSaveIsMissing) {
  const std::string text = message({haswell, saves_xmm}, v3);
  EXPECT_NE(text.find("lacks avx, fma, f16c, avx2; build with -DBOCHNER_ARCH=x86-64-v2"), std::string::npos)
      << text;
}

TEST(Processor, AnUnknownFeatureIsMissing) {
  const char* const unknown[] = {"sse3", "warp", nullptr};
  EXPECT_NE(message({haswell, saves_ymm}, unknown).find("lacks warp;"), std::string::npos);
}

TEST(Processor, TheMessageKeepsToItsBuffer) {
  char out[40];
  EXPECT_TRUE(lacks({nehalem, never}, v3, "program", "x", "-D", out, sizeof out));
  EXPECT_EQ(std::string(out).size(), sizeof out - 1);
}

// The tests run where they were built, so what was required is here, and is what the macros of this file say.
TEST(Processor, RequiresWhatTheCompilerUses) {
  char out[1024] = "";
  EXPECT_FALSE(unsupported("program", "-D", out, sizeof out)) << out;
  const auto requires_feature = [](const std::string& name) {
    for (const char* const* f = required_features; *f; ++f)
      if (name == *f) return true;
    return false;
  };
#ifdef __SSE4_2__
  EXPECT_TRUE(requires_feature("sse4.2"));
#else
  EXPECT_FALSE(requires_feature("sse4.2"));
#endif
#ifdef __AVX2__
  EXPECT_TRUE(requires_feature("avx2"));
  EXPECT_TRUE(requires_feature("fma"));
#else
  EXPECT_FALSE(requires_feature("avx2"));
#endif
#ifdef __AVX512VL__
  EXPECT_TRUE(requires_feature("avx512vl"));
#else
  EXPECT_FALSE(requires_feature("avx512vl"));
#endif
}

}  // namespace
}  // namespace bochner::processor::processor_test
