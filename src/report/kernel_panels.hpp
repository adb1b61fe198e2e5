#pragma once
#include "bochner/compute/compute.hpp"
#include "samples.hpp"

namespace bochner::detail {

/// The learned kernel of each view beside an RBF kernel, its spectral density, and its Gram matrix.
void add_kernel_panels(RunFiles& run, const RunSamples& samples, const Compute& compute, Json& panels);

}  // namespace bochner::detail
