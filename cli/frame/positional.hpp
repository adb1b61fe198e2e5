#pragma once
#include <string>
#include <vector>

#include "option.hpp"

namespace bochner::cli {

/// The arguments behind a command with the names of options before those that have none: `genes.csv --dims 3` becomes
/// `--view genes.csv --dims 3`. The first go to options of one value, in their order, unless these are given by name; the
/// others to the list, if there is one. What is left stays as it is. Everything behind `--` is without a name. InputError
/// for the value of an option whose name was forgotten.
std::vector<std::string> name_positionals(const std::vector<std::string>& arguments,
                                          const std::vector<Option>& options);

}  // namespace bochner::cli
