#include "bochner/tables/npy.hpp"
#include "judge.hpp"

using namespace bochner;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read_and_judge("a.npy", [&] { return parse_npy(fuzz::view(data, size), "a.npy"); });
  return 0;
}
