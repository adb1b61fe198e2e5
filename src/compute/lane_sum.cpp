#include "bochner/compute/lane_sum.hpp"

#include <bit>

namespace bochner {

Index left_of_tree(Index count) {  // the largest power of two below it
  return static_cast<Index>(std::bit_floor(static_cast<std::size_t>(count - 1)));
}

double add_in_tree(const std::vector<double>& parts) {
  std::vector<double> all = parts;
  add_in_tree(all, 0, all.size());
  return all.front();
}

}  // namespace bochner
