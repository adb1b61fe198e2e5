#include "warmup.hpp"

#include <cmath>

#include "bochner/assess/convergence.hpp"
#include "level.hpp"

namespace bochner {

namespace {

constexpr double most_rhat = 1.1, most_change = 0.2;

/// Log posteriors that do not vary at all are those of a chain that does not move.
bool steady(const Matrix& levels) { return rhat(levels) <= most_rhat; }

}  // namespace

bool settled(const std::vector<Vector>& levels, const std::vector<Vector>& log_steps) {
  const Index half = levels.front().size() / 2;
  std::vector<Vector> late;
  for (const Vector& own : levels) late.emplace_back(own.tail(half));
  for (std::size_t c = 0; c < late.size(); ++c) {
    const auto steps = log_steps[c].tail(half);
    if (!steady(late[c].transpose()) || steps.maxCoeff() - steps.minCoeff() > most_change) return false;
  }
  const std::vector<Index> best = going_on(late);
  Matrix together(static_cast<Index>(best.size()), half);
  for (std::size_t k = 0; k < best.size(); ++k)
    together.row(static_cast<Index>(k)) = late[static_cast<std::size_t>(best[k])].transpose();
  return steady(together);
}

}  // namespace bochner
