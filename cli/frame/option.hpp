#pragma once
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/run/config.hpp"

namespace bochner::cli {

/// One option of a verb: `--name VALUE` on the command line, `name = value` in a configuration file, and the
/// variable that receives it. What the variable holds beforehand is the default.
struct Option {
  using Target = std::variant<bool*, Index*, double*, std::string*, std::vector<std::string>*>;

  std::string name;
  std::string placeholder;  // "FILE"; empty for a flag
  std::string help;
  Target target;
  double low = -std::numeric_limits<double>::infinity();  // of numbers, inclusive
  double high = std::numeric_limits<double>::infinity();
  std::string shown_default{};  // in the help, where the variable itself would say little
  bool required = false;
  bool recorded = true;     // in the config.toml of a run
  bool in_config = true;    // may stand in a configuration file
  bool file = false;        // names an input file (or several), perhaps as NAME=FILE:PART
  bool positional = false;  // also without its name: `bochner apply run/model.bochner`
};

bool is_flag(const Option& option);
bool is_list(const Option& option);

/// The default as the help shows it; empty if there is none worth showing.
std::string default_text(const Option& option);

/// Sets the variable from the words behind the option on the command line (none for a flag), or from a key of
/// a configuration file. InputError of one sentence if the value is of the wrong kind or out of range.
void assign(const Option& option, const std::vector<std::string>& words);
void assign(const Option& option, const ConfigEntry& entry, const Config& config);

/// The present value as a configuration file would hold it.
ConfigEntry recorded(const Option& option);

}  // namespace bochner::cli
