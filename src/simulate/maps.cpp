#include "bochner/simulate/maps.hpp"

#include "bochner/core/checks.hpp"

namespace bochner {

AnyKernel rbf_map(Index Q) {
  check_at_least("rbf_map", "Q", Q, 1);
  return Rbf{.ell = Vector::Ones(Q), .sigma2 = 1};
}

AnyKernel rbf_periodic_map(Index Q) {
  check_at_least("rbf_periodic_map", "Q", Q, 1);
  return Sum{{Rbf{.ell = Vector::Ones(Q), .sigma2 = 0.5},
              Periodic{.ell = Vector::Ones(Q), .period = Vector::Constant(Q, 4.5), .sigma2 = 0.5}}};
}

AnyKernel gibbs_map() { return Gibbs{.a = 0, .b = -0.5, .sigma2 = 1}; }

}  // namespace bochner
