#pragma once
#include <string>

#include "bochner/models/gplvm/options.hpp"

namespace bochner {

// The settings of a fit as the words that the command line, configuration and model files use for them.
// What cannot be read throws InputError with the words that can.

/// "auto", "none", "centre", "standardise", "whole".
std::string to_text(ViewScaling scaling);
ViewScaling parse_scaling(const std::string& text);

/// "auto", "double", "single".
std::string to_text(FloatingPoint precision);
FloatingPoint parse_precision(const std::string& text);

}  // namespace bochner
