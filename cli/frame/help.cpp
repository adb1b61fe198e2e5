#include "help.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bochner::cli {

namespace {

std::string left_side(const Option& option) {
  if (option.positional)
    return fmt::format("{}, or --{} {}", option.placeholder, option.name, option.placeholder);
  return "--" + option.name + (option.placeholder.empty() ? "" : " " + option.placeholder);
}

std::string right_side(const Option& option) {
  const std::string value = default_text(option);
  if (option.required) return option.help + (is_list(option) ? " (required, repeatable)" : " (required)");
  if (is_list(option)) return option.help + " (repeatable)";
  return value.empty() ? option.help : fmt::format("{} (default {})", option.help, value);
}

std::string option_lines(const std::vector<Option>& options, std::size_t width) {
  std::string out;
  for (const Option& option : options)
    out += fmt::format("  {:<{}}  {}\n", left_side(option), width, right_side(option));
  return out;
}

std::size_t widest(const std::vector<Option>& options) {
  std::size_t width = 0;
  for (const Option& option : options) width = std::max(width, left_side(option).size());
  return width;
}

/// The options under the headings of their groups.
std::string grouped_lines(const std::vector<Option>& options) {
  std::string out;
  const std::size_t width = widest(options);
  for (const Group group : {Group::input, Group::model, Group::variational, Group::mcmc, Group::evaluation,
                            Group::output, Group::general}) {
    std::vector<Option> members;
    for (const Option& option : options)
      if (option.group == group) members.push_back(option);
    if (!members.empty()) out += fmt::format("\n{}:\n{}", heading(group), option_lines(members, width));
  }
  return out;
}

}  // namespace

std::string program_help(const std::vector<Command>& commands) {
  std::size_t width = 0;
  for (const Command& command : commands) width = std::max(width, command.name.size());
  std::string list;
  for (const Command& command : commands)
    list += fmt::format("  {:<{}}  {}\n  {:<{}}    {}\n", command.name, width, command.summary, "", width,
                        command.example);
  Common common;
  const std::vector<Option> shared = common_options({}, common);
  return fmt::format(
      "bochner {}: machine learning from tables with spectral kernels\n"
      "\n"
      "Usage: bochner <command> [options]        Help: bochner <command> --help\n"
      "\n"
      "Commands:\n"
      "{}\n"
      "Options of every command:\n"
      "{}\n"
      "Tables: CSV or TSV (header line, sample ids in the first column, optionally gzipped), NPY,\n"
      "  NPZ (file.npz:array), HDF5 (file.h5:/path). Rows are joined by id; empty cells and NaN are "
      "missing.\n"
      "\n"
      "Exit codes: 0 success, 1 invalid input, 2 numerical failure, 3 cannot write,\n"
      "  4 verdict \"do not trust\" with --strict, 130 interrupted by Ctrl-C\n",
      BOCHNER_VERSION, list, option_lines(shared, widest(shared)));
}

std::string command_help(const Command& command, const std::vector<Option>& common) {
  std::vector<Option> options = common;  // --out comes before the other options of its group
  options.insert(options.end(), command.options.begin(), command.options.end());
  return fmt::format(
      "bochner {}: {}\n"
      "\n"
      "{}\n"
      "{}"
      "\n"
      "Example:\n"
      "  {}\n",
      command.name, command.summary, command.details, grouped_lines(options), command.example);
}

}  // namespace bochner::cli
