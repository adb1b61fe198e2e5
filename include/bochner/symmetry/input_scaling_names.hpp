#pragma once
#include <string>

#include "bochner/symmetry/input_map.hpp"

namespace bochner {

/// "auto", "standardise", "common", "none", "pixels": the word that the command line, configuration and model files use. What cannot be
/// read throws InputError with the words that can.
std::string to_text(InputScaling scaling);
InputScaling parse_input_scaling(const std::string& text);

}  // namespace bochner
