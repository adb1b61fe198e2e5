#pragma once
#include "bound.hpp"

namespace bochner {

/// The precisions Lambda = S^-1 of q(v), H lists of m x m matrices of which the lower triangle counts: natural gradients are
/// plain additions to them [hensman2013], [salimbeni2018].
using Precisions = std::vector<std::vector<Matrix>>;

Precisions precisions(const HarmonicGp& gp, const Compute& compute);

/// One natural gradient step of q(v), 0 < step <= 1:
///
///   Lambda <- (1 - step) Lambda + step target,     m <- m + a d,   d = Lambda^-1 dL/dm
///
/// A natural step has a = step. But groups are updated at once although their functions overlap in the data: eight groups
/// that each mend all of the same error overshoot it seven times. So a is at most where the batch, to second order, is best
/// along d; for one group and Gaussian noise that never binds.
void natural_step(Precisions& precision, const NaturalTarget& target, double step, HarmonicGp& gp,
                  const Compute& compute);

}  // namespace bochner
