// HDF5 runs in a child process (src/tables/subprocess.hpp); its crashes must come out as messages.
#include "bochner/tables/hdf5.hpp"
#include "scratch.hpp"

using namespace bochner;

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  fuzz::prepare_scratch();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::write_scratch(data, size);
  const char* dataset = size % 2 ? "/X" : "";  // a fork is dear: one way in per input
  fuzz::read_and_judge(fuzz::scratch(), [&] { return read_hdf5(fuzz::scratch(), dataset); });
  return 0;
}
