#pragma once
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/run/config.hpp"

namespace bochner::cli {

/// Headings in the help of a command, in this order.
enum class Group { input, model, variational, mcmc, evaluation, output, general };
std::string heading(Group group);  // "Variational inference"

/// One option of a command: `--name VALUE` on the command line, `name = value` in a configuration file, and the
/// variable that receives it. The initial value of the variable is the default.
struct Option {
  using Target = std::variant<bool*, Index*, double*, std::string*, std::vector<std::string>*>;

  std::string name;
  std::string placeholder{};  // "FILE"; empty for a flag
  std::string help;
  Target target;
  Group group = Group::general;
  double low = -std::numeric_limits<double>::infinity();  // range of a number, inclusive
  double high = std::numeric_limits<double>::infinity();
  std::string shown_default{};         // in the help, where the variable itself would say little
  std::string zero_word{};             // of an integer: "auto" stands for 0 ..
  Index word_value = 0;                // .. or for this
  std::vector<std::string> choices{};  // the only values of a string; empty: any
  std::vector<std::string>
      suggestions{};  // values that shell completion offers where others are allowed as well
  bool required = false;
  bool recorded = true;                // in the config.toml of a run
  bool in_config = true;               // allowed in a configuration file
  bool file = false;                   // names an input file (or several), perhaps as NAME=FILE:PART
  bool positional = false;             // also without its name: `bochner apply run/model.bochner`
  std::vector<std::string> aliases{};  // earlier names, accepted but not shown
  std::map<std::string, std::string> value_aliases{};  // earlier values, and those that stand for them now
  std::pair<std::string, std::string>
      only_with{};  // the option and its value without which this one has no effect
};

bool is_flag(const Option& option);
bool is_list(const Option& option);

/// Whether the option is called so, now or in earlier versions.
bool has_name(const Option& option, const std::string& name);

/// Whether the option has an effect, given the values of the others.
bool applies(const Option& option, const std::vector<Option>& options);

/// The default as the help shows it; empty if there is none worth showing.
std::string default_text(const Option& option);

/// Sets the variable from the values of the option on the command line (none for a flag), or from a key of
/// a configuration file. InputError if the value is of the wrong kind or out of range.
void assign(const Option& option, const std::vector<std::string>& values);
void assign(const Option& option, const ConfigEntry& entry, const Config& config);

/// The present value as a configuration file would hold it.
ConfigEntry config_entry(const Option& option);

}  // namespace bochner::cli
