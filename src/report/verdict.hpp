#pragma once
#include <string>

#include "run_files.hpp"

namespace bochner::detail {

/// {"kind": "good", "text": .., "warnings": [..], "next": [..]}: what the run says about itself, and what to do about it.
Json verdict_json(const RunFiles& run);

/// "Variational latent variable model"
std::string family_name(const RunFiles& run);

}  // namespace bochner::detail
