#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// Class labels as whole numbers: row n carries names[code(n)]. Names are sorted byte by byte, so codes order
/// as labels.
struct Labels {
  IndexVector code;                // N, 0 .. names.size() - 1
  std::vector<std::string> names;  // distinct, ascending
};

Labels encode_labels(const std::vector<std::string>& labels);

}  // namespace bochner
