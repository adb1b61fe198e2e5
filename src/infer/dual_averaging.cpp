#include "bochner/infer/dual_averaging.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"

namespace bochner {

DualAveraging DualAveraging::at(double step) {
  check_positive("DualAveraging::at", "step", step);
  return {.mu = std::log(step), .log_step = std::log(step), .log_mean = std::log(step)};
}

void DualAveraging::update(double acceptance, double target) {
  acceptance = std::isfinite(acceptance) ? std::clamp(acceptance, 0.0, 1.0) : 0.0;
  ++count;
  const double t = double(count);
  error_mean += (target - acceptance - error_mean) / (t + t0);
  log_step = mu - std::sqrt(t) / gamma * error_mean;
  const double weight = std::pow(t, -kappa);  // 1 at t = 1: the start drops out of the average
  log_mean = weight * log_step + (1 - weight) * log_mean;
}

}  // namespace bochner
