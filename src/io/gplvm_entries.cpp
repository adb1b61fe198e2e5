#include "gplvm_entries.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "sentence.hpp"

namespace bochner::io {

std::string place(std::size_t i) { return std::to_string(i); }

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

Vector numbers(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}
std::vector<double> numbers(const Vector& values) { return {values.data(), values.data() + values.size()}; }

Index count_from(const ModelGroup& group, const char* name) {
  const std::int64_t value = group.integer(name);
  if (value < 0)
    throw InputError(
        fmt::format("{}: the entry {} is {}, but must not be negative", group.where(), quote(name), value));
  return value;
}

void check_shape(const ModelGroup& group, const char* name, const Matrix& value, Index rows, Index cols) {
  if (value.rows() == rows && value.cols() == cols) return;
  throw InputError(fmt::format("{}: the entry {} is {} x {}, but the rest of the file needs {} x {}",
                               group.where(), quote(name), value.rows(), value.cols(), rows, cols));
}

void check_length(const ModelGroup& group, const char* name, Index length, Index expected) {
  if (length == expected) return;
  throw InputError(fmt::format("{}: the entry {} has {}, but the rest of the file needs {}", group.where(),
                               quote(name), counted(length, "value"), expected));
}

}  // namespace bochner::io
