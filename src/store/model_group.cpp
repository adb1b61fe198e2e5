#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

namespace {

void check_text(const std::string& name, const std::string& text) {
  if (text.find('\0') != std::string::npos || valid_utf8(text) != text.size())
    throw std::invalid_argument(
        fmt::format("ModelGroup::set: the text of {} is not UTF-8 without NUL characters", quote(name)));
}

}  // namespace

ModelGroup& ModelGroup::set(std::string name, ModelValue value) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  if (name.empty() || name == "." || name == ".." || !std::all_of(name.begin(), name.end(), allowed))
    throw std::invalid_argument(
        fmt::format("ModelGroup::set: the name {} must be letters, digits, '_', '-' and '.'", quote(name)));
  if (has(name)) throw std::invalid_argument(fmt::format("ModelGroup::set: {} is set twice", quote(name)));
  if (const auto* text = std::get_if<std::string>(&value)) check_text(name, *text);
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
    for (const std::string& text : *texts) check_text(name, text);
  entries_.push_back({std::move(name), std::move(value)});
  return *this;
}

ModelGroup& ModelGroup::set(std::string name, const char* text) {
  return set(std::move(name), ModelValue(std::string(text)));
}

const std::vector<ModelEntry>& ModelGroup::entries() const { return entries_; }

const ModelEntry* ModelGroup::find(std::string_view name) const {
  const auto at =
      std::find_if(entries_.begin(), entries_.end(), [&](const ModelEntry& e) { return e.name == name; });
  return at == entries_.end() ? nullptr : &*at;
}

bool ModelGroup::has(std::string_view name) const { return find(name) != nullptr; }

template <class T>
const T& ModelGroup::get(std::string_view name, const char* kind) const {
  const ModelEntry* entry = find(name);
  if (!entry) throw InputError(fmt::format("{}: the model has no entry {}", where_, quote(name)));
  const T* value = std::get_if<T>(&entry->value);
  if (!value) throw InputError(fmt::format("{}: the entry {} is not {}", where_, quote(name), kind));
  return *value;
}

double ModelGroup::number(std::string_view name) const {
  const ModelEntry* entry = find(name);
  if (entry && std::holds_alternative<std::int64_t>(entry->value))
    return static_cast<double>(std::get<std::int64_t>(entry->value));
  return get<double>(name, "a number");
}

std::int64_t ModelGroup::integer(std::string_view name) const {
  return get<std::int64_t>(name, "an integer");
}

bool ModelGroup::flag(std::string_view name) const {
  const std::int64_t value = integer(name);
  if (value != 0 && value != 1)
    throw InputError(fmt::format("{}: the entry {} is {}, but must be 0 or 1", where_, quote(name), value));
  return value == 1;
}

const std::string& ModelGroup::text(std::string_view name) const { return get<std::string>(name, "a text"); }
const Vector& ModelGroup::vector(std::string_view name) const {
  return get<Vector>(name, "a vector of numbers");
}
const Matrix& ModelGroup::matrix(std::string_view name) const {
  return get<Matrix>(name, "a matrix of numbers");
}
const std::vector<std::int64_t>& ModelGroup::integers(std::string_view name) const {
  return get<std::vector<std::int64_t>>(name, "a list of integers");
}
const std::vector<std::string>& ModelGroup::texts(std::string_view name) const {
  return get<std::vector<std::string>>(name, "a list of texts");
}
const ModelGroup& ModelGroup::group(std::string_view name) const { return get<ModelGroup>(name, "a group"); }

void name_groups(ModelGroup& group, const std::string& where) {
  group.where_ = where;
  for (ModelEntry& entry : group.entries_)
    if (auto* child = std::get_if<ModelGroup>(&entry.value)) name_groups(*child, where + "/" + entry.name);
}

}  // namespace bochner
