#include "positional.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"

namespace bochner::cli {

namespace {

bool is_named(const std::string& argument) { return argument.size() > 1 && argument.starts_with('-'); }

/// The option that `--name` or `--name=value` is, if there is one.
const Option* option_of(const std::string& argument, const std::vector<Option>& options) {
  if (!argument.starts_with("--")) return nullptr;
  const std::string name = argument.substr(2, argument.find('=') - 2);
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const Option& option) { return has_name(option, name); });
  return found == options.end() ? nullptr : &*found;
}

/// Whether the argument behind this one is its value.
bool takes_next(const std::string& argument, const std::vector<Option>& options) {
  const Option* option = option_of(argument, options);
  return option && !is_flag(*option) && argument.find('=') == std::string::npos;
}

/// "--inference mcmc", the option that knows this value; "--quiet" for its name without dashes. Empty if none does.
std::string meant(const std::string& argument, const std::vector<Option>& options) {
  const std::string value = argument.substr(argument.find('=') + 1);  // of NAME=VALUE, or all of it
  const auto knows = [&](const std::vector<std::string>& values) {
    return std::find(values.begin(), values.end(), value) != values.end();
  };
  for (const Option& option : options) {
    if (has_name(option, argument))
      return "--" + option.name + (is_flag(option) ? "" : " " + option.placeholder);
    if (!option.positional && (knows(option.choices) || knows(option.suggestions)) && !parse_number(value))
      return "--" + option.name + " " + argument;
  }
  return {};
}

/// A number or a word of an option where a table is expected. A file of that name is a table.
void check_forgotten(const std::string& argument, const std::vector<Option>& options) {
  if (std::error_code error; std::filesystem::exists(argument, error)) return;
  if (const std::string option = meant(argument, options); !option.empty())
    throw InputError(fmt::format("{} is not a file; did you mean '{}'?", quote(argument), printable(option)));
  if (parse_number(argument))
    throw InputError(
        fmt::format("{} is not a file; if it is the value of an option, write the name of the option before "
                    "it, as in '--seed {}'",
                    quote(argument), printable(argument)));
}

}  // namespace

std::vector<std::string> name_positionals(const std::vector<std::string>& arguments,
                                          const std::vector<Option>& options) {
  std::vector<const Option*> free;  // in reverse, those that still take an argument without a name
  for (auto option = options.rbegin(); option != options.rend(); ++option) {
    const bool given = std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
      return option_of(argument, options) == &*option;
    });
    if (option->positional && (is_list(*option) || !given)) free.push_back(&*option);
  }
  std::vector<std::string> out;
  const bool help = std::any_of(arguments.begin(), arguments.end(),
                                [](const std::string& a) { return a == "--help" || a == "-h"; });
  bool names_end = false, after_unknown = false;  // the value of a mistyped option is not the first mistake
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!names_end && argument == "--") {
      names_end = true;
    } else if (!names_end && is_named(argument)) {
      after_unknown = !option_of(argument, options);
      out.push_back(argument);
      if (takes_next(argument, options) && i + 1 < arguments.size()) out.push_back(arguments[++i]);
    } else {
      if (!free.empty()) {
        const Option& option = *free.back();
        if (option.file && !after_unknown && !help) check_forgotten(argument, options);
        if (!is_list(option)) free.pop_back();
        out.push_back("--" + option.name);
      }
      after_unknown = false;
      out.push_back(argument);
    }
  }
  return out;
}

}  // namespace bochner::cli
