#include "config_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"

namespace bochner::detail {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// What TOML takes for a decimal number: digits in front, without leading zeros; digits behind the point and the
/// exponent; single underscores between digits. `plain` gets it without sign + and underscores.
enum class Shape { none, integer, real };
Shape number_shape(std::string_view word, std::string& plain) {
  std::size_t i = 0;
  const auto sign = [&] {
    if (i < word.size() && (word[i] == '-' || word[i] == '+')) {
      if (word[i] == '-') plain += '-';
      ++i;
    }
  };
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < word.size() && (is_digit(word[i]) || (word[i] == '_' && i > begin && is_digit(word[i - 1]) &&
                                                     i + 1 < word.size() && is_digit(word[i + 1])))) {
      if (word[i] != '_') plain += word[i];
      ++i;
    }
    return i - begin;
  };
  sign();
  const std::size_t first = i, whole = digits();
  if (whole == 0 || (whole > 1 && word[first] == '0')) return Shape::none;
  Shape shape = Shape::integer;
  if (i < word.size() && word[i] == '.') {
    plain += word[i++];
    if (digits() == 0) return Shape::none;
    shape = Shape::real;
  }
  if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
    plain += word[i++];
    sign();
    if (digits() == 0) return Shape::none;
    shape = Shape::real;
  }
  return i == word.size() ? shape : Shape::none;
}

void append_utf8(std::string& out, char32_t c) {
  const auto byte = [&](char32_t b) { out += static_cast<char>(static_cast<unsigned char>(b)); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xC0 | c >> 6);
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3F));
  } else {
    byte(0xF0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3F));
    byte(0x80 | (c >> 6 & 0x3F));
  }
  byte(0x80 | (c & 0x3F));
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7F;
}

}  // namespace

bool is_bare_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' || c == '_';
}

ConfigParser::ConfigParser(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {
  if (bytes.size() > longest_config)
    throw InputError(fmt::format("{}: more than {} is too much for a configuration file", printable(name),
                                 human_bytes(static_cast<double>(longest_config))));
  const std::size_t valid = valid_utf8(bytes);
  if (valid < bytes.size()) {
    const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(valid), '\n');
    throw InputError(fmt::format("{}, line {}: not UTF-8 text, so not a TOML file", printable(name), line));
  }
  if (bytes.starts_with("\xEF\xBB\xBF")) at_ = line_start_ = 3;  // byte-order mark
}

void ConfigParser::fail_at(std::size_t place, const std::string& what) const {
  throw InputError(
      fmt::format("{}, line {}, column {}: {}", printable(name_), line_, place - line_start_ + 1, what));
}

void ConfigParser::fail(const std::string& what) const { fail_at(at_, what); }

bool ConfigParser::take(char c) {
  if (at_end() || bytes_[at_] != c) return false;
  ++at_;
  return true;
}

bool ConfigParser::take_line_end() {
  const std::string_view rest = bytes_.substr(at_);
  if (!rest.starts_with('\n') && !rest.starts_with("\r\n")) return false;
  at_ += rest.front() == '\r' ? 2 : 1;
  line_start_ = at_;
  ++line_;
  return true;
}

void ConfigParser::skip_blanks() {
  while (take(' ') || take('\t')) continue;
}

void ConfigParser::skip_comment() {
  if (peek() != '#') return;
  while (!at_end() && peek() != '\n' && !bytes_.substr(at_).starts_with("\r\n")) {
    if (is_control(peek())) fail("a control character inside a comment");
    ++at_;
  }
}

void ConfigParser::skip_blanks_and_lines() {
  do {
    skip_blanks();
    skip_comment();
  } while (take_line_end());
}

Config ConfigParser::parse() {
  Config out{name_, {}};
  for (skip_blanks_and_lines(); !at_end(); skip_blanks_and_lines()) {
    const Index line = line_;
    const std::size_t begin = at_;
    if (peek() == '[') fail("this is a section, but here keys stand alone, one 'key = value' per line");
    ConfigEntry entry{key(), false, line};
    for (const ConfigEntry& earlier : out.entries)
      if (earlier.key == entry.key)
        fail_at(begin, fmt::format("{} is already set in line {}", quote(entry.key), earlier.line));
    skip_blanks();
    if (peek() == '.') fail("keys have no dots here");
    if (!take('=')) fail(fmt::format("'=' is missing after {}", quote(entry.key)));
    skip_blanks();
    entry.value = value();
    skip_blanks();
    skip_comment();
    if (!at_end() && peek() != '\n' && !bytes_.substr(at_).starts_with("\r\n"))
      fail(fmt::format("the line should end after the value of {}", quote(entry.key)));
    out.entries.push_back(std::move(entry));
  }
  return out;
}

