#include "bochner/assess/normal_interval.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

double normal_quantile_of_interval(double level) {
  check_between("normal_quantile_of_interval", "level", level, 0, std::nextafter(1.0, 0.0));
  // Newton on erf(z / sqrt 2) = level from the left, where it is concave: it grows to the root and cannot overshoot.
  double z = 0;
  for (int i = 0; i < 200; ++i) {
    const double step = (level - std::erf(z / std::sqrt(2.0))) / (std::sqrt(2 / pi) * std::exp(-0.5 * z * z));
    z += step;
    if (!(step > 1e-15 * z)) break;
  }
  return z;
}

}  // namespace bochner
