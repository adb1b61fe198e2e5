#pragma once
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "children.hpp"
#include "judge.hpp"

namespace bochner::fuzz {

/// A file of this process for readers that want one, in memory where the system has such a place.
inline const std::string& scratch() {
  static const std::string path = (std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp") +
                                  std::string("/bochner-fuzz-") + std::to_string(::getpid());
  return path;
}

/// Once, for readers that fork (src/tables/subprocess.hpp).
inline void prepare_scratch() {
  ignore_crashes_of_children();
  std::atexit([] { std::remove(scratch().c_str()); });
}

inline void write_scratch(const std::uint8_t* data, std::size_t size) {
  std::FILE* file = std::fopen(scratch().c_str(), "wb");
  if (!file || std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0)
    find("no room for the scratch file");
}

}  // namespace bochner::fuzz
