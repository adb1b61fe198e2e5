#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "bochner/core/errors.hpp"
#include "bochner/tables/table.hpp"

namespace bochner::fuzz {

/// A finding: libFuzzer saves the input and stops.
[[noreturn]] inline void find(const char* what, const std::string& detail = "") {
  std::fprintf(stderr, "finding: %s %s\n", what, detail.c_str());
  std::abort();
}

/// What every reader promises of a table (table.hpp).
inline void judge(const Table& t) {
  if (t.rows() < 1 || t.cols() < 1) find("an empty table");
  if (t.ids.size() != std::size_t(t.rows()) || t.columns.size() != std::size_t(t.cols()))
    find("names without numbers");
  if (std::set<std::string>(t.ids.begin(), t.ids.end()).size() != t.ids.size()) find("ids repeat");
  if (std::set<std::string>(t.columns.begin(), t.columns.end()).size() != t.columns.size())
    find("columns repeat");
  for (Index i = 0; i < t.values.size(); ++i)
    if (std::isinf(t.values.data()[i])) find("an infinite number");
}

/// And of a refusal: one line that begins with the name of the file.
inline void judge(const InputError& error, std::string_view name) {
  const std::string text = error.what();
  if (!text.starts_with(name)) find("a message without the file:", text);
  if (text.size() > 1000) find("a message without end:", text);
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) find("a control character in a message:", text);
}

/// Runs a reader; anything but a table or an InputError is a finding (other exceptions end the program).
template <class Read>
void read_and_judge(std::string_view name, Read&& read) {
  try {
    judge(read());
  } catch (const InputError& error) {
    judge(error, name);
  }
}

inline std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace bochner::fuzz
