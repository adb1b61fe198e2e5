#include "duplicates.hpp"

#include <bit>
#include <functional>

namespace bochner::detail {

// Open addressing over positions: std::unordered_map takes as long as reading the file does.
std::optional<std::pair<std::size_t, std::size_t>> first_repeat(const std::vector<std::string>& names) {
  const std::size_t mask = std::bit_ceil(2 * names.size() + 1) - 1;
  std::vector<std::size_t> slots(mask + 1, 0), hashes(names.size());  // a slot holds a position plus one
  for (std::size_t n = 0; n < names.size(); ++n) {
    hashes[n] = std::hash<std::string>{}(names[n]);
    std::size_t at = hashes[n] & mask;
    for (; slots[at] != 0; at = (at + 1) & mask) {
      const std::size_t earlier = slots[at] - 1;
      if (hashes[earlier] == hashes[n] && names[earlier] == names[n]) return std::pair(earlier, n);
    }
    slots[at] = n + 1;
  }
  return std::nullopt;
}

}  // namespace bochner::detail
