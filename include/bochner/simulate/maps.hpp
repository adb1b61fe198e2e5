#pragma once
#include "bochner/kernels/any_kernel.hpp"

namespace bochner {

// The kernels behind the synthetic tables of the papers, on Q latent dimensions.

/// Rbf with length-scale 1 and variance 1 [li2024, Eq. 69], [yang2025, App. C.1.1], [zhang2023, Sec. 4].
AnyKernel rbf_map(Index Q = 2);

/// Rbf with length-scale 1 and variance 0.5, plus Periodic with length-scale 1, variance 0.5 and period 4.5
/// [li2024, Eq. 70]. The equation prints sin((x - x') / p) without the factor pi: a period of 14 on a curve
/// that is about 3 wide, with nothing periodic left in the data. 4.5 is the period in the authors' program.
/// Over several dimensions the squared sines add up, as there.
AnyKernel rbf_periodic_map(Index Q = 2);

/// Gibbs with ell(x) = exp(-|x| / 2) and variance 1 [yang2025, App. C.1.1], the power of its factor corrected
/// to Q / 2 (gibbs.hpp): as printed, the Gram matrix of the S-curve is indefinite and no such process exists.
AnyKernel gibbs_map();

}  // namespace bochner
