#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

// Configuration files are flat TOML [toml1.0]: one `key = value` per line, `#` starts a comment. A value is true or
// false, a decimal number (1_000, 2.5e-3, inf, nan), a text on one line, 'as it stands' or "with \n escapes", or a list
// of texts, which may run over several lines. Sections, dates, numbers to other bases and texts over several lines are
// TOML as well, but nothing here has a use for them: they are refused with a message.

/// What a key of a configuration file may hold.
using ConfigValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

struct ConfigEntry {
  std::string key;
  ConfigValue value;
  Index line = 0;  // where it stands, counted from 1; 0 if it never was in a file
};

/// The keys of a file in its order, each once. What a key means, and whether it is known, is the reader's affair;
/// `where` helps it to say so.
struct Config {
  std::string file;  // for messages
  std::vector<ConfigEntry> entries;

  std::string where(const ConfigEntry& entry) const;  // "run/config.toml, line 3"
};

/// InputError, with file, line and column, if the file cannot be read or is something else.
Config read_config(const std::string& path);

/// The same from memory; `name` stands for the file in messages.
Config parse_config(std::string_view bytes, const std::string& name);

/// The text of a configuration file, under `comment` (one "# " line per line). Reads back as the same values to the
/// last bit, here and in any TOML reader. Keys are letters, digits, `-` and `_`; texts are UTF-8 (std::invalid_argument
/// otherwise).
std::string format_config(const std::vector<ConfigEntry>& entries, const std::string& comment = "");

}  // namespace bochner
