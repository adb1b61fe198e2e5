// HDF5 runs in a child process (src/io/isolated.hpp); its crashes must come out as sentences.
#include <unistd.h>

#include <filesystem>

#include "bochner/io/hdf5.hpp"
#include "fuzz/children.hpp"
#include "fuzz/judge.hpp"

using namespace bochner;

namespace {

// One file per process, in memory where the system has such a place.
const std::string& scratch() {
  static const std::string path = (std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp") +
                                  std::string("/bochner-fuzz-") + std::to_string(::getpid());
  return path;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  fuzz::ignore_crashes_of_children();
  std::atexit([] { std::remove(scratch().c_str()); });
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::FILE* file = std::fopen(scratch().c_str(), "wb");
  if (!file || std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0)
    fuzz::find("no room for the scratch file");
  const char* dataset = size % 2 ? "/X" : "";  // a fork is dear: one way in per input
  fuzz::read_and_judge(scratch(), [&] { return read_hdf5(scratch(), dataset); });
  return 0;
}
