#pragma once
#include <cstddef>
#include <cstdint>

// A program that was compiled for another processor dies of an illegal instruction, without a word. This folder gives it
// the word. It is compiled for the oldest processor of the family, and uses no template and no inline function of a
// library: the linker keeps one copy of these for the whole program, and that copy may be another file's, full of the very
// instructions that are missing.

namespace bochner::processor {

struct Registers {
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
};

/// What a processor says of itself; tests make one up.
struct Processor {
  Registers (*cpuid)(std::uint32_t leaf, std::uint32_t sub);
  std::uint64_t (*saved_state)();  // XCR0, asked only where CPUID says that it is there
};

Processor this_processor();

/// Whether `processor` lacks one of the features in `required`, a list that ends with a null pointer. If so, `out` (of `size`
/// bytes) gets the error message: `what` was built for `arch`, the features that are missing, and `build` with the level of
/// x86-64 that this processor can run. A feature of an unknown name counts as missing.
bool lacks(const Processor& processor, const char* const* required, const char* what, const char* arch,
           const char* build, char* out, std::size_t size);

/// The same for this processor and the flags that the library was compiled with.
bool unsupported(const char* what, const char* build, char* out, std::size_t size);

}  // namespace bochner::processor
