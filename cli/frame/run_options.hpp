#pragma once
#include <string>
#include <vector>

#include "option.hpp"

namespace bochner::cli {

/// `--resume` and `--checkpoint-seconds` of a command whose runs can be continued.
std::vector<Option> checkpoint_options(bool& resume, double& seconds);

/// The lists one after the other.
std::vector<Option> concatenate(const std::vector<std::vector<Option>>& lists);

}  // namespace bochner::cli
