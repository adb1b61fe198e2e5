#include "bochner/core/transforms.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

double logistic(double u) { return u >= 0 ? 1 / (1 + std::exp(-u)) : std::exp(u) / (1 + std::exp(u)); }
double softplus(double u) { return u > 0 ? u + std::log1p(std::exp(-u)) : std::log1p(std::exp(u)); }

void check_open(const char* function, double x, double low, double high) {
  if (!(x > low && x < high))
    check_between(function, "x", x, std::nextafter(low, high), std::nextafter(high, low));
}

}  // namespace

double LogTransform::constrain(double u) { return std::exp(u); }
double LogTransform::unconstrain(double x) {
  check_positive("LogTransform::unconstrain", "x", x);
  return std::log(x);
}
double LogTransform::derivative(double u) { return std::exp(u); }
double LogTransform::log_jacobian(double u) { return u; }

double SoftplusTransform::constrain(double u) { return softplus(u); }
double SoftplusTransform::unconstrain(double x) {
  check_positive("SoftplusTransform::unconstrain", "x", x);
  return x + std::log(-std::expm1(-x));  // log(exp(x) - 1) without overflow
}
double SoftplusTransform::derivative(double u) { return logistic(u); }
double SoftplusTransform::log_jacobian(double u) { return -softplus(-u); }

double TanhTransform::constrain(double u) { return std::tanh(u); }
double TanhTransform::unconstrain(double x) {
  check_open("TanhTransform::unconstrain", x, -1, 1);
  return std::atanh(x);
}
double TanhTransform::derivative(double u) {
  const double s = 1 / std::cosh(u);  // 1 - tanh^2 would cancel for large |u|
  return s * s;
}
double TanhTransform::log_jacobian(double u) {
  const double a = std::abs(u);
  return 2 * (std::log(2.0) - a - std::log1p(std::exp(-2 * a)));  // -2 log cosh(u)
}

double LogisticTransform::constrain(double u) { return logistic(u); }
double LogisticTransform::unconstrain(double x) {
  check_open("LogisticTransform::unconstrain", x, 0, 1);
  return std::log(x) - std::log1p(-x);
}
double LogisticTransform::derivative(double u) { return logistic(u) * logistic(-u); }
double LogisticTransform::log_jacobian(double u) { return -softplus(u) - softplus(-u); }

}  // namespace bochner
