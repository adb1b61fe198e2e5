#include "bochner/random/log_gamma.hpp"

#include <boost/math/special_functions/gamma.hpp>

namespace bochner {

double log_gamma(double x) {
  using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  return boost::math::lgamma(x, InDouble());
}

}  // namespace bochner
