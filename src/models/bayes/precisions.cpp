#include "precisions.hpp"

namespace bochner {

Vector prior_precision(Index features, double amplitude, double intercept_sd) {
  Vector p = Vector::Constant(features, 1 / amplitude);
  p(features - 1) = 1 / (intercept_sd * intercept_sd);
  return p;
}

}  // namespace bochner
