#include "bochner/compute/lane_sum.hpp"

namespace bochner {

double add_in_tree(const std::vector<double>& parts) {
  std::vector<double> all = parts;
  add_in_tree(all, 0, all.size());
  return all.front();
}

}  // namespace bochner
