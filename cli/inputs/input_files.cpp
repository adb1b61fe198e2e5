#include "input_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/run/run_folder.hpp"

namespace bochner::cli {

namespace {

namespace fs = std::filesystem;

/// The values of the options that name files.
std::vector<std::string> inputs_of(const std::vector<Option>& options) {
  std::vector<std::string> out;
  for (const Option& option : options) {
    if (!option.file) continue;
    if (auto* const* text = std::get_if<std::string*>(&option.target)) out.push_back(**text);
    if (auto* const* list = std::get_if<std::vector<std::string>*>(&option.target))
      out.insert(out.end(), (*list)->begin(), (*list)->end());
  }
  std::erase(out, "");
  return out;
}

/// The file that `rna=tables/rna.csv:part` names in this folder, with or without the part before the equals sign; empty if
/// there is none.
fs::path path_in(const std::string& value, const fs::path& folder) {
  const std::size_t equals = value.find('=');
  std::error_code error;
  for (const std::string& spec : {value, equals == std::string::npos ? "" : value.substr(equals + 1)})
    for (std::size_t end = spec.size(); end != std::string::npos && end > 0; end = spec.rfind(':', end - 1))
      if (fs::exists(folder / spec.substr(0, end), error)) return folder / spec.substr(0, end);
  return {};
}

}  // namespace

void refuse_inputs_within(const std::vector<Option>& options, const std::string& out, bool folder) {
  std::error_code error;
  if (!fs::exists(out, error) || (fs::is_directory(out, error) && !folder)) return;
  const fs::path target = fs::weakly_canonical(out, error);
  if (error) return;
  for (const std::string& value : inputs_of(options)) {
    const fs::path given = path_in(value, ".");
    if (given.empty()) continue;
    const fs::path file = fs::weakly_canonical(given, error);
    if (error) continue;
    const auto [end, unused] = std::mismatch(target.begin(), target.end(), file.begin(), file.end());
    if (end == target.end())
      throw InputError(
          fmt::format("{} is in {}, the output of --out, where it could be overwritten; use another --out",
                      printable(value), printable(out)));
  }
}

std::vector<std::string> input_paths(const std::vector<Option>& options) {
  std::vector<std::string> out;
  for (const std::string& value : inputs_of(options))
    if (const std::string path = path_in(value, "").string();
        !path.empty() && std::find(out.begin(), out.end(), path) == out.end())
      out.push_back(path);
  return out;
}

void return_to_start(const std::vector<Option>& options, std::string& out) {
  const std::string start = run_started_in(out);
  std::error_code error;
  if (start.empty() || !fs::is_directory(start, error)) return;
  const std::vector<std::string> inputs = inputs_of(options);
  const auto all_in = [&](const fs::path& folder) {
    return std::all_of(inputs.begin(), inputs.end(),
                       [&](const std::string& value) { return !path_in(value, folder).empty(); });
  };
  if (!all_in(start)) return;  // the folder was moved together with its inputs
  const fs::path absolute = fs::absolute(out, error);
  if (error) return;
  fs::current_path(start, error);
  if (!error) out = absolute.string();
}

}  // namespace bochner::cli
