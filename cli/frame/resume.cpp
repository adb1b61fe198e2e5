#include "resume.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::cli {

namespace fs = std::filesystem;

bool file_exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool has_ended(const std::string& folder) {
  return file_exists((fs::path(folder) / "metrics.json").string()) &&
         !file_exists((fs::path(folder) / checkpoint_file).string());
}

void check_same_tables(const std::string& checkpoint, const std::string& found, const std::string& expected) {
  if (found != expected)
    throw InputError(
        fmt::format("{}: the tables have changed since this run was stopped; bring the old ones back, or "
                    "start anew without --resume",
                    printable(checkpoint)));
}

}  // namespace bochner::cli
