#include "bochner/models/gplvm/names.hpp"

#include <fmt/format.h>

#include <array>
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

}  // namespace

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
