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
  if (option.required) return option.help + " (needed)";
  if (is_list(option)) return option.help + " (may be repeated)";
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
      "bochner {}: learning from tables with spectral kernels\n"
      "\n"
      "usage: bochner COMMAND [options]\n"
      "       bochner COMMAND --help\n"
      "\n"
      "commands, with an example each\n"
      "{}\n"
      "options of every command\n"
      "{}\n"
      "tables  CSV or TSV (a header, sample ids in the first column; gzip too), NPY, NPZ (file.npz:array),\n"
      "        HDF5 (file.h5:/path); rows are joined by id, an empty cell or NaN was not measured\n"
      "\n"
      "exit    0 success, 1 invalid input, 2 numerical failure, 3 could not write,\n"
      "        4 verdict \"do not trust\" with --strict, 130 stopped by Ctrl-C\n",
      BOCHNER_VERSION, list, option_lines(shared, widest(shared)));
}

std::string command_help(const Command& command, const std::vector<Option>& common) {
  const std::size_t width = std::max(widest(command.options), widest(common));
  return fmt::format(
      "bochner {}: {}\n"
      "\n"
      "{}\n"
      "\n"
      "options\n"
      "{}\n"
      "options of every command\n"
      "{}\n"
      "example\n"
      "  {}\n",
      command.name, command.summary, command.details, option_lines(command.options, width),
      option_lines(common, width), command.example);
}

}  // namespace bochner::cli
