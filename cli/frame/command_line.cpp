#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>  // 11 s to compile: here and nowhere else
#include <algorithm>
#include <memory>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "positional.hpp"

namespace bochner::cli {

namespace {

std::vector<std::string> names_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> flags_of(const std::vector<Option>& options) {
  std::vector<std::string> flags{"--help"};
  for (const Option& option : options) {
    flags.push_back("--" + option.name);
    for (const std::string& alias : option.aliases) flags.push_back("--" + alias);
  }
  return flags;
}

bool is_option(const std::string& argument) { return argument.size() > 1 && argument.starts_with('-'); }
std::string without_value(const std::string& argument) { return argument.substr(0, argument.find('=')); }

[[noreturn]] void refuse_command(const std::string& argument, const std::vector<Command>& commands,
                                 const std::vector<std::vector<Option>>& options) {
  const std::string name = without_value(argument);
  if (!is_option(argument)) {
    const std::string hint = did_you_mean(argument, names_of(commands));
    throw InputError(fmt::format(
        "unknown command {}{}", quote(argument),
        hint.empty() ? "; the commands are " + listing(names_of(commands), commands.size()) : hint));
  }
  for (std::size_t v = 0; v < commands.size(); ++v)
    for (const Option& option : options[v])
      if ("--" + option.name == name)
        throw InputError(fmt::format("{} must follow the command, as in 'bochner {} {}{}{}'", name,
                                     commands[v].name, name, option.placeholder.empty() ? "" : " ",
                                     option.placeholder));
  throw InputError(
      fmt::format("unknown option {}{}", quote(name), did_you_mean(name, {"--help", "--version"})));
}

[[noreturn]] void refuse_argument(const std::string& argument, const Command& command,
                                  const std::vector<Option>& options) {
  if (!is_option(argument))
    throw InputError(
        fmt::format("unexpected argument {}; see 'bochner {} --help'", quote(argument), command.name));
  const std::string name = without_value(argument), hint = did_you_mean(name, flags_of(options));
  throw InputError(fmt::format("'bochner {}' has no option {}{}", command.name, quote(name),
                               hint.empty() ? fmt::format("; see 'bochner {} --help'", command.name) : hint));
}

[[noreturn]] void refuse_missing_value(const Option& option) {
  throw InputError(
      fmt::format("--{} requires a value, as in '--{} {}'", option.name, option.name, option.placeholder));
}

/// CLI11 reports an option without a value at the end of the line; report it as in other places.
[[noreturn]] void translate(const CLI::ParseError& error, const std::vector<Option>& options) {
  const std::string message = error.what();
  for (const Option& option : options)
    if (message.starts_with("--" + option.name + ":") || message.starts_with("--" + option.name + " "))
      refuse_missing_value(option);
  throw InputError(printable(message));
}

/// CLI11 takes any argument that follows as the value, even another option: `--out --quiet` is a mistake.
void check_values(const Option& option, const std::vector<std::string>& values,
                  const std::vector<Option>& options) {
  const std::vector<std::string> flags = flags_of(options);
  for (const std::string& value : values)
    if (std::find(flags.begin(), flags.end(), value) != flags.end()) refuse_missing_value(option);
}

/// "--model,--old-name"
std::string names_of(const Option& option) {
  std::string names = "--" + option.name;
  for (const std::string& alias : option.aliases) names += ",--" + alias;
  return names;
}

/// CLI11 only separates options from values and returns strings: help, requirements and conversions are ours.
void declare(const std::string& command, const std::vector<Option>& options, bool& help, CLI::App& app) {
  CLI::App* sub = app.add_subcommand(command);
  sub->set_help_flag();
  sub->allow_extras();
  sub->add_flag("--help,-h", help);
  for (const Option& option : options) {
    if (is_flag(option))
      sub->add_flag(names_of(option));
    else
      sub->add_option(names_of(option))
          ->expected(1)
          ->allow_extra_args(false)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
}

/// CLI11 gets every argument of a command with its name, and throws before it says which command it was in.
void parse(std::vector<std::string> arguments, const std::vector<Command>& commands,
           const std::vector<std::vector<Option>>& options, CLI::App& app) {
  const std::vector<std::string> names = names_of(commands);
  const auto command = std::find_first_of(arguments.begin(), arguments.end(), names.begin(), names.end());
  std::vector<Option> own;
  if (command != arguments.end()) {
    own = options[static_cast<std::size_t>(std::find(names.begin(), names.end(), *command) - names.begin())];
    const std::vector<std::string> rest = name_positionals({command + 1, arguments.end()}, own);
    arguments.erase(command + 1, arguments.end());
    arguments.insert(arguments.end(), rest.begin(), rest.end());
  }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    translate(error, own);
  }
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments,
                               const std::vector<Command>& commands,
                               const std::vector<std::vector<Option>>& options) {
  CLI::App app;
  CommandLine out;
  app.set_help_flag();
  app.allow_extras();
  app.require_subcommand(0, 1);
  app.add_flag("--help,-h", out.help);
  app.add_flag("--version,-V", out.version);
  for (std::size_t c = 0; c < commands.size(); ++c) declare(commands[c].name, options[c], out.help, app);
  parse(arguments, commands, options, app);
  if (const std::vector<std::string> extra = app.remaining(); !extra.empty()) {
    if (extra.front() != "help") refuse_command(extra.front(), commands, options);
    out.help = true;  // `bochner help`, as in git
  }
  for (std::size_t c = 0; c < commands.size(); ++c) {
    const CLI::App* sub = app.get_subcommand(commands[c].name);
    if (!sub->parsed()) continue;
    out.command = commands[c].name;
    if (const auto extra = sub->remaining(); !extra.empty() && !out.help)
      refuse_argument(extra.front(), commands[c], options[c]);
    for (const Option& option : options[c])
      if (const CLI::Option* given = sub->get_option("--" + option.name); given->count() > 0) {
        check_values(option, given->results(), options[c]);
        out.given.push_back({option.name, given->results()});
      }
  }
  return out;
}

}  // namespace bochner::cli
