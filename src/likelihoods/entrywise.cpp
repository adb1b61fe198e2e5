#include "entrywise.hpp"

#include <sstream>
#include <stdexcept>

#include "bochner/core/checks.hpp"

namespace bochner {

void check_marginals(const char* name, Index latents, MatrixIn mean, MatrixIn var) {
  check_size(name, "columns of mean", mean.cols(), "latents()", latents);
  check_size(name, "columns of var", var.cols(), "latents()", latents);
  check_size(name, "rows of var", var.rows(), "rows of mean", mean.rows());
  check_finite(name, "mean", mean);
  check_finite(name, "var", var);
  if (var.size() > 0) check_non_negative(name, "the smallest entry of var", var.minCoeff());
}

void check_rows(const char* name, MatrixIn Y, MatrixIn mean) {
  check_size(name, "rows of Y", Y.rows(), "rows of mean", mean.rows());
}

std::vector<std::string> output_names(const std::string& name, Index n) {
  std::vector<std::string> names;
  for (Index p = 1; p <= n; ++p) names.push_back(name + "[" + std::to_string(p) + "]");
  return names;
}

void refuse_outcome(const char* name, Index row, Index column, double value, const std::string& rule) {
  std::ostringstream message;
  message.precision(17);
  message << name << ": row " << row << ", column " << column << " of Y is " << value << ", but must be "
          << rule;
  throw std::domain_error(message.str());
}

void check_classes(const char* name, MatrixIn Y, Index classes) {
  check_at_least(name, "classes", classes, 2);
  const double last = static_cast<double>(classes - 1);
  check_entries(
      name, Y, 1, [&](double y) { return y >= 0 && y <= last && y == std::floor(y); },
      "a class number, whole and between 0 and " + std::to_string(classes - 1));
}

}  // namespace bochner
