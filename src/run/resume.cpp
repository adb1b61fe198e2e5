#include "bochner/run/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/run/config.hpp"

namespace bochner {

namespace fs = std::filesystem;

namespace {

std::string path_in(const std::string& folder, const std::string& file) {
  return (fs::path(folder) / file).string();
}

bool file_exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

void check_unchanged(const std::string& folder, const std::string& config) {
  const Config was = read_config(path_in(folder, "config.toml")), is = parse_config(config, "now");
  for (const ConfigEntry& entry : is.entries) {
    const auto same = [&](const ConfigEntry& old) {
      return old.key == entry.key && old.value == entry.value;
    };
    if (std::none_of(was.entries.begin(), was.entries.end(), same))
      throw InputError(fmt::format(
          "--{} differs from {}, but --resume continues a run with its own options; omit the option, or "
          "start a new run without --resume",
          entry.key, printable(was.file)));
  }
}

bool is_complete(const std::string& folder) {
  return file_exists(path_in(folder, "metrics.json")) && !file_exists(path_in(folder, checkpoint_file));
}

std::optional<ModelGroup> find_checkpoint(const std::string& folder, const std::string& fingerprint) {
  const std::string path = path_in(folder, checkpoint_file);
  if (!file_exists(path)) return std::nullopt;
  ModelGroup group = read_model(path);
  if (group.text("job") != fingerprint)
    throw InputError(fmt::format(
        "{}: the tables have changed since this run was stopped; restore the old ones, or start a new "
        "run without --resume",
        printable(path)));
  return group;
}

}  // namespace bochner
