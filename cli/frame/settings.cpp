#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

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

/// The key under which a configuration file names its command. Files written before it was renamed have "verb".
bool names_command(const ConfigEntry& entry) { return entry.key == "command" || entry.key == "verb"; }

void check_command(const std::string& command, const ConfigEntry& entry, const Config& config) {
  const auto* name = std::get_if<std::string>(&entry.value);
  if (!name)
    throw InputError(fmt::format("{}: {} must be a string in quotes", config.where(entry), entry.key));
  if (*name != command)
    throw InputError(fmt::format("{}: this file is for 'bochner {}', not for 'bochner {}'",
                                 config.where(entry), printable(*name, 40), command));
}

[[noreturn]] void refuse_key(const std::string& command, const std::vector<Option>& options,
                             const ConfigEntry& entry, const Config& config) {
  std::vector<std::string> keys;
  for (const Option& option : options)
    if (option.in_config) keys.push_back(option.name);
  const std::string hint = did_you_mean(entry.key, keys);
  throw InputError(fmt::format("{}: 'bochner {}' has no option {}{}", config.where(entry), command,
                               quote(entry.key), hint.empty() ? "; it has " + listing(keys, 20) : hint));
}

Names set_from_config(const std::string& command, const std::vector<Option>& options, const Config& config) {
  Names given;
  for (const ConfigEntry& entry : config.entries) {
    if (names_command(entry)) {
      check_command(command, entry, config);
      continue;
    }
    const Option* option = find(options, entry.key);
    if (!option || !option->in_config) refuse_key(command, options, entry, config);
    assign(*option, entry, config);
    given.insert(option->name);
  }
  return given;
}

/// The config.toml of the run that `--resume` continues; empty without that flag.
std::string resumed_file(const std::vector<Option>& options, const CommandLine& line) {
  std::string out;
  if (const Option* option = find(options, "out")) out = *std::get<std::string*>(option->target);
  bool resume = false;
  for (const CommandLine::Given& given : line.given) {
    if (given.option == "resume") resume = given.values.empty() || given.values.back() == "true";
    if (given.option == "out") out = given.values.back();
  }
  if (!resume) return {};
  const std::string config = (std::filesystem::path(out) / "config.toml").string();
  if (std::error_code error; !std::filesystem::exists(config, error))
    throw InputError(fmt::format("{}: there is no run to resume in this folder; start one without --resume",
                                 printable(out)));
  return config;
}

/// InputError if the option has another value than in the configuration of the resumed run.
void check_unchanged(const Option& option, const Config& config) {
  if (!option.recorded) return;
  const ConfigEntry now = config_entry(option);
  const auto same = [&](const ConfigEntry& entry) {
    return entry.key == now.key && entry.value == now.value;
  };
  if (std::none_of(config.entries.begin(), config.entries.end(), same))
    throw InputError(
        fmt::format("--{} differs from {}, but --resume continues a run with its own options; omit "
                    "the option, or start again without --resume",
                    option.name, printable(config.file)));
}

}  // namespace

Assigned set_options(const std::string& command, const std::vector<Option>& options,
                     const CommandLine& line) {
  Assigned out;
  std::optional<Config> resumed;
  if (const std::string file = resumed_file(options, line); !file.empty()) {
    resumed = read_config(file);
    out.given = set_from_config(command, options, *resumed);
    out.resumed_config = format_config(resumed->entries);
  }
  for (const CommandLine::Given& given : line.given) {
    if (given.option != "config") continue;
    if (resumed)
      throw InputError(fmt::format("--resume reads {} itself; omit --config", printable(resumed->file)));
    out.given = set_from_config(command, options, read_config(given.values.back()));
  }
  for (const CommandLine::Given& given : line.given) {
    const Option& option = *find(options, given.option);
    assign(option, given.values);
    out.given.insert(option.name);
    if (resumed) check_unchanged(option, *resumed);
  }
  for (const Option& option : options)
    if (option.required && !out.given.contains(option.name))
      throw InputError(fmt::format("'bochner {}' needs {}{}; 'bochner {} --help' shows an example", command,
                                   option.positional ? "" : "--" + option.name + " ", option.placeholder,
                                   command));
  return out;
}

}  // namespace bochner::cli
