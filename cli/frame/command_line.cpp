#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>  // 11 s to compile: here and nowhere else
#include <algorithm>
#include <memory>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::cli {

namespace {

std::vector<std::string> names_of(const std::vector<Verb>& verbs) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.push_back(verb.name);
  return names;
}

std::vector<std::string> flags_of(const std::vector<Option>& options) {
  std::vector<std::string> flags{"--help"};
  for (const Option& option : options) flags.push_back("--" + option.name);
  return flags;
}

bool is_option(const std::string& word) { return word.size() > 1 && word.starts_with('-'); }
std::string without_value(const std::string& word) { return word.substr(0, word.find('=')); }

[[noreturn]] void refuse_verb(const std::string& word, const std::vector<Verb>& verbs,
                              const std::vector<std::vector<Option>>& options) {
  const std::string name = without_value(word);
  if (!is_option(word)) {
    const std::string hint = did_you_mean(word, names_of(verbs));
    throw InputError(fmt::format("there is no verb {}{}", quote(word),
                                 hint.empty() ? "; there are " + listing(names_of(verbs)) : hint));
  }
  for (std::size_t v = 0; v < verbs.size(); ++v)
    for (const Option& option : options[v])
      if ("--" + option.name == name)
        throw InputError(fmt::format("{} comes after the verb, as in 'bochner {} {}{}{}'", name,
                                     verbs[v].name, name, option.placeholder.empty() ? "" : " ",
                                     option.placeholder));
  throw InputError(
      fmt::format("there is no option {}{}", quote(name), did_you_mean(name, {"--help", "--version"})));
}

[[noreturn]] void refuse_word(const std::string& word, const Verb& verb, const std::vector<Option>& options) {
  if (!is_option(word))
    throw InputError(fmt::format("'bochner {}' has no use for {}; 'bochner {} --help' lists its options",
                                 verb.name, quote(word), verb.name));
  const std::string name = without_value(word), hint = did_you_mean(name, flags_of(options));
  throw InputError(
      fmt::format("'bochner {}' has no option {}{}", verb.name, quote(name),
                  hint.empty() ? fmt::format("; 'bochner {} --help' lists its options", verb.name) : hint));
}

[[noreturn]] void refuse_missing_value(const Option& option) {
  throw InputError(
      fmt::format("--{} needs a value, as in '--{} {}'", option.name, option.name, option.placeholder));
}

/// CLI11 complains of an option at the end of the line; say it as the other sentences do.
[[noreturn]] void translate(const CLI::ParseError& error, const std::vector<Option>& options) {
  const std::string said = error.what();
  for (const Option& option : options)
    if (said.starts_with("--" + option.name + ":") || said.starts_with("--" + option.name + " "))
      refuse_missing_value(option);
  throw InputError(printable(said));
}

/// CLI11 takes whatever follows for the value, also the next option: `--out --quiet` is a slip, not a folder.
void check_values(const Option& option, const std::vector<std::string>& words,
                  const std::vector<Option>& options) {
  const std::vector<std::string> flags = flags_of(options);
  for (const std::string& word : words)
    if (std::find(flags.begin(), flags.end(), word) != flags.end()) refuse_missing_value(option);
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments, const std::vector<Verb>& verbs,
                               const std::vector<std::vector<Option>>& options) {
  CLI::App app;
  CommandLine out;
  // Help, requirements and conversions are ours: CLI11 tells options from values and hands back the words.
  app.set_help_flag();
  app.allow_extras();
  app.require_subcommand(0, 1);
  app.add_flag("--help,-h", out.help);
  app.add_flag("--version,-V", out.version);
  for (std::size_t v = 0; v < verbs.size(); ++v) {
    CLI::App* sub = app.add_subcommand(verbs[v].name);
    sub->set_help_flag();
    sub->allow_extras();
    sub->add_flag("--help,-h", out.help);
    for (const Option& option : options[v]) {
      if (is_flag(option))
        sub->add_flag("--" + option.name);
      else
        sub->add_option((option.positional ? option.name + "," : "") + "--" + option.name)
            ->expected(1)
            ->allow_extra_args(false)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
  }
  // The options of the verb in question, for sentences: CLI11 throws before it says which verb it was in.
  const auto named = std::find_if(verbs.begin(), verbs.end(), [&](const Verb& verb) {
    return std::find(arguments.begin(), arguments.end(), verb.name) != arguments.end();
  });
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    translate(error, named == verbs.end() ? std::vector<Option>{}
                                          : options[static_cast<std::size_t>(named - verbs.begin())]);
  }
  const std::vector<std::string> strangers = app.remaining();
  if (!strangers.empty() && strangers.front() == "help")
    out.help = true;  // `bochner help`, as git has it
  else if (!strangers.empty())
    refuse_verb(strangers.front(), verbs, options);
  for (std::size_t v = 0; v < verbs.size(); ++v) {
    const CLI::App* sub = app.get_subcommand(verbs[v].name);
    if (!sub->parsed()) continue;
    out.verb = verbs[v].name;
    if (const auto extra = sub->remaining(); !extra.empty() && !out.help)
      refuse_word(extra.front(), verbs[v], options[v]);
    for (const Option& option : options[v])
      if (const CLI::Option* given = sub->get_option("--" + option.name); given->count() > 0) {
        check_values(option, given->results(), options[v]);
        out.given.push_back({option.name, given->results()});
      }
  }
  return out;
}

}  // namespace bochner::cli
