#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// What a key of a configuration file may hold.
using ConfigValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

struct ConfigEntry {
  std::string key;
  ConfigValue value;
  Index line = 0;  // where it stands, counted from 1; 0 if it never was in a file
};

/// The keys of a TOML file in the order of the file: flat, `key = value`, no sections. What a key means, and
/// whether it is known, is the reader's affair; `where` helps it to say so.
struct Config {
  std::string file;  // for messages
  std::vector<ConfigEntry> entries;

  std::string where(const ConfigEntry& entry) const;  // "run/config.toml, line 3"
};

/// InputError of one sentence, with file, line and column, if the file cannot be read, is not TOML, or holds
/// a section, a date, or a list of anything but texts.
Config read_config(const std::string& path);

/// The same from memory; `name` stands for the file in messages.
Config parse_config(std::string_view bytes, const std::string& name);

/// The text of a configuration file, under `comment` (one "# " line per line). Reads back as the same values
/// to the last bit. Keys are letters, digits, `-` and `_`; texts are UTF-8 (std::invalid_argument otherwise).
std::string format_config(const std::vector<ConfigEntry>& entries, const std::string& comment = "");

}  // namespace bochner
