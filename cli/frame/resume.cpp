#include "resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/run/config.hpp"

namespace bochner::cli {

namespace fs = std::filesystem;

bool file_exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

void check_unchanged(const Job& job) {
  const Config was = read_config((fs::path(job.common.out) / "config.toml").string()),
               is = parse_config(config_text(job), "now");
  for (const ConfigEntry& entry : is.entries) {
    const auto same = [&](const ConfigEntry& old) {
      return old.key == entry.key && old.value == entry.value;
    };
    if (std::none_of(was.entries.begin(), was.entries.end(), same))
      throw InputError(
          fmt::format("--{} is not what {} has, but --resume goes on with a run as it is; leave the option "
                      "out, or start anew without --resume",
                      entry.key, printable(was.file)));
  }
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
