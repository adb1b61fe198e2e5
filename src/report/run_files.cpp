#include "run_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/tables/csv.hpp"

namespace bochner::detail {

namespace {

namespace fs = std::filesystem;

struct AsText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<std::string>& value) const {
    std::string out;
    for (const std::string& word : value) out += (out.empty() ? "" : " ") + word;
    return out;
  }
  template <class T>
  std::string operator()(const T& value) const {
    return fmt::format("{}", value);
  }
};

const Json empty_object = Json::object();

}  // namespace

RunFiles::RunFiles(std::string folder) : folder_(std::move(folder)) {
  std::error_code error;
  if (!fs::is_directory(folder_, error))
    throw InputError(
        fmt::format("{}: this is not a folder; name the run folder of a fit", printable(folder_)));
  if (!has("config.toml"))
    throw InputError(
        fmt::format("{}: no run is here: the folder has no config.toml; name the run folder of a fit",
                    printable(folder_)));
  config_ =
      attempt("config.toml", [&](const std::string& f) { return read_config(path(f)); }).value_or(Config{});
  metrics_ = json("metrics.json");
  if (!has("log.jsonl")) return;
  std::ifstream lines(path("log.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    Json event = Json::parse(line, nullptr, false);
    if (event.is_object()) log_.push_back(std::move(event));
  }
}

std::string RunFiles::path(const std::string& file) const { return (fs::path(folder_) / file).string(); }

std::string RunFiles::name() const {
  std::error_code error;
  fs::path whole = fs::weakly_canonical(folder_, error);
  if (error || whole.filename().empty()) whole = fs::path(folder_).lexically_normal();
  return whole.has_filename() ? whole.filename().string() : whole.parent_path().filename().string();
}

bool RunFiles::has(const std::string& file) const {
  std::error_code error;
  return fs::is_regular_file(path(file), error);
}

template <class Read>
auto RunFiles::attempt(const std::string& file, const Read& read) -> std::optional<decltype(read(file))> {
  if (!has(file)) return std::nullopt;
  try {
    return read(file);
  } catch (const std::exception& error) {
    note(fmt::format("{} cannot be read: {}", file, error.what()));
    return std::nullopt;
  }
}

std::string RunFiles::command() const {
  std::string out = setting("command");
  for (const Json& event : log_)
    if (out.empty()) out = text_of(event, "command");
  return out;
}

std::string RunFiles::setting(const std::string& key) const {
  for (const ConfigEntry& entry : config_.entries)
    if (entry.key == key) return std::visit(AsText{}, entry.value);
  return "";
}

std::vector<std::string> RunFiles::settings(const std::string& key) const {
  for (const ConfigEntry& entry : config_.entries) {
    if (entry.key != key) continue;
    if (const auto* list = std::get_if<std::vector<std::string>>(&entry.value)) return *list;
    return {setting(key)};
  }
  return {};
}

Json RunFiles::json(const std::string& file) {
  return attempt(file,
                 [&](const std::string& f) {
                   std::ifstream stream(path(f));
                   return Json::parse(stream);
                 })
      .value_or(Json::object());
}

bool RunFiles::is_small(const std::string& file, double most_bytes) {
  std::error_code error;
  const auto bytes = fs::file_size(path(file), error);
  if (error || double(bytes) <= most_bytes) return true;
  note(fmt::format("{} is too large for a report ({})", file, human_bytes(double(bytes))));
  return false;
}

std::optional<Table> RunFiles::table(const std::string& file, const std::string& id) {
  if (!is_small(file, 1e9)) return std::nullopt;
  return attempt(file, [&](const std::string& f) { return read_csv(path(f), {.id_column = id}); });
}

std::optional<TextTable> RunFiles::text(const std::string& file, const std::string& id) {
  if (!is_small(file, 1e8)) return std::nullopt;
  return attempt(file, [&](const std::string& f) { return read_csv_text(path(f), {.id_column = id}); });
}

std::vector<std::string> RunFiles::files_in(const std::string& folder) const {
  std::vector<std::string> out;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path(folder), error))
    if (entry.path().extension() == ".csv" && entry.is_regular_file(error))
      out.push_back(entry.path().stem().string());
  // Intervals stand beside their table.
  std::vector<std::string> all = out;
  std::erase_if(out, [&](const std::string& name) {
    for (const char* ending : {"_lo", "_hi", "_probability"})
      if (name.ends_with(ending) &&
          std::find(all.begin(), all.end(), name.substr(0, name.size() - std::string(ending).size())) !=
              all.end())
        return true;
    return false;
  });
  std::sort(out.begin(), out.end());
  return out;
}

const AnyFit* RunFiles::fit() {
  if (!fit_read_) fit_ = attempt("model.bochner", [&](const std::string& f) { return read_fit(path(f)); });
  fit_read_ = true;
  return fit_ ? &*fit_ : nullptr;
}

const Json& member(const Json& object, const std::string& key) {
  return object.is_object() && object.contains(key) ? object[key] : empty_object;
}

double number_of(const Json& object, const std::string& key) {
  const Json& value = member(object, key);
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string text_of(const Json& object, const std::string& key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : "";
}

}  // namespace bochner::detail
