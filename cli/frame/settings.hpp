#pragma once
#include <string>
#include <vector>

#include "command_line.hpp"

namespace bochner::cli {

/// Sets the options of `verb`: first from the configuration file, if one is given, then from the command line,
/// which wins. A verb with a flag `resume` reads the config.toml of its `--out` folder when that flag is given. InputError of one sentence for an unknown key (file, line, nearest key), a value of the wrong
/// kind, or a needed option that is nowhere.
void set_options(const std::string& verb, const std::vector<Option>& options, const CommandLine& line);

}  // namespace bochner::cli
