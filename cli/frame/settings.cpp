#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::cli {

namespace {

/// Options by name, and where each was set: "--chains" or "job.toml, line 3: chains".
using Sources = std::map<std::string, std::string>;

const Option* find(const std::vector<Option>& options, const std::string& name) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const Option& option) { return has_name(option, name); });
  return found == options.end() ? nullptr : &*found;
}

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

/// A file that names its command under the old key "verb" was written by an earlier version, which recorded every option of the
/// command: there, default values count as not set.
Sources set_from_config(const std::string& command, const std::vector<Option>& options,
                        const Config& config) {
  const bool old = std::any_of(config.entries.begin(), config.entries.end(),
                               [](const ConfigEntry& entry) { return entry.key == "verb"; });
  Sources set;
  for (const ConfigEntry& entry : config.entries) {
    if (entry.key == "command" || entry.key == "verb") {
      check_command(command, entry, config);
      continue;
    }
    const Option* option = find(options, entry.key);
    if (!option || !option->in_config) refuse_key(command, options, entry, config);
    if (set.contains(option->name))
      throw InputError(fmt::format("{}: {} is another name of {}, which is already set", config.where(entry),
                                   entry.key, option->name));
    const ConfigEntry before = config_entry(*option);
    assign(*option, entry, config);
    if (!old || config_entry(*option).value != before.value)
      set[option->name] = fmt::format("{}: {}", config.where(entry), entry.key);
  }
  return set;
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
    throw InputError(
        fmt::format("{}: no run to resume in this folder; start one without --resume", printable(out)));
  return config;
}

/// Sets an option from the command line. What a resumed run has recorded must not change.
void set_from_line(const Option& option, const std::vector<std::string>& values,
                   const std::optional<Config>& resumed) {
  const ConfigEntry before = config_entry(option);
  assign(option, values);
  if (resumed && option.recorded && config_entry(option).value != before.value)
    throw InputError(fmt::format(
        "--{} differs from {}, but --resume continues a run with its own options; omit the option, "
        "or start again without --resume",
        option.name, printable(resumed->file)));
}

void check_required(const std::string& command, const std::vector<Option>& options, const Sources& set) {
  for (const Option& option : options)
    if (option.required && !set.contains(option.name))
      throw InputError(fmt::format("missing required {}--{} {}; see 'bochner {} --help'",
                                   option.positional ? "argument " + option.placeholder + ", or " : "option ",
                                   option.name, option.placeholder, command));
}

/// No option may be set that the others make ineffective, whatever its value.
void check_effective(const std::vector<Option>& options, const Sources& set) {
  for (const Option& option : options)
    if (const auto source = set.find(option.name); source != set.end() && !applies(option, options))
      throw InputError(fmt::format("{} applies to --{} {} only", source->second, option.only_with.first,
                                   option.only_with.second));
}

}  // namespace

Assigned set_options(const std::string& command, const std::vector<Option>& options,
                     const CommandLine& line) {
  Sources set;
  Assigned out;
  std::optional<Config> resumed;
  if (const std::string file = resumed_file(options, line); !file.empty()) {
    resumed = read_config(file);
    set = set_from_config(command, options, *resumed);
    out.resumed_config = format_config(resumed->entries);
  }
  for (const CommandLine::Given& given : line.given) {
    if (given.option != "config") continue;
    if (resumed)
      throw InputError(fmt::format("--resume reads {} itself; omit --config", printable(resumed->file)));
    set = set_from_config(command, options, read_config(given.values.back()));
  }
  for (const CommandLine::Given& given : line.given) {
    set_from_line(*find(options, given.option), given.values, resumed);
    set[given.option] = "--" + given.option;
  }
  check_required(command, options, set);
  check_effective(options, set);
  for (const auto& [name, source] : set) out.given.insert(name);
  return out;
}

}  // namespace bochner::cli
