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

std::string program_help(const std::vector<Verb>& verbs) {
  std::size_t width = 0;
  for (const Verb& verb : verbs) width = std::max(width, verb.name.size());
  std::string list;
  for (const Verb& verb : verbs)
    list += fmt::format("  {:<{}}  {}\n  {:<{}}    {}\n", verb.name, width, verb.summary, "", width,
                        verb.example);
  Common common;
  const std::vector<Option> shared = common_options({}, common);
  return fmt::format(
      "bochner {}: learning from tables with spectral kernels\n"
      "\n"
      "usage: bochner VERB [options]\n"
      "       bochner VERB --help\n"
      "\n"
      "verbs, with an example each\n"
      "{}\n"
      "options of every verb\n"
      "{}\n"
      "tables  CSV or TSV (a header, sample ids in the first column; gzip too), NPY, NPZ (file.npz:array),\n"
      "        HDF5 (file.h5:/path); rows are joined by id, an empty cell or NaN was not measured\n"
      "\n"
      "exit    0 success, 1 invalid input, 2 numerical failure, 3 could not write,\n"
      "        4 verdict \"do not trust\" with --strict, 130 stopped by Ctrl-C\n",
      BOCHNER_VERSION, list, option_lines(shared, widest(shared)));
}

std::string verb_help(const Verb& verb, const std::vector<Option>& common) {
  const std::size_t width = std::max(widest(verb.options), widest(common));
  return fmt::format(
      "bochner {}: {}\n"
      "\n"
      "{}\n"
      "\n"
      "options\n"
      "{}\n"
      "options of every verb\n"
      "{}\n"
      "example\n"
      "  {}\n",
      verb.name, verb.summary, verb.details, option_lines(verb.options, width), option_lines(common, width),
      verb.example);
}

}  // namespace bochner::cli
