#pragma once
#include <string>

#include "arrays.hpp"

namespace bochner::python {

/// An attribute that Python reads and writes as the string that the command line uses for it.
template <class Options, class Choice>
void text_attribute(nb::class_<Options>& options, const char* name, Choice Options::*member,
                    Choice (*parse)(const std::string&)) {
  options.def_prop_rw(
      name, [member](const Options& o) { return to_text(o.*member); },
      [member, parse](Options& o, const std::string& text) { o.*member = parse(text); });
}

}  // namespace bochner::python
