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

constexpr std::array<std::pair<FloatingPoint, const char*>, 3> precisions{
    {{FloatingPoint::automatic, "auto"},
     {FloatingPoint::double_precision, "double"},
     {FloatingPoint::single_precision, "single"}}};

template <class Names, class Value>
std::string name_of(const Names& names, Value wanted) {
  for (const auto& [value, name] : names)
    if (value == wanted) return name;
  return "auto";
}

template <class Names>
auto value_of(const Names& names, const char* what, const std::string& text) {
  std::vector<std::string> known;
  for (const auto& [value, name] : names) {
    if (text == name) return value;
    known.emplace_back(name);
  }
  throw InputError(fmt::format("there is no {} {}; there are {}", what, quote(text), listing(known)));
}

}  // namespace

std::string to_text(ViewScaling scaling) { return name_of(scalings, scaling); }
ViewScaling parse_scaling(const std::string& text) { return value_of(scalings, "scaling", text); }

std::string to_text(FloatingPoint precision) { return name_of(precisions, precision); }
FloatingPoint parse_precision(const std::string& text) { return value_of(precisions, "precision", text); }

}  // namespace bochner
