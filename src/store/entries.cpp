#include "entries.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::detail {

std::string place(std::size_t i) { return std::to_string(i); }

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

}  // namespace bochner::detail
