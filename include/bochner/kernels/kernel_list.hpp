#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/kernels/any_kernel_fwd.hpp"

namespace bochner {

// Kernels made of kernels hold a list of them. Their parameters lie one after the other.

/// The number of inputs its members agree on, 0 when any will do; std::invalid_argument when they disagree.
Index input_dims(const std::vector<AnyKernel>& list);
Index parameter_count(const std::vector<AnyKernel>& list);
/// "rbf[1].log ell[1]", ..: the member's name and place, then its own names.
std::vector<std::string> parameter_names(const std::vector<AnyKernel>& list);
Vector parameters(const std::vector<AnyKernel>& list);
std::vector<AnyKernel> with_parameters(const std::vector<AnyKernel>& list, VectorIn theta);

/// f(i, begin, size) for each member i and the place of its parameters.
void for_each_member(const std::vector<AnyKernel>& list,
                     const std::function<void(std::size_t, Index, Index)>& f);

}  // namespace bochner
