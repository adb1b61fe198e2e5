#include "bochner/models/gplvm/names.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner {

namespace {

constexpr std::array<std::pair<ViewScaling, const char*>, 5> scalings{
    {{ViewScaling::automatic, "auto"},
     {ViewScaling::none, "none"},
     {ViewScaling::centre, "centre"},
     {ViewScaling::standardise, "standardise"},
     {ViewScaling::whole_view, "whole"}}};

[[noreturn]] void refuse_features(const std::string& text) {
  throw InputError(
      fmt::format("the features {} cannot be read: use auto, exact, random, a number of frequencies per "
                  "component such as 300, "
                  "orthogonal:300 or nystrom:500",
                  quote(text)));
}

Index parse_count(const std::string& text, std::string_view digits) {
  Index count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || end != digits.data() + digits.size() || count < 1 || count > 1'000'000)
    refuse_features(text);
  return count;
}

std::string with_count(const char* name, Index count) {
  return count > 0 ? fmt::format("{}:{}", name, count) : name;
}

}  // namespace

std::string to_text(const FeatureChoice& choice) {
  switch (choice.kind) {
    case FeatureChoice::Kind::automatic:
      return "auto";
    case FeatureChoice::Kind::exact:
      return "exact";
    case FeatureChoice::Kind::nystrom:
      return with_count("nystrom", choice.count);
    case FeatureChoice::Kind::random:
      break;
  }
  if (choice.directions == Directions::orthogonal) return with_count("orthogonal", choice.count);
  return choice.count > 0 ? fmt::format("{}", choice.count) : "random";
}

FeatureChoice parse_features(const std::string& text) {
  using Kind = FeatureChoice::Kind;
  if (text == "auto") return {};
  if (text == "exact") return {.kind = Kind::exact};
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const Index count =
      colon == std::string::npos ? 0 : parse_count(text, std::string_view(text).substr(colon + 1));
  if (name == "nystrom") return {.kind = Kind::nystrom, .count = count};
  if (name == "orthogonal")
    return {.kind = Kind::random, .count = count, .directions = Directions::orthogonal};
  if (name == "random") return {.kind = Kind::random, .count = count};
  if (colon != std::string::npos) refuse_features(text);
  return {.kind = Kind::random, .count = parse_count(text, text)};
}

std::string to_text(ViewScaling scaling) {
  for (const auto& [value, name] : scalings)
    if (value == scaling) return name;
  return "auto";
}

ViewScaling parse_scaling(const std::string& text) {
  std::vector<std::string> names;
  for (const auto& [value, name] : scalings) {
    if (text == name) return value;
    names.emplace_back(name);
  }
  throw InputError(fmt::format("there is no scaling {}; there are {}", quote(text), listing(names)));
}

}  // namespace bochner
