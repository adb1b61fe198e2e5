#include "option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"

namespace bochner::cli {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// "a, b or c"
std::string alternatives(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return out;
}

/// "an integer from 1 to 9"
std::string rule(const Option& option) {
  if (is_flag(option)) return "true or false";
  if (is_list(option)) return "a list of strings";
  if (!option.choices.empty()) return alternatives(option.choices);
  if (std::holds_alternative<std::string*>(option.target)) return "a string";
  const std::string kind = (option.zero_word.empty() ? "" : option.zero_word + " or ") +
                           (std::holds_alternative<Index*>(option.target) ? "an integer" : "a number");
  if (option.low > -infinity && option.high < infinity)
    return fmt::format("{} from {} to {}", kind, option.low, option.high);
  if (option.low > -infinity) return fmt::format("{}, {} or more", kind, option.low);
  if (option.high < infinity) return fmt::format("{}, {} or less", kind, option.high);
  return kind;
}

[[noreturn]] void refuse(const Option& option, const std::string& where, const std::string& value) {
  throw InputError(fmt::format("{} is {}, but must be {}", where, quote(value), rule(option)));
}

/// 500, but also 5e2 and 500.0
std::optional<Index> to_index(std::string_view text) {
  if (const auto value = parse_integer<Index>(text)) return value;
  const std::optional<double> number = parse_number(text);
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (!number || std::abs(*number) > exact || *number != std::floor(*number)) return std::nullopt;
  return static_cast<Index>(*number);
}

bool in_range(const Option& option, double value) { return value >= option.low && value <= option.high; }

/// The value that stands for this one now.
const std::string& current_value(const Option& option, const std::string& text) {
  const auto found = option.value_aliases.find(text);
  return found == option.value_aliases.end() ? text : found->second;
}

bool is_choice(const Option& option, const std::string& text) {
  return option.choices.empty() ||
         std::find(option.choices.begin(), option.choices.end(), text) != option.choices.end();
}

/// Numbers and strings of either source arrive as text.
void assign_text(const Option& option, const std::string& where, const std::string& text) {
  if (auto* const* index = std::get_if<Index*>(&option.target)) {
    if (!option.zero_word.empty() && text == option.zero_word) {
      **index = option.word_value;
      return;
    }
    const std::optional<Index> value = to_index(text);
    if (!value || !in_range(option, static_cast<double>(*value))) refuse(option, where, text);
    **index = *value;
  } else if (auto* const* number = std::get_if<double*>(&option.target)) {
    const std::optional<double> value = parse_number(text);
    if (!value || !in_range(option, *value)) refuse(option, where, text);
    **number = *value;
  } else if (auto* const* string = std::get_if<std::string*>(&option.target)) {
    if (text.empty()) throw InputError(fmt::format("{} is empty", where));
    const std::string& value = current_value(option, text);
    if (!is_choice(option, value)) refuse(option, where, text);
    **string = value;
  } else if (auto* const* list = std::get_if<std::vector<std::string>*>(&option.target)) {
    **list = {text};
  } else {
    if (text != "true" && text != "false") refuse(option, where, text);
    *std::get<bool*>(option.target) = text == "true";
  }
}

}  // namespace

std::string heading(Group group) {
  switch (group) {
    case Group::input:
      return "Input";
    case Group::model:
      return "Model";
    case Group::variational:
      return "Variational inference";
    case Group::mcmc:
      return "MCMC";
    case Group::evaluation:
      return "Evaluation";
    case Group::output:
      return "Output";
    case Group::general:
      break;
  }
  return "General";
}

bool has_name(const Option& option, const std::string& name) {
  return option.name == name ||
         std::find(option.aliases.begin(), option.aliases.end(), name) != option.aliases.end();
}

bool applies(const Option& option, const std::vector<Option>& options) {
  const auto& [name, value] = option.only_with;
  return std::all_of(options.begin(), options.end(),
                     [&name = name, &value = value](const Option& other) {  // clang 14
                       return other.name != name || *std::get<std::string*>(other.target) == value;
                     });
}

bool is_flag(const Option& option) { return std::holds_alternative<bool*>(option.target); }
bool is_list(const Option& option) {
  return std::holds_alternative<std::vector<std::string>*>(option.target);
}

std::string default_text(const Option& option) {
  if (!option.shown_default.empty()) return option.shown_default;
  if (auto* const* index = std::get_if<Index*>(&option.target)) return fmt::format("{}", **index);
  if (auto* const* number = std::get_if<double*>(&option.target)) return fmt::format("{}", **number);
  if (auto* const* text = std::get_if<std::string*>(&option.target)) return **text;
  return {};
}

void assign(const Option& option, const std::vector<std::string>& values) {
  if (is_list(option)) {
    *std::get<std::vector<std::string>*>(option.target) = values;
    return;
  }
  if (values.size() > 1)
    throw InputError(
        fmt::format("--{} is given {} times, but takes a single value", option.name, values.size()));
  assign_text(option, "--" + option.name, values.empty() ? "true" : values.front());
}

void assign(const Option& option, const ConfigEntry& entry, const Config& config) {
  const std::string where = fmt::format("{}: {}", config.where(entry), entry.key);
  if (const auto* list = std::get_if<std::vector<std::string>>(&entry.value)) {
    if (!is_list(option)) throw InputError(fmt::format("{} is a list, but must be {}", where, rule(option)));
    *std::get<std::vector<std::string>*>(option.target) = *list;
  } else if (const auto* flag = std::get_if<bool>(&entry.value)) {
    if (!is_flag(option)) refuse(option, where, *flag ? "true" : "false");
    *std::get<bool*>(option.target) = *flag;
  } else if (const auto* integer = std::get_if<std::int64_t>(&entry.value)) {
    assign_text(option, where, fmt::format("{}", *integer));
  } else if (const auto* number = std::get_if<double>(&entry.value)) {
    assign_text(option, where, fmt::format("{}", *number));
  } else {
    assign_text(option, where, std::get<std::string>(entry.value));
  }
}

ConfigEntry config_entry(const Option& option) {
  if (auto* const* index = std::get_if<Index*>(&option.target);
      index != nullptr && **index == option.word_value && !option.zero_word.empty())
    return {option.name, ConfigValue(option.zero_word)};
  return {option.name, std::visit([](const auto* value) { return ConfigValue(*value); }, option.target)};
}

}  // namespace bochner::cli
