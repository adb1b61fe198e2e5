#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bochner/run/config.hpp"

namespace bochner::detail {

/// A table given as a configuration by mistake should not be parsed for minutes.
inline constexpr std::size_t longest_config = 1u << 20;

bool is_bare_key_character(char c);  // A-Z a-z 0-9 - _

/// Reads flat TOML (config.hpp), one token of lookahead, no recursion. Ours, not a library's: the files are flat and
/// the reader must survive any bytes, where toml++ 3.3 (Debian 12) runs into failed assertions ("[[[") and undefined
/// behaviour (some letters outside ASCII).
class ConfigParser {
 public:
  ConfigParser(std::string_view bytes, const std::string& name);
  Config parse();

 private:
  bool at_end() const { return at_ == bytes_.size(); }
  char peek() const { return at_end() ? '\0' : bytes_[at_]; }
  bool take(char c);
  bool take_line_end();
  void skip_blanks();            // spaces and tabs
  void skip_comment();           // up to the line end
  void skip_blanks_and_lines();  // and comments, inside a list
  std::string key();
  ConfigValue value();
  std::string text();  // either kind of quotes
  char32_t escaped_scalar(int digits);
  std::vector<std::string> list();
  ConfigValue word();  // true, false or a number
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_at(std::size_t place, const std::string& what) const;

  std::string_view bytes_;
  std::string name_;
  std::size_t at_ = 0, line_start_ = 0;
  Index line_ = 1;
};

}  // namespace bochner::detail
