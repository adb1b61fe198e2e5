#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace bochner {

/// The candidate that `name` is most likely a misspelling of (a few edits, case ignored); empty if there is none.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace bochner
