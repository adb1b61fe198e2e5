#pragma once
#include "bochner/kernels/any_kernel.hpp"

namespace bochner {

/// The parameters of a kernel that are free: with `shared`, the length-scales (and the weights of inner products) of all
/// columns are one parameter in each kernel of a sum or product.
struct TiedParameters {
  IndexVector of;   // free parameter of each parameter of the kernel
  Index count = 0;  // free ones

  static TiedParameters make(const AnyKernel& kernel, bool shared);
  Vector gather(VectorIn theta) const;  // from those of the kernel: the first of each
  Vector spread(VectorIn free) const;   // back
  Vector pull(VectorIn dtheta) const;   // adjoint of spread
};

}  // namespace bochner
