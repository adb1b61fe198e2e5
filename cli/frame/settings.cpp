#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::cli {

namespace {

using Names = std::set<std::string>;

const Option* find(const std::vector<Option>& options, const std::string& name) {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const Option& option) { return option.name == name; });
  return found == options.end() ? nullptr : &*found;
}

void check_verb(const std::string& verb, const ConfigEntry& entry, const Config& config) {
  const auto* meant = std::get_if<std::string>(&entry.value);
  if (!meant) throw InputError(fmt::format("{}: verb must be a text between quotes", config.where(entry)));
  if (*meant != verb)
    throw InputError(fmt::format("{}: this file is for 'bochner {}', not for 'bochner {}'",
                                 config.where(entry), printable(*meant, 40), verb));
}

[[noreturn]] void refuse_key(const std::string& verb, const std::vector<Option>& options,
                             const ConfigEntry& entry, const Config& config) {
  std::vector<std::string> keys;
  for (const Option& option : options)
    if (option.in_config) keys.push_back(option.name);
  const std::string hint = did_you_mean(entry.key, keys);
  throw InputError(fmt::format("{}: 'bochner {}' has no option {}{}", config.where(entry), verb,
                               quote(entry.key), hint.empty() ? "; it has " + listing(keys, 20) : hint));
}

Names set_from_config(const std::string& verb, const std::vector<Option>& options, const std::string& file) {
  const Config config = read_config(file);
  Names given;
  for (const ConfigEntry& entry : config.entries) {
    if (entry.key == "verb") {
      check_verb(verb, entry, config);
      continue;
    }
    const Option* option = find(options, entry.key);
    if (!option || !option->in_config) refuse_key(verb, options, entry, config);
    assign(*option, entry, config);
    given.insert(entry.key);
  }
  return given;
}

/// The configuration of the run to go on with, where `--resume` asks for that; empty otherwise.
std::string resumed_config(const std::vector<Option>& options, const CommandLine& line) {
  std::string out;
  if (const Option* option = find(options, "out")) out = *std::get<std::string*>(option->target);
  bool resume = false;
  for (const CommandLine::Given& words : line.given) {
    if (words.option == "resume") resume = words.words.empty() || words.words.back() == "true";
    if (words.option == "out") out = words.words.back();
  }
  if (!resume) return {};
  const std::string config = (std::filesystem::path(out) / "config.toml").string();
  if (std::error_code error; !std::filesystem::exists(config, error))
    throw InputError(fmt::format("{}: there is no run to resume in this folder; start one without --resume",
                                 printable(out)));
  return config;
}

}  // namespace

void set_options(const std::string& verb, const std::vector<Option>& options, const CommandLine& line) {
  Names given;
  const std::string resumed = resumed_config(options, line);
  if (!resumed.empty()) given = set_from_config(verb, options, resumed);
  for (const CommandLine::Given& words : line.given) {
    if (words.option != "config") continue;
    if (!resumed.empty())
      throw InputError(fmt::format("--resume reads {} itself; leave --config out", printable(resumed)));
    given = set_from_config(verb, options, words.words.back());
  }
  for (const CommandLine::Given& words : line.given) {
    assign(*find(options, words.option), words.words);
    given.insert(words.option);
  }
  for (const Option& option : options)
    if (option.required && !given.contains(option.name))
      throw InputError(fmt::format("'bochner {}' needs {}{}; 'bochner {} --help' shows an example", verb,
                                   option.positional ? "" : "--" + option.name + " ", option.placeholder,
                                   verb));
}

}  // namespace bochner::cli
