#pragma once
#include <set>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace bochner::cli {

/// Where the values of the options came from.
struct Assigned {
  std::set<std::string> given;   // names of the options that the command line or a configuration file set
  std::string resumed_config{};  // text of the configuration of the run that --resume continues; else empty
};

/// Sets the options of `command`: first from the configuration file, if one is given, then from the command line,
/// which takes precedence. A command with a flag `resume` reads the config.toml of its `--out` folder when that flag is
/// given, and a run can only be resumed with its own options. InputError for an unknown key (file, line, nearest key), a
/// value of the wrong kind, a required option that is missing, or an option that differs from those of the resumed run.
Assigned set_options(const std::string& command, const std::vector<Option>& options, const CommandLine& line);

}  // namespace bochner::cli
