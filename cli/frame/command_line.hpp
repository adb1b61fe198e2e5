#pragma once
#include <string>
#include <vector>

#include "command.hpp"

namespace bochner::cli {

/// The arguments of the program by option; nothing is converted yet.
struct CommandLine {
  struct Given {
    std::string option;
    std::vector<std::string> values;  // "true" or "false" for a flag
  };
  std::string command;  // empty: none given
  bool help = false, version = false;
  std::vector<Given> given;  // in the order of the command's options
};

/// `options[v]` are the options of `commands[v]`, common ones included. InputError, with the
/// nearest name, for a command or an option that there is not.
CommandLine parse_command_line(const std::vector<std::string>& arguments,
                               const std::vector<Command>& commands,
                               const std::vector<std::vector<Option>>& options);

}  // namespace bochner::cli
