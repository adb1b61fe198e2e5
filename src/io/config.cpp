#include "bochner/io/config.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include "bochner/core/errors.hpp"
#include "byte_source.hpp"
#include "sentence.hpp"

namespace bochner {

namespace {

constexpr std::size_t longest_file = 1u
                                     << 20;  // a table given as --config by mistake is not parsed for minutes

std::string place(const std::string& name, const toml::source_region& at) {
  return fmt::format("{}, line {}", io::printable(name), at.begin.line);
}

std::vector<std::string> texts(const toml::array& array, const std::string& key, const std::string& name) {
  std::vector<std::string> out;
  for (const toml::node& node : array) {
    const auto* text = node.as_string();
    if (!text)
      throw InputError(fmt::format("{}: the list {} may hold texts only, each between quotes",
                                   place(name, node.source()), io::quote(key)));
    out.push_back(text->get());
  }
  return out;
}

ConfigValue value_of(const toml::node& node, const std::string& key, const std::string& name) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* array = node.as_array()) return texts(*array, key, name);
  if (node.is_table())
    throw InputError(fmt::format("{}: {} is a section, but keys stand alone here, one 'key = value' per line",
                                 place(name, node.source()), io::quote(key)));
  throw InputError(fmt::format("{}: {} is a date or a time; put it between quotes",
                               place(name, node.source()), io::quote(key)));
}

std::string toml_text(const std::string& text) {
  if (io::valid_utf8(text) != text.size()) throw std::invalid_argument("format_config: a text is not UTF-8");
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

bool is_bare_key(const std::string& key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

}  // namespace

std::string Config::where(const ConfigEntry& entry) const {
  return entry.line > 0 ? fmt::format("{}, line {}", io::printable(file), entry.line) : io::printable(file);
}

Config parse_config(std::string_view bytes, const std::string& name) {
  if (bytes.size() > longest_file)
    throw InputError(fmt::format("{}: {} is too large for a configuration file", io::printable(name),
                                 io::human_bytes(static_cast<double>(bytes.size()))));
  toml::table table;
  try {
    table = toml::parse(bytes, name);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}, column {}: not TOML ({})", place(name, error.source()),
                                 error.source().begin.column, io::printable(error.description())));
  }
  Config out{name, {}};
  for (const auto& [key, node] : table)
    out.entries.push_back({std::string(key.str()), value_of(node, std::string(key.str()), name),
                           static_cast<Index>(key.source().begin.line)});
  // The parser hands keys out in the order of their names.
  std::stable_sort(out.entries.begin(), out.entries.end(),
                   [](const ConfigEntry& a, const ConfigEntry& b) { return a.line < b.line; });
  return out;
}

Config read_config(const std::string& path) {
  io::InputFile file(path);
  std::string bytes(longest_file + 1, '\0');
  bytes.resize(file.read(bytes.data(), bytes.size()));
  return parse_config(bytes, path);
}

std::string format_config(const std::vector<ConfigEntry>& entries, const std::string& comment) {
  std::string out;
  for (std::size_t begin = 0; begin < comment.size();) {
    const std::size_t end = std::min(comment.find('\n', begin), comment.size());
    out += "# " + io::printable(std::string_view(comment).substr(begin, end - begin), 1000) + "\n";
    begin = end + 1;
  }
  for (const ConfigEntry& entry : entries) {
    if (!is_bare_key(entry.key))
      throw std::invalid_argument("format_config: '" + entry.key + "' is not a bare TOML key");
    out += entry.key + " = " + std::visit(Formatter{}, entry.value) + "\n";
  }
  return out;
}

}  // namespace bochner
