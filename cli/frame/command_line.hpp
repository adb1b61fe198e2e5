#pragma once
#include <string>
#include <vector>

#include "verb.hpp"

namespace bochner::cli {

/// The words of the user, sorted; nothing is converted yet.
struct CommandLine {
  struct Given {
    std::string option;
    std::vector<std::string> words;  // "true" or "false" for a flag
  };
  std::string verb;  // empty: none given
  bool help = false, version = false;
  std::vector<Given> given;  // in the order of the verb's options
};

/// `options[v]` are the options of `verbs[v]`, common ones included. InputError of one sentence, with the
/// nearest name, for a verb or an option that there is not.
CommandLine parse_command_line(const std::vector<std::string>& arguments, const std::vector<Verb>& verbs,
                               const std::vector<std::vector<Option>>& options);

}  // namespace bochner::cli
