#pragma once
#include <string>

#include "bochner/models/kpca/options.hpp"

namespace bochner {

// The settings of kernel PCA as the words that the command line, configuration and model files use for them. What cannot
// be read throws InputError with the words that can.

/// "auto", "identity", "smoother", "fixed-point", "ridge", "gradient", "network".
std::string to_text(Preimage preimage);
Preimage parse_preimage(const std::string& text);

/// "auto", "primal", "dual", "primal-stiefel", "dual-stiefel".
std::string to_text(KpcaSolver solver);
KpcaSolver parse_solver(const std::string& text);

}  // namespace bochner
