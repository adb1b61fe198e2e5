#include "bochner/io/run_folder.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/io/atomic_file.hpp"
#include "byte_source.hpp"
#include "sentence.hpp"

namespace bochner {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = "# bochner ";  // how the config.toml of a run begins; the kind follows

/// The kind of run that lives in the folder; empty if none does.
std::string kind_of_run(const std::string& folder) {
  const std::string path = (fs::path(folder) / "config.toml").string();
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::string line(200, '\0');
  try {
    line.resize(io::InputFile(path, io::Pipes::refused).read(line.data(), line.size()));
  } catch (const InputError&) {  // may not be read: it is no run that could go on
    return {};
  }
  if (!line.starts_with(mark)) return {};
  line.erase(0, mark.size());
  return line.substr(0, line.find_first_of(" \r\n"));
}

/// Hidden files do not count: .gitkeep, .DS_Store, the remains of a killed run.
bool is_empty(const std::string& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (!entry.path().filename().string().starts_with('.')) return false;
  return true;  // also if it may not be read: writing will say why
}

}  // namespace

void check_run_folder(const std::string& folder, const std::string& kind) {
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  if (!fs::is_directory(folder, error))
    throw WriteError(fmt::format("{}: this is a file, but a folder is needed", io::printable(folder)));
  if (is_empty(folder)) return;
  const std::string found = kind_of_run(folder);
  if (found == kind) return;
  throw WriteError(fmt::format("{}: the folder is not empty and holds {}; name a new folder",
                               io::printable(folder),
                               found.empty() ? "no run" : "a run of " + io::quote(found)));
}

RunFolder::RunFolder(std::string folder, const std::string& kind, const std::vector<std::string>& files,
                     std::string_view config)
    : folder_(std::move(folder)) {
  check_run_folder(folder_, kind);
  make_folder(folder_);
  write_file(path("config.toml"),
             fmt::format("{}{} --config THIS_FILE --out DIR    repeats this run to the same bytes\n{}", mark,
                         kind, config));
  for (const std::string& file : files) {
    std::error_code error;
    fs::remove(path(file), error);
    if (error)
      throw WriteError(fmt::format("{}: the file of an earlier run cannot be removed ({})",
                                   io::printable(path(file)), error.message()));
  }
}

std::string RunFolder::path(const std::string& file) const { return (fs::path(folder_) / file).string(); }

void RunFolder::log(std::string_view json) {
  log_ += json;
  log_ += '\n';
  write_file(path("log.jsonl"), log_);
}

}  // namespace bochner
