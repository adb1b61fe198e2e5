#include "bochner/tables/npz.hpp"
#include "judge.hpp"

using namespace bochner;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const char* array : {"", "X"})
    fuzz::read_and_judge("a.npz", [&] { return parse_npz(fuzz::view(data, size), "a.npz", array); });
  return 0;
}
