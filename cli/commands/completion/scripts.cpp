#include "scripts.hpp"

#include <fmt/format.h>

namespace bochner::cli {

namespace {

using Names = std::vector<std::string>;

std::string with_spaces(const Names& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " ") + name;
  return out;
}

/// The values that an option is known to take.
const Names& values_of(const Option& option) {
  return option.choices.empty() ? option.suggestions : option.choices;
}

/// Whether a value is the path of a file or a folder.
bool takes_path(const Option& option) {
  return option.file || option.positional || option.name == "out" || option.name == "config";
}

Names names_of(const std::vector<Command>& commands) {
  Names out;
  for (const Command& command : commands) out.push_back(command.name);
  return out;
}

bool is_number(const Option& option) {
  return std::holds_alternative<Index*>(option.target) || std::holds_alternative<double*>(option.target);
}

/// "    'fit --inference') values='variational mcmc' ;;" for every option with known values; nothing completes numbers.
std::string bash_values(const std::string& command, const std::vector<Option>& options) {
  std::string out;
  for (const Option& option : options) {
    if (option.positional) continue;
    if (is_number(option))
      out += fmt::format("    '{} --{}') return ;;\n", command, option.name);
    else if (!values_of(option).empty())
      out += fmt::format("    '{} --{}') values='{}' ;;\n", command, option.name,
                         with_spaces(values_of(option)));
  }
  return out;
}

std::string bash_options(const std::string& command, const std::vector<Option>& options) {
  Names flags{"--help"}, arguments;
  for (const Option& option : options) {
    if (option.positional) arguments = values_of(option);
    flags.push_back("--" + option.name);
  }
  return fmt::format("    {}) options='{}' arguments='{}' ;;\n", command, with_spaces(flags),
                     with_spaces(arguments));
}

/// Text within single quotes for _arguments of zsh, to which brackets and colons have a meaning.
std::string zsh_escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == ':' || c == '[' || c == ']' || c == '\\')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

/// "'*--view=[Table of observations]:TABLE:_bochner_files'", and "'*:TABLE:_bochner_files'" where it needs no name;
/// `place` counts arguments of one value without a name.
std::vector<std::string> zsh_arguments(const Option& option, int& place) {
  const std::string known = zsh_escape(with_spaces(values_of(option)));
  std::string values = takes_path(option) ? "_bochner_files" : " ";
  if (!known.empty()) values = is_list(option) ? " _bochner_values " + known : "(" + known + ")";
  const std::string value = fmt::format(":{}:{}", zsh_escape(option.placeholder), values);
  std::vector<std::string> out{fmt::format("'{}--{}{}[{}]{}'", is_list(option) ? "*" : "", option.name,
                                           is_flag(option) ? "" : "=", zsh_escape(option.help),
                                           is_flag(option) ? "" : value)};
  if (option.positional)
    out.push_back(fmt::format("'{}{}'", is_list(option) ? "*" : std::to_string(++place), value));
  return out;
}

constexpr const char* bash_frame =
    R"(# Completion of bochner for bash. Load it with: source <(bochner completion bash)
_bochner() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}}
  local commands='{0}' options= arguments= values=
  COMPREPLY=()
  # Bash splits at the equals sign: --option = value, --option NAME = value.
  if [[ $current == '=' ]]; then
    current=
  elif [[ $previous == '=' ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
    [[ $previous == --* ]] || previous=${{COMP_WORDS[COMP_CWORD - 3]}}
  fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "$commands help --help --version" -- "$current"))
    return
  fi
  case $command in
{1}    help) arguments=$commands ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  case "$command $previous" in
{2}    "$command $command") values=$arguments ;;
  esac
  if [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  else
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -F _bochner bochner
)";

constexpr const char* zsh_frame = R"(#compdef bochner
# Completion of bochner for zsh. Load it with: source <(bochner completion zsh)
_bochner_files() {{ compset -P '*='; _files }}
_bochner_values() {{ compset -P '*='; compadd -- "$@" }}
_bochner() {{
  local -a commands
  commands=(
{0}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{1}  esac
}}
if [[ $funcstack[1] == _bochner ]]; then
  _bochner "$@"
else
  compdef _bochner bochner
fi
)";

}  // namespace

std::string bash_script(const std::vector<Command>& commands,
                        const std::vector<std::vector<Option>>& options) {
  std::string lists, values;
  for (std::size_t c = 0; c < commands.size(); ++c) {
    lists += bash_options(commands[c].name, options[c]);
    values += bash_values(commands[c].name, options[c]);
  }
  return fmt::format(bash_frame, with_spaces(names_of(commands)), lists, values);
}

std::string zsh_script(const std::vector<Command>& commands,
                       const std::vector<std::vector<Option>>& options) {
  std::string described, cases;
  for (std::size_t c = 0; c < commands.size(); ++c) {
    described += fmt::format("    '{}:{}'\n", commands[c].name, zsh_escape(commands[c].summary));
    cases += fmt::format("    {})\n      _arguments", commands[c].name);
    int place = 0;
    for (const Option& option : options[c])
      for (const std::string& argument : zsh_arguments(option, place)) cases += " \\\n        " + argument;
    cases += "\n      ;;\n";
  }
  return fmt::format(zsh_frame, described, cases);
}

}  // namespace bochner::cli
