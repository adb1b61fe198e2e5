// A configuration file: refused in one message, or read; what was read survives being written and read again.
#include "bochner/run/config.hpp"
#include "judge.hpp"

using namespace bochner;

namespace {

bool same(const ConfigValue& a, const ConfigValue& b) {
  const auto* x = std::get_if<double>(&a);
  const auto* y = std::get_if<double>(&b);
  return a == b || (x && y && std::isnan(*x) && std::isnan(*y));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Config config;
  try {
    config = parse_config(fuzz::view(data, size), "t.toml");
  } catch (const InputError& error) {
    fuzz::judge(error, "t.toml");
    return 0;
  }
  std::string text;
  try {
    text = format_config(config.entries, "a comment");
  } catch (const std::invalid_argument&) {
    return 0;  // TOML knows quoted keys, options do not
  }
  const Config again = parse_config(text, "again.toml");
  if (again.entries.size() != config.entries.size()) fuzz::find("entries were lost:", text);
  for (std::size_t i = 0; i < config.entries.size(); ++i)
    if (again.entries[i].key != config.entries[i].key ||
        !same(again.entries[i].value, config.entries[i].value))
      fuzz::find("a value changed:", text);
  return 0;
}
