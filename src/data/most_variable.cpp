#include "bochner/data/most_variable.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/scaling.hpp"

namespace bochner {

std::vector<Index> most_variable(MatrixIn Y, Index count) {
  check_at_least("most_variable", "count", count, 1);
  const Scaling columns = fit_scaling(Y, ScalingKind::standardise);
  Vector sd = columns.scale;  // of variances the order is the same, but these overflow
  for (const Index m : columns.constant) sd(m) = 0;
  for (const Index m : columns.unmeasured) sd(m) = -1;
  std::vector<Index> order(static_cast<std::size_t>(Y.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return sd(a) > sd(b); });
  order.resize(static_cast<std::size_t>(std::min(count, Y.cols())));
  std::sort(order.begin(), order.end());
  return order;
}

void check_kept_names(const std::string& view, const std::vector<std::string>& columns,
                      const std::vector<Index>& kept) {
  if (kept.size() == columns.size()) return;
  std::map<std::string, Index> times;
  for (const std::string& name : columns) ++times[name];
  for (const Index m : kept)
    if (const std::string& name = columns[static_cast<std::size_t>(m)]; times[name] > 1)
      throw InputError(
          "view " + quote(view) + " has " + std::to_string(times[name]) + " columns named " + quote(name) +
          "; to select the most variable ones, give columns names of their own, by which a model "
          "finds them in new tables");
}

}  // namespace bochner
