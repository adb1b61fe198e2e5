#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bochner/core/errors.hpp"

namespace bochner::cli {

/// What `--option VALUE` and `--option NAME=VALUE` say to each view: pairs of view and value, in the order in which they
/// are to be set; what names a view comes last and wins. InputError for an unknown name, or two values for all.
std::vector<std::pair<std::size_t, std::string>> values_by_view(const char* option,
                                                                const std::vector<std::string>& words,
                                                                const std::vector<std::string>& views);

/// set(options of a view, value) for each of them; an InputError of `set` begins with the option.
template <class Options, class Set>
void set_by_view(const char* option, const std::vector<std::string>& words,
                 const std::vector<std::string>& views, std::vector<Options>& out, const Set& set) {
  for (const auto& [v, value] : values_by_view(option, words, views)) {
    try {
      set(out[v], value);
    } catch (const InputError& error) {
      throw InputError(std::string("--") + option + ": " + error.what());
    }
  }
}

/// InputError if it is not one.
double positive_number(const std::string& text);

}  // namespace bochner::cli
