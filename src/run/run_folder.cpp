#include "bochner/run/run_folder.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/tables/atomic_file.hpp"
#include "src/tables/byte_source.hpp"

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
    line.resize(detail::InputFile(path, detail::Pipes::refused).read(line.data(), line.size()));
  } catch (const InputError&) {  // may not be read: it is no run that could go on
    return {};
  }
  if (!line.starts_with(mark)) return {};
  line.erase(0, mark.size());
  return line.substr(0, line.find_first_of(" \r\n"));
}

constexpr std::string_view start_mark = "# started in ";  // relative paths are relative to this

std::string start_line() {
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  // A name that no comment can hold is left out; the run can then be resumed from that folder only.
  return error || printable(here, here.size()) != here ? "" : fmt::format("{}{}\n", start_mark, here);
}

/// Hidden files do not count: .gitkeep, .DS_Store, the remains of a killed run.
bool is_empty(const std::string& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (!entry.path().filename().string().starts_with('.')) return false;
  return true;  // also if it may not be read: writing will say why
}

constexpr const char* log_file = "log.jsonl";

/// "imputed/rna.csv": a file in a folder within this one, and nowhere else. Names of views come from files of others.
bool is_plain(const fs::path& name) {
  bool plain = name.is_relative() && std::distance(name.begin(), name.end()) == 2;
  for (const fs::path& part : name) plain = plain && part != ".." && part != "." && !part.empty();
  return plain && name.string().find('\0') == std::string::npos;
}

/// Files in folders within this one that the log of the earlier run claims. Anyone may have edited it.
std::vector<std::string> noted_files(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code error;
  if (!fs::is_regular_file(fs::path(folder) / log_file, error))
    return out;  // a pipe would wait for its writer
  std::ifstream file(fs::path(folder) / log_file);
  for (std::string line; std::getline(file, line);) {
    const auto event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object() || event.value("event", nlohmann::json()) != "write" || !event.contains("file") ||
        !event["file"].is_string())
      continue;
    if (const auto name = event["file"].get<std::string>(); is_plain(name)) out.push_back(name);
  }
  return out;
}

/// ".latent.csv.123-0.part": what a killed run leaves of a file that it was writing (atomic_file.cpp).
bool is_remains(const std::string& name) {
  constexpr std::string_view ending = ".part";
  if (!name.starts_with('.') || !name.ends_with(ending)) return false;
  const std::string_view stem = std::string_view(name).substr(0, name.size() - ending.size());
  const std::size_t dot = stem.rfind('.'), dash = stem.rfind('-');
  const auto digits = [&](std::size_t from, std::size_t to) {
    return from < to &&
           stem.substr(from, to - from).find_first_not_of("0123456789") == std::string_view::npos;
  };
  return dot != std::string_view::npos && dash != std::string_view::npos && dot < dash &&
         digits(dot + 1, dash) && digits(dash + 1, stem.size());
}

void remove_earlier(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(fs::symlink_status(path, error))) return;  // not ours
  fs::remove(path, error);
  if (error)
    throw WriteError(fmt::format("{}: the file of an earlier run cannot be removed ({})",
                                 printable(path.string()), error.message()));
}

void remove_remains(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> old;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (is_remains(entry.path().filename().string())) old.push_back(entry.path());
  for (const fs::path& path : old) remove_earlier(path);
}

}  // namespace

void check_run_folder(const std::string& folder, const std::string& kind) {
  std::error_code error;
  if (!fs::exists(folder, error)) {
    // Too long, a loop of links, a file where a folder should be: what cannot be made is said before the work, not after.
    if (error && error != std::errc::no_such_file_or_directory)
      throw WriteError(
          fmt::format("{}: no folder can be made there ({})", printable(folder), error.message()));
    return;
  }
  if (!fs::is_directory(folder, error))
    throw WriteError(fmt::format("{}: this is a file, but a folder is required", printable(folder)));
  if (is_empty(folder)) return;
  const std::string found = kind_of_run(folder);
  if (found == kind) return;
  throw WriteError(fmt::format("{}: the folder is not empty and holds {}; name a new folder",
                               printable(folder), found.empty() ? "no run" : "a run of " + quote(found)));
}

RunFolder::RunFolder(std::string folder, const std::string& kind, const std::vector<std::string>& files,
                     std::string_view config, std::unique_ptr<FolderLock> lock)
    : folder_(std::move(folder)), lock_(std::move(lock)) {
  check_run_folder(folder_, kind);
  make_folder(folder_);
  if (!lock_) lock_ = std::make_unique<FolderLock>(folder_);
  check_run_folder(folder_, kind);  // another run may have come and gone since
  write_file(path("config.toml"),
             fmt::format("{}{} --config THIS_FILE --out DIR    repeats this run to the same bytes\n{}{}",
                         mark, kind, start_line(), config));
  for (const std::string& file : noted_files(folder_)) {
    const fs::path within = fs::path(path(file)).parent_path();
    std::error_code error;
    if (!fs::is_directory(fs::symlink_status(within, error))) continue;  // a link leads out of the folder
    remove_remains(within);
    remove_earlier(path(file));
  }
  for (const std::string& file : files) remove_earlier(path(file));  // the log among them, hence last
  remove_remains(folder_);
}

std::string RunFolder::output(const std::string& file) {
  if (!is_plain(file))
    throw InputError(
        fmt::format("{} cannot be the name of a file of this run; rename the view", quote(file)));
  make_folder(fs::path(path(file)).parent_path().string());
  // Before the file itself: a run that is killed has noted all that it left.
  log(nlohmann::ordered_json{{"event", "write"}, {"file", file}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace));
  return path(file);
}

std::string run_started_in(const std::string& folder) {
  std::error_code error;
  if (!fs::is_regular_file(fs::path(folder) / "config.toml", error)) return {};
  std::ifstream file(fs::path(folder) / "config.toml");
  std::string line;
  for (int n = 0; n < 2 && std::getline(file, line); ++n)
    if (line.starts_with(start_mark)) return line.substr(start_mark.size());
  return {};
}

void append_log(const std::string& folder, std::string_view json) {
  const std::string path = (fs::path(folder) / log_file).string();
  std::ifstream file(path, std::ios::binary);
  std::string all(std::istreambuf_iterator<char>(file), {});
  write_file(path, all.append(json) + '\n');
}

std::string RunFolder::path(const std::string& file) const { return (fs::path(folder_) / file).string(); }

void RunFolder::log(std::string_view json) {
  log_ += json;
  log_ += '\n';
  write_file(path(log_file), log_);
}

}  // namespace bochner
