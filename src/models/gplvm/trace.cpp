#include "trace.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "src/store/entries.hpp"

namespace bochner::detail {

Matrix trace_matrix(const std::vector<GplvmStep>& trace) {
  Matrix out(static_cast<Index>(trace.size()), 5);
  for (std::size_t i = 0; i < trace.size(); ++i)
    out.row(static_cast<Index>(i)) << static_cast<double>(trace[i].start), static_cast<double>(trace[i].step),
        trace[i].objective, trace[i].step_size, trace[i].draw;
  return out;
}

std::vector<GplvmStep> trace_from(const ModelGroup& group) {
  const Matrix& T = group.matrix("trace");
  const bool draws = T.cols() != 4;  // releases up to 0.1 kept one value a step, by its own draw
  check_shape(group, "trace", T, T.rows(), draws ? 5 : 4);
  std::vector<GplvmStep> out;
  for (Index i = 0; i < T.rows(); ++i)
    for (const Index c : {0, 1})
      if (!(T(i, c) >= 0 && T(i, c) < 1e15))
        throw InputError(fmt::format("{}: the entry 'trace' holds no numbers of steps", group.where()));
  for (Index i = 0; i < T.rows(); ++i)
    out.push_back(
        {static_cast<Index>(T(i, 0)), static_cast<Index>(T(i, 1)), T(i, 2), T(i, 3), T(i, draws ? 4 : 2)});
  return out;
}

}  // namespace bochner::detail