std::string ConfigParser::key() {
  if (peek() == '"' || peek() == '\'') return text();
  const std::size_t begin = at_;
  while (!at_end() && is_bare_key_character(peek())) ++at_;
  if (at_ == begin) fail("a key should stand here, as in 'key = value'");
  return std::string(bytes_.substr(begin, at_ - begin));
}

ConfigValue ConfigParser::value() {
  if (peek() == '"' || peek() == '\'') return text();
  if (peek() == '[') return list();
  if (peek() == '{') fail("this is a section, but a key holds one value or a list of texts here");
  return word();
}

std::string ConfigParser::text() {
  const char mark = peek();
  const std::size_t begin = at_++;
  std::string out;
  while (!take(mark)) {
    if (at_end() || peek() == '\n' || bytes_.substr(at_).starts_with("\r\n"))
      fail_at(begin, fmt::format("the closing {} is missing", mark));
    if (is_control(peek())) fail("a control character inside a text");
    const char c = bytes_[at_++];
    if (c != '\\' || mark == '\'') {
      out += c;
      continue;
    }
    constexpr std::string_view names = "btnfr\"\\", meant = "\b\t\n\f\r\"\\";
    const char name = peek();
    if (const std::size_t which = names.find(name); !at_end() && which != std::string_view::npos) {
      out += meant[which];
      ++at_;
    } else if (name == 'u' || name == 'U') {
      ++at_;
      append_utf8(out, escaped_scalar(name == 'u' ? 4 : 8));
    } else {
      fail_at(
          at_ - 1,
          "a backslash inside \"...\" starts an escape; write \\\\ for it, or put the text between '...'");
    }
  }
  if (out.empty() && peek() == mark) fail_at(begin, "a text over several lines; here it must be on one line");
  return out;
}

char32_t ConfigParser::escaped_scalar(int digits) {
  const std::string_view hex = bytes_.substr(at_, static_cast<std::size_t>(digits));
  const auto scalar = parse_integer<std::uint32_t>(hex, 16);
  if (!scalar || hex.size() != static_cast<std::size_t>(digits) || *scalar > 0x10FFFF ||
      (*scalar >= 0xD800 && *scalar < 0xE000))
    fail(fmt::format("{} hexadecimal digits of a Unicode character should stand here", digits));
  at_ += hex.size();
  return *scalar;
}

std::vector<std::string> ConfigParser::list() {
  std::vector<std::string> out;
  take('[');
  for (skip_blanks_and_lines(); !take(']'); skip_blanks_and_lines()) {
    if (at_end()) fail("the closing ] of the list is missing");
    if (peek() != '"' && peek() != '\'') fail("a list holds texts only, each between quotes");
    out.push_back(text());
    skip_blanks_and_lines();
    if (!take(',') && peek() != ']')
      fail(at_end() ? "the closing ] of the list is missing" : "a comma is missing");
  }
  return out;
}

ConfigValue ConfigParser::word() {
  const std::size_t begin = at_;
  while (!at_end() && std::string_view(" \t\r\n#,]").find(peek()) == std::string_view::npos) ++at_;
  const std::string word(bytes_.substr(begin, at_ - begin));
  if (word.empty()) fail("a value is missing");
  if (word == "true" || word == "false") return word == "true";
  const std::string_view unsigned_word =
      std::string_view(word).substr(word[0] == '+' || word[0] == '-' ? 1 : 0);
  const double sign = word[0] == '-' ? -1 : 1;
  if (unsigned_word == "inf") return sign * std::numeric_limits<double>::infinity();
  if (unsigned_word == "nan") return std::numeric_limits<double>::quiet_NaN();
  std::string plain;
  const Shape shape = number_shape(word, plain);
  if (shape == Shape::integer)
    if (const auto integer = parse_integer<std::int64_t>(plain)) return *integer;
  if (shape == Shape::real)
    if (const std::optional<double> real = parse_number(plain)) return *real;
  if (shape != Shape::none)
    fail_at(begin, fmt::format("{} is beyond the numbers that can be held", quote(word)));
  fail_at(begin,
          fmt::format("{} is neither true, false nor a number; texts stand between quotes", quote(word)));
}

}  // namespace bochner::detail
