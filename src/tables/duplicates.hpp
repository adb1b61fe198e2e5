#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bochner::detail {

/// Positions (earlier, later) of the first name that equals an earlier one; nothing if all differ.
std::optional<std::pair<std::size_t, std::size_t>> first_repeat(const std::vector<std::string>& names);

}  // namespace bochner::detail
