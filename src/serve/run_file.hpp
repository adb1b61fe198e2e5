#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace bochner::detail {

struct RunFile {
  std::string text;
  std::string version;  // another one once the file is written again
  double age = 0;       // seconds since it was written
};

/// A regular file of at most `most` bytes; no links, pipes or devices. Nothing if it is not there, or larger.
std::optional<RunFile> read_run_file(const std::string& path, std::size_t most);

/// RunFile::version without reading; empty if there is no such file.
std::string file_version(const std::string& path);

}  // namespace bochner::detail
