#pragma once
#include <string>
#include <vector>

#include "cli/frame/command.hpp"

namespace bochner::cli {

/// Scripts that complete the commands, their options, the values of options that have a list of them, and files
/// elsewhere. `options[c]` are the options of `commands[c]`, common ones included.
std::string bash_script(const std::vector<Command>& commands,
                        const std::vector<std::vector<Option>>& options);
std::string zsh_script(const std::vector<Command>& commands, const std::vector<std::vector<Option>>& options);

}  // namespace bochner::cli
