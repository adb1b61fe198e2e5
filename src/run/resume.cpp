#include "bochner/run/resume.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

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

bool is_complete(const std::string& folder) {
  return file_exists(path_in(folder, "metrics.json")) && !file_exists(path_in(folder, checkpoint_file));
}

std::string checkpoint_bytes(const std::string& folder) {
  std::ifstream file(path_in(folder, checkpoint_file), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<ModelGroup> find_checkpoint(const std::string& folder, const std::string& fingerprint) {
  const std::string path = path_in(folder, checkpoint_file);
  if (!file_exists(path)) return std::nullopt;
  ModelGroup group = read_model(path);
  if (group.text("job") != fingerprint)
    throw InputError(
        fmt::format("{}: the tables have changed since this run was interrupted, or another version of "
                    "bochner started it; restore "
                    "the tables, or start a new run instead of resuming this one",
                    printable(path)));
  return group;
}

}  // namespace bochner
