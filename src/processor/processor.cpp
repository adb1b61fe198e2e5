#include "processor.hpp"

#include <stdio.h>
#include <string.h>

#include "features.hpp"
#include "required_features.hpp"  // generated: cmake/processor.cmake

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace bochner::processor {
namespace {

#if defined(__x86_64__) || defined(__i386__)
Registers cpuid_here(std::uint32_t leaf, std::uint32_t sub) {
  Registers r;
  if (!__get_cpuid_count(leaf, sub, &r.a, &r.b, &r.c, &r.d)) return {};
  return r;
}

std::uint64_t saved_state_here() {
  std::uint32_t low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}
#else
Registers cpuid_here(std::uint32_t, std::uint32_t) { return {}; }
std::uint64_t saved_state_here() { return 0; }
#endif

bool has(const Processor& processor, const Feature& feature, std::uint64_t saved) {
  const Registers r = processor.cpuid(feature.leaf, feature.sub);
  const std::uint32_t word = feature.register_name == 'a'   ? r.a
                             : feature.register_name == 'b' ? r.b
                             : feature.register_name == 'c' ? r.c
                                                            : r.d;
  return (word >> feature.bit & 1) && (saved & feature.state) == feature.state;
}

const Feature* find(const char* name) {
  for (const Feature& feature : features)
    if (strcmp(feature.name, name) == 0) return &feature;
  return nullptr;
}

}  // namespace

Processor this_processor() { return {cpuid_here, saved_state_here}; }

bool lacks(const Processor& processor, const char* const* required, const char* what, const char* arch,
           const char* build, char* out, std::size_t size) {
  const bool os_saves = processor.cpuid(1, 0).c >> 27 & 1;  // OSXSAVE
  const std::uint64_t saved = os_saves ? processor.saved_state() : 0;
  char missing[512] = "";
  int lowest = 5;  // level of a missing feature
  for (; *required; ++required) {
    const Feature* feature = find(*required);
    if (feature && has(processor, *feature, saved)) continue;
    const int level = feature ? feature->level : 4;
    if (level < lowest) lowest = level;
    const std::size_t length = strlen(missing);
    snprintf(missing + length, sizeof missing - length, "%s%s", length ? ", " : "", *required);
  }
  if (!*missing) return false;
  static const char* const runs[] = {"x86-64", "x86-64-v2", "x86-64-v3"};
  snprintf(out, size,
           "bochner: this %s was built for other processors (BOCHNER_ARCH=%s), and this processor lacks %s; "
           "build with %sBOCHNER_ARCH=%s",
           what, arch, missing, build, runs[lowest - 2]);
  return true;
}

bool unsupported(const char* what, const char* build, char* out, std::size_t size) {
  return lacks(this_processor(), required_features, what, built_for, build, out, size);
}

}  // namespace bochner::processor
