#pragma once
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

/// A kernel as entries of a model file: its name (what make_kernel understands), and every parameter as the kernel holds
/// it ("ell", "sigma2", ...), not in the unconstrained form of optimisers: log and exp would not give the last bit back.
/// The members of a sum or a product are the groups "part_1", "part_2", ...
ModelGroup kernel_group(const AnyKernel& kernel);

/// The same kernel to the bit, on D inputs. InputError if an entry is absent or has the wrong shape.
AnyKernel kernel_from(const ModelGroup& group, Index D);

}  // namespace bochner
