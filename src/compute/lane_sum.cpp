#include "bochner/compute/lane_sum.hpp"

namespace bochner {

Index left_of_tree(Index count) { return count - 1; }  // one after the other

double add_in_tree(const std::vector<double>& parts) {
  Vector all(static_cast<Index>(parts.size()));
  std::copy(parts.begin(), parts.end(), all.data());
  return all.sum();
}

}  // namespace bochner
