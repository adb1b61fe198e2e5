#include "completion.hpp"

#include <memory>

#include "cli/frame/console.hpp"
#include "scripts.hpp"

namespace bochner::cli {

namespace {

int run(const std::string& shell) {
  const std::vector<Command> commands = all_commands();
  std::vector<Common> common(commands.size());
  std::vector<std::vector<Option>> options;
  for (std::size_t c = 0; c < commands.size(); ++c) options.push_back(all_options(commands[c], common[c]));
  print(shell == "zsh" ? zsh_script(commands, options) : bash_script(commands, options));
  return 0;
}

}  // namespace

Command completion_command() {
  const auto shell = std::make_shared<std::string>();
  return {.name = "completion",
          .summary = "Print a script that completes commands, options and values in bash or zsh",
          .example = "source <(bochner completion bash)",
          .details = "Source the script in the startup file of the shell: ~/.bashrc or ~/.zshrc.",
          .options = {{.name = "shell",
                       .placeholder = "SHELL",
                       .help = "bash or zsh",
                       .target = shell.get(),
                       .choices = {"bash", "zsh"},
                       .required = true,
                       .positional = true}},
          .runs = false,
          .run = [shell](const Job&) { return run(*shell); }};
}

}  // namespace bochner::cli
