#include "bochner/run/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bochner/core/messages.hpp"
#include "config_parser.hpp"
#include "src/tables/byte_source.hpp"

namespace bochner {

namespace {

std::string toml_text(const std::string& text) {
  if (valid_utf8(text) != text.size()) throw std::invalid_argument("format_config: a text is not UTF-8");
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (byte < 0x20 || byte == 0x7F)
      out += fmt::format("\\u{:04X}", byte);
    else
      out += c;
  }
  return out + '"';
}

struct Formatter {
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::int64_t integer) const { return fmt::format("{}", integer); }
  std::string operator()(double number) const {
    if (std::isnan(number)) return "nan";
    std::string digits = fmt::format("{}", number);  // the shortest that reads back as the same bits
    // TOML tells a float from an integer by its point or exponent; inf has neither and needs none.
    if (std::isfinite(number) && digits.find_first_of(".e") == std::string::npos) digits += ".0";
    return digits;
  }
  std::string operator()(const std::string& text) const { return toml_text(text); }
  std::string operator()(const std::vector<std::string>& list) const {
    std::string out = "[";
    for (std::size_t i = 0; i < list.size(); ++i) out += (i ? ", " : "") + toml_text(list[i]);
    return out + "]";
  }
};

}  // namespace

std::string Config::where(const ConfigEntry& entry) const {
  return entry.line > 0 ? fmt::format("{}, line {}", printable(file), entry.line) : printable(file);
}

Config parse_config(std::string_view bytes, const std::string& name) {
  return detail::ConfigParser(bytes, name).parse();
}

Config read_config(const std::string& path) {
  detail::InputFile file(path);
  std::string bytes(detail::longest_config + 1, '\0');  // enough to see that it is too long
  bytes.resize(file.read(bytes.data(), bytes.size()));
  return parse_config(bytes, path);
}

std::string format_config(const std::vector<ConfigEntry>& entries, const std::string& comment) {
  std::string out;
  for (std::size_t begin = 0; begin < comment.size();) {
    const std::size_t end = std::min(comment.find('\n', begin), comment.size());
    out += "# " + printable(std::string_view(comment).substr(begin, end - begin), 1000) + "\n";
    begin = end + 1;
  }
  for (const ConfigEntry& entry : entries) {
    if (entry.key.empty() || !std::all_of(entry.key.begin(), entry.key.end(), detail::is_bare_key_character))
      throw std::invalid_argument("format_config: '" + entry.key + "' is not a bare TOML key");
    out += entry.key + " = " + std::visit(Formatter{}, entry.value) + "\n";
  }
  return out;
}

}  // namespace bochner
