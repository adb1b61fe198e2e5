#include "bochner/core/checks.hpp"

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

namespace bochner {
namespace {

[[noreturn]] void wrong_value(const char* function, const std::string& name, double value,
                              const std::string& rule) {
  std::ostringstream message;
  message << function << ": " << name << " is " << value << ", but must be " << rule;
  throw std::domain_error(message.str());
}

std::string entry(const char* name, Index i) { return std::string(name) + "(" + std::to_string(i) + ")"; }

}  // namespace

void check_positive(const char* function, const char* name, double value) {
  if (!(value > 0 && std::isfinite(value))) wrong_value(function, name, value, "positive and finite");
}

void check_non_negative(const char* function, const char* name, double value) {
  if (!(value >= 0 && std::isfinite(value)))
    wrong_value(function, name, value, "zero or positive, and finite");
}

void check_finite(const char* function, const char* name, double value) {
  if (!std::isfinite(value)) wrong_value(function, name, value, "finite");
}

void check_between(const char* function, const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return;
  std::ostringstream rule;
  rule << "between " << low << " and " << high;
  wrong_value(function, name, value, rule.str());
}

void check_at_least(const char* function, const char* name, Index value, Index least) {
  if (value >= least) return;
  throw std::invalid_argument(std::string(function) + ": " + name + " is " + std::to_string(value) +
                              ", but must be at least " + std::to_string(least));
}

void check_positive(const char* function, const char* name, VectorIn value) {
  for (Index i = 0; i < value.size(); ++i)
    if (!(value(i) > 0 && std::isfinite(value(i))))
      wrong_value(function, entry(name, i), value(i), "positive and finite");
}

void check_finite(const char* function, const char* name, MatrixIn value) {
  for (Index i = 0; i < value.rows(); ++i)
    for (Index j = 0; j < value.cols(); ++j)
      if (!std::isfinite(value(i, j)))
        wrong_value(function, std::string(name) + "(" + std::to_string(i) + ", " + std::to_string(j) + ")",
                    value(i, j), "finite");
}

void check_size(const char* function, const char* what, Index value, const char* expected_what,
                Index expected) {
  if (value == expected) return;
  throw std::invalid_argument(std::string(function) + ": " + what + " is " + std::to_string(value) +
                              ", but must equal " + expected_what + ", " + std::to_string(expected));
}

}  // namespace bochner
